"""What the command makes of names and of numbers in files."""

from decimal import Decimal

import numpy as np
import pyarrow as pa
import pyarrow.parquet as parquet
import pytest

from boxwood.cli import main
from boxwood.cli.inputs import check_column
from boxwood.data import datasets
from boxwood.errors import ColumnError

TITANIC = str(datasets.path("titanic"))


@pytest.mark.parametrize(
    ("names", "column", "message"),
    [
        (["a", "b\n\x1b[31m"], "x", "f: there is no column 'x'; its columns are a, b\\n\\x1b[31m."),
        (["色", " a "], "x\r", "f: there is no column 'x\\r'; its columns are 色, \" a \"."),
        (["col\x1bour"], "colour", "f: there is no column 'colour'; did you mean 'col\\x1bour'?"),
        (
            list("abcdefghijkl"),
            "x",
            "f: there is no column 'x'; its columns are a, b, c, d, e, f, g, h, i, j and 2 more.",
        ),
        (["a" * 99], "x" * 99, f"f: there is no column '{'x' * 39}…'; its columns are {'a' * 39}…."),
    ],
)
def test_names_in_messages_are_escaped_and_bounded(names, column, message):
    with pytest.raises(ColumnError) as error:
        check_column(pa.table({name: [1] for name in names}), column, "f")
    assert str(error.value) == message


def test_errors_are_one_line_whatever_a_file_is_called(capsys):
    assert main(["fit", "two\nlines\x1b.csv", "--target", "y"]) == 1
    err = capsys.readouterr().err
    assert err.startswith("Error: two\\nlines\\x1b.csv does not exist")
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "name"),
    [
        (["fit", "", "--target", "y"], "'DATA...'"),
        (["fit", TITANIC, "--target", "survived", "-o", ""], "'-o' / '--output'"),
        (["show", ""], "'MODEL'"),
        (["predict", "m.box", ""], "'DATA'"),
        (["predict", "m.box", TITANIC, "-o", ""], "'-o' / '--output'"),
        (["evaluate", "", TITANIC], "'MODEL'"),
    ],
)
def test_empty_file_names_are_refused(capsys, tmp_path, monkeypatch, words, name):
    monkeypatch.chdir(tmp_path)
    assert main(words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines()[-1] == f"Error: Invalid value for {name}: the file name is empty; give a name"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", [pa.decimal128(12, 2), pa.decimal256(50, 2), pa.float16()], ids=str)
def test_decimals_and_short_floats_are_numbers(capsys, tmp_path, kind):
    file, model = str(tmp_path / "d.parquet"), str(tmp_path / "m.box")
    convert = np.float16 if kind == pa.float16() else Decimal
    y = pa.array([convert(i // 10) / 4 for i in range(40)], kind)
    weight = pa.array([convert(1)] * 40, kind)
    parquet.write_table(pa.table({"a": range(40), "w": weight, "y": y}), file)
    assert main(["fit", file, "--target", "y", "--sample-weight", "w", "-o", model]) == 0
    assert "Target y: numeric (numbers), from 0 to 0.75, mean 0.375." in capsys.readouterr().out
    assert main(["evaluate", model, file]) == 0
    assert "R²                       1.000" in capsys.readouterr().out


@pytest.mark.parametrize("kind", [pa.decimal128(12, 2), pa.float16()], ids=str)
def test_missing_decimals_and_short_floats_name_the_row(capsys, tmp_path, kind):
    file = str(tmp_path / "d.parquet")
    convert = np.float16 if kind == pa.float16() else Decimal
    y = pa.array([convert(1), None, convert(2)], kind)
    parquet.write_table(pa.table({"a": [1, 2, 3], "y": y}), file)
    assert main(["fit", file, "--target", "y", "-o", str(tmp_path / "m.box")]) == 1
    assert "the response 'y' is missing in 1 row, first in row 2" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "place"),
    [
        (("fit", "-o", "m.box"), "d.csv: y"),
        (("fit", "-o", "m.box", "--memory", "1GB"), "d.csv, rows 1 to 2: Column 'y'"),
        (("compare", "--folds", "2"), "d.csv: y"),
        (("encode", "-o", "codes"), "d.csv, rows 1 to 2: Column 'y'"),
    ],
    ids=lambda given: "" if isinstance(given, str) else " ".join(given),
)
def test_a_regression_on_text_names_the_other_task(capsys, tmp_path, monkeypatch, words, place):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "d.csv").write_text("x,y\n1,no\n2,yes\n", encoding="utf-8")
    assert main([words[0], "d.csv", "--target", "y", "--task", "regression", *words[1:], "--quiet"]) == 1
    assert capsys.readouterr().err == (
        f"Error: {place}, row 1 holds the string 'no' where numbers are expected; convert the column to numbers, with "
        "missing values as None or NaN. If these are classes, use --task classification.\n"
    )
