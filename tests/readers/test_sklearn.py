"""Trees of scikit-learn predict what scikit-learn predicts, on and about every cut."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeRegressor

import boxwood
from boxwood.errors import DataTypeError, ParameterError
from boxwood.model.readers.single import below, shortest, upto


@settings(deadline=None)
@given(st.floats(-1e300, 1e300) | st.floats(width=32, allow_nan=False) | st.sampled_from([0.0, 2.5, 3.4e38, 1e-45]))
def test_cuts_part_doubles_as_single_precision_does(cut):
    with np.errstate(over="ignore"):
        for x in (edge := upto(cut), np.nextafter(edge, np.inf), np.nextafter(edge, -np.inf)):
            assert (float(np.float32(x)) <= cut) == (x <= edge)
        single = np.float32(cut)
        if np.isfinite(single) and np.isfinite(np.nextafter(single, np.float32(-np.inf))):
            for x in (edge := below(float(single)), np.nextafter(edge, np.inf), np.nextafter(edge, -np.inf)):
                assert (np.float32(x) < single) == (x <= edge)


@settings(deadline=None)
@given(st.floats(width=32, allow_nan=False, allow_infinity=False), st.floats(0, 1))
def test_short_cuts_part_single_precision_alike(low, share):
    high = float(np.nextafter(np.float32(low), np.float32(np.inf)))
    cut = low + share * (min(high, 3.5e38) - low)
    for x in (low, high, float(np.nextafter(np.float32(low), np.float32(-np.inf)))):
        assert (x <= cut) == (x <= shortest(cut))
    assert len(repr(shortest(cut))) <= len(repr(cut))


def edge_rows(model, X, rng):
    """Rows of X with values on and about the cuts."""
    tree = model.tree_
    rows = X[rng.integers(0, len(X), 6 * tree.node_count)].copy()
    for t in np.flatnonzero(tree.feature >= 0):
        cut = tree.threshold[t]
        edge = upto(cut)
        if not np.isfinite(cut):  # missing values against all others
            continue
        for i, x in enumerate((cut, np.nextafter(cut, 9), edge, np.nextafter(edge, 1e9), np.nextafter(edge, -1e9))):
            rows[6 * t + i, tree.feature[t]] = x
    return np.vstack([X, rows])


@pytest.mark.parametrize("model", [
    DecisionTreeClassifier(), DecisionTreeClassifier(criterion="entropy", max_depth=4, class_weight="balanced"),
    DecisionTreeRegressor(), DecisionTreeRegressor(criterion="absolute_error", max_depth=4),
    DecisionTreeRegressor(criterion="poisson", max_depth=5), ExtraTreeRegressor(max_depth=6, random_state=0),
])  # fmt: skip
@pytest.mark.parametrize("with_missing", [False, True])
def test_predictions_are_equal(model, with_missing):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 4)).round(2)
    y = np.abs(np.round(X[:, 0] * 3 + X[:, 1] ** 2)).astype(int) % 4
    if with_missing:
        if getattr(model, "criterion", "") == "absolute_error":
            pytest.skip("scikit-learn takes no missing values with this criterion")
        X[rng.random(X.shape) < 0.1] = np.nan
    model.fit(X, y)
    tree = boxwood.from_sklearn(model)
    rows = edge_rows(model, X, rng)
    predicted = tree.predict(rows)
    np.testing.assert_array_equal(predicted, model.predict(rows)) if hasattr(model, "classes_") else (
        np.testing.assert_allclose(predicted, model.predict(rows), rtol=1e-14)
    )
    assert tree.n_nodes == model.tree_.node_count
    if model.criterion in ("gini", "entropy", "squared_error"):
        np.testing.assert_allclose(np.sort(tree.impurity()), np.sort(model.tree_.impurity), atol=1e-9)
        assert not np.isnan(tree.rules()[0].interval[0]) or tree.rules()[0].rows == 1
    else:
        assert np.isnan(tree.rules()[0].interval[0])


def test_names_labels_and_cuts_as_written():
    import pandas as pd

    frame = pd.DataFrame({"年龄": [20.0, 30.0, 50.0], "x": [0.0, 1.0, 0.0]})
    model = DecisionTreeClassifier(max_depth=1).fit(frame, ["不", "不", "是"])
    tree = boxwood.from_sklearn(model, target_name="类别", as_written=True)
    assert "年龄 <= 40" in str(tree)
    assert tree.predict(frame).tolist() == ["不", "不", "是"]
    assert tree.predict_proba(frame).tolist() == [[1, 0], [1, 0], [0, 1]]
    assert tree.made_by["model"] == "DecisionTreeClassifier"
    assert boxwood.from_sklearn(model, ["a", "b"]).schema.names == ("a", "b")


def test_what_is_no_tree_is_refused():
    X, y = [[0.0], [1.0], [2.0]], [0, 1, 1]
    with pytest.raises(DataTypeError, match="of a forest give one of its estimators_"):
        boxwood.from_sklearn(RandomForestClassifier(2).fit(X, y))
    with pytest.raises(DataTypeError, match="got DecisionTreeClassifier"):
        boxwood.from_sklearn(DecisionTreeClassifier())
    with pytest.raises(ParameterError, match="model has 2 responses"):
        boxwood.from_sklearn(DecisionTreeRegressor().fit(X, [[0, 1], [1, 1], [2, 0]]))
    with pytest.raises(ParameterError, match="feature_names must be 1 different names"):
        boxwood.from_sklearn(DecisionTreeRegressor().fit(X, y), ["a", "b"])


class NativeCategories:
    """A tree as scikit-learn's coming release keeps it: a node may hold a set of categories where its threshold was."""

    def __init__(self, tree, fields):
        self._tree, self._fields = tree, fields

    def __getattr__(self, name):
        return getattr(self._tree, name)

    def __getstate__(self):
        state = self._tree.__getstate__()
        nodes = state["nodes"]
        more = np.zeros(len(nodes), nodes.dtype.descr + [(name, kind) for name, kind, _ in self._fields])
        for name in nodes.dtype.names:
            more[name] = nodes[name]
        for name, _, value in self._fields:
            more[name] = value
        return state | {"nodes": more}


def check_read_or_refused(kept_as, of_model, refused):
    """A tree that is kept differently, by a model of more attributes, is read like the tree itself, or refused."""
    X, y = np.random.default_rng(0).integers(0, 5, (60, 2)), np.arange(60) % 3
    theirs = DecisionTreeClassifier(max_depth=3).fit(X, y)
    expected = boxwood.from_sklearn(theirs)
    theirs.__dict__ |= {"tree_": kept_as(theirs.tree_)} | of_model
    if refused:
        with pytest.raises(DataTypeError, match="sets of categories, which are not read yet"):
            boxwood.from_sklearn(theirs)
    else:
        assert str(boxwood.from_sklearn(theirs)) == str(expected)


@pytest.mark.parametrize(
    ("fields", "of_model", "refused"),
    [
        ([("is_categorical", "u1", 1)], {}, True),
        ([("categories", "u4", 5), ("new", "u1", 0)], {}, True),
        ([("is_categorical", "u1", 0)], {"categorical_features": "from_dtype"}, False),
        ([("is_categorical", "u1", 0)], {"categorical_features": None, "is_categorical_": None}, False),
        ([], {"categorical_features": [0]}, True),
        ([], {"is_categorical_": np.array([False, True])}, True),
        ([("threshold_low", "f8", 0.0)], {}, False),
    ],
)
def test_sets_of_categories_are_never_read_as_thresholds(fields, of_model, refused):
    check_read_or_refused(lambda tree: NativeCategories(tree, fields), of_model, refused)


class ThresholdsOrSets(NativeCategories):
    """A tree as the development version keeps it: a threshold and a set of categories share their bytes."""

    KIND = np.dtype(
        {"names": ["threshold", "left_cat_bitset"], "formats": ["f8", ("u4", 8)], "offsets": [0, 0], "itemsize": 32}
    )

    def __init__(self, tree, n_categories=None):
        super().__init__(tree, [])
        if n_categories is not None:
            self.n_categories = np.array(n_categories)

    def __getstate__(self):
        state = self._tree.__getstate__()
        nodes = state["nodes"]
        kinds = [(name, nodes.dtype[name]) for name in nodes.dtype.names if name != "threshold"]
        more = np.zeros(len(nodes), [*kinds, ("split_value", self.KIND)])
        for name, _ in kinds:
            more[name] = nodes[name]
        more["split_value"]["threshold"] = nodes["threshold"]
        return state | {"nodes": more}


@pytest.mark.parametrize(
    ("n_categories", "of_model", "refused"),
    [
        (None, {}, True),
        (None, {"categorical_features": None}, False),
        (None, {"categorical_features": "from_dtype"}, True),
        ([0, 0], {"categorical_features": "from_dtype"}, False),
        ([-1, -1], {}, False),
        ([-1, 3], {"categorical_features": "from_dtype"}, True),
        ([0, 3], {"categorical_features": [1]}, True),
    ],
)
def test_trees_of_numbers_are_read_where_sets_of_categories_could_be(n_categories, of_model, refused):
    check_read_or_refused(lambda tree: ThresholdsOrSets(tree, n_categories), of_model, refused)
