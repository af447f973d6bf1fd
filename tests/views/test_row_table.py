"""Short tables that print themselves and become data frames; importances by feature."""

import numpy as np
import pytest

from boxwood import CARTClassifier, MARSRegressor, datasets
from boxwood.views.row_table import RowTable

ROWS = [{"name": "面积", "n": 3, "x": 0.123456789}, {"name": "a", "n": 10, "x": None}]


def test_a_table_prints_in_columns_and_becomes_a_frame():
    table = RowTable(ROWS)
    assert str(table).splitlines() == ["name   n       x", "面积   3  0.1235", "a     10"]
    assert repr(table) == str(table)
    assert table.to_frame("pandas").columns.tolist() == ["name", "n", "x"]
    assert table.to_frame("dict")["n"] == [3, 10]
    assert table == ROWS
    assert table[1:] == ROWS[1:]
    assert [row["n"] for row in table] == [3, 10]
    assert str(RowTable([])) == "(no rows)"


def test_the_html_of_a_table_is_escaped():
    html = RowTable([{"<b>": "<script>"}])._repr_html_()
    assert html.count("&lt;") == 2
    assert "<script>" not in html


def test_importances_are_ranked_and_stay_in_the_order_of_the_columns():
    X = datasets.load("titanic")
    y = X.pop("survived")
    model = CARTClassifier().fit(X, y)
    found = model.importance()
    np.testing.assert_array_equal(np.asarray(found), model.feature_importances_)
    assert found.names == tuple(X)
    assert list(found) == found.values.tolist()
    shown = found.to_frame("pandas")
    assert shown["importance"].is_monotonic_decreasing
    assert shown["feature"][0] == "sex"
    assert found["sex"] == found[list(X).index("sex")] == shown["importance"][0]
    assert str(found).splitlines()[1].startswith("sex")
    with pytest.raises(ValueError, match="not in tuple"):
        found["colour"]


def test_print_shows_the_model_and_repr_its_parameters():
    model = CARTClassifier(max_depth=1, pruning=None)
    assert str(model) == repr(model) == "CARTClassifier(max_depth=1, pruning=None)"
    model.fit([[1], [2], [3]], ["a", "a", "b"])
    assert str(model) == str(model.tree_)
    assert repr(model) == "CARTClassifier(max_depth=1, pruning=None)"
    splines = MARSRegressor().fit({"x": [0.0, 1, 2, 3, 4, 5, 6, 7]}, [0, 1, 2, 3, 4, 5, 6, 7])
    assert str(splines) == splines.summary()
    assert splines.importance().to_frame("dict")["feature"] == ["x"]
