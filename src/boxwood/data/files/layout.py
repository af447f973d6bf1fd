"""Where the table of a file begins: lines above its header, rows of the header, names of the columns, the separator."""

from __future__ import annotations

import csv
import io
import re
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

from ..._messages import Message, Setting
from ...errors import FormatWarning, level_outside
from ..columns.names import listed
from .delimited import BLANKS, SEPARATORS, as_text_head, column_names, decimal_mark, rows_of_text, sniff
from .opened import AS_FOUND, Form

#: So many rows show how a table is laid out.
_ENOUGH = 100
_NUMBER = re.compile(r"(?=.*\d)[\d\s.,:/+\-%()'€$£¥]+")
_SEPARATOR_LINE = re.compile(r'\s*"?sep=(.)"?\s*', re.IGNORECASE)
#: What R writes by default: names in quotes, between blanks.
_NAMES_OF_R = re.compile(r'"[^"]*"(?: "[^"]*")+\s*')


@dataclass(frozen=True)
class TableLayout:
    """How a table lies in its file.

    Attributes
    ----------
    names : list of str
        One for each field of a row.
    left_out : frozenset of str
        Columns that have neither a name in the file nor values.
    above : int
        Rows before the header.
    header : int
        Rows of the header.
    notes : tuple of str
        What a user would want to know.
    """

    names: list[str]
    left_out: frozenset[str] = frozenset()
    above: int = 0
    header: int = 1
    notes: tuple[str, ...] = ()

    @property
    def kept(self) -> list[str]:
        """Names of the columns of the table."""
        return [name for name in self.names if name not in self.left_out]

    def tell(self, name: str) -> None:
        """Warn of what was found in a file."""
        for note in self.notes:
            warnings.warn(Message(f"{name}: ", note, "."), FormatWarning, stacklevel=level_outside())


@dataclass(frozen=True)
class TextLayout(TableLayout):
    """The same of text.

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
    >>> from boxwood.data.files.layout import text_layout
    >>> found = text_layout(b"# export\\n,age,sex,\\n0,31,f,\\n1,25,m,\\n", "a.csv")
    >>> found.names, sorted(found.left_out), found.applied(b"# export\\n,age,sex,\\n0,31,f,\\n")
    (['column_1', 'age', 'sex', 'column_4'], ['column_4'], b'column_1,age,sex,column_4\\n0,31,f,\\n')
    """
    separator, decimal = sniff(data)
    head = as_text_head(data)
    rows = [fields for _, fields in islice(rows_of_text(io.StringIO(head, newline=""), separator), _ENOUGH)]
    if form.skip_rows is None and form.header_rows is None and _is_plain(rows, head):
        return TextLayout(column_names(data, separator, name), separator=separator, decimal=decimal)
    lines = list(io.StringIO(head, newline=""))
    above, given = _lines_above(lines, form)
    rest = "".join(lines[above:])
    separator = given or _separator(rest, separator)
    numbered = list(islice(rows_of_text(io.StringIO(rest, newline=""), separator), _ENOUGH))
    if not numbered:
        return TextLayout(column_names(data, separator, name), separator=separator, decimal=decimal)
    skipped = sum(not _is_blank(line) for line in lines[:above] if not _SEPARATOR_LINE.fullmatch(line))
    found = cells_layout([fields for _, fields in numbered], form, skipped)
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
        len(names) > 1
        and all(name and name == name.strip(BLANKS) for name in names)
        and all(len(row) == len(names) for row in rows)
        and not head.lstrip("\r\n").startswith("#")
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
        elif not _is_blank(lines[at]) and not _is_comment(lines, at):
            break
        at += 1
    return at, separator


def _is_comment(lines: list[str], at: int) -> bool:
    """Whether a line is a remark: it begins with #, and is not the line of names of the rows below."""
    if not lines[at].startswith("#"):
        return False
    below = [line for line in lines[at + 1 : at + _ENOUGH] if not _is_blank(line)]
    if not below or below[0].startswith("#"):
        return bool(below)
    for separator in SEPARATORS:
        widths = {line.count(separator) for line in (lines[at], *below)}
        if len(widths) == 1 and widths != {0}:
            first, *others = ([*map(_is_number, line.split(separator))] for line in below)
            return not any(first) and any(map(any, others))
    return True


def _separator(text: str, likely: str) -> str:
    """The separator by which most lines have as many fields, more than one; ``likely`` where others are no better."""
    if _NAMES_OF_R.fullmatch(text.partition("\n")[0]):
        return " "
    best, found = (0.0, 1), likely
    for separator in (likely, *SEPARATORS):
        rows = rows_of_text(io.StringIO(text, newline=""), separator)
        widths = Counter(len(fields) for _, fields in islice(rows, _ENOUGH))
        width, times = max(widths.items(), key=lambda pair: pair[1], default=(0, 0))
        if width > 1 and (times / widths.total(), width) > best:
            best, found = (times / widths.total(), width), separator
    return found


def cells_layout(rows: Sequence[list], form: Form = AS_FOUND, skipped: int = 0) -> TableLayout:
    """The layout of rows of cells, none of which is empty.

    ``skipped``: lines that were skipped before them.

    Examples
    --------
    >>> from boxwood.data.files.layout import cells_layout
    >>> rows = [["Report", "", "", ""], ["id", "Visit 1", "", "y"], ["", "age", "bp", ""], [7, 31, 120, 1], [8, 2, 3, 0]]
    >>> found = cells_layout(rows)
    >>> found.names, found.above, found.header
    (['id', 'Visit 1 age', 'Visit 1 bp', 'y'], 1, 2)
    """
    width = max(Counter(len(row) for row in rows[1:] or rows).items(), key=lambda pair: pair[1])[0]
    above = 0 if form.skip_rows is not None else _titles(rows, width)
    header = form.header_rows
    if header is None:
        header = 2 if _are_two(rows[above:]) else 1
    body = rows[above + header :]
    notes = _skipped(skipped + above) if form.skip_rows is None else []
    if header > 1 and form.header_rows is None:
        notes.append(Message("names are joined from two header rows; ", Setting("header_rows", 1), " takes the first"))
    names = _fitted(_joined(rows[above : above + header]), body, width)
    made = [str(name).strip(BLANKS) for name in names]
    if any(name != str(given) for name, given in zip(made, names, strict=True)):
        notes.append("blanks around column names are removed")
    nameless = [j for j, name in enumerate(made) if not name]
    for j in nameless:
        made[j] = _free(f"column_{j + 1}", made)
    empty = {j for j in nameless if header and body and all(j >= len(row) or _text(row[j]) == "" for row in body)}
    called = [made[j] for j in nameless if j not in empty]
    if header and called:
        what = "a column without a name is" if len(called) == 1 else "columns without a name are"
        notes.append(f"{what} called {listed(called)}")
    return TableLayout(made, frozenset(made[j] for j in empty), above, header, tuple(notes))


def _skipped(lines: int) -> list[str]:
    words = "1 line above the header is" if lines == 1 else f"{lines} lines above the header are"
    return [Message(f"{words} skipped; ", Setting("skip_rows", 0), " reads from the first line")] * (lines > 0)


def _text(cell) -> str:
    return cell.strip() if isinstance(cell, str) else str(cell)


def _is_number(cell) -> bool:
    return bool(_NUMBER.fullmatch(_text(cell)))


def _filled(row: list) -> list[int]:
    return [j for j, cell in enumerate(row) if _text(cell) != ""]


def _titles(rows: Sequence[list], width: int) -> int:
    """How many rows are titles above the header: they are short, or have one filled cell."""
    at = 0
    for row, below in pairwise(rows):
        alone = _filled(row) == [0] and width > 1
        if not (alone or len(row) < width) or _lacks_first(row, below, rows[at + 2 :], width):
            break
        at += 1
    header = rows[at]
    return at if len(_filled(header)) > 1 and not any(map(_is_number, header)) else 0


def _lacks_first(row: list, below: list, others: Sequence[list], width: int) -> bool:
    """Whether a row holds all names but the first, as R writes them."""
    if not 2 <= len(row) == width - 1 or len(_filled(row)) < len(row):
        return False
    below_are_names = not any(map(_is_number, below)) and any(_is_number(cell) for other in others for cell in other)
    return not below_are_names


def _are_two(rows: Sequence[list]) -> bool:
    """Whether the second row is a header, too: it fills gaps of the first, and has words above numbers."""
    if len(rows) < 3:
        return False
    first, second, *body = rows
    gaps = set(_filled(second)) - set(_filled(first)) - {0}
    return bool(gaps) and not any(map(_is_number, second)) and any(_is_number(cell) for row in body for cell in row)


def _joined(header: Sequence[list]) -> list[str]:
    """The names that rows of a header make together; a name reaches over the gaps to the right, of the last row not."""
    width = max(map(len, header), default=0)
    parts: list[list[str]] = [[] for _ in range(width)]
    for i, row in enumerate(header):
        over = ""
        for j in range(width):
            cell = _words(row[j]) if j < len(row) else ""
            over = cell or over
            below = any(_words(lower[j]) for lower in header[i + 1 :] if j < len(lower))
            parts[j] += [over if below else cell]
    if len(header) < 2:
        return ["".join(part) for part in parts]
    return [" ".join(word.strip() for word in part if word.strip()) for part in parts]


def _words(cell) -> str:
    """The name in a cell; whole numbers without a decimal point."""
    return str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell)


def _fitted(names: list[str], body: Sequence[list], width: int) -> list[str]:
    """The names, one for each field of the rows: R writes none for the first, others none for an empty last field."""
    if not body:
        return names
    if not names:
        return [""] * width
    if len(names) == width - 1 and len(body) > 1:
        last = all(len(row) == width and row[-1] == "" for row in body)
        return [*names, ""] if last else ["", *names] if all(len(row) == width for row in body) else names
    while len(names) > width and names[-1].strip() == "":
        names = names[:-1]
    return names


def _free(name: str, taken: list[str]) -> str:
    while name in taken:
        name += "_"
    return name
