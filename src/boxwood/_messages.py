"""Messages made of parts: a front end may word rows and settings in its own terms."""

from __future__ import annotations

import dataclasses
import typing
from dataclasses import dataclass

if typing.TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    Kind = typing.TypeVar("Kind")

#: A setting that is named without a value.
_NO_VALUE = "\0"


@dataclass(frozen=True)
class Row:
    """A row by its position from 0: "row 3"."""

    index: int
    word: str = "row"

    def __str__(self) -> str:
        return f"{self.word} {self.index}"


@dataclass(frozen=True)
class RowRange:
    """RowRange by their first and last position from 0: "rows 0 to 99"."""

    first: int
    last: int

    def __str__(self) -> str:
        return f"rows {self.first} to {self.last}"


@dataclass(frozen=True)
class FromZero:
    """The remark that positions of rows count from 0."""

    text: str = " (counted from 0)"

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Setting:
    """An argument, with a value that is recommended or refused: "missing='error'", or the entry of one key of it."""

    name: str
    value: object = _NO_VALUE
    key: str | None = None
    estimator: str | None = None

    def __str__(self) -> str:
        if self.key is not None and self.value is _NO_VALUE:
            return f"{self.name}[{self.key!r}]"
        given = "..." if self.value is ... else repr(self.value)
        given = given if self.key is None else f"{{{self.key!r}: {given}}}"
        text = self.name if self.value is _NO_VALUE else f"{self.name}={given}"
        return text if self.estimator is None else f"{self.estimator}({text})"

    @property
    def has_value(self) -> bool:
        """Whether a value is named."""
        return self.value is not _NO_VALUE


@dataclass(frozen=True)
class DroppedColumn:
    """A column to leave out of X."""

    name: str

    def __str__(self) -> str:
        return f"X.drop(columns={[self.name]})"


@dataclass(frozen=True)
class Learner:
    """An algorithm by the names of its estimators: "CARTClassifier or CARTRegressor"."""

    algorithm: str
    estimators: str

    def __str__(self) -> str:
        return self.estimators


@dataclass(frozen=True)
class Column:
    """A column by its name, cut to 60 characters, after a word: "column 'age'"; in lists without quotes."""

    name: str
    word: str = ""
    quoted: bool = True

    def __str__(self) -> str:
        bare = not self.quoted and len(self.name) <= 60 and self.name.isprintable()
        return self.name if bare else f"{self.word} {short(self.name)}".lstrip()


@dataclass(frozen=True)
class Value:
    """A value of the caller's; ``text`` is the value as it is written."""

    value: object
    text: str | None = None

    def __str__(self) -> str:
        return short(self.value) if self.text is None else self.text


class Message(str):
    """A sentence for users of the library that keeps its parts.

    Parameters
    ----------
    *parts : str, Message or part
        Joined without anything between them.

    Attributes
    ----------
    parts : tuple

    Examples
    --------
    >>> from boxwood._messages import Message, Row, Setting
    >>> message = Message(Row(3, "Row"), " has no value; ", Setting("missing", "stay"), " keeps it.")
    >>> message
    "Row 3 has no value; missing='stay' keeps it."
    >>> message.parts[0]
    Row(index=3, word='Row')
    """

    parts: tuple[Phrase, ...]

    def __new__(cls, *parts: Phrase) -> Message:
        flat = [inner for part in parts for inner in (part.parts if isinstance(part, Message) else (part,))]
        made = super().__new__(cls, "".join(map(str, flat)))
        made.parts = tuple(flat)
        return made

    def __add__(self, other: str) -> Message:
        return Message(self, other)

    def __radd__(self, other: str) -> Message:
        return Message(other, self)

    def __reduce__(self) -> tuple[type[Message], tuple[Phrase, ...]]:
        return Message, self.parts

    def replaced(self, write: Callable[[Phrase], Phrase]) -> Message:
        """The message with another part in the place of each, also inside remedies."""

        def changed(part: Phrase) -> Phrase:
            return Remedy(part.message.replaced(write)) if isinstance(part, Remedy) else write(part)

        return Message(*map(changed, self.parts))

    def all(self) -> Iterator[Phrase]:
        """Every part, those inside remedies after the remedy."""
        for part in self.parts:
            yield part
            if isinstance(part, Remedy):
                yield from part.message.all()

    def as_json(self) -> list[typing.Any]:
        """The parts as JSON: text, or the name of the kind of part with its fields; values as they are written."""

        def plain(part: Phrase) -> str | list[typing.Any]:
            if isinstance(part, str):
                return str(part)
            if isinstance(part, Remedy):
                return ["Remedy", part.message.as_json()]
            fields = [getattr(part, field.name) for field in dataclasses.fields(part)]
            return [type(part).__name__, *([str(part), str(part)] if isinstance(part, Value) else fields)]

        return [plain(part) for part in self.parts]

    @classmethod
    def from_json(cls, parts: list[typing.Any]) -> Message:
        """The message that :meth:`as_json` wrote."""

        def part_of(plain: str | list[typing.Any]) -> Phrase:
            if isinstance(plain, str):
                return plain
            kind, *fields = plain
            return Remedy(cls.from_json(fields[0])) if kind == "Remedy" else _KINDS[kind](*fields)

        return cls(*map(part_of, parts))


@dataclass(frozen=True)
class Remedy:
    """The clause of a message that states what to do."""

    message: Message

    def __str__(self) -> str:
        return str(self.message)


Phrase = str | Row | RowRange | FromZero | Setting | DroppedColumn | Learner | Column | Value | Remedy
_KINDS = {kind.__name__: kind for kind in (Row, RowRange, FromZero, Setting, DroppedColumn, Learner, Column, Value)}


def lines_of(lines: Iterable[str]) -> Message:
    """Lines as one text that keeps their parts."""
    return Message(*(part for i, line in enumerate(lines) for part in ["\n"] * (i > 0) + [line]))


def remedy(*parts: Phrase) -> Remedy:
    """The clause of a message that states what to do, from its parts."""
    return Remedy(Message(*parts))


def short(value: object) -> str:
    """A value for a message, cut to 60 characters."""
    if isinstance(value, int) and value.bit_length() > 200:
        return f"of {value.bit_length()} bits"  # Python refuses to print integers of thousands of digits
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def shortened(value: object) -> str:
    """A value as a single line for messages, shortened if it is long."""
    try:
        text = " ".join(repr(value).split())
    except ValueError:  # Python refuses to write whole numbers of many thousand digits
        return "a number with very many digits"
    return text if len(text) <= 80 else text[:77] + "..."


def must_be(name: str, allowed: str, value: object, end: str = ".", key: str | None = None) -> Message:
    """The message of an argument, or of the entry of a key, whose value is not allowed; a Value has its own text.

    Examples
    --------
    >>> from boxwood._messages import must_be
    >>> must_be("n_trees", "a whole number", "many")
    "n_trees must be a whole number; got 'many'."
    """
    given = value if isinstance(value, Value) else Value(value, shortened(value))
    return Message(Setting(name, key=key), " must be ", allowed, "; got ", given, end)


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
    def value(self) -> object:
        """The value that cannot be used, or None if the message names none."""
        return None if (found := self._first(Value)) is None else found.value

    @property
    def remedy(self) -> str | None:
        """The clause of the message that states what to do."""
        return None if (found := self._first(Remedy)) is None else str(found)

    def _first(self, kind: type[Kind]) -> Kind | None:
        return next((part for part in self.message.all() if isinstance(part, kind)), None)
