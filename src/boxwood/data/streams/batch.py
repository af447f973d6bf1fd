"""Some consecutive rows of a source; their errors name file and rows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..._messages import Message, Phrase, Row
from ...errors import BoxwoodError, DataError, DataTypeError
from ..columns.missing_codes import taken_rows, without_codes
from ..columns.raw import RawColumn
from ..frames.table import TableReader
from .row_rules import NO_RULES, RowRules


@dataclass(frozen=True, eq=False)
class Batch:
    """Some consecutive rows.

    Attributes
    ----------
    table : TableReader
    place : Message
        What messages call it: the file and its rows.
    order : tuple of int
        Number of the file or frame, and of its first row: batches sorted by it are the data in order.
    rules : RowRules
    kept : ndarray of int, or None
        Positions of the table's rows among those from the first row on, where some were left out.
    """

    table: TableReader
    place: Message
    order: tuple[int, int]
    rules: RowRules = NO_RULES
    kept: np.ndarray | None = None

    def column(self, name: str) -> RawColumn:
        """One column by its name, without its codes; its errors begin with the place of the batch."""
        try:
            return self.rules.applied(name, self.table.column(self._places[name]))
        except (DataError, DataTypeError) as error:
            raise self.about(error) from None

    def as_stored(self, name: str) -> RawColumn:
        """One column by its name, without its codes, texts as texts."""
        return without_codes(self.table.column(self._places[name]), self.rules.codes.get(name, ()))

    def taken(self, keep: np.ndarray) -> Batch:
        """Some of the rows; ``keep`` is bool, one for each row."""
        some = self.table.changed(lambda _, column: taken_rows(column, keep), int(keep.sum()))
        positions = np.flatnonzero(keep)
        return replace(self, table=some, kept=positions if self.kept is None else self.kept[positions])

    @cached_property
    def _places(self) -> dict[str, int]:
        return {name: j for j, name in enumerate(self.table.names)}

    def about(self, error: BoxwoodError) -> BoxwoodError:
        """The same error, which names the place of the rows; a row has its number in the file or frame."""

        def numbered(part: Phrase) -> Phrase:
            if not isinstance(part, Row):
                return part
            row = part.index
            if self.kept is not None and row < len(self.kept):
                row = int(self.kept[row])
            return replace(part, index=self.order[1] + row)

        return type(error)(self.place, ": ", error.message.replaced(numbered))
