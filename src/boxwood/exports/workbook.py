"""Excel workbooks (Office Open XML), written directly: a zip of a few XML parts."""

from __future__ import annotations

import io
import re
import zipfile
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

from ..errors import ParameterError

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_KIND = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
#: Signs that XML cannot hold.
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
#: Longest formula, in signs.
_LONGEST = 8000
#: A file written twice is the same twice.
_DATE = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True)
class Formula:
    """A formula, without the equals sign."""

    text: str


@dataclass(frozen=True)
class WorkbookSheet:
    """A sheet.

    Attributes
    ----------
    name : str
    rows : list of list
        Cells: None (empty), texts, truth values, numbers or formulas. The first row is a header.
    widths : tuple of int
        Widths of the first columns, in signs.
    """

    name: str
    rows: list[list]
    widths: tuple[int, ...] = ()


def column_name(number: int) -> str:
    """The letters of a column, counted from 0.

    Examples
    --------
    >>> from boxwood.exports.workbook import column_name
    >>> column_name(0), column_name(27)
    ('A', 'AB')
    """
    letters = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def workbook(sheets: list[WorkbookSheet]) -> bytes:
    """The bytes of a workbook; formulas are computed when it is opened.

    Raises
    ------
    ParameterError
        A text that XML cannot hold, or a formula that is too long.
    """
    numbers = range(1, len(sheets) + 1)
    parts = {
        "[Content_Types].xml": _types(numbers),
        "_rels/.rels": _links([(f"{_OFFICE}/relationships/officeDocument", "xl/workbook.xml")]),
        "xl/workbook.xml": _book(sheets),
        "xl/_rels/workbook.xml.rels": _links(
            [(f"{_OFFICE}/relationships/worksheet", f"worksheets/sheet{i}.xml") for i in numbers]
            + [(f"{_OFFICE}/relationships/styles", "styles.xml")]
        ),
        "xl/styles.xml": _STYLES,
        **{f"xl/worksheets/sheet{i}.xml": _sheet(sheet) for i, sheet in zip(numbers, sheets, strict=True)},
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(zipfile.ZipInfo(name, _DATE), _HEAD + text, zipfile.ZIP_DEFLATED)
    return out.getvalue()


_STYLES = (
    f'<styleSheet xmlns="{_MAIN}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>'
    '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>'
    '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>'
    '</fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>'
    '<cellXfs count="2"><xf xfId="0"/><xf xfId="0" fontId="1" applyFont="1"/></cellXfs></styleSheet>'
)


def _types(numbers: range) -> str:
    sheets = "".join(
        f'<Override PartName="/xl/worksheets/sheet{i}.xml" ContentType="{_KIND}.worksheet+xml"/>' for i in numbers
    )
    return (
        f'<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{_KIND}.sheet.main+xml"/>'
        f'<Override PartName="/xl/styles.xml" ContentType="{_KIND}.styles+xml"/>{sheets}</Types>'
    )


def _links(targets: list[tuple[str, str]]) -> str:
    links = "".join(
        f'<Relationship Id="rId{i}" Type="{kind}" Target="{target}"/>' for i, (kind, target) in enumerate(targets, 1)
    )
    return f'<Relationships xmlns="{_PACKAGE}/relationships">{links}</Relationships>'


def _book(sheets: list[WorkbookSheet]) -> str:
    listed = "".join(
        f'<sheet name={quoteattr(sheet.name)} sheetId="{i}" r:id="rId{i}"/>' for i, sheet in enumerate(sheets, 1)
    )
    return (
        f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}/relationships"><sheets>{listed}</sheets>'
        '<calcPr calcId="0" fullCalcOnLoad="1"/></workbook>'
    )


def _sheet(sheet: WorkbookSheet) -> str:
    columns = "".join(
        f'<col min="{i}" max="{i}" width="{width}" customWidth="1"/>' for i, width in enumerate(sheet.widths, 1)
    )
    rows = []
    for i, row in enumerate(sheet.rows, 1):
        cells = "".join(
            _cell(f"{column_name(j)}{i}", value, i == 1) for j, value in enumerate(row) if value is not None
        )
        rows.append(f'<row r="{i}">{cells}</row>')
    view = '<sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>'
    return (
        f'<worksheet xmlns="{_MAIN}"><sheetViews>{view}</sheetView></sheetViews>'
        + (f"<cols>{columns}</cols>" if columns else "")
        + f"<sheetData>{''.join(rows)}</sheetData></worksheet>"
    )


def _cell(place: str, value, head: bool) -> str:
    style = ' s="1"' if head else ""
    if isinstance(value, Formula):
        if len(value.text) > _LONGEST:
            raise ParameterError(
                "a spreadsheet holds no formula of more than 8192 signs, and a node of this tree needs one, for its "
                "many levels; export to python, sql or c instead."
            )
        return f'<c r="{place}"{style}><f>{escape(value.text)}</f></c>'
    if isinstance(value, bool):
        return f'<c r="{place}"{style} t="b"><v>{int(value)}</v></c>'
    if isinstance(value, (int, float)):
        return f'<c r="{place}"{style}><v>{value!r}</v></c>'
    if _NOT_XML.search(value):
        raise ParameterError(f"a workbook cannot hold the text {value!r}: it has a control character; rename it.")
    text = escape(re.sub("_(x[0-9A-Fa-f]{4}_)", r"_x005F_\1", value)).replace("\r", "&#13;")
    return f'<c r="{place}"{style} t="inlineStr"><is><t xml:space="preserve">{text}</t></is></c>'
