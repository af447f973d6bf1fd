"""Files that other programs wrote: R, Excel libraries, LibreOffice, databases, SAS.

``written_files/make.R`` wrote the files of R. ``xlsxwriter.xlsx`` is by XlsxWriter 3.3 (a merged title, a row of sums
as formulas, a source), and LibreOffice 7.4 converted it to ``libreoffice.*``. PostgreSQL 15 (``COPY ... (FORMAT csv,
HEADER)``, ``psql`` aligned and unaligned) and SQLite 3.40 (``.mode csv``, ``.mode table``) wrote theirs.
``iris.sas7bdat.gz`` is the example of R's package haven 2.5.1 (MIT License, RStudio), which SAS wrote; it cuts the
names of the species.
"""

import datetime
import shutil
import warnings
from pathlib import Path

import pyarrow as pa
import pytest

from boxwood import CARTClassifier
from boxwood.data import datasets
from boxwood.data.files.files import read_table
from boxwood.data.files.opened import AS_FOUND, Form
from boxwood.errors import FormatWarning

FILES = Path(__file__).parent / "written_files"
DAYS = [datetime.date(2024, 1, 31), datetime.date(2024, 2, 29), None, datetime.date(2023, 12, 31)]
PEOPLE = {"alter": [31, 40, 25, None], "ort": ["Köln", "Bad Ems", "北京", "NA"], "y": ["ja", "nein"] * 2, "am": DAYS}
NUMBERED = {"column_1": [1, 2, 3, 4]} | PEOPLE
HALF = {"g": [15.5, 20, 12.5, None]}
SHEET = {
    "ort": ["Köln", "Ulm", "Bonn"], "a": [1, 3, 5], "b": [2.5, 4, None], "y": ["ja", "nein", "ja"],
    "am": [DAYS[0], DAYS[1], DAYS[3]],
}  # fmt: skip
CITIES = {"ort": ["Köln, Rh.", "京都", None, None], "a": [1, 3, 5, 7], "b": [2.5, None, 1234.5, 0.1]}
ANSWERS = {"stadt": ["Köln", "北京", None, None], "alter": [31, 40.5, None, 25], "am": DAYS}
GENDER = ["Mann", "Frau", "Mann", "Frau"]
AROUND = (
    "2 lines above the header are skipped; 1 line below the table is left out: 'Quelle: Amt'; the last row holds totals"
)
#: File -> some of its columns, and parts of the notes about it.
READ = {
    "write_csv.csv": (NUMBERED, "a column without a name is called 'column_1'"),
    "write_csv2.csv": (NUMBERED | HALF, "a column without a name is called 'column_1'"),
    "write_table.txt": (NUMBERED, "a column without a name is called 'column_1'"),
    "tabs.txt": (NUMBERED, "a column without a name is called 'column_1'"),
    "readr.csv": (PEOPLE, ""),
    "excel_csv2.csv": (PEOPLE | HALF, ""),
    "fwrite.csv": (PEOPLE | HALF | {"ort": [*PEOPLE["ort"][:3], None]}, ""),
    "haven.sav": (ANSWERS | {"q1": [3, None, 1, 2], "geschlecht": [1, 2, 1, 2]},
        "codes in 'q1' are read as missing; 'q1', 'geschlecht' have labels for all values, but their"),
    "haven.dta": (ANSWERS | {"q1": ["hoch", None, "niedrig", "mittel"], "geschlecht": GENDER},
        "codes in 'q1' are read as missing"),
    "haven.xpt": ({"ALTER": ANSWERS["alter"], "STADT": ["Ulm", "Bonn", None, "Ulm"], "AM": DAYS}, ""),
    "foreign.dta": ({"alter": PEOPLE["alter"], "y": PEOPLE["y"]}, ""),
    "xlsxwriter.xlsx": (SHEET, AROUND),
    "libreoffice.xlsx": (SHEET, AROUND),
    "libreoffice.ods": (SHEET, AROUND),
    "libreoffice.xls": (SHEET, AROUND),
    "libreoffice.csv": (SHEET | {"am": ["31.01.2024", "29.02.2024", "31.12.2023"]},
        "2 lines above the header are skipped; 2 lines below the table are left out; the last row holds totals"),
    "postgres.csv": (CITIES, ""),
    "postgres.txt": (CITIES, "1 line below the table is left out: '(4 rows)'"),
    "postgres_unaligned.txt": (CITIES, "1 line below the table is left out: '(4 rows)'"),
    "sqlite.csv": (CITIES, ""),
    "sqlite_table.txt": (CITIES, "1 line above the header is skipped"),
}  # fmt: skip


def read(path, form=AS_FOUND):
    with warnings.catch_warnings(record=True) as notes:
        warnings.simplefilter("always")
        table = read_table(path, form=form)
    return table, " ".join(str(note.message) for note in notes if note.category is FormatWarning)


@pytest.mark.parametrize("name", READ)
def test_a_file_is_read_as_it_was_written(name):
    expected, notes_expected = READ[name]
    table, notes = read(FILES / name)
    assert table.select(list(expected)).to_pydict() == expected
    assert all(part in notes for part in notes_expected.split("; ")) if notes_expected else notes == ""


def test_all_files_are_tested():
    assert {path.name for path in FILES.iterdir()} == {*READ, "make.R", "iris.sas7bdat.gz"}


def test_labels_of_stata_keep_the_order_of_their_codes():
    q1 = read(FILES / "haven.dta", Form(user_missing="levels"))[0]["q1"]
    assert q1.to_pylist() == ["hoch", "keine Angabe", "niedrig", "mittel"]
    assert q1.chunk(0).dictionary.to_pylist()[:3] == ["niedrig", "mittel", "hoch"]


@pytest.mark.parametrize("name", ["iris.sas7bdat", "iris.sas7bdat.gz"])
def test_a_data_set_of_sas_gives_the_tree_of_its_csv(tmp_path, name):
    import gzip

    path = FILES / "iris.sas7bdat.gz"
    if name == "iris.sas7bdat":
        with gzip.open(path) as packed, open(tmp_path / name, "wb") as plain:
            shutil.copyfileobj(packed, plain)
        path = tmp_path / name
    iris = read_table(datasets.path("iris"))
    iris = iris.set_column(4, "Species", pa.array([text[:6] for text in iris.column(4).to_pylist()]))
    table = read_table(path)
    assert table.to_pydict() == dict(zip(table.column_names, iris.to_pydict().values(), strict=True))
    iris = iris.rename_columns(table.column_names)
    trees = [CARTClassifier().fit(t.drop_columns(["Species"]), t["Species"]) for t in (table, iris)]
    trees += [CARTClassifier().fit_stream(path, "Species")]
    assert len({model.tree_.to_text().replace("for Species:", "for y:") for model in trees}) == 1
