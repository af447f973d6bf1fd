"""What a table holds beside its rows: a last row of totals, and columns that are empty below merged cells."""

from __future__ import annotations

import math
import operator
import re
import warnings

from ..._messages import Message
from ...errors import FormatWarning, level_outside
from ..columns.names import listed
from ..columns.raw import MISSING_WORDS
from ..frames.arrow_tables import is_number_type, need_pyarrow
from .layout import is_number

_TOTALS = frozenset(
    [
        "total", "totals", "grand-total", "sum", "sums", "summe", "summen", "gesamt", "gesamtsumme", "insgesamt",
        "totale", "suma", "合计", "总计", "總計", "合計", "小计", "합계", "총계",
    ]
)  # fmt: skip
_EMPTY = frozenset(["", *MISSING_WORDS])
#: Sums of rounded numbers, and rounded sums, are as near.
_ROUNDED = 1e-3
#: A number with a unit before or after it.
_LONGEST = 60
_NUMBER = re.compile(r"\D{0,4}?([\d.,'’\s]*\d[\d.,'’\s]*)\D{0,4}")
#: A column of a sheet with a greater share of missing values may have lost them to merged cells.
_MOSTLY = 0.9
_FEWEST = 10


class TotalsRow:
    """A last row that may hold the sums of the rows above, which come part by part.

    Numbers may be texts, such as ``1.234,50 EUR``: a comma and a point are each taken as the decimal mark, and one of
    both must make a sum.

    Parameters
    ----------
    row : dict
        Its values by the names of their columns.

    Attributes
    ----------
    may_be : bool
        It has a label of totals beside a number; or no words, but numbers and empty cells.
    """

    def __init__(self, row: dict):
        known = {name: v for name, v in row.items() if v is not None and str(v).strip() not in _EMPTY}
        read = {name: _read(value) for name, value in known.items()}
        self._numbers = {name: numbers for name, numbers in read.items() if numbers}
        words = [v for name, v in known.items() if isinstance(v, str) and not read[name] and not is_number(v)]
        called = any(map(is_total, words))
        self._sums = dict.fromkeys(self._numbers, (0.0, 0.0))
        self._rows, self._fewest, self._is_called = 0, 2 if called else 3, called
        has_gaps = not words and len(self._numbers) > 1 and len(known) < len(row)
        self.may_be = (called or has_gaps) and any(map(any, self._numbers.values()))

    def add(self, table) -> None:
        """Add some rows above."""
        self._rows += table.num_rows
        for name in self._sums if self.may_be else ():
            more = _sums(table.column(name))
            self.may_be &= more is not None
            self._sums[name] = tuple(a + b for a, b in zip(self._sums[name], more or (), strict=False))

    @property
    def holds_sums(self) -> bool:
        """Whether it holds the sums of the rows that were added; beside a label also rounded ones, and means."""
        if not self.may_be or self._rows < self._fewest:
            return False
        near = _ROUNDED if self._is_called else 1e-9
        sums = [self._is_near(name, 1, near) for name in self._numbers]
        means = [self._is_called and self._is_near(name, self._rows, near) for name in self._numbers]
        return any(sums) and all(map(operator.or_, sums, means))

    def _is_near(self, name: str, parts: int, near: float) -> bool:
        """Whether a value is a sum in one of its readings, divided by a number."""
        pairs = zip(self._numbers[name], self._sums[name], strict=True)
        return any(math.isclose(value, total / parts, rel_tol=near) for value, total in pairs)


def ends_with_totals(table) -> bool:
    """Whether the last row holds the sums of the rows above, beside a word for them or beside empty cells.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from boxwood.data.files.totals import ends_with_totals
    >>> ends_with_totals(pa.table({"city": ["Ulm", "Bonn", "Summe"], "sales": [2, 3, 5]}))
    True
    """
    last = totals_row(table)
    if last.may_be:
        last.add(table.slice(0, table.num_rows - 1))
    return last.holds_sums


def totals_row(table) -> TotalsRow:
    """The last row of a table, to be compared with rows above."""
    return TotalsRow(dict(*table.slice(max(table.num_rows - 1, 0)).to_pylist()))


def totals_label(table) -> str:
    """The label of totals in the last row of a table; "" = there is none."""
    last = table.slice(table.num_rows - 1).to_pylist()[0].values()
    return next((cell for cell in last if isinstance(cell, str) and is_total(cell)), "")


def is_total(word: str) -> bool:
    """Whether a text is a label of totals."""
    return "-".join(word.casefold().strip(" :.*").split()) in _TOTALS


def _read(value) -> tuple[float, float] | None:
    """The number that a value is, with a point and with a comma as the decimal mark."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return value, value
    found = _NUMBER.fullmatch(value.strip()) if isinstance(value, str) and len(value) < _LONGEST else None
    if found is None:
        return None
    sign = -1 if "-" in value or "(" in value else 1
    digits = found.group(1)
    texts = [re.sub(r"[^\d.]", "", text) for text in (digits, digits.replace(".", "").replace(",", "."))]
    read = [sign * float(text) if text.count(".") < 2 and text != "." else math.nan for text in texts]
    return read[0], read[1]


def _sums(column) -> tuple[float, float] | None:
    """The sums of a column, by both decimal marks; None where some value is not a number."""
    pa = need_pyarrow()
    from pyarrow import compute

    if pa.types.is_string(column.type):
        pairs = compute.value_counts(column.drop_null()).to_pylist()
        counts = [(_read(pair["values"]), pair["counts"]) for pair in pairs]
        if any(numbers is None for numbers, _ in counts):
            return None
        return sum(a * n for (a, _), n in counts), sum(b * n for (_, b), n in counts)
    if not (is_number_type(column.type) or pa.types.is_null(column.type)):
        return None
    total = 0 if pa.types.is_null(column.type) else compute.sum(column).as_py() or 0
    return total, total


def tell_of_totals(name: str) -> None:
    """Warn that a row of totals is left out."""
    warnings.warn(f"{name}: the last row holds totals and is left out.", FormatWarning, stacklevel=level_outside())


def tell_of_gaps(table, name: str) -> None:
    """Warn of columns of a sheet that are empty in most rows."""
    n = table.num_rows
    names = [c for c in table.column_names if _MOSTLY * n < table.column(c).null_count < n] if n >= _FEWEST else []
    if names:
        shares = {c: math.floor(100 * table.column(c).null_count / n) for c in names}
        which = listed(names) + (f" ({shares[names[0]]} %)" if len(names) == 1 else f" (over {min(shares.values())} %)")
        warnings.warn(
            Message(
                f"{name}: most cells of column {which} are empty. If cells are merged there, only the first of each "
                "group holds the value: unmerge them, and fill the value down."
            ),
            FormatWarning,
            stacklevel=level_outside(),
        )  # fmt: skip
