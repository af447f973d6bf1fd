"""Trees as fitted trees of scikit-learn: the same predictions, probabilities and nodes, or an error."""

from __future__ import annotations

import datetime
import pickle
import warnings
from dataclasses import replace

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import boxwood
from boxwood import C45Classifier, CARTClassifier, CARTRegressor, CHAIDClassifier, TreeRegressor
from boxwood.data.columns.schema import NUMERIC, Schema
from boxwood.errors import BoxwoodWarning, ParameterError
from boxwood.exports.export import verify
from boxwood.exports.plan import ExportPlan
from boxwood.tree.tree import STAYS
from exports.hard_rows import HOSTILE, hard_columns
from exports.problems import case
from exports.test_bridges import plain
from tree.random_trees import random_tree

#: The same columns, their numbers in single precision.
SINGLE = Schema(tuple(replace(f, why="float32 column") if f.kind == NUMERIC else f for f in HOSTILE), named=True)
NEVER = {"missing": "never"}


def numbers(n=400, p=4, gaps=False, seed=5):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)).round(2)
    signal = X[:, 0] * 2 + (X[:, 1] > 0.3) + rng.normal(size=n) * 0.3
    if gaps:
        X[rng.random((n, p)) < 0.1] = np.nan
    return X, signal


def same(model, native, X, codes=None):
    codes = X if codes is None else codes
    assert np.array_equal(native.apply(codes), model.apply(X))
    predicted, expected = native.predict(codes), model.predict(X)
    assert np.array_equal(predicted, expected)
    assert predicted.dtype == expected.dtype
    if hasattr(model, "predict_proba"):
        assert np.array_equal(native.predict_proba(codes), model.predict_proba(X))
        assert np.array_equal(native.classes_, model.classes_)


@pytest.mark.parametrize("unseen", ["missing", "majority", "stay"])
@pytest.mark.parametrize("kind", ["classes", "mean", "rate"])
@pytest.mark.parametrize("seed", range(8))
def test_hard_trees_with_indicators(seed, kind, unseen):
    tree = random_tree(seed, kind, 25, SINGLE, 2 + 2 * (seed % 2))
    tree = plain(tree, (None, 0, STAYS)[seed % 3] if seed % 3 else np.maximum(tree.missing, 0))
    columns = hard_columns(tree, seed)
    values = (v.astype(np.float32).astype(np.float64) if v.dtype == np.float64 else v for v in columns.values)
    columns = replace(columns, values=tuple(values))
    verdict = verify(ExportPlan(tree, unseen), columns, "sklearn", levels="indicators")
    assert verdict, str(verdict)
    assert verdict.rows > 100
    assert verdict.rows + verdict.left_out == columns.n


@pytest.mark.parametrize("name", ["learned", "majority", "branch", "chaid", "chaid means", "cls"])
def test_algorithms_on_text_and_numbers(name):
    problem = case(name)
    rows = problem.columns.take(np.arange(problem.columns.n) < 400)
    verdict = problem.model.verify_export("sklearn", rows, levels="indicators")
    assert verdict, str(verdict)
    assert verdict.rows == 400


@pytest.mark.parametrize("labels", [("no", "是"), (0, 1), (-1.0, 2.0), (False, True), (3, 7, 11)])
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_classes(labels, criterion):
    X, signal = numbers()
    y = np.array(labels)[np.digitize(signal, [-0.5, 1.5][: len(labels) - 1])]
    weight = np.random.default_rng(1).integers(1, 5, len(y))
    X = {"年龄": X[:, 0], "a b": X[:, 1], "x": X[:, 2], "[1]": X[:, 3]}
    model = CARTClassifier(criterion=criterion, pruning=None, max_depth=5).fit(X, y, sample_weight=weight)
    native = model.to_sklearn(missing="never")
    codes = model.tree_.to_codes(X)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # scikit-learn: the matrix has no names
        same(model, native, X, codes)
    assert native.feature_names_in_.tolist() == list(X)
    assert native.criterion == criterion


@pytest.mark.parametrize("criterion", ["squared_error", "poisson"])
def test_regression_equals_the_tree_that_scikit_learn_grows(criterion):
    X, signal = numbers(p=2)
    y = np.floor(np.abs(signal) * 2)
    weight = np.random.default_rng(2).integers(1, 4, len(y)).astype(float)
    ours = "poisson" if criterion == "poisson" else "variance"
    model = CARTRegressor(criterion=ours, pruning=None, max_depth=3).fit(X, y, sample_weight=weight)
    native = model.to_sklearn(missing="never")
    same(model, native, X)
    theirs = DecisionTreeRegressor(criterion=criterion, max_depth=3, random_state=0).fit(X, y, sample_weight=weight)
    _same_contents(native, theirs)


def test_classification_equals_the_tree_that_scikit_learn_grows():
    X, signal = numbers(p=2)
    y = np.digitize(signal, [-0.5, 1.5])
    for criterion in ("gini", "entropy"):
        native = CARTClassifier(criterion=criterion, pruning=None, max_depth=4).fit(X, y).to_sklearn(missing="never")
        theirs = DecisionTreeClassifier(criterion=criterion, max_depth=4, random_state=0).fit(X, y)
        _same_contents(native, theirs)
        np.testing.assert_allclose(native.feature_importances_, theirs.feature_importances_, atol=1e-12)


def _same_contents(native, theirs):
    """Node by node along the paths of both trees."""
    ours, pairs = native.tree_, [(0, 0)]
    assert (ours.node_count, ours.max_depth) == (theirs.tree_.node_count, theirs.tree_.max_depth)
    for a, b in pairs:  # grows
        for name in ("feature", "n_node_samples", "weighted_n_node_samples"):
            assert getattr(ours, name)[a] == getattr(theirs.tree_, name)[b], name
        np.testing.assert_allclose(ours.impurity[a], theirs.tree_.impurity[b], rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(ours.value[a], theirs.tree_.value[b], rtol=1e-12, atol=1e-15)
        if ours.children_left[a] >= 0:
            pairs.append((ours.children_left[a], theirs.tree_.children_left[b]))
            pairs.append((ours.children_right[a], theirs.tree_.children_right[b]))


@pytest.mark.parametrize("missing", ["majority", "learned", "own_branch", "stay"])
def test_missing_values_go_as_the_policy_sends_them(missing):
    X, signal = numbers(gaps=True)
    policy = {"missing": "surrogate_or_stay", "max_surrogates": 0} if missing == "stay" else {"missing": missing}
    for model, y in ((CARTClassifier, np.digitize(signal, [0.0, 1.0])), (CARTRegressor, signal)):
        fitted = model(pruning=None, max_depth=4, **policy).fit(X, y)
        native = fitted.to_sklearn()
        assert np.array_equal(native.predict(X), fitted.predict(X))
        verdict = fitted.verify_export("sklearn", X)
        assert verdict, str(verdict)
        if missing in ("majority", "learned"):
            same(fitted, native, X)


def test_smoothing_class_weights_and_priors():
    X, signal = numbers()
    y = np.digitize(signal, [-0.5, 1.5])
    for settings in ({"class_weight": "balanced"}, {"priors": [0.2, 0.3, 0.5]}, {"smoothing": "laplace"}):
        model = CARTClassifier(pruning=None, max_depth=4, **settings).fit(X, y)
        native = model.to_sklearn(missing="never")
        assert np.array_equal(native.predict(X), model.predict(X))
        np.testing.assert_allclose(native.predict_proba(X), model.predict_proba(X), rtol=0, atol=1e-12)


def test_a_number_that_meets_a_short_cut_goes_as_predict_sends_it():
    """In single precision 0.1 and 0.7 are larger than in double precision, 0.3 is not."""
    for cut in (0.1, 0.3, 0.7):
        tree = CARTClassifier(pruning=None, missing="majority").fit([[cut - 0.05], [cut + 0.05]], ["a", "b"]).tree_
        tree = replace(tree, splits=replace(tree.splits, breaks=np.array([cut])))
        X = np.array([[cut - 0.01], [cut], [cut + 0.01]])
        assert tree.to_sklearn().predict(X).tolist() == tree.predict(X).tolist() == ["a", "a", "b"]


def test_every_number_of_single_precision_near_a_cut_goes_as_predict_sends_it():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 2)).astype(np.float32)
    model = CARTRegressor(pruning=None, max_depth=5, missing="majority").fit(X, X[:, 0] * X[:, 1])
    cuts = model.tree_.splits.breaks.astype(np.float32)
    near = np.concatenate([cuts, np.nextafter(cuts, np.float32(9)), np.nextafter(cuts, np.float32(-9))])
    rows = np.array(np.meshgrid(near, near)).reshape(2, -1).T.astype(np.float32)
    same(model, model.to_sklearn(), rows)


def test_a_warning_names_cuts_that_single_precision_does_not_hold():
    X, y = [16_777_216, 16_777_217, 3, 4], [0.0, 9.0, 1.0, 1.0]
    model = CARTRegressor(pruning=None, missing="majority").fit({"id": X}, y)
    with pytest.warns(BoxwoodWarning, match=r"too coarse for 1 of 2 cuts of the tree, first 16777216.5 of column 'id'"):
        model.to_sklearn()
    close = CARTRegressor(pruning=None, missing="majority").fit({"x": [1.0, 1.00000001, 1.00000002]}, [0.0, 5.0, 9.0])
    with pytest.warns(BoxwoodWarning, match="too coarse for 1 of 2 cuts"):
        assert not close.verify_export("sklearn", {"x": [1.0, 1.00000001, 1.00000002]})


def test_numbers_beyond_single_precision_are_left_out_when_the_export_is_verified():
    model = CARTRegressor(pruning=None, missing="majority").fit([[1.0], [2.0], [1e300]], [0.0, 1.0, 5.0])
    verdict = model.verify_export("sklearn", [[1.0], [np.inf], [1e300], [1.5]])
    assert verdict, str(verdict)
    assert (verdict.rows, verdict.left_out) == (2, 2)


ROWS = {"town": ["Ulm", "京都", "Bonn", "Kiel"] * 5, "grade": [1, 2, 3, 4, 5] * 4, "flag": [True, False] * 10}


def test_levels_by_number_or_as_indicators():
    y = ["b" if town in ("Ulm", "Bonn") else "a" for town in ROWS["town"]]
    model = CARTClassifier(pruning=None, missing="majority").fit(ROWS, y)
    native = model.to_sklearn(levels="indicators")
    assert native.feature_names_in_.tolist() == ["town in {Bonn, Ulm}", "grade", "flag"]
    codes = model.tree_.to_codes({k: v[:4] for k, v in ROWS.items()}, levels="indicators")
    assert codes.tolist() == [[1.0, 1.0, 1.0], [0.0, 2.0, 0.0], [1.0, 3.0, 1.0], [0.0, 4.0, 0.0]]
    assert native.predict_proba(codes.astype(np.float32), check_input=False).argmax(axis=1).tolist() == [1, 0, 1, 0]
    other = ["b" if town in ("Bonn", "京都") else "a" for town in ROWS["town"]]
    refused = CARTClassifier(pruning=None, missing="majority").fit(ROWS, other)
    with pytest.raises(ParameterError, match=r"no sets of levels.*'town'; with levels='indicators'"):
        refused.to_sklearn()
    assert refused.verify_export("sklearn", ROWS, levels="indicators")
    with pytest.raises(ParameterError, match="levels must be one of 'codes', 'indicators'; got 'dummies'"):
        refused.to_sklearn(levels="dummies")
    flags = CARTClassifier(pruning=None, missing="majority").fit({"flag": ROWS["flag"]}, ROWS["flag"])
    assert flags.to_sklearn().predict(np.float32([[0], [1]]), check_input=False).tolist() == [False, True]


def test_a_new_level_follows_the_policy():
    y = [town in ("Ulm", "Bonn") for town in ROWS["town"]]
    for unseen in ("missing", "majority", "stay"):
        model = CARTClassifier(pruning=None, missing="majority", unseen=unseen).fit({"town": ROWS["town"]}, y)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", BoxwoodWarning)
            verdict = model.verify_export("sklearn", {"town": ["Wien", None, "Ulm", "京都"]}, levels="indicators")
        assert verdict, (unseen, str(verdict))


def test_what_scikit_learn_cannot_do_is_refused_by_name():
    X, signal = numbers(gaps=True)
    y = np.where(signal > 0, "a", "b")
    never = "with missing='never' you promise"
    for model, message in (
        (CARTClassifier(pruning=None), rf"scikit-learn has no surrogate splits, and node \d has one; {never}"),
        (C45Classifier(), f"scikit-learn cannot share out a row .* {never}"),
    ):
        fitted = model.fit(X, y)
        with pytest.raises(ParameterError, match=message):
            fitted.to_sklearn()
        with pytest.raises(ParameterError, match=message):
            fitted.export("sklearn")
        whole = X[~np.isnan(X).any(axis=1)]
        same(fitted, fitted.to_sklearn(missing="never"), whole)
    strict = CARTClassifier(pruning=None, missing="error").fit(np.nan_to_num(X), y)
    with pytest.raises(ParameterError, match=f"cannot refuse a row with a missing value; {never}"):
        strict.to_sklearn()
    same(strict, strict.to_sklearn(missing="never"), np.nan_to_num(X))
    new = CARTClassifier(pruning=None, missing="majority", unseen="error").fit(ROWS, ROWS["town"])
    with pytest.raises(ParameterError, match="scikit-learn cannot refuse a row; choose unseen='missing'"):
        new.to_sklearn(levels="indicators")
    new.tree_.to_sklearn(levels="indicators")
    dear = CARTClassifier(pruning=None, max_depth=2, missing="majority", costs=[[0, 1], [50, 0]]).fit(X, y)
    with pytest.raises(ParameterError, match=r"most probable class, and node \d predicts '[ab]', which costs less"):
        dear.to_sklearn()
    wide = CARTRegressor(pruning=None, missing="majority").fit({"id": [2**60, 2**60 + 1]}, [0.0, 5.0])
    with pytest.raises(ParameterError, match="exact up to"):
        wide.to_sklearn()
    assert not hasattr(boxwood.MARSRegressor(), "to_sklearn")


def test_leaves_with_models_are_refused():
    from sklearn.linear_model import LinearRegression

    X, signal = numbers()
    model = TreeRegressor(leaf=LinearRegression(), pruning=None, termination=boxwood.Termination(max_depth=2)).fit(
        X, signal
    )
    with pytest.raises(ParameterError, match="to_sklearn"):
        model.to_sklearn()


def test_a_tree_that_is_read_back_is_equal():
    X, signal = numbers(gaps=True)
    X = np.round(X * 4) / 4
    for model, y in ((CARTClassifier, np.digitize(signal, [0.0, 1.0])), (CARTRegressor, signal)):
        tree = model(pruning=None, max_depth=5, missing="majority").fit(X, y).tree_
        back = boxwood.from_sklearn(tree.to_sklearn(), as_written=True)
        for name in ("parent", "first_child", "n_children", "missing", "rows"):
            assert np.array_equal(getattr(back, name), getattr(tree, name)), name
        exact = tree.splits.breaks.astype(np.float32) <= tree.splits.breaks
        assert np.array_equal(back.splits.breaks[exact], tree.splits.breaks[exact])
        np.testing.assert_allclose(back.splits.breaks, tree.splits.breaks, rtol=1.2e-7)  # single precision
        assert np.array_equal(back.splits.feature, tree.splits.feature)
        np.testing.assert_allclose(back.moments, tree.moments, rtol=1e-9, atol=1e-9)


def test_a_tree_of_scikit_learn_survives_the_round_trip():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(300, 3))
    X[rng.random(X.shape) < 0.1] = np.nan
    theirs = DecisionTreeRegressor(max_depth=6, random_state=0).fit(X, np.nan_to_num(X).sum(axis=1))
    again = boxwood.from_sklearn(theirs).to_sklearn()
    rows = np.concatenate([X, rng.normal(size=(500, 3))])
    assert np.array_equal(again.predict(rows), theirs.predict(rows))
    assert again.tree_.node_count == theirs.tree_.node_count


def test_dates_are_whole_numbers():
    days = [datetime.date(2021, 3, 1) + datetime.timedelta(days=i) for i in range(40)]
    model = CARTClassifier(pruning=None, missing="majority").fit({"day": days}, ["old"] * 17 + ["new"] * 23)
    assert model.verify_export("sklearn", {"day": [*days, None]})
    assert model.to_sklearn().tree_.threshold[0] == (days[16] - datetime.date(1970, 1, 1)).days


def test_codes_for_missing_values_are_read():
    X = {"x": [1.0, 2.0, -999.0, 4.0, 5.0, -999.0]}
    model = CARTClassifier(pruning=None, missing="learned", missing_values=[-999]).fit(X, list("aabbbb"))
    codes = model.tree_.to_codes(X)
    assert np.isnan(codes[[2, 5]]).all()
    native = model.to_sklearn()
    assert native.predict(codes.astype(np.float32), check_input=False).tolist() == model.predict(X).tolist()
    assert model.verify_export("sklearn", X)


def test_one_leaf():
    model = CARTClassifier(pruning=None).fit([[1.0], [2.0]], ["a", "a"])
    native = model.to_sklearn()
    assert native.predict([[5.0]]).tolist() == ["a"]
    assert native.get_depth() == 0


def test_the_format_is_a_pickle_that_verifies(tmp_path):
    X, signal = numbers()
    model = CARTClassifier(pruning=None, max_depth=4).fit(X, np.digitize(signal, [0.0]))
    path = tmp_path / "tree.pkl"
    content = model.export(path=path, **NEVER)
    assert path.read_bytes() == content == model.tree_.export("sklearn", **NEVER)
    assert np.array_equal(pickle.loads(content).predict(X), model.predict(X))
    assert model.verify_export("sklearn", X, content, **NEVER)
    with pytest.raises(ParameterError, match="content cannot be run as sklearn"):
        model.verify_export("sklearn", X, b"no pickle", **NEVER)
    with pytest.raises(ParameterError, match="missing must be one of 'as_tree', 'never'; got 'no'"):
        model.export("sklearn", missing="no")
    with pytest.raises(
        ParameterError, match="levels is not an option of the format 'treelite'; its options are missing"
    ):
        model.export("treelite", levels="codes")


def test_a_fitted_tree_is_whole(tmp_path):
    X, signal = numbers()
    model = CHAIDClassifier(min_samples_split=20, min_samples_leaf=10).fit(X, np.digitize(signal, [0.0, 1.0]))
    assert (model.tree_.n_children > 2).any()
    native = model.to_sklearn(missing="never")
    assert np.array_equal(native.predict_proba(X), model.predict_proba(X))
    again = pickle.loads(pickle.dumps(native))
    assert np.array_equal(again.decision_path(X).toarray(), native.decision_path(X).toarray())
    assert again.get_depth() == again.decision_path(X).sum(axis=1).max() - 1
    assert again.get_n_leaves() == (native.tree_.children_left < 0).sum()
    ours = native.tree_
    inner = ours.children_left >= 0
    below = ours.n_node_samples[ours.children_left[inner]] + ours.n_node_samples[ours.children_right[inner]]
    assert np.array_equal(below, ours.n_node_samples[inner])
    assert (np.maximum(ours.children_left, ours.children_right)[inner] > np.flatnonzero(inner)).all()
