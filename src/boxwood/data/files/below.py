"""What lies below a table in its file: remarks such as a source, and rows without values."""

from __future__ import annotations

import csv
import re
import warnings
from collections.abc import Sequence
from dataclasses import dataclass

from ..._messages import Message, Value
from ...errors import FormatWarning, level_outside
from .delimited import BLANKS
from .layout import ENOUGH, filled, is_number
from .totals import TotalsRow, is_total

#: So many bytes at the end of a text are searched.
TAIL = 1 << 16
#: So many rows above show whether a column holds numbers.
_LAST = 5
#: What a remark begins with, or its first word ends with.
_MARK = re.compile(r"\s*[*#(+=\[†‡¹²³§—–]|[^:：]{1,40}(?::(?!\d)|：)")


@dataclass(frozen=True)
class Below:
    """What lies below the table in a text.

    Attributes
    ----------
    size : int
        Bytes from the end of the table to the end of the text; rows of a sheet.
    lines : int
        Lines that hold something, but for blanks.
    first : str
        What the first of them begins with; "" = they are rows without values.
    last_row : int
        Bytes of the last row of the table with empty lines after it, if it may hold totals; 0 = it does not.
    """

    size: int = 0
    lines: int = 0
    first: str = ""
    last_row: int = 0

    def tell(self, name: str) -> None:
        """Warn of the lines that are left out."""
        if not self.lines:
            return
        one = self.lines == 1
        lines, are = ("1 line", "is") if one else (f"{self.lines} lines", "are")
        if self.first:
            which = Message(": " if one else ", from ", Value(self.first), "" if one else " on")
            words = Message(f"{name}: {lines} below the table {are} left out", which, ".")
        else:
            words = Message(f"{name}: {lines} without values at its end {are} left out.")
        warnings.warn(words, FormatWarning, stacklevel=level_outside())


def rows_below(rows: Sequence[list], width: int, names: int = 1) -> int:
    """How many rows at the end do not belong to the table, which has so many columns.

    They have one filled cell, or none; or another number of cells than the table, and begin like a remark. The first of
    them comes after a row without values or a row of totals, begins like a remark, or has text where rows above have
    numbers.

    ``names``: rows of the header at the beginning.

    Examples
    --------
    >>> from boxwood.data.files.below import rows_below
    >>> rows_below([["city", "a"], ["Ulm", "2"], ["", ""], ["as of May", ""]], 2)
    2
    """
    at = len(rows)
    while at and _may_be_below(rows[at - 1], width):
        at -= 1
    above = [row for row in rows[:at] if len(row) == width][names:]
    while at < len(rows) and not (above and _begins(rows[at], above)):
        at += 1
    return len(rows) - at


def _may_be_below(row: list, width: int) -> bool:
    cells = filled(row)
    if width < 2 or not cells:
        return width > 1
    first = str(row[cells[0]])
    if len(row) != width:
        return not is_number(first) and (len(cells) == 1 or bool(_MARK.match(first)) or is_total(first))
    return cells == [0] and not is_number(first)


def _begins(row: list, above: list[list]) -> bool:
    """Whether a row is the first below the table."""
    cells = filled(row)
    if not cells:
        return True
    text = str(row[cells[0]])
    others = [r[0] for r in above[-_LAST:] if filled(r[:1])]
    of_numbers = bool(others) and all(map(is_number, others))
    after_totals = any(is_total(str(above[-1][j])) for j in filled(above[-1]))
    return of_numbers or after_totals or bool(_MARK.match(text)) or is_total(text)


def cells_below(rows: Sequence[list]) -> Below:
    """What lies below the table in a sheet, all rows of which have as many cells; the size is a number of rows."""
    n = rows_below(rows[-ENOUGH:], len(rows[0])) if rows else 0
    some = [row[filled(row)[0]] for row in rows[len(rows) - n :] if filled(row)]
    return Below(n, len(some), str(some[0]) if some else "")


def text_below(tail: bytes, separator: str, width: int, is_whole: bool) -> Below:
    """What lies below the table at the end of a text.

    Parameters
    ----------
    tail : bytes
        The end of the text, in UTF-8.
    separator : str
    width : int
        Columns of the table.
    is_whole : bool
        The tail begins where the line of names ends.

    Examples
    --------
    >>> from boxwood.data.files.below import text_below
    >>> text_below(b"\\nUlm,2\\nBonn,3\\nSource: me\\n", ",", 2, True)
    Below(size=11, lines=1, first='Source: me', last_row=0)
    """
    lines = tail.splitlines(keepends=True)[0 if is_whole else 1 :][-ENOUGH:]
    rows: list[list[str]] = []
    for line in reversed(lines):
        if line.count(b'"') % 2:  # a field goes over several lines
            break
        text = line.decode("utf-8", "ignore")
        rows.insert(0, [c.strip(BLANKS) for c in next(csv.reader([text], delimiter=separator), [])])
    lines = lines[len(lines) - len(rows) :]
    end = len(lines) - rows_below(rows, width, names=0)
    some = [row for row in rows[end:] if row]
    first = next((row[filled(row)[0]] for row in some if filled(row)), "")
    at = end
    while at and not rows[at - 1]:
        at -= 1
    may_be_totals = at > 0 and len(rows[at - 1]) == width and TotalsRow(dict(enumerate(rows[at - 1]))).may_be
    last_row = sum(map(len, lines[at - 1 : end])) if may_be_totals else 0
    return Below(sum(map(len, lines[end:])), len(some), first, last_row)
