"""The same data in any container give the same model, and any container can be predicted."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import boxwood
from boxwood import CARTClassifier, CARTRegressor
from boxwood.errors import (
    BoxwoodWarning,
    ColumnError,
    DataError,
    DataTypeError,
    MissingValueError,
    ResponseError,
    TextResponseError,
    UnseenLevelError,
    UnseenLevelWarning,
    WeightError,
)

COLUMNS = {
    "größe": [1.5, None, 2.5, 4.0, 5.0, 6.5, 7.0, None],
    "城市": ["北京", "서울", None, "東京", "北京", "서울", "東京", "北京"],
    "wet": [True, False, True, None, True, False, False, True],
    "年": [1, 2, 3, 4, 5, 6, 7, 8],
}
LABELS = ["是", "否", "是", "否", "是", "否", "否", "是"]
NUMBERS = [1.0, 4.0, 1.5, 4.5, 1.0, 4.0, 5.0, 1.5]


def as_rows():
    return [list(row) for row in zip(*COLUMNS.values(), strict=True)]


CONTAINERS = {
    "dict": lambda: COLUMNS,
    "pandas": lambda: pd.DataFrame({n: pd.array(v, dtype=None) for n, v in COLUMNS.items()}),
    "pandas objects": lambda: pd.DataFrame(COLUMNS, dtype=object),
    "polars": lambda: pl.DataFrame(COLUMNS),
    "pyarrow": lambda: pa.table(COLUMNS),
    "records": lambda: [dict(zip(COLUMNS, row, strict=True)) for row in as_rows()],
}


def test_every_named_container_gives_the_same_tree():
    models = [CARTClassifier(pruning=None).fit(make(), LABELS) for make in CONTAINERS.values()]
    assert len({str(model.tree_) for model in models}) == 1
    assert len(models[0].tree_.leaves) > 1
    for model in models:
        assert model.feature_names_in_.tolist() == list(COLUMNS)
        for make in CONTAINERS.values():
            assert model.predict(make()).tolist() == LABELS


@pytest.mark.parametrize("make", [as_rows, lambda: np.array(as_rows(), dtype=object)], ids=["list", "array"])
def test_containers_without_names(make):
    model = CARTRegressor(pruning=None).fit(make(), NUMBERS)
    assert not hasattr(model, "feature_names_in_")
    assert model.n_features_in_ == 4
    assert np.allclose(model.predict(make()), NUMBERS, atol=0.5)
    with pytest.warns(BoxwoodWarning, match="X has feature names, but CARTRegressor was fitted without"):
        model.predict(COLUMNS)


def test_categories_are_matched_by_value_not_by_code():
    X = pd.DataFrame({"c": pd.Categorical(["a", "b", "c", "a"], categories=["a", "b", "c"])})
    model = CARTClassifier(pruning=None).fit(X, [0, 1, 1, 0])
    turned = pd.DataFrame({"c": pd.Categorical(["c", "a"], categories=["c", "b", "a"])})
    assert model.predict(turned).tolist() == [1, 0]
    assert model.predict(pl.DataFrame({"c": ["c", "a"]})).tolist() == [1, 0]


@pytest.mark.parametrize(
    ("labels", "kind"),
    [(["b", "a", "b"], "U"), ([3, 1, 3], "i"), ([True, False, True], "b"), (np.array([2.0, 1.0, 2.0]), "f")],
)
def test_labels_come_back_in_their_own_type(labels, kind):
    model = CARTClassifier(pruning=None).fit([[1.0], [2.0], [3.0]], labels)
    assert model.classes_.dtype.kind == kind
    assert model.predict([[1.0], [2.0], [3.0]]).tolist() == list(labels)
    assert model.n_classes_ == 2


@pytest.mark.parametrize("series", [pd.Series, pl.Series, pa.array], ids=["pandas", "polars", "pyarrow"])
def test_response_and_weights_in_any_column(series):
    model = CARTClassifier(pruning=None).fit(COLUMNS, series(LABELS), sample_weight=series([1.0] * 8))
    assert model.predict(COLUMNS).tolist() == LABELS


def test_the_response_keeps_its_name():
    model = CARTClassifier(pruning=None).fit(COLUMNS, pd.Series(LABELS, name="晴"))
    assert "for 晴" in str(model.tree_)


def test_data_are_never_changed():
    X = pd.DataFrame({"a": [1.0, None, 3.0, 4.0], "b": ["x", None, "y", "x"]})
    before, array = X.copy(), np.array([[1.0], [np.nan], [3.0]])
    CARTClassifier(pruning=None).fit(X, [0, 1, 1, 0]).predict(X)
    CARTClassifier(pruning=None).fit(array, [0, 1, 1]).predict(array)
    pd.testing.assert_frame_equal(X, before)
    assert np.array_equal(array, [[1.0], [np.nan], [3.0]], equal_nan=True)


def test_new_levels_are_reported_once_with_what_was_done():
    model = CARTClassifier(pruning=None).fit({"c": ["a", "b", "a"], "d": ["x", "x", "y"]}, [0, 1, 0])
    new = {"c": ["q", "a", None, "r"], "d": ["x", "w", "y", "w"]}
    with pytest.warns(UnseenLevelWarning) as shown:
        model.predict(new)
    assert len(shown) == 1
    assert str(shown[0].message) == (
        "3 rows have levels that did not occur in training: column 'c' 'q', 'r'; column 'd' 'w'. "
        "They are treated as missing; choose another treatment with unseen=."
    )
    assert shown[0].filename == __file__
    model.set_params(unseen="majority").fit({"c": ["a", "b", "a"]}, [0, 1, 0])
    with pytest.warns(UnseenLevelWarning, match=r"^1 row has .* sent to the branch with the most weight"):
        assert model.predict({"c": ["q"]}).tolist() == [0]
    model.set_params(unseen="error").fit({"c": ["a", "b", "a"]}, [0, 1, 0])
    with pytest.raises(UnseenLevelError, match="column 'c' holds the level 'q'"):
        model.predict({"c": ["q"]})


def test_many_new_levels_make_no_endless_warning():
    model = CARTClassifier(pruning=None).fit({"c": ["a", "b", "a"]}, [0, 1, 0])
    with pytest.warns(UnseenLevelWarning, match="and 35 more"):
        model.predict({"c": [f"level {i:02}" for i in range(40)]})


@pytest.mark.parametrize(
    ("X", "y", "weight", "error", "words"),
    [
        ([[1], [2]], [0, 1, 1], None, DataError, r"inconsistent numbers of samples: \[2, 3\]"),
        ([[1], [2]], [0, 1], [1.0], WeightError, "sample_weight"),
        ([[1], [2]], [0, 1], [1.0, -1.0], WeightError, "row 1"),
        ([[1], [2]], [0, None], None, ResponseError, "Row 1"),
        ([[1], [2]], [0.5, 1.25], None, ResponseError, "continuous"),
        ([[1], ["a"]], [0, 1], None, DataTypeError, "'x0'"),
        ([1, 2], [0, 1], None, DataError, "Expected 2D array"),
        ("table", [0, 1], None, DataTypeError, "table of rows and columns"),
    ],
)
def test_data_that_cannot_be_used_are_named_and_the_model_stays(X, y, weight, error, words):
    model = CARTClassifier(pruning=None).fit([[1], [2], [3]], [0, 1, 1])
    before = model.model_
    with pytest.raises(error, match=words):
        model.fit(X, y, sample_weight=weight)
    assert model.model_ is before
    assert model.predict([[3]]).tolist() == [1]


def test_columns_of_prediction_must_be_those_of_fit():
    model = CARTRegressor(pruning=None).fit({"a": [1, 2], "b": [1, 2]}, [1.0, 2.0])
    with pytest.raises(ColumnError, match="same order"):
        model.predict({"b": [1], "a": [1]})
    with pytest.raises(ColumnError, match="- c"):
        model.apply({"a": [1], "c": [1]})
    with (
        pytest.raises(DataError, match="X has 3 features, but CARTRegressor is expecting 2 features"),
        pytest.warns(BoxwoodWarning, match="fitted with feature names"),
    ):
        model.predict([[1, 2, 3]])


def test_a_column_vector_is_taken_with_scikit_learn_s_warning():
    from sklearn.exceptions import DataConversionWarning

    with pytest.warns(DataConversionWarning, match="column-vector") as shown:
        CARTRegressor(pruning=None).fit([[1], [2]], np.array([[1.0], [2.0]]))
    assert shown[0].filename == __file__


@pytest.mark.parametrize(("value", "words"), [(np.nan, "missing value"), (np.inf, "infinity")])
def test_missing_error_takes_finite_numbers_only(value, words):
    X = np.array([[1.0, 1.0], [2.0, 2.0], [3.0, 1.0]])
    model = CARTClassifier(missing="error", pruning=None).fit(X, [0, 1, 1])
    X[1, 1] = value
    with pytest.raises(MissingValueError, match=f"'x1'.*{words}.*row 1"):
        model.predict(X)
    with pytest.raises(MissingValueError, match=f"'x1'.*{words}.*row 1"):
        model.fit(X, [0, 1, 1])
    assert CARTClassifier(pruning=None).fit(X, [0, 1, 1]).predict(X).tolist() == [0, 1, 1]


def test_categorical_features_may_be_declared():
    X = np.array([[1.0], [2.0], [3.0], [4.0]])
    model = CARTClassifier(pruning=None, categorical_features=[0]).fit(X, [0, 1, 0, 1])
    assert model.tree_.schema[0].kind == "nominal"
    assert model.get_n_leaves() == 2


@pytest.mark.parametrize("regressor", [CARTRegressor, boxwood.CHAIDRegressor, boxwood.MARSRegressor])
def test_a_regressor_names_the_classifier_for_labels(regressor):
    classifier = regressor.__name__.replace("Regressor", "Classifier")
    message = f"holds the string 'a'.* If these are classes, use {classifier} instead of {regressor.__name__}.$"
    with pytest.raises(TextResponseError, match=message):
        regressor().fit([[1], [2]], ["a", "b"])
    with pytest.raises(TextResponseError, match=message):
        regressor().fit_stream(pd.DataFrame({"x": [1, 2], "y": ["a", "b"]}), "y")


def test_text_in_another_argument_names_no_classifier():
    with pytest.raises(ResponseError, match="holds the string 'long'") as raised:
        CARTRegressor(criterion="poisson").fit([[1], [2]], [1, 2], exposure=["long", "short"])
    assert "classes" not in str(raised.value)


def test_warnings_point_to_the_line_of_the_caller():
    X, y = pd.DataFrame({"heat": [1.0, 2.0, 3.0]}), ["a", "b", "a"]
    with pytest.warns(UserWarning, match="column-vector") as shown:
        model = CARTClassifier(pruning=None).fit(X, pd.DataFrame({"y": y}))
    assert {w.filename for w in shown} == {__file__}
    with pytest.warns(BoxwoodWarning, match="feature names") as shown:
        model.predict([[1.0]])
    assert {w.filename for w in shown} == {__file__}


def test_unseen_texts_of_levels_that_were_booleans_are_explained():
    model = CARTClassifier(pruning=None).fit({"windy": [True, False] * 2}, ["a", "b"] * 2)
    message = "Column 'windy' holds the text 'False' here but held booleans in training; convert it to booleans"
    with pytest.warns(UnseenLevelWarning, match=message):
        model.predict({"windy": ["False"]})
    with pytest.warns(UnseenLevelWarning, match=r"'windy' 'no'\. They are treated"):
        model.predict({"windy": ["no"]})
