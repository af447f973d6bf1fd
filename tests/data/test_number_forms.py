"""Formatted numbers: the form of a column is found, stored and read; names of things stay text."""

import warnings

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from boxwood import CARTClassifier, CARTRegressor
from boxwood.data.columns.number_forms import possible_number_forms
from boxwood.data.frames.frame import learn_columns, read_columns
from boxwood.data.streams.batches import Batches
from boxwood.errors import DataTypeError, KindWarning, ParameterError, ParameterTypeError, ResponseError, WeightError

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
    (["₹12,34,901", "₹950"], "₹1,234.5", [1234901, 950]),
    (["12,34,901", "1,00,000"], "1,234.5", [1234901, 100000]),
    (["1946,92-", "12,00"], "1234,5", [-1946.92, 12]),
    (["1.946,92- EUR", "12,00 EUR"], "1.234,5 EUR", [-1946.92, 12]),
    (["\u22121'946.92", "3"], "1'234.5", [-1946.92, 3]),
    (["\u22125", "12"], "1234.5", [-5, 12]),
    (["△1,947", "12,345,000", "950"], "1,234.5", [-1947, 12345000, 950]),
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
    with warnings.catch_warnings():
        warnings.simplefilter("ignore" if "%" in form else "error", KindWarning)
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
        ["12 3", "4 17"], ["5 kg", "6 t"], ["€ 5", "$ 5"], ["1.5", "2,5"], ["<5", ">9"],
        ["5-", "4-"], ["-5,0-", "3"], ["(5,0-)", "3,1"], ["622.9k", "1.2M"], ["1,23,45", "6,7"], ["A-1,5", "B-2"],
        ["1,2,3", "4,5"], ["x", "1,5"],
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


def test_weights_exposures_and_amounts_of_texts_are_read_by_their_form():
    X, y = {"x": [1, 2, 3, 4] * 5}, ["a", "b"] * 10
    weights, texts = [1.5, 2.0, 1000.0, 0.5] * 5, ["1,5 kg", "2 kg", "1.000 kg", "0,5 kg"] * 5
    with pytest.warns(KindWarning, match="sample_weight contains numbers of the form 1.234,5 kg and is read by this"):
        model = CARTClassifier(pruning=None).fit(X, y, sample_weight=texts)
    assert str(model.tree_) == str(CARTClassifier(pruning=None).fit(X, y, sample_weight=weights).tree_)
    with pytest.warns(KindWarning, match="amount contains numbers of the form"):
        assert model.evaluate(X, y, amount=texts).thresholds((5, 1)).profit is not None
    with pytest.warns(KindWarning, match="exposure contains numbers of the form"):
        CARTRegressor(criterion="poisson", pruning=None).fit(X, [0, 1] * 10, exposure=pd.Series(texts))
    with pytest.raises(WeightError, match=r"row 0 .* holds .*'1,234', which may be 1234 or") as caught:
        CARTClassifier(pruning=None).fit(X, y, sample_weight=["1,234", "2,345"] * 10)
    assert (caught.value.row, caught.value.value, caught.value.remedy) == (0, "1,234", "write plain numbers.")


DOUBTFUL = [
    (["1.200", "950", "2.300"], 1.2, 1200, "1.234,5", "1,234.5"),
    (["12.345", "3", "21.000"], 12.345, 12345, "1.234,5", "1,234.5"),
]


@pytest.mark.parametrize(("texts", "read", "other", "thousands", "decimals"), DOUBTFUL)
def test_decimals_that_may_be_thousands_are_noted(texts, read, other, thousands, decimals):
    with pytest.warns(KindWarning, match=f"as {read}, set numeric_features={{'数': '{decimals}'}}") as caught:
        assert learn_columns({"数": texts}).schema[0].kind == "nominal"
    assert f"read it as {other}, set numeric_features={{'数': '{thousands}'}}" in str(caught[0].message)
    note = f"decimals or none, .* is read as {read}. To read it as {other}, set .*'{thousands}'}}; to confirm"
    for settings in ({"numeric_features": ["数"]}, {"missing_values": ["?"]}):
        with pytest.warns(KindWarning, match=note) as caught:
            assert learn_columns({"数": texts}, **settings).values[0][0] == read
        assert (caught[0].message.column, caught[0].message.value) == ("数", texts[0])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for form, value in ((thousands, other), (decimals, read)):
            assert learn_columns({"数": texts}, numeric_features={"数": form}).values[0][0] == value


@pytest.mark.parametrize("texts", [["0.125", "1.500"], ["1.25", "1.500"], ["1.200", "1500"], ["12", "950"]])
def test_decimals_that_cannot_be_thousands_are_not_noted(texts):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        learn_columns({"x": texts}, numeric_features=["x"])


def test_a_form_that_other_rows_decide_is_noted_with_the_other_reading():
    with pytest.warns(KindWarning, match=r"'122,030' is read as 122030\. To read it as 122\.03, set .*'1\.234,5'}; to"):
        assert learn_columns({"n": ["622,031", "950", "122,030"]}).values[0].tolist() == [622031, 950, 122030]
    with pytest.warns(KindWarning) as caught:
        learn_columns({"n": ["622,031,000", "950"]})
    assert "is read as numeric. To change the form, set numeric_features;" in str(caught[0].message)


@pytest.mark.parametrize(("unit", "size"), [(" %", 100), ("\uff05", 100), (" ‰", 1000)])
def test_new_rows_without_the_percent_sign_of_training_are_noted(unit, size):
    with pytest.warns(KindWarning):
        schema = learn_columns({"比率": [f"12,3{unit}", f"7{unit}"]}).schema
    note = f"Column '比率' contains numbers without the unit {unit.strip()} that .* multiply them by {size}\\."
    for column in ([0.2, 0.5, None], ["0.2", "0.5"], ["0,2", "NA"], pd.array([1, 2], "Int64")):
        with pytest.warns(KindWarning, match=note):
            read_columns({"比率": column}, schema)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for column in ([f"1{unit}", "2"], [None, None], [np.nan, np.nan]):
            read_columns({"比率": column}, schema)


def test_new_rows_without_another_unit_are_not_noted():
    with pytest.warns(KindWarning):
        schema = learn_columns({"x": ["12,3 kg", "7 kg"]}).schema
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        read_columns({"x": [0.2, 0.5]}, schema)


def test_a_regression_target_of_texts_is_read_by_its_form():
    X, y = {"größe": list(range(40))}, [1000.5 + 37 * (i % 11) for i in range(40)]
    texts = [f"{value:,.1f} €".translate(str.maketrans(",.", ".,")) for value in y]
    expected = CARTRegressor().fit(X, y)
    with pytest.warns(KindWarning, match=r"y contains numbers of the form 1\.234,5 € and is read by this form"):
        model = CARTRegressor().fit(X, texts)
    assert model.tree_.to_text() == expected.tree_.to_text()
    with pytest.warns(KindWarning, match="y contains numbers of the form"):
        assert model.evaluate(X, texts)["mse"].value == expected.evaluate(X, y)["mse"].value
    with pytest.raises(ResponseError, match=r"y, row 0 .* '1,234', which may be .*; write plain numbers"):
        CARTRegressor().fit({"a": [1, 2]}, ["1,234", "2,345"])
    with pytest.raises(ResponseError, match="holds the string 'low' where numbers are expected"):
        CARTRegressor().fit({"a": [1, 2]}, ["low", "2.345,5 €"])
