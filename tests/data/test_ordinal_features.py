"""Columns that are declared ordinal: the order of their levels, in memory and in parts."""

import pandas as pd
import pytest

from boxwood import CARTClassifier, ColumnError, DataError, DataTypeError, ParameterError, ParameterTypeError, load
from boxwood.data.columns.schema import ORDINAL

N = 120
X = {"q1": [["low", "mid", "高", None][i % 4] for i in range(N)], "q2": [[1, 2, 3, 10][i % 5 % 4] for i in range(N)]}
Y = ["yes" if (i % 4 == 2) ^ (i % 5 == 3) else "no" for i in range(N)]
ORDERS = {"q1": ["low", "mid", "高"], "q2": ["1", "2", "3", "10"]}


def test_the_tree_of_ordered_categories():
    frame = pd.DataFrame(X)
    for name, levels in {"q1": ORDERS["q1"], "q2": [1, 2, 3, 10]}.items():
        frame[name] = pd.Categorical(frame[name], levels, ordered=True)
    model = CARTClassifier(pruning=None, ordinal_features=ORDERS).fit(X, Y)
    assert [(f.kind, f.levels) for f in model.model_.schema] == [
        (ORDINAL, ("low", "mid", "高")),
        (ORDINAL, (1, 2, 3, 10)),
    ]
    assert model.tree_.to_text() == CARTClassifier(pruning=None).fit(frame, Y).tree_.to_text()
    assert model.predict(X).tolist() == model.predict(frame).tolist()


@pytest.mark.parametrize("kind", ["frame", "csv"])
def test_in_parts_and_from_a_file(tmp_path, kind):
    frame = pd.DataFrame(X | {"y": Y})
    frame.to_csv(tmp_path / "a.csv", index=False)
    model = CARTClassifier(pruning=None, ordinal_features=ORDERS)
    parts = model.fit_stream(frame if kind == "frame" else tmp_path / "a.csv", "y")
    text = parts.tree_.to_text()
    parts.save(tmp_path / "a.box")
    assert text == CARTClassifier(pruning=None, ordinal_features=ORDERS).fit(X, pd.Series(Y, name="y")).tree_.to_text()
    assert load(tmp_path / "a.box").predict(X).tolist() == parts.predict(X).tolist()


def test_codes_for_missing_values_are_no_levels():
    columns = {"q": ["a", "?", "b", "c"] * 10}
    model = CARTClassifier(ordinal_features={"q": ["c", "b", "a"]}, missing_values="?").fit(columns, ["x", "y"] * 20)
    assert model.model_.schema[0].levels == ("c", "b", "a")


@pytest.mark.parametrize(
    ("orders", "error", "why"),
    [
        (
            {"q1": ["low", "mid"]},
            DataError,
            r"row 2 \(counted from 0\) holds the level '高', which is not among",
        ),
        ({"q2": [1, 2, 3]}, DataError, "holds the level 10"),
        ({"q9": ["a", "b"]}, ColumnError, "ordinal_features names 'q9', but the columns are 'q1', 'q2'"),
        ({"q1": ["a", "a"]}, ParameterError, "give at least two levels, each of them once"),
        ({"q1": "low"}, ParameterTypeError, "must be a dict of column -> list of levels in order"),
    ],
)
def test_what_does_not_fit_the_data(orders, error, why):
    model = CARTClassifier(ordinal_features=orders)
    with pytest.raises(error, match=why):
        model.fit(X, Y)
    with pytest.raises(error, match=why):
        model.fit_stream(pd.DataFrame(X | {"y": Y}), "y")


def test_other_declarations_of_the_same_column():
    with pytest.raises(ParameterError, match="'q1' is in ordinal_features and in categorical_features"):
        CARTClassifier(ordinal_features=ORDERS, categorical_features=["q1"]).fit(X, Y)
    times = {"d": pd.date_range("2020-01-01", periods=4)}
    with pytest.raises(DataTypeError, match="which are ordered already; leave it out of ordinal_features"):
        CARTClassifier(ordinal_features={"d": ["a", "b"]}).fit(times, list("xyxy"))
