"""Where the table of a text file begins, and its separator: lines of remarks and titles, ``sep=``, names of R."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from dataclasses import dataclass
from itertools import islice

from ..._messages import Setting
from ...errors import FileError
from .below import rows_below
from .delimited import BLANKS, SEPARATORS, as_text_head, column_names, decimal_mark, rows_of_text, sniff
from .layout import ENOUGH, TableLayout, cells_layout, is_number, rows_below_names, seem_values, usual_width
from .opened import AS_FOUND, Form

_SEPARATOR_LINE = re.compile(r'\s*"?sep=(.)"?\s*', re.IGNORECASE)
#: Fewer words in all lines may be a text or a time.
_FEWEST = 3
#: What comes before the names of fields in logs of web servers, which are divided by blanks.
_FIELDS = "#Fields:"
#: What R writes by default: names in quotes, between blanks.
_NAMES_OF_R = re.compile(r'"[^"]*"(?: "[^"]*")+\s*')


@dataclass(frozen=True)
class TextLayout(TableLayout):
    """How a table lies in text.

    Attributes
    ----------
    separator, decimal : str
    start : int or None
        Bytes before the first row, which :attr:`line` takes the place of; None = the text can be read as it is.
    lines : int
        Lines of the text that the line of names stands for, but one.
    """

    separator: str = ","
    decimal: str = "."
    start: int | None = None
    lines: int = 0

    @property
    def line(self) -> bytes:
        """A line of column names."""
        line = io.StringIO()
        csv.writer(line, delimiter=self.separator, lineterminator="\n").writerow(self.names)
        return line.getvalue().encode("utf-8")

    def applied(self, data: bytes) -> bytes:
        """A text that begins with its line of column names."""
        return data if self.start is None else self.line + data[self.start :]


def text_layout(data: bytes, name: str, form: Form = AS_FOUND) -> TextLayout:
    """The layout of CSV text in UTF-8, from its first lines.

    Examples
    --------
    >>> from boxwood.data.files.text_layout import text_layout
    >>> found = text_layout(b"# export\\n,age,sex,\\n0,31,f,\\n1,25,m,\\n", "a.csv")
    >>> found.names, sorted(found.left_out), found.applied(b"# export\\n,age,sex,\\n0,31,f,\\n")
    (['column_1', 'age', 'sex', 'column_4'], ['column_4'], b'column_1,age,sex,column_4\\n0,31,f,\\n')
    """
    separator, decimal = sniff(data)
    head = as_text_head(data)
    rows = [fields for _, fields in islice(rows_of_text(io.StringIO(head, newline=""), separator), ENOUGH)]
    if form.skip_rows is None and form.header_rows is None and _is_plain(rows, head):
        return TextLayout(column_names(data, separator, name), separator=separator, decimal=decimal)
    lines = list(io.StringIO(head, newline=""))
    above, given = _lines_above(lines, form)
    rest = "".join(lines[above:]).removeprefix(_FIELDS).lstrip(" ")
    separator = given or _separator(rest, separator)
    numbered = list(islice(rows_of_text(io.StringIO(rest, newline=""), separator), ENOUGH))
    if form.skip_rows and not numbered:
        raise FileError(f"{name} has no lines after the ", Setting("skip_rows", form.skip_rows), " that are skipped.")
    if not numbered:
        return TextLayout(column_names(data, separator, name), separator=separator, decimal=decimal)
    if form.header_rows is not None and form.header_rows >= len(numbered):
        raise FileError(f"{name} has no rows after ", Setting("header_rows", form.header_rows), " rows of names.")
    skipped = sum(not _is_blank(line) for line in lines[:above] if not _SEPARATOR_LINE.fullmatch(line))
    cells = [fields for _, fields in numbered]
    found = cells_layout(cells[: len(cells) - rows_below(cells, usual_width(cells))], form, skipped)
    before = found.above + found.header
    last = above + (numbered[before - 1][0] if before else 0)
    return TextLayout(
        found.names, found.left_out, found.above, found.header, found.notes, separator,
        decimal_mark(rest, separator), len("".join(lines[:last]).encode("utf-8")), last - 1,
    )  # fmt: skip


def _is_plain(rows: list[list[str]], head: str) -> bool:
    """Whether a text begins with its names, one for each field of the rows."""
    names = rows[0] if rows else []
    return (
        len(set(names)) > 1
        and all(name and name == name.strip(BLANKS) for name in names)
        and all(len(row) == len(names) for row in rows)
        and not head.lstrip("\r\n").startswith("#")
        and not rows_below_names(rows[1:])
        and not seem_values(names)
    )


def _is_blank(line: str) -> bool:
    return not line.strip()


def _lines_above(lines: list[str], form: Form) -> tuple[int, str | None]:
    """How many lines come before the first that may hold names, and the separator that one of them gives."""
    if form.skip_rows is not None:
        return min(form.skip_rows, len(lines)), None
    at, separator = 0, None
    while at < len(lines):
        found = _SEPARATOR_LINE.fullmatch(lines[at])
        if found is not None and separator is None:
            separator = found.group(1)
        elif lines[at].startswith(_FIELDS):
            return at, " "
        elif not _is_blank(lines[at]) and not _is_comment(lines, at):
            break
        at += 1
    return at, separator


def _is_comment(lines: list[str], at: int) -> bool:
    """Whether a line is a remark: it begins with #, and is not the line of names of the rows below."""
    if not lines[at].startswith("#"):
        return False
    below = [line for line in lines[at + 1 : at + ENOUGH] if not _is_blank(line)]
    if not below or below[0].startswith("#"):
        return bool(below)
    for separator in SEPARATORS:
        widths = {line.count(separator) for line in (lines[at], *below)}
        if len(widths) == 1 and widths != {0}:
            first, *others = ([*map(is_number, line.split(separator))] for line in below)
            return not any(first) and any(map(any, others))
    return True


def _separator(text: str, likely: str) -> str:
    """The separator by which most lines have as many fields, more than one; ``likely`` where others are no better."""
    if _NAMES_OF_R.fullmatch(text.partition("\n")[0]):
        return " "
    best, found = (0.0, 1), likely
    for separator in (likely, *SEPARATORS):
        rows = rows_of_text(io.StringIO(text, newline=""), separator)
        widths = Counter(len(fields) for _, fields in islice(rows, ENOUGH))
        width, times = max(widths.items(), key=lambda pair: pair[1], default=(0, 0))
        if width > 1 and (times / widths.total(), width) > best:
            best, found = (times / widths.total(), width), separator
    return " " if best[1] == 1 and _is_divided_by_blanks(text) else found


def _is_divided_by_blanks(text: str) -> bool:
    """Whether all lines have as many words, with single blanks between them."""
    widths = {len(line.split(" ")) for line in islice(io.StringIO(text), ENOUGH) if not _is_blank(line)}
    return len(widths) == 1 and min(widths) >= _FEWEST
