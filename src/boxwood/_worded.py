"""The base of errors and of warnings: a sentence of parts, and the fields that it names."""

from __future__ import annotations

import typing

from ._messages import Column, DataFile, Message, Remedy, Row, Setting, Value

if typing.TYPE_CHECKING:
    from ._messages import Phrase

    Kind = typing.TypeVar("Kind")


class Worded(Exception):  # noqa: N818 - a base of errors and of warnings
    """A sentence of parts, and the fields that it names: errors and warnings have both."""

    def __init__(self, *parts: Phrase) -> None:
        super().__init__(Message(*parts))

    @property
    def message(self) -> Message:
        """The sentence with its parts, which a front end may word in its own terms."""
        return self.args[0]

    @property
    def argument(self) -> str | None:
        """The first argument that the message names, such as ``"max_depth"``."""
        return None if (found := self._first(Setting)) is None else found.name

    @property
    def row(self) -> int | None:
        """The first row that the message names, counted from 0."""
        return None if (found := self._first(Row)) is None else found.index

    @property
    def column(self) -> str | None:
        """The first column that the message names, in full."""
        return None if (found := self._first(Column)) is None else found.name

    @property
    def file(self) -> str | None:
        """The file of data that the message begins with, as it was given."""
        return None if (found := self._first(DataFile)) is None else found.name

    @property
    def value(self) -> object:
        """The value that cannot be used, or None if the message names none."""
        return None if (found := self._first(Value)) is None else found.value

    @property
    def remedy(self) -> str | None:
        """The clause of the message that states what to do."""
        return None if (found := self._first(Remedy)) is None else str(found)

    def _first(self, kind: type[Kind]) -> Kind | None:
        return next((part for part in self.message.all() if isinstance(part, kind)), None)
