"""Files as other programs write them: names that are lacking, lines above the header, several header rows, totals."""

import datetime
import gzip
import warnings
from itertools import pairwise

import pandas as pd
import pyarrow as pa
import pytest

from boxwood import CARTClassifier
from boxwood.data.files.csv_blocks import CsvFile
from boxwood.data.files.files import read_table
from boxwood.data.files.opened import AS_FOUND, Form
from boxwood.errors import FileError, FormatWarning, ParameterError

PEOPLE = {"alter": [31, 40, 25], "ort": ["Köln", "Bad Ems", "Ulm"], "y": ["ja", "nein", "ja"]}
NUMBERED = {"column_1": [1, 2, 3]} | PEOPLE
#: data.frame(alter = c(31, 40, 25), ort = c("Köln", "Bad Ems", "Ulm"), y = c("ja", "nein", "ja")), as R 4.2 wrote it.
OF_R = {
    "write.csv": '"","alter","ort","y"\n"1",31,"Köln","ja"\n"2",40,"Bad Ems","nein"\n"3",25,"Ulm","ja"\n',
    "write.csv2": '"";"alter";"ort";"y"\n"1";31;"Köln";"ja"\n"2";40;"Bad Ems";"nein"\n"3";25;"Ulm";"ja"\n',
    "write.table": '"alter" "ort" "y"\n"1" 31 "Köln" "ja"\n"2" 40 "Bad Ems" "nein"\n"3" 25 "Ulm" "ja"\n',
    "tabs": "alter\tort\ty\n1\t31\tKöln\tja\n2\t40\tBad Ems\tnein\n3\t25\tUlm\tja\n",
}
CASES = {
    **{name: (text, NUMBERED, "a column without a name is called 'column_1'") for name, text in OF_R.items()},
    "trailing commas": ("a,y,\n1,x,\n2,z,\n", {"a": [1, 2], "y": ["x", "z"]}, ""),
    "commas after the rows": ("a,y\n1,x,\n2,z,\n", {"a": [1, 2], "y": ["x", "z"]}, ""),
    "a comma after the header": ("a,y,\n1,x\n2,z\n", {"a": [1, 2], "y": ["x", "z"]}, ""),
    "sep": ("sep=;\na;y\n1,5;x\n2;z\n", {"a": [1.5, 2.0], "y": ["x", "z"]}, ""),
    "sep in quotes": ('"sep=|"\na|y\n1|x\n2|z\n', {"a": [1, 2], "y": ["x", "z"]}, ""),
    "remarks": ("# by me, 2024\n#\n\na,y\n1,x\n2,z\n", {"a": [1, 2], "y": ["x", "z"]}, "2 lines above the header"),
    "a name with #": ("#a,y\n1,x\n2,z\n", {"#a": [1, 2], "y": ["x", "z"]}, ""),
    "titles": ("报告 2024\nvon, mir\n姓名,年龄,y\n李,31,1\n金,40,0\n",
        {"姓名": ["李", "金"], "年龄": [31, 40], "y": [1, 0]}, "2 lines above the header are skipped"),
    "a title before semicolons": ("Bericht, 2024\na;b;y\n1,5;2;x\n2;3;z\n",
        {"a": [1.5, 2.0], "b": [2, 3], "y": ["x", "z"]}, "1 line above the header is skipped"),
    "a title of a sheet": ("Report,,\n,,\na,b,y\n0,1,x\n1,2,z\n",
        {"a": [0, 1], "b": [1, 2], "y": ["x", "z"]}, "2 lines"),
    "a title in all cells": ("报告,报告,报告\na,b,y\n0,1,x\n1,2,z\n",
        {"a": [0, 1], "b": [1, 2], "y": ["x", "z"]}, "1 line above the header is skipped"),
    "a title in the middle": (",Report,\na,b,y\n0,1,x\n1,2,z\n",
        {"a": [0, 1], "b": [1, 2], "y": ["x", "z"]}, "1 line above the header is skipped"),
    "a title of several cells": ("Report,,31.12.2024\n,by,me\n,,\na,b,y\n0,1,x\n1,2,z\n",
        {"a": [0, 1], "b": [1, 2], "y": ["x", "z"]}, "3 lines above the header are skipped"),
    "years as names": ("Umsatz\nort,2023,2024\nUlm,1,2\nKöln,3,4\n",
        {"ort": ["Ulm", "Köln"], "2023": [1, 3], "2024": [2, 4]}, "1 line above the header is skipped"),
    "years in the second header row": ("ort,Umsatz,\n,2023,2024\nUlm,1,2\nKöln,3,4\n",
        {"ort": ["Ulm", "Köln"], "Umsatz 2023": [1, 3], "Umsatz 2024": [2, 4]}, "joined from two header rows"),
    "a line of dashes": (" a | b | y \n---+---+---\n 0 | 1 | x\n 1 | 2 | z\n(2 rows)\n",
        {"a": [0, 1], "b": [1, 2], "y": ["x", "z"]}, "1 line below the table is left out: '(2 rows)'"),
    "lines of a bank": (
        "Umsätze;am 31.01.2024\n\nIBAN;DE1;;\nSaldo;1,5;EUR;\n\nAlle\n\nTag;Ort;a;y\n1;Ulm;2,5;x\n2;Köln;3,5;z\n",
        {"Tag": [1, 2], "Ort": ["Ulm", "Köln"], "a": [2.5, 3.5], "y": ["x", "z"]}, "4 lines above the header"),
    "a log": ("#Software: IIS\n#Fields: date c-ip y\n2024-01-31 10.0.0.1 ja\n2024-02-29 10.0.0.2 nein\n",
        {"date": [datetime.date(2024, 1, 31), datetime.date(2024, 2, 29)], "c-ip": ["10.0.0.1", "10.0.0.2"],
         "y": ["ja", "nein"]}, "1 line above the header is skipped"),
    "blanks between the fields": ("a b y\n1 2 x\n2 3 z\n", {"a": [1, 2], "b": [2, 3], "y": ["x", "z"]}, ""),
    "an empty row below names with a gap": ("a,,y\n,,\n1,2,3\n4,5,6\n",
        {"a": [None, 1, 4], "column_2": [None, 2, 5], "y": [None, 3, 6]}, "called 'column_2'"),
    "units": ("t,v,y\ns,m/s,\n" + "1,2,x\n" * 5, {"t": [1] * 5, "v": [2] * 5, "y": ["x"] * 5},
        "the row below the names holds no values and is skipped; header_rows=1 reads from there"),
    "questions": ('Q1,y\nHow old are you?,"Yes, or no?"\n"{""ImportId"":""Q1""}","{""ImportId"":""Q2""}"\n7,x\n9,z\n',
        {"Q1": [7, 9], "y": ["x", "z"]}, "2 rows below the names are skipped"),
    "names without width": ("\ufeffa,\u200bb,y\n1,2,x\n2,3,z\n", {"a": [1, 2], "b": [2, 3], "y": ["x", "z"]},
        "blanks around column names"),
    "full-width names": ("ａ，b,ｙ\n1,x\n2,z\n", {"ａ，b": [1, 2], "ｙ": ["x", "z"]}, ""),
    "two header rows": ("id,Visit 1,,y\n,age,bp,\n7,2,3,1\n9,2,3,0\n",
        {"id": [7, 9], "Visit 1 age": [2, 2], "Visit 1 bp": [3, 3], "y": [1, 0]}, "joined from two header rows"),
    "blanks": ("id, income ,y\n1, 2, yes\n2, 3,no \n", {"id": [1, 2], "income": [2, 3], "y": ["yes", "no"]},
        "blanks around column names are removed"),
}  # fmt: skip


def read(path, form=AS_FOUND):
    """The table of a file, and the notes about it."""
    with warnings.catch_warnings(record=True) as notes:
        warnings.simplefilter("always")
        table = read_table(path, form=form)
    return table.to_pydict(), [str(note.message) for note in notes if note.category is FormatWarning]


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("written", ["plain", "crlf", "bom", "utf-16", "gz"])
def test_a_file_is_read_as_it_was_meant(tmp_path, name, written):
    text, expected, note = CASES[name]
    text = text.replace("\n", "\r\n") if written == "crlf" else text
    data = text.encode({"bom": "utf-8-sig", "utf-16": "utf-16"}.get(written, "utf-8"))
    path = tmp_path / "t.csv"
    path.write_bytes(gzip.compress(data) if written == "gz" else data)
    table, notes = read(path)
    assert table == expected
    assert note in "; ".join(notes) if note else notes == []


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("size", [1 << 5, 1 << 20])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.filterwarnings("ignore:Blanks around texts")
def test_blocks_of_a_file_are_read_alike(tmp_path, name, size, mark):
    path = tmp_path / "t.csv"
    path.write_bytes(mark + CASES[name][0].encode())
    file = CsvFile(str(path), "t.csv")
    types, ends = file.survey(size)
    assert pa.concat_tables(file.tables(size, types)).to_pydict() == CASES[name][1]
    at = [0, *(end for end, _ in ends)]
    parts = [part for span in pairwise(at) for part in file.tables(size, types, None, span)]
    assert pa.concat_tables(parts).to_pydict() == CASES[name][1]


def test_a_first_row_of_words_is_no_row_of_units(tmp_path):
    path = tmp_path / "t.csv"
    for row in ("unknown,unknown,z\n", "NA,?,\n", "?,?,\n", "--,--,\n", ",--,\n", "NA,x,\n", "s,,\n", "1,m,\n"):
        path.write_text("a,b,y\n" + row + "1,2,x\n" * 5, encoding="utf-8")
        assert len(read(path)[0]["a"]) == 6
    path.write_text("a,b,y\ns,m,\n" + "1,2,x\n" * 5, encoding="utf-8")
    assert len(read(path, Form(header_rows=1))[0]["a"]) == 6


def test_given_lines_and_header_rows(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("2023,2024\nx,1\n\na,b\nc,d\n1,2\n", encoding="utf-8")
    assert read(path, Form(skip_rows=3)) == ({"a": ["c", "1"], "b": ["d", "2"]}, [])
    assert read(path, Form(skip_rows=3, header_rows=2)) == ({"a c": [1], "b d": [2]}, [])
    assert read(path, Form(skip_rows=5, header_rows=0)) == ({"column_1": [1], "column_2": [2]}, [])
    path.write_text("5,x\n6,z\n", encoding="utf-8")
    assert read(path, Form(header_rows=0)) == ({"column_1": [5, 6], "column_2": ["x", "z"]}, [])
    for name in ("skip_rows", "header_rows"):
        with pytest.raises(ParameterError, match=f"{name} must be a whole number from 0 on; got -1") as raised:
            Form(**{name: -1})
        assert raised.value.argument == name


def test_names_that_are_taken_are_not_given_again(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("column_2,,y\n5,6,7\n5,7,8\n", encoding="utf-8")
    assert list(read(path)[0]) == ["column_2", "column_2_", "y"]


def test_errors_count_rows_of_the_table_and_lines_of_the_file(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("Report\n\na,b,y\n1,2,3\n4,5\n", encoding="utf-8")
    with pytest.raises(FileError, match=r"row 2 \(line 5\) has 2 fields"), pytest.warns(FormatWarning):
        read_table(path)
    path.write_text('Report\n\na,b,y\n1,2,3\n4,5,"6\n', encoding="utf-8")
    with pytest.raises(FileError, match=r"row 2 \(line 5\) opens a quote that is never closed"):
        read_table(path)
    path.write_text("a,y,\n" + "1,2,\n" * 200 + "1,2,late\n", encoding="utf-8")
    with pytest.raises(FileError, match="late"):
        read_table(path)


def test_one_row_too_long_is_no_header_of_r(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,b\n1,2\n3,4,5\n", encoding="utf-8")
    with pytest.raises(FileError, match="goes on after the last column 'b'"):
        read_table(path)


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("city,a,b\nUlm,1,2\nKöln,3,4\nSumme:,4,6\n", 2),
        ("city,a,b\nUlm,1,2\nKöln,3,4\nGrand Total,4,\n", 2),
        ("城市,a,b\n甲,1,2\n乙,3,4\n合计,4,6\n", 2),
        ("city,a,b\nUlm,1,2\nKöln,3,4\nBonn,3,4\n,7,10\n", 3),
        ("city,a,b\nUlm,1,2\nKöln,3,4\nTotal,4,5\n", 3),
        ("city,a,b\nUlm,1,2\nKöln,3,4\nBonn,4,6\n", 3),
        ("city,a,b\nUlm,0,0\nKöln,0,0\nTotal,0,0\n", 3),
    ],
)
def test_a_last_row_of_sums_is_left_out(tmp_path, text, rows):
    path = tmp_path / "t.csv"
    path.write_text(text, encoding="utf-8")
    table, notes = read(path)
    assert len(table["a"]) == rows
    assert any("the last row holds totals and is left out" in note for note in notes) == (rows == text.count("\n") - 2)


def test_sheets_with_titles_merged_cells_and_totals(tmp_path):
    import openpyxl

    book = openpyxl.Workbook()
    sheet = book.active
    rows = [["Bericht 2024"], [], ["Ort", "Besuch 1", None, "y"], [None, "Alter", "Blutdruck", None]]
    rows += [["Köln" if i == 0 else None, i, 60 + i, " ja" if i % 2 else "nein"] for i in range(20)]
    for row in [*rows, ["Summe", sum(range(20)), sum(range(60, 80)), None]]:
        sheet.append(row)
    for cells in ("A1:D1", "B3:C3", "A5:A24"):
        sheet.merge_cells(cells)
    book.save(tmp_path / "t.xlsx")
    table, notes = read(tmp_path / "t.xlsx")
    assert list(table) == ["Ort", "Besuch 1 Alter", "Besuch 1 Blutdruck", "y"]
    assert (table["Besuch 1 Blutdruck"], set(table["y"])) == (list(range(60, 80)), {"ja", "nein"})
    all_notes = " ".join(notes)
    for words in ("2 lines above the header are skipped", "two header rows", "holds totals", "in column 'y'"):
        assert words in all_notes
    assert "most cells of column 'Ort' (95 %) are empty. If cells are merged there" in all_notes
    table, _ = read(tmp_path / "t.xlsx", Form(skip_rows=4, header_rows=0))
    assert list(table) == ["column_1", "column_2", "column_3", "column_4"]


@pytest.fixture
def ranked():
    """A table that pandas writes with a first column that has no name."""
    return pd.DataFrame({"größe": [k * 37 % 61 for k in range(60)], "k": [k % 7 for k in range(60)]}).assign(
        y=lambda t: t["größe"].gt(30).map({True: "ja", False: "nein"})
    )


@pytest.mark.filterwarnings("ignore::boxwood.errors.FormatWarning", "ignore::boxwood.errors.KindWarning")
def test_the_index_of_pandas_is_learned_from_nowhere(tmp_path, ranked):
    path = tmp_path / "t.csv"
    ranked.to_csv(path)
    back, X = pd.read_csv(path), ranked.drop(columns="y")
    assert "Unnamed: 0" in back
    plain = CARTClassifier().fit(X, ranked.y)
    models = [CARTClassifier().fit(back.drop(columns="y"), back.y)]
    models += [CARTClassifier().fit(back.drop(columns="y").rename(columns={"Unnamed: 0": name}), back.y) for name in
               ("X", "...1", "column_1")]  # fmt: skip
    models += [CARTClassifier().fit_stream(path, "y", memory="64MB")]
    for model in models:
        assert model.tree_.to_text() == plain.tree_.to_text()
        assert (model.predict(X) == plain.predict(X)).all()
        assert model.score(X, ranked.y) == plain.score(X, ranked.y)
    shuffled = back.sample(frac=1, random_state=1)
    assert CARTClassifier().fit(shuffled.drop(columns="y"), shuffled.y).tree_.to_text() == plain.tree_.to_text()
    used = CARTClassifier(identifiers="use").fit(back.drop(columns="y"), back.y)
    with pytest.raises(ValueError, match="Unnamed: 0"):
        used.predict(X)


@pytest.mark.filterwarnings("ignore::boxwood.errors.FormatWarning")
def test_a_stream_takes_the_layout_that_is_given(tmp_path, ranked):
    path = tmp_path / "t.csv"
    path.write_text("1,2\n" + ranked.to_csv(index=False), encoding="utf-8")
    model = CARTClassifier().fit_stream(path, "y", memory="64MB", skip_rows=1)
    assert model.tree_.to_text() == CARTClassifier().fit(ranked.drop(columns="y"), ranked.y).tree_.to_text()
    with pytest.raises(ParameterError, match="skip_rows=1 is for text files, and the source is not a file"):
        CARTClassifier().fit_stream(ranked, "y", skip_rows=1)
    ranked.to_parquet(tmp_path / "t.parquet")
    with pytest.raises(ParameterError, match=r"header_rows=1 is for text files .*, but .*t\.parquet is not one"):
        CARTClassifier().fit_stream(tmp_path / "t.parquet", "y", header_rows=1)
