"""Formatted numbers: the form of a column is found, stored and read; names of things stay text."""

import warnings

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from boxwood import CARTClassifier
from boxwood.data.columns.number_forms import possible_number_forms
from boxwood.data.frames.frame import learn_columns, read_columns
from boxwood.data.streams.batches import Batches
from boxwood.errors import DataTypeError, KindWarning, ParameterError, ParameterTypeError

READ = [
    (["1.234,50 EUR", "12,00 EUR"], "1.234,5 EUR", [1234.5, 12]),
    (["1.234,50 €", "-0,50 €"], "1.234,5 €", [1234.5, -0.5]),
    (["12,3 %", "7 %"], "1.234,5 %", [12.3, 7]),
    (["12%", "5%"], "1234.5%", [12, 5]),
    (["$1,234.50", "$0.99"], "$1,234.5", [1234.5, 0.99]),
    (["US$1,200", "US$950"], "US$1,234.5", [1200, 950]),
    (["EUR 1234.50", "EUR 3"], "EUR 1234.5", [1234.5, 3]),
    (["1 234", "12 345", "950"], "1 234,5", [1234, 12345, 950]),
    (["1\u00a0234,5", "1\u202f200"], "1 234,5", [1234.5, 1200]),
    (["1'234.50", "3"], "1'234.5", [1234.5, 3]),
    (["1’234.50", "3"], "1'234.5", [1234.5, 3]),
    (["1,234 kg", "1,250 kg", "950 kg"], "1,234.5 kg", [1234, 1250, 950]),
    (["(1,234)", "1,234,567", "12"], "1,234.5", [-1234, 1234567, 12]),
    (["($1,234.50)", "$2.00"], "$1,234.5", [-1234.5, 2]),
    (["0,125", "1,5", "NA"], "1.234,5", [0.125, 1.5, np.nan]),
    (["¥5,000", "¥300"], "¥1,234.5", [5000, 300]),
    (["5岁", "12岁"], "1234.5岁", [5, 12]),
]


@pytest.mark.parametrize(("texts", "form", "numbers"), READ)
def test_a_column_of_one_form_is_numeric_and_a_note_names_the_form(texts, form, numbers):
    with pytest.warns(KindWarning, match="is read as numeric.*set numeric_features.*in categorical_features") as caught:
        columns = learn_columns({"金额": texts})
    assert len(caught) == 1
    assert f"contains numbers of the form {form} and" in str(caught[0].message)
    assert columns.schema[0].written.form == form
    np.testing.assert_array_equal(columns.values[0], numbers)
    later = read_columns({"金额": texts}, columns.schema)
    np.testing.assert_array_equal(later.values[0], numbers)
    typed = read_columns({"金额": numbers}, columns.schema)
    np.testing.assert_array_equal(typed.values[0], numbers)


@pytest.mark.parametrize(
    "texts",
    [
        ["01067 a", "80331 b"], ["01067", "80331 €"], ["1234 AB", "1235 CD"], ["123 45", "678 90"],
        ["00-950", "31-002"],
        ["089 123 456", "040 222 333"], ["+49 89 1234", "+49 89 222"], ["123 456 789", "222 333 444"],
        ["1.2.3", "1.10.0"], ["123.456.789", "987.654.321"], ["192.168.1.1", "10.0.0.1"],
        ["01/02/2021", "1/4/2021"], ["3/14", "4/1"], ["10:30", "11:45"], ["10-20", "20-30"], ["10 - 20", "20 - 30"],
        ["A12", "A13"], ["12A", "14A"], ["Room 5", "Room 7"], ["1st", "21st"], ["3号", "5号"], ["(1)", "(2)"],
        ["12 3", "4 17"], ["5 kg", "6 t"], ["€ 5", "$ 5"], ["1.5", "2,5"], ["<5", ">9"], ["1,2,3", "4,5"], ["x", "1,5"],
    ],
)  # fmt: skip
def test_names_codes_dates_and_mixtures_are_no_numbers(texts):
    assert possible_number_forms(texts) == []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", KindWarning)
        assert learn_columns({"x": texts}).schema[0].kind == "nominal"


def test_a_mark_that_may_be_either_is_left_to_the_user():
    texts = ["1,234", "2,345"]
    first, second = r"read it as 1234, set numeric_features={'x': '1,234\.5'}", r"as 1\.234, set .*'1\.234,5'}"
    with pytest.warns(KindWarning, match=f"{first}.*{second}"):
        assert learn_columns({"x": texts}).schema[0].kind == "nominal"
    with pytest.raises(DataTypeError, match=r"several ways; set numeric_features={'x': '1,234\.5'} or"):
        learn_columns({"x": texts}, numeric_features=["x"])
    assert learn_columns({"x": texts}, numeric_features={"x": "1,234.5"}).values[0].tolist() == [1234, 2345]
    assert learn_columns({"x": texts}, numeric_features={"x": "1.234,5"}).values[0].tolist() == [1.234, 2.345]
    assert learn_columns({"x": ["123 456 789"]}, numeric_features={"x": "1 234,5"}).values[0].tolist() == [123456789]
    assert learn_columns({"x": ["1,5", "2"]}, numeric_features=["x"]).values[0].tolist() == [1.5, 2]


def test_what_is_no_form_is_refused():
    for form in ("12", "1,234,5", "1.234.5", "1234.5 (kg)", "x1234.5 2"):
        with pytest.raises(ParameterError, match=r"numeric_features\['x'\] is .*give the number 1234.5"):
            learn_columns({"x": ["1,5"]}, numeric_features={"x": form})
    with pytest.raises(ParameterTypeError, match="must be a list of names of columns, or a dict"):
        learn_columns({"x": ["1,5"]}, numeric_features={"x": 3})


def test_the_error_of_a_declared_column_lists_what_is_no_number():
    with pytest.raises(DataTypeError, match=r"row 1 .*set missing_values=\['\.', '>200'\] if these mean missing"):
        learn_columns({"x": ["120", ".", "130", ">200"]}, numeric_features=["x"])


def test_new_rows_are_numbers_texts_with_or_without_the_unit_or_an_error():
    with pytest.warns(KindWarning):
        schema = learn_columns({"x": ["1.234,50 €", "12,00 €"]}).schema
    read = read_columns({"x": ["1.000", "7", "(3,5 €)", "2,5€", "NA", None]}, schema)
    np.testing.assert_array_equal(read.values[0], [1000, 7, -3.5, 2.5, np.nan, np.nan])
    assert read_columns({"x": ["1.5", "1234"]}, schema).values[0].tolist() == [1.5, 1234]
    assert read_columns(pd.DataFrame({"x": [1.5, 1234]}), schema).values[0].tolist() == [1.5, 1234]
    for text in ("5 USD", "1,234.5", "x"):
        with pytest.raises(DataTypeError, match=r"row 1 .*not a number of the form 1\.234,5 €") as caught:
            read_columns({"x": ["1,5", text]}, schema)
        assert caught.value.row == 1


def test_whole_numbers_stay_exact_and_codes_are_missing():
    big = 2**53 + 1
    with pytest.warns(KindWarning, match="form 1,234.5 and"):
        columns = learn_columns({"x": [f"{big:,}", "1,000", "-"]}, missing_values=["-"])
    assert columns.schema[0].integer
    assert int(columns.values[0][0]) + int(columns.low[0][0]) == big
    assert np.isnan(read_columns({"x": ["-"]}, columns.schema).values[0][0])


def test_a_declared_nominal_column_stays_text():
    assert learn_columns({"x": ["1,5 kg", "2 kg"]}, ["x"]).schema[0].kind == "nominal"


def _batches(source, **rules):
    batches = Batches(source, rows=2)
    batches.rules = type(batches.rules)(datable=frozenset(batches.names), **rules)
    return [batch.column(batches.names[0]) for batch in batches.read(batches.names)]


def test_the_form_of_a_stream_is_that_of_all_its_parts(tmp_path):
    texts = ["950", "1", "2", "3", "1,234", "1,250"]
    table = pa.table({"x": texts, "y": list("ababab")})
    (tmp_path / "a.csv").write_text("x,y\n" + "".join(f'"{text}",a\n' for text in texts))
    for source in (table, [table.slice(0, 3), table.slice(3)], str(tmp_path / "a.csv")):
        with pytest.warns(KindWarning, match="of the form 1,234.5"):
            columns = _batches(source)
        assert np.concatenate([column.values for column in columns]).tolist() == [950, 1, 2, 3, 1234, 1250]
    for source in (iter(table.to_batches(2)), lambda: iter(table.to_batches(2))):
        assert _batches(source)[0].levels is not None  # which is read as often as it must be, and no more


def test_a_stream_that_is_not_read_for_it_has_a_note_with_the_setting():
    table = pa.table({"x": ["1.234,50 €", "12,00 €"] * 20, "y": ["a", "b"] * 20})
    with pytest.warns(KindWarning, match=r"to read it as 1234\.5, set numeric_features={'x': '1\.234,5 €'}"):
        CARTClassifier(pruning=None).fit_stream(lambda: iter(table.to_batches(7)), target="y")
    model = CARTClassifier(pruning=None, numeric_features={"x": "1.234,5 €"})
    model.fit_stream(lambda: iter(table.to_batches(7)), target="y")
    assert model.predict({"x": ["1.000,00 €", "7 €"]}).tolist() == ["a", "b"]
