"""What lies below a table: rows of totals, sources and footnotes, rows without values; whole and in parts alike."""

import warnings

import pandas as pd
import pytest

from boxwood import CARTClassifier, CARTRegressor
from boxwood.data.files.csv_blocks import CsvFile
from boxwood.data.files.files import read_table
from boxwood.data.files.opened import AS_FOUND, Form
from boxwood.errors import FileError, FormatWarning

ROWS = [(city, a, b, y) for city, a, b, y in [("Ulm", 1, 2, "ja"), ("Köln", 3, 4, "nein"), ("Bonn", 5, 9, "ja")] * 4]
SUMS = ("Summe", 36, 60, "")


def text(rows, separator=";", end="\n"):
    return "".join(separator.join(map(str, row)) + end for row in [("ort", "a", "b", "y"), *rows])


PLAIN = text(ROWS)
NUMBERED = text([(f"{i}", *row[1:]) for i, row in enumerate(ROWS)])
#: Text of a file -> rows of its table, and what the note says.
CASES = {
    "a source": (PLAIN + "Quelle: Statistisches Amt\n", 12, "1 line below the table is left out: 'Quelle: Stat"),
    "a source with separators": (PLAIN + "Quelle: Amt;2024\n", 12, "1 line below"),
    "footnotes": (PLAIN + "\nStand Mai\n* p < 0,05;** p < 0,01\n", 12, "2 lines below the table are left out, from"),
    "a padded source": (PLAIN + ";;;\nStand Mai;;;\n", 12, "2 lines below"),
    "an end without a blank line": (NUMBERED + "Ende des Berichts\n", 12, "'Ende des Berichts'"),
    "a count of rows": (PLAIN + "(12 rows)\n", 12, "'(12 rows)'"),
    "rows without values": (PLAIN + ";;;\n" * 3, 12, "3 lines without values at its end are left out"),
    "totals": (PLAIN + "Summe;36;60;\n", 12, "the last row holds totals"),
    "short totals": (PLAIN + "Summe;36;60\n", 12, "'Summe'"),
    "totals and a source": (PLAIN + "Summe;36;60;\n\n来源：统计局\n", 12, "'来源：统计局'"),
    "totals and a padded source": (PLAIN + "Summe;36;60;\nStand Mai;;;\n", 12, "the last row holds totals"),
    "numbers in the first column": (NUMBERED + "Gesamt;36;60;\n", 12, "the last row holds totals"),
    "sums with units": (
        "ort;a;y\n" + "Ulm;1.000,50 €;ja\nKöln;2.000,25 €;nein\n" * 5 + "Summe;15.003,75 €;\n", 10, "holds totals",
    ),
    "rounded sums and means": (PLAIN + "Insgesamt;36,01;5,0;\n", 12, "holds totals"),
    "means alone": (PLAIN + "Summe;3;5;\n", 13, ""),
    "wrong totals": (PLAIN + "Summe;36;61;\n", 13, ""),
    "a city alone": (PLAIN + "Wien;;;\n", 13, ""),
    "a number alone": (NUMBERED + "12;;;\n", 13, ""),
    "quoted lines": (PLAIN + '"Wien\n\nQuelle: x";1;2;ja\n', 13, ""),
}  # fmt: skip


def read(path, form=AS_FOUND):
    with warnings.catch_warnings(record=True) as notes:
        warnings.simplefilter("always")
        table = read_table(path, form=form)
    return table, " ".join(str(note.message) for note in notes if note.category is FormatWarning)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("written", ["utf-8", "utf-8-sig", "crlf"])
def test_whole(tmp_path, name, written):
    content, rows, note = CASES[name]
    content, encoding = (content.replace("\n", "\r\n"), "utf-8") if written == "crlf" else (content, written)
    (tmp_path / "t.csv").write_bytes(content.encode(encoding))
    table, notes = read(tmp_path / "t.csv")
    assert table.num_rows == rows
    assert note in notes if note else notes == ""


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("size", [1 << 5, 1 << 20])
def test_in_blocks(tmp_path, name, size):
    (tmp_path / "t.csv").write_text(CASES[name][0], encoding="utf-8")
    whole, _ = read(tmp_path / "t.csv")
    file = CsvFile(str(tmp_path / "t.csv"), "t.csv")
    types, ends = file.survey(size)
    assert types == dict(zip(whole.column_names, whole.schema.types, strict=True))
    assert sum(rows for _, rows in ends) == whole.num_rows
    parts = [table for table in file.tables(size, types) if table.num_rows]
    assert [row for part in parts for row in part.to_pylist()] == whole.to_pylist()


def test_a_remark_is_named_where_it_may_be_a_row(tmp_path):
    (tmp_path / "t.csv").write_text(PLAIN + "Ende\n", encoding="utf-8")
    with pytest.raises(FileError, match=r"row 13 \(line 14\) has 1 field .*; if 'Ende' is a remark, remove this line"):
        read_table(tmp_path / "t.csv")


def test_given_lines_above_do_not_hide_what_is_below(tmp_path):
    (tmp_path / "t.csv").write_text("x\n" + PLAIN + "Summe;36;60;\n\nQuelle: ich\n", encoding="utf-8")
    assert read(tmp_path / "t.csv", Form(skip_rows=1))[0].num_rows == 12


@pytest.fixture
def folder(tmp_path):
    """Two files with totals and sources, and the same without."""
    rows = pd.DataFrame({"größe": [k * 37 % 61 for k in range(60)], "k": [k % 7 for k in range(60)]}).assign(
        y=lambda t: t["größe"].gt(30).map({True: "ja", False: "nein"}), nr=range(60)
    )[["nr", "größe", "k", "y"]]
    for name in ("plain", "odd"):
        (tmp_path / name).mkdir()
    for i, part in enumerate((rows[:35], rows[35:])):
        part.to_csv(tmp_path / "plain" / f"{i}.csv", index=False)
        sums = f"Summe,{part['größe'].sum()},{part['k'].sum()},\n"
        (tmp_path / "odd" / f"{i}.csv").write_text(
            "Bericht,,,\n" + part.to_csv(index=False) + sums + "\nQuelle: ich\n", encoding="utf-8"
        )
    return tmp_path


@pytest.mark.parametrize("estimator", [CARTClassifier, CARTRegressor])
def test_same_tree_from_several_files_in_parts(folder, estimator):
    target = "y" if estimator is CARTClassifier else "k"
    options = {"identifiers": "use", "pruning": None}
    plain = estimator(**options).fit_stream(folder / "plain", target)
    for memory in ("64MB", "32MB"):
        with warnings.catch_warnings(record=True) as notes:
            warnings.simplefilter("always")
            odd = estimator(**options).fit_stream(folder / "odd" / "*.csv", target, memory=memory)
        assert odd.tree_.to_text() == plain.tree_.to_text()
        assert sum("holds totals" in str(note.message) for note in notes) == 2
        assert sum("1 line below the table" in str(note.message) for note in notes) == 2


@pytest.mark.filterwarnings("ignore::boxwood.errors.FormatWarning")
def test_whole_as_in_parts(folder):
    for name in ("plain", "odd"):
        table = read_table(folder / name / "0.csv").to_pandas()
        whole = CARTClassifier(identifiers="use").fit(table.drop(columns="y"), table.y)
        parts = CARTClassifier(identifiers="use").fit_stream(folder / name / "0.csv", "y")
        assert parts.model_.schema == whole.model_.schema
        assert parts.tree_.to_text() == whole.tree_.to_text()


def test_sheets(tmp_path):
    import openpyxl

    book = openpyxl.Workbook()
    for row in [
        ["Bericht"],
        ["Erstellt von", "mir"],
        ["Stand", None, "Mai"],
        [],
        ["ort", "a", "b", "y"],
        *ROWS,
        SUMS,
        [],
        ["Quelle: Amt"],
        ["* p < 0,05"],
    ]:
        book.active.append(list(row))
    book.active.merge_cells("A1:D1")
    book.save(tmp_path / "t.xlsx")
    table, notes = read(tmp_path / "t.xlsx")
    assert (table.num_rows, table.column_names) == (12, ["ort", "a", "b", "y"])
    assert "4 lines above the header are skipped" in notes
    assert "2 lines below the table are left out, from 'Quelle: Amt' on" in notes
    assert "the last row holds totals" in notes
