"""Sheets of workbooks (Excel, OpenDocument) as Arrow tables, read by python-calamine."""

from __future__ import annotations

import datetime
import io
from collections.abc import Callable, Sequence

from ...errors import FileError, NotAvailableError
from ..columns.missing_codes import matcher
from ..columns.names import listed
from ..frames.arrow_tables import need_pyarrow, one_line
from .below import cells_below
from .csv_tables import AS_THEY_LOOK, MISSING_NUMBERS, CsvFields, without_blanks
from .layout import MOST_TITLES, TableLayout, cells_layout
from .lost_cells import CellsOfSheet
from .opened import Form
from .totals import ends_with_totals, tell_of_gaps, tell_of_totals

_TIMES = (datetime.date, datetime.time, datetime.timedelta)
_WHOLE = 2.0**53
#: Metadata of a table read from the first of several sheets: which ones there are.
OTHER_SHEETS = b"boxwood sheets"


def read_sheet(data: bytes, name: str, form: Form, fields: Callable[[list[str]], CsvFields] | None):
    """One sheet as a table.

    Parameters
    ----------
    data : bytes
        Of the workbook.
    name : str
        What messages call it.
    form : Form
        The sheet, by its name or a number counted from 1, None = the first; and the layout of its rows.
    fields : callable, optional
        Names of the columns -> codes for missing values.

    Raises
    ------
    FileError
        The workbook cannot be read, or has no such sheet.
    NotAvailableError
        python-calamine is not installed.
    """
    try:
        from python_calamine import CalamineError, CalamineWorkbook
    except ImportError as error:
        raise NotAvailableError(
            f"{name} is an Excel or OpenDocument workbook, which python-calamine reads; install it with: "
            "pip install python-calamine, or save the sheet as CSV."
        ) from error
    try:
        book = CalamineWorkbook.from_filelike(io.BytesIO(data))
        sheets = book.sheet_names
        sheet = book.get_sheet_by_name(chosen(sheets, form.sheet, name))
        rows = sheet.to_python(skip_empty_area=not form.skip_rows)[form.skip_rows or 0 :]
    except CalamineError as error:
        raise FileError(f"{name} is a workbook that cannot be read: {one_line(error)}.") from error
    cells = CellsOfSheet(data, sheet.name, *((form.skip_rows, 0) if form.skip_rows else sheet.start or (0, 0)))
    table = _table(rows, fields, form, name, cells)
    if form.sheet is not None or len(sheets) < 2:
        return table
    return table.replace_schema_metadata({OTHER_SHEETS: f"{len(sheets)} sheets ({listed(sheets)})"})


def chosen(names: list[str], sheet: str | None, name: str, what: str = "sheet") -> str:
    """The name of the sheet, or other table of a file, that an option gives by name or number; None = the first.

    Raises
    ------
    FileError
        There is none.
    """
    if sheet is None and names:
        return names[0]
    if sheet in names:
        return sheet
    if sheet is not None and sheet.isdigit() and 1 <= int(sheet) <= len(names):
        return names[int(sheet) - 1]
    raise FileError(f"{name} has no {what} {sheet!r}; its {what}s are {listed(names)}.")


def _table(
    rows: list[list], fields: Callable[[list[str]], CsvFields] | None, form: Form, name: str, cells: CellsOfSheet
):
    """The rows of a sheet as a table."""
    below = cells_below(rows)
    rows = rows[: len(rows) - below.size]
    if not any(map(_holds_any, rows)):
        raise FileError(f"{name}: the sheet is empty; a table starts with a row of column names.")
    columns = list(zip(*rows, strict=True))
    kept = [j for j, column in enumerate(columns) if _holds_any(column)]
    rows = [[row[j] for j in kept] for row in rows]
    keeps = MOST_TITLES if form.skip_rows is None else 0  # empty rows end titles
    at = [i for i, row in enumerate(rows) if i < keeps or _holds_any(row)]
    rows = [rows[i] for i in at]
    layout = cells_layout(rows, form)
    layout.tell(name)
    below.tell(name)
    first = layout.above + layout.header
    body = [row for row in rows[first:] if _holds_any(row)]
    if any("" in row for row in body):
        cells.tell_of_lost(dict(zip(kept, layout.names, strict=False)), at[first], name)
    table = _typed(body, layout, fields)
    if len(set(layout.kept)) < len(layout.kept):
        return table  # which is refused by the names that are there twice
    if ends_with_totals(table):
        tell_of_totals(name)
        table = _typed(body[:-1], layout, fields)
    tell_of_gaps(table, name)
    return table


def _holds_any(row: Sequence) -> bool:
    return any(cell != "" for cell in row)


def _typed(body: list[list], layout: TableLayout, fields: Callable[[list[str]], CsvFields] | None):
    """The rows as a table, columns of types."""
    pa = need_pyarrow()
    columns = list(zip(*body, strict=True)) if body else [()] * len(layout.names)
    meaning = AS_THEY_LOOK if fields is None else fields(layout.kept)
    given = zip(layout.names, columns, strict=True)
    arrays = [_column(list(cells), meaning, column) for column, cells in given if column not in layout.left_out]
    return without_blanks(pa.Table.from_arrays(arrays, names=layout.kept), meaning.blanks)


def _column(cells: list, fields: CsvFields, name: str):
    """The cells of a column as one Arrow array: numbers, truth values, dates or text."""
    pa = need_pyarrow()
    is_code = matcher(fields.codes.get(name, ()))
    values = [None if cell == "" or is_code(cell) else cell for cell in cells]
    if name not in fields.text:
        words = {cell for cell in values if isinstance(cell, str)}
        if words <= set(MISSING_NUMBERS):
            known = [None if isinstance(cell, str) else cell for cell in values]
            kinds = {type(cell) for cell in known if cell is not None}
            if kinds and kinds <= {int, float}:
                whole = all(cell is None or (float(cell).is_integer() and abs(cell) <= _WHOLE) for cell in known)
                return pa.array([None if c is None else int(c) if whole else float(c) for c in known])
            if kinds == {bool} or (kinds and all(issubclass(kind, _TIMES) for kind in kinds) and len(kinds) == 1):
                return pa.array(known)
    return pa.array([_text(cell) for cell in values], pa.string())


def _text(cell) -> str | None:
    """A cell as text; whole numbers without a decimal point."""
    if cell is None or isinstance(cell, str):
        return cell
    if isinstance(cell, float) and cell.is_integer() and abs(cell) <= _WHOLE:
        return str(int(cell))
    return str(cell).lower() if isinstance(cell, bool) else str(cell)
