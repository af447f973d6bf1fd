"""Cells of an Excel workbook that are read as missing: errors, and formulas without a stored value."""

from __future__ import annotations

import io
import re
import warnings
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from xml.etree import ElementTree

from ..._messages import Column, Message, Phrase, Value, remedy
from ...errors import FormatWarning, level_outside

#: Attributes of cells with an error, and its name; and of those with a formula and no value after it. Some programs
#: write a prefix before each name.
_CELL = re.compile(
    rb'[<:]c ([^>]*\bt="e"[^>]*)>(?:<[\w:]*f\b[^<]*(?:</[\w:]*f>)?)?<[\w:]*v>([^<]*)'
    rb"|[<:]c ([^>]*)><[\w:]*f\b(?:[^>]*/>|[^<]*</[\w:]*f>)(?:<[\w:]*v ?/>|<[\w:]*v></[\w:]*v>)?</[\w:]*c>"
)
#: The address of a cell; none of one whose formula has an empty text as its value.
_ADDRESS = re.compile(rb'(?!.*\bt="str").*\br="([A-Z]+)([0-9]+)"', re.DOTALL)
_MARKS = (b't="e"', b"<f", b":f")
_SAVE = remedy("Open the file in a spreadsheet program and save it, so that it holds the values.")
#: A note names so many columns.
_MOST = 5


@dataclass(frozen=True)
class CellsOfSheet:
    """Where rows of cells are in a sheet of a workbook.

    Attributes
    ----------
    data : bytes
        Of the workbook.
    sheet : str
        Name of the sheet.
    row, column : int
        Of the first cell, counted from 0.
    """

    data: bytes = field(repr=False)
    sheet: str
    row: int
    column: int

    def tell_of_lost(self, names: Mapping[int, str], first: int, name: str) -> None:
        """Warn of the errors and of the formulas without a value in an .xlsx file; other files have no notes.

        Parameters
        ----------
        names : dict of int to str
            Names of the columns of the table, by their positions in the rows.
        first : int
            Position of the first row of values.
        name : str
            What the notes call the file.
        """
        errors: dict[str, list[tuple[str, str]]] = {}
        formulas: dict[str, list[tuple[str, str]]] = {}
        for of_error, error, of_formula in _cells(_content(self.data, self.sheet)):
            address = _ADDRESS.match(of_error or of_formula)
            if address is None or int(address[2]) <= self.row + first:
                continue
            column = names.get(_number(address[1]) - self.column)
            if column is not None:
                cell = (b"".join(address.groups()).decode(), error.decode())
                (errors if error else formulas).setdefault(column, []).append(cell)
        _tell(f"{name}: errors are read as missing: ", errors)
        _tell(f"{name}: formulas without a stored value are read as missing: ", formulas, " ", _SAVE)


def _tell(beginning: str, found: dict[str, list[tuple[str, str]]], *remedies: Phrase) -> None:
    if found:
        note = Message(beginning, *_listed(found), ".", *remedies)
        warnings.warn(note, FormatWarning, stacklevel=level_outside())


def _listed(found: dict[str, list[tuple[str, str]]]) -> list[Phrase]:
    """How many cells of each column, and the first."""
    parts: list[Phrase] = []
    for column, cells in list(found.items())[:_MOST]:
        (first, error), count = cells[0], f"{len(cells):,} cell{'s' * (len(cells) > 1)}"
        shown = [": ", Value(error, error)] if error else []
        parts += [", "] * bool(parts) + [Column(column, "column"), f" ({count}, first {first}", *shown, ")"]
    more = len(found) - _MOST
    return parts + [f", and {more} more column{'s' * (more > 1)}"] * (more > 0)


def _content(data: bytes, sheet: str) -> bytes:
    """The XML of a sheet; empty where the workbook is of another format."""
    if not zipfile.is_zipfile(io.BytesIO(data)):
        return b""
    with zipfile.ZipFile(io.BytesIO(data)) as book:
        if not {"xl/workbook.xml", "xl/_rels/workbook.xml.rels"} <= set(book.namelist()):
            return b""
        sheets = ElementTree.fromstring(book.read("xl/workbook.xml")).findall(".//{*}sheet")
        links = ElementTree.fromstring(book.read("xl/_rels/workbook.xml.rels"))
        wanted = {value for part in sheets if part.get("name") == sheet for key, value in part.items() if "}id" in key}
        target = next((link.get("Target", "") for link in links if link.get("Id") in wanted), "")
        path = target[1:] if target.startswith("/") else f"xl/{target}"
        return book.read(path) if path in book.namelist() else b""


def _cells(content: bytes) -> list[tuple[bytes, bytes, bytes]]:
    """The cells of the pattern."""
    return _CELL.findall(content) if any(mark in content for mark in _MARKS) else []


def _number(letters: bytes) -> int:
    """The number of a column from 0: A is 0, AA is 26."""
    number = 0
    for letter in letters:
        number = 26 * number + letter - ord("A") + 1
    return number - 1
