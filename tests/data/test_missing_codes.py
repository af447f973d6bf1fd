"""Codes for missing values: in columns of every container, in files, and in the model that remembers them."""

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from boxwood.data.columns.missing_codes import codes_of_columns
from boxwood.data.files.csv_tables import CsvFields
from boxwood.data.files.files import read_table
from boxwood.data.frames.frame import learn_columns, read_columns
from boxwood.errors import ColumnError, DataTypeError, KindWarning, ParameterError, ParameterTypeError

CODES = ["?", ".", " ", "-999"]
AGES = ["31", "?", " 40", ".", "  ", "-999", "2.5"]
EXPECTED = [31.0, None, 40.0, None, None, None, 2.5]


def values(columns, j=0):
    return [None if np.isnan(v) else v for v in columns.values[j]]


@pytest.mark.parametrize(
    "table", [{"age": AGES}, pd.DataFrame({"age": AGES}), pl.DataFrame({"age": AGES}), pa.table({"age": AGES})]
)
def test_text_in_which_only_numbers_are_left_is_numeric_in_every_container(table):
    columns = learn_columns(table, missing_values=CODES)
    assert (columns.schema[0].kind, values(columns)) == ("numeric", EXPECTED)
    assert values(read_columns(table, columns.schema)) == EXPECTED


def test_texts_among_numbers_are_read_once_they_are_codes():
    mixed = [31, "?", 40.5, None]
    for table in ({"age": mixed}, pd.DataFrame({"age": pd.Series(mixed, dtype=object)})):
        columns = learn_columns(table, missing_values="?")
        assert values(columns) == [31.0, None, 40.5, None]
        assert values(read_columns(table, columns.schema)) == [31.0, None, 40.5, None]


def test_a_number_is_a_code_of_numbers_and_of_text_that_shows_it():
    columns = learn_columns({"x": np.array([1, -999, 3]), "y": [1.5, -999.0, 2.5]}, missing_values=[-999])
    assert (values(columns, 0), values(columns, 1)) == ([1.0, None, 3.0], [1.5, None, 2.5])
    assert learn_columns({"c": ["a", "-999.0", "b"]}, missing_values=[-999]).schema[0].levels == ("a", "b")


def test_whole_numbers_beyond_2_to_the_53_are_codes_exactly():
    big = 2**53 + 1
    columns = learn_columns({"x": np.array([2**53, big, 5])}, missing_values=[big])
    assert values(columns) == [2.0**53, None, 5.0]
    assert columns.low[0] is None or columns.low[0][0] == 0.0


def test_levels_lose_codes_and_keep_their_order():
    sizes = pd.DataFrame({"size": pd.Categorical(["L", "-", "S"], categories=["S", "-", "M", "L"], ordered=True)})
    columns = learn_columns(sizes, missing_values="-")
    assert (columns.schema[0].levels, columns.values[0].tolist()) == (("S", "L"), [1, -1, 0])


def test_a_dict_gives_codes_to_its_columns_alone():
    columns = learn_columns({"a": [1, -1], "b": [1, -1]}, missing_values={"b": -1})
    assert (values(columns, 0), values(columns, 1)) == ([1.0, -1.0], [1.0, None])


def test_leading_zeros_keep_a_column_of_text():
    with pytest.warns(KindWarning):
        assert learn_columns({"zip": ["01234", "?", "12345"]}, missing_values="?").schema[0].kind == "nominal"


def test_columns_of_text_are_numeric_where_declared():
    table = {"size": ["0010", "20", None], "x": [1.0, 2.0, 3.0]}
    columns = learn_columns(table, numeric_features=["size"])
    assert (columns.schema[0].kind, values(columns)) == ("numeric", [10.0, 20.0, None])
    assert values(read_columns({"size": ["007"], "x": [1.0]}, columns.schema)) == [7.0]
    with pytest.raises(DataTypeError, match=r"'size', row 1 .* holds the string 'x', which is not a number"):
        learn_columns({"size": ["0010", "x"]}, numeric_features=["size"])
    with pytest.raises(ColumnError, match="numeric_features names 'no'"):
        learn_columns(table, numeric_features=["no"])
    with pytest.raises(ParameterError, match="in numeric_features and in categorical_features"):
        learn_columns(table, ["size"], numeric_features=["size"])
    with pytest.raises(ParameterTypeError, match="numeric_features must be a list"):
        learn_columns(table, numeric_features=3)


@pytest.mark.parametrize(
    ("given", "error"),
    [({"no": 1}, ColumnError), (True, ParameterTypeError), ([None], ParameterTypeError), (np.inf, ParameterError)],
)
def test_codes_that_cannot_be_are_refused(given, error):
    with pytest.raises(error, match="missing_values"):
        codes_of_columns(given, ["age"])


def test_a_note_names_column_counts_and_the_exact_setting():
    message = r"'age' .* because of '\.' in 1 row, '\?' in 2 rows; .*missing_values=\['\.', '\?'\]"
    with pytest.warns(KindWarning, match=message):
        learn_columns({"age": ["31", "?", "4", "?", "."]})


def test_a_note_lists_all_other_strings_of_a_column_of_numbers_where_they_are_few():
    listed = r"if '\.' and '>200' mean missing, set missing_values=\['\.', '>200'\], or"
    with pytest.warns(KindWarning, match=listed):
        learn_columns({"CREAT": ["120", ".", "130", ">200", "99", "80"]})
    with pytest.warns(KindWarning, match=listed):
        learn_columns({"CREAT": ["1,5 kg", ".", "1,3 kg", ">200", "99 kg", "80 kg"]})
    with pytest.warns(KindWarning) as caught:
        learn_columns({"CREAT": ["120", "99", "98", "97", "96", "95", "94", "a", "b", "c", "d", "e", "f"]})
    assert "missing_values" not in str(caught[0].message)


def test_fields_of_csv_are_missing_by_column_also_beside_a_decimal_comma(tmp_path):
    (tmp_path / "a.csv").write_text("x;c;n\n1,5;?;?\n?;a;-9\n2,5;-9;7\n")
    table = read_table(tmp_path / "a.csv", lambda names: CsvFields({"x": ("?",), "n": ("?", "-9")}))
    assert table.to_pydict() == {"x": [1.5, None, 2.5], "c": ["?", "a", "-9"], "n": [None, None, 7]}


@pytest.mark.parametrize("cells", [["A1", "1,2", "3+"], ["1st", "2nd"], ["10,20,30", "x"], ["€", "%"]])
def test_other_texts_with_digits_are_levels_without_a_warning(cells):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert learn_columns({"a": cells}).schema[0].kind == "nominal"


def test_the_only_other_string_beside_numbers_is_offered_as_a_code_for_missing_values():
    with pytest.warns(KindWarning, match=r"if '不详' means missing, set missing_values=\['不详'\], or"):
        learn_columns({"年龄": ["31", "不详", "52"]})
