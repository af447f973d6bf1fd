"""Rules for values and rows that a fit ignores: codes for missing values, rows without a response."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from ..columns.declared_readings import as_declared
from ..columns.missing_codes import is_missing, text_to_numbers, without_codes
from ..columns.number_forms import read_numbers
from ..columns.raw import RawColumn


@dataclass(frozen=True)
class RowRules:
    """Rules for the cells and rows of a source.

    Attributes
    ----------
    codes : dict
        Column -> codes for missing values.
    nominal : frozenset of str
        Columns whose texts stay texts, even if they all are numbers.
    numbers : frozenset of str or None
        Columns of text that turned out to hold numbers; None = not yet known.
    numeric : dict
        Columns that are declared numeric -> the form of their texts (:mod:`.number_forms`), None where it is not given.
    written : dict
        Columns of text that turned out to hold numbers of a form -> the form; None = not yet known.
    needed : str or None
        Column without which a row is left out.
    forms : dict
        Column of text -> how it writes dates or times (:mod:`.time_texts`).
    datable : frozenset of str
        Columns in which dates and numbers of a form are looked for, if they are text.
    orders : dict
        Column -> its levels in order, of those that are declared ordinal.
    amounts : frozenset of str
        Columns of weights, exposures and a numeric target, which may be numbers of a form.
    """

    codes: dict = field(default_factory=dict)
    nominal: frozenset[str] = frozenset()
    numbers: frozenset[str] | None = None
    needed: str | None = None
    numeric: dict = field(default_factory=dict)
    written: dict | None = None
    forms: dict = field(default_factory=dict)
    datable: frozenset[str] = frozenset()
    orders: dict = field(default_factory=dict)
    amounts: frozenset[str] = frozenset()

    def is_free(self, name: str) -> bool:
        """Whether a column may be read by a form that is not given."""
        return name in self.datable or self.numeric.get(name, "") is None

    @property
    def texts(self) -> frozenset[str]:
        """Columns that are read as texts by a given form, even if they look otherwise."""
        return frozenset(name for name, form in self.numeric.items() if form) | frozenset(self.forms)

    def with_numbers(self, numbers: frozenset[str]) -> RowRules:
        """The same rules once the columns of numbers are known."""
        return replace(self, numbers=numbers)

    def applied(self, name: str, column: RawColumn) -> RawColumn:
        """A column without its codes, as numbers if it is a column of them."""
        codes = self.codes.get(name, ())
        column = without_codes(column, codes)
        if self.written and name in self.written:
            return without_codes(read_numbers(column, self.written[name]), codes)
        read = as_declared(name, column, (self.numeric, self.forms, self.orders), codes)
        if read is not None:
            return read
        return text_to_numbers(column) if self.numbers and name in self.numbers else column

    def kept(self, batch):
        """A batch without the rows that lack the needed column."""
        if self.needed is None:
            return batch
        missing = is_missing(batch.column(self.needed))
        return batch.taken(~missing) if missing.any() else batch


NO_RULES = RowRules()
