"""Cells of workbooks that programs cannot read: errors, and formulas that no program has computed."""

import io
import re
import warnings
import zipfile

import openpyxl
import pytest

from boxwood.data.files.files import read_table
from boxwood.data.files.opened import AS_FOUND, Form
from boxwood.errors import FormatWarning

ERRORS = "errors are read as missing: column '年龄' (2 cells, first {}: #DIV/0!)."
FORMULAS = "formulas without a stored value are read as missing: column 'b' (3 cells, first {}). Open the file in"


def write(path, above=(), left=()):
    """A workbook of openpyxl, which computes no formulas: two errors, and three formulas without a value."""
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Blatt & 1"
    for row in above:
        sheet.append(row)
    sheet.append([*left, "年龄", "b", "y"])
    for i, y in enumerate(["ja", "nein"] * 3):
        sheet.append([*left, i, f"=A{i + 2}*2" if i > 2 else i, y])
        for cell in sheet[sheet.max_row]:
            if cell.value in (1, 4) and cell.column == len(left) + 1:
                cell.value, cell.data_type = "#DIV/0!", "e"
    book.save(path)
    return path


def read(path, form=AS_FOUND):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        table = read_table(path, form=form)
    return table.to_pydict(), [warning.message for warning in caught]


def rewritten(path, change):
    """The same file with other XML of its sheet."""
    with zipfile.ZipFile(path) as book:
        parts = {name: book.read(name) for name in book.namelist()}
    with zipfile.ZipFile(path, "w") as book:
        for name, part in parts.items():
            book.writestr(name, change(part) if "worksheets/" in name else part)
    return path


@pytest.mark.parametrize(
    ("above", "left", "form", "cells"),
    [
        ((), (), AS_FOUND, ("A3", "B5")),
        ((["Bericht", "=1+1"], []), (), AS_FOUND, ("A5", "B7")),
        ((["Bericht", "=1+1"], []), (), Form(skip_rows=2), ("A5", "B7")),
        ((), (None, None), AS_FOUND, ("C3", "D5")),
        (([], []), (None,) * 26, AS_FOUND, ("AA5", "AB7")),
    ],
)
def test_errors_and_formulas_without_a_value_have_notes(tmp_path, above, left, form, cells):
    table, notes = read(write(tmp_path / "t.xlsx", above, left), form)
    assert table["年龄"] == [0, None, 2, 3, None, 5]
    texts = [str(note) for note in notes]
    for words, cell in zip((ERRORS, FORMULAS), cells, strict=True):
        assert any(words.format(cell) in text for text in texts)
    about = next(note for note in notes if "without a stored value" in str(note))
    assert isinstance(about, FormatWarning)
    assert (about.column, about.remedy.split(",")[0]) == ("b", "Open the file in a spreadsheet program and save it")


def test_programs_write_the_same_cells_in_other_words(tmp_path):
    def of_sdk(xml):
        xml = re.sub(rb"<(/?)(c|f|v)\b", rb"<\1x:\2", xml)
        return xml.replace(
            b"<worksheet ", b'<worksheet xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main" '
        )

    def shared(xml):
        return re.sub(rb"<f>[^<]*</f><v ?/>", b'<f t="shared" si="0"/>', xml)

    for change in (of_sdk, shared):
        _, notes = read(rewritten(write(tmp_path / "t.xlsx"), change))
        assert [FORMULAS.format("B5") in str(note) for note in notes if "without a stored value" in str(note)] == [True]
        assert sum(": errors are read" in str(note) for note in notes) == 1


def test_stored_values_have_no_note(tmp_path):
    """Also not the empty text, which is the value of ``=IF(A2>1, "", A2)``."""

    def computed(xml):
        xml, count = re.subn(rb'<c r=("\w+")><f>([^<]*)</f><v ?/>', rb'<c r=\1 t="str"><f>\2</f><v></v>', xml)
        assert count == 3
        return xml.replace(b't="e"', b't="str"')

    table, notes = read(rewritten(write(tmp_path / "t.xlsx"), computed))
    assert table["b"] == [0, 1, 2, None, None, None]
    assert not [note for note in notes if "read as missing" in str(note)]


def test_many_columns_are_counted(tmp_path):
    book = openpyxl.Workbook()
    for row in (["y", *(f"c{j}" for j in range(7))], [1, *["=1/3"] * 7], [0, *range(7)]):
        book.active.append(row)
    data = io.BytesIO()
    book.save(data)
    (tmp_path / "t.xlsx").write_bytes(data.getvalue())
    (note,) = (str(note) for note in read(tmp_path / "t.xlsx")[1] if "without a stored value" in str(note))
    assert "column 'c0' (1 cell, first B2), column 'c1' (1 cell, first C2)" in note
    assert "column 'c4' (1 cell, first F2), and 2 more columns. Open" in note
