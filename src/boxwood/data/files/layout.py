"""How a table lies in rows of cells: titles above its header, rows of the header, the names of the columns."""

from __future__ import annotations

import re
import warnings
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from ..._messages import Message, Setting
from ...errors import FormatWarning, level_outside
from ..columns.names import listed
from ..columns.raw import MISSING_WORDS
from .delimited import BLANKS
from .opened import AS_FOUND, Form

#: So many rows show how a table is laid out.
ENOUGH = 100
#: Titles have so many rows at most, where empty rows end them.
MOST_TITLES = 20
_YEAR = re.compile(r"(19|20)\d\d")
#: What the keys of columns in files of Qualtrics begin with.
_KEY = '{"ImportId"'
#: So many rows show that a column holds numbers below its unit.
_ENOUGH_NUMBERS = 5
_UNIT = re.compile(r"[^\W\d_]|[%‰°€$£¥]")
_RULE, _DASHES = re.compile("[-+=| ]*[-=]{2}[-+=| ]*"), re.compile(":?[-=]{3,}:?")
_NUMBER = re.compile(r"(?=.*\d)[\d\s.,:/+\-%()'€$£¥]+")
#: What reads a file without column names.
HEADERLESS = Message(Setting("header_rows", 0), " reads the first row as data")


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
        Rows of the header, with rows below the names that are no data.
    notes : tuple of str
        What was found, in the words of people.
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


def cells_layout(rows: Sequence[list], form: Form = AS_FOUND, skipped: int = 0) -> TableLayout:
    """The layout of rows of cells.

    ``skipped``: lines that were skipped before them.

    Examples
    --------
    >>> from boxwood.data.files.layout import cells_layout
    >>> rows = [["Report", "", "", ""], ["id", "Visit 1", "", "y"], ["", "age", "bp", ""], [7, 31, 120, 1]]
    >>> found = cells_layout(rows)
    >>> found.names, found.above, found.header
    (['id', 'Visit 1 age', 'Visit 1 bp', 'y'], 1, 2)
    """
    width = usual_width(rows)
    above = 0 if form.skip_rows is not None else _titles(rows, width)
    header = form.header_rows
    if header is None:
        header = 2 if _are_two(rows[above:]) else 1
    names = _joined(rows[above : above + header])
    notes = _skipped(skipped + above) if form.skip_rows is None else []
    if header > 1 and form.header_rows is None:
        notes.append(Message("names are joined from two header rows; ", Setting("header_rows", 1), " takes the first"))
    rest = rows[above + header :]
    if header == 1 and form.header_rows is None and rest and seem_values(names):
        notes.append(Message("the column names look like values; ", HEADERLESS))
    more = rows_below_names(rest) if form.header_rows is None else int(header > 0 and _is_rule(rest))
    if more > _is_rule(rest):
        skips = "the row below the names holds no values and is" if more == 1 else f"{more} rows below the names are"
        notes.append(Message(f"{skips} skipped; ", Setting("header_rows", 1), " reads from there"))
    header, body = header + more, rest[more:]
    names = _fitted(names, body, width)
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


def usual_width(rows: Sequence[list]) -> int:
    """How many cells most rows have."""
    return max(Counter(len(row) for row in rows[1:] or rows).items(), key=lambda pair: pair[1])[0]


def _skipped(lines: int) -> list[str]:
    words = "1 line above the header is" if lines == 1 else f"{lines} lines above the header are"
    return [Message(f"{words} skipped; ", Setting("skip_rows", 0), " reads from the first line")] * (lines > 0)


def _text(cell) -> str:
    return cell.strip() if isinstance(cell, str) else str(cell)


def is_number(cell) -> bool:
    """Whether a cell holds a number, a date or an amount."""
    return bool(_NUMBER.fullmatch(_text(cell)))


def seem_values(names: Sequence[str]) -> bool:
    """Whether most column names are numbers, but neither years nor in even steps: a row of data.

    Examples
    --------
    >>> from boxwood.data.files.layout import seem_values
    >>> seem_values(["12", "3.5", "yes"]), seem_values(["town", "2019", "2020"]), seem_values(["0", "1", "2", "y"])
    (True, False, False)
    """
    numbers = [_words(name).strip() for name in names if is_number(name)]
    if not numbers or 2 * len(numbers) < len(names):
        return False
    if all(map(_YEAR.fullmatch, numbers)) or len(numbers) < 2:
        return not _YEAR.fullmatch(numbers[0])
    steps = {int(b) - int(a) for a, b in pairwise(numbers)} if all(map(str.isdecimal, numbers)) else {0}
    return not (steps == {1} or (len(steps) == 1 and min(steps) > 0 and len(numbers) > 2))


def with_hint(message: Message | str, names: Sequence[str]) -> Message:
    """The message of an error about columns, with what to do where their names seem to be values."""
    return Message(message, " The column names look like values: ", HEADERLESS, ".") if seem_values(names) else message


def filled(row: Sequence) -> list[int]:
    """Positions of the cells that hold something."""
    return [j for j, cell in enumerate(row) if _text(cell) != ""]


def _titles(rows: Sequence[list], width: int) -> int:
    """How many rows are titles: they have gaps and end with an empty or short row, or hold one text."""
    at = 0
    for i, row in enumerate(rows[:MOST_TITLES]):
        if len(filled(row)) >= width or i + 1 == len(rows) or (at < i and _is_rule([row])):
            break
        is_short = width > 1 and (not filled(row) or len(row) < width)
        if is_short and not _lacks_first(row, rows[i + 1], rows[i + 2 :], width):
            at = i + 1
    for row, below in pairwise(rows[at:]):
        if not _is_alone(row, below, width):
            break
        at += 1
    return at if len(filled(rows[at])) > 1 and _may_be_names(rows[at]) else 0


def _is_alone(row: list, below: list, width: int) -> bool:
    """Whether a row holds one text: in its first cell, in all cells, or anywhere above a row without gaps."""
    cells = filled(row)
    if width < 2 or len({_text(row[j]) for j in cells}) > 1:
        return False
    below_is_full = len(filled(below)) == width and _may_be_names(below)
    return cells in ([], [0]) or len(cells) == width > 2 or (len(cells) == 1 and below_is_full)


def _may_be_names(row: list) -> bool:
    """Whether a row may be a header: it holds no numbers, or years after the first cell."""
    numbers = [j for j in filled(row) if is_number(row[j])]
    return 0 not in numbers and all(_YEAR.fullmatch(_words(row[j])) for j in numbers)


def rows_below_names(rows: Sequence[list]) -> int:
    """How many rows below the names are no data: a line of dashes, units, or the questions and keys of Qualtrics."""
    keys = [i for i, row in enumerate(rows[:2]) if any(_text(cell).startswith(_KEY) for cell in row)]
    return keys[-1] + 1 if keys else int(_is_rule(rows) or _is_units(rows))


def _is_units(rows: Sequence[list]) -> bool:
    """Whether the first row holds texts alone, in columns that hold numbers below."""
    if len(rows) < _ENOUGH_NUMBERS:
        return False
    first, *others = rows
    units = filled(first)
    are_words = all(_UNIT.search(_text(first[j])) and not is_number(first[j]) for j in units)
    if len(units) < 2 or not are_words or not {_text(first[j]) for j in units}.isdisjoint(MISSING_WORDS):
        return False
    below = [[row[j] for row in others if j < len(row) and _text(row[j]) != ""] for j in units]
    return all(len(cells) >= _ENOUGH_NUMBERS - 1 and all(map(is_number, cells)) for cells in below)


def _is_rule(rows: Sequence[list]) -> bool:
    """Whether the first row is a line of dashes, as databases draw it below the names."""
    texts = list(map(_text, rows[0])) if rows else []
    if len(texts) == 1:
        return bool(_RULE.fullmatch(texts[0]))
    inner = texts[1:-1] if texts and texts[0] == texts[-1] == "" else texts
    return bool(inner) and all(map(_DASHES.fullmatch, inner))


def _lacks_first(row: list, below: list, others: Sequence[list], width: int) -> bool:
    """Whether a row holds all names but the first, as R writes them."""
    if not 2 <= len(row) == width - 1 or len(filled(row)) < len(row):
        return False
    below_are_names = not any(map(is_number, below)) and any(is_number(cell) for other in others for cell in other)
    return not below_are_names


def _are_two(rows: Sequence[list]) -> bool:
    """Whether the second row is a header, too: it fills gaps of the first, and has words above numbers."""
    if len(rows) < 3:
        return False
    first, second, *body = rows
    gaps = set(filled(second)) - set(filled(first)) - {0}
    are_names = _may_be_names(second) and (0 not in filled(second) or not any(map(is_number, second)))
    return bool(gaps) and are_names and any(is_number(cell) for row in body for cell in row)


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
