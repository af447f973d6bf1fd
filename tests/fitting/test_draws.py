"""Trees whose nodes draw features: the same whatever the rows' order and the threads, and refused by name elsewhere."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from boxwood import CARTClassifier, CARTRegressor, ParameterError, load


def table(n: int = 3000, seed: int = 0) -> tuple[pd.DataFrame, np.ndarray]:
    """Columns of several kinds, with gaps and names in other scripts."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({f"x{j}": rng.normal(size=n) for j in range(6)})
    X["都市"] = rng.choice(["京都", "Ulm", "서울"], n)
    X.loc[rng.random(n) < 0.1, "x1"] = None
    return X, X["x0"] * X["x2"] + (X["都市"] == "京都") + rng.normal(size=n)


@pytest.mark.parametrize("splitter", ["best", "random"])
@pytest.mark.parametrize("missing", ["surrogate", "majority", "learned", "own_branch"])
def test_order_of_rows_threads_and_container_do_not_matter(missing, splitter):
    X, y = table()
    settings = {"max_features": 2, "missing": missing, "splitter": splitter}
    tree = CARTRegressor(**settings, n_jobs=1).fit(X, y).tree_
    order = np.random.default_rng(1).permutation(len(X))
    for found in (
        CARTRegressor(**settings, n_jobs=2).fit(X.iloc[order], y.iloc[order]),
        CARTRegressor(**settings).fit({name: X[name].tolist() for name in X}, y.tolist()),
    ):
        np.testing.assert_array_equal(found.tree_.splits.feature, tree.splits.feature)
        np.testing.assert_array_equal(found.tree_.splits.breaks, tree.splits.breaks)
        np.testing.assert_array_equal(found.tree_.moments, tree.moments)


def test_random_state_selects_another_tree():
    X, y = table()
    features = {tuple(CARTRegressor(max_features=2, max_depth=4, random_state=s).fit(X, y).tree_.splits.feature)
                for s in (None, 0, 1, 2, 3)}  # fmt: skip
    assert len(features) == 4  # None is 0


@pytest.mark.parametrize(
    ("given", "drawn"), [("sqrt", 3), ("log2", 3), (4, 4), (0.5, 5), (0.01, 1), (1, 1), (1.0, 10), (99, 10), (None, 10)]
)
def test_max_features_counts_as_in_scikit_learn(given, drawn):
    X, y = np.random.default_rng(0).normal(size=(200, 10)), np.arange(200) % 2
    model = CARTClassifier(max_features=given, max_competitors=9, pruning=None).fit(X, y)
    at_root = 1 + model.tree_.competitor_start[1]
    assert at_root == drawn


def test_all_features_give_the_tree_of_no_draw():
    X, y = table()
    plain = CARTRegressor(pruning=None, max_surrogates=0).fit(X, y).tree_
    for all_of_them in (7, 1.0):
        tree = CARTRegressor(max_features=all_of_them).fit(X, y).tree_
        np.testing.assert_array_equal(tree.splits.feature, plain.splits.feature)


@pytest.mark.parametrize("given", [0, -1, 0.0, 1.5, True, "cbrt", [2], float("nan")])
def test_other_values_are_refused(given):
    X, y = table(60)
    with pytest.raises(ParameterError, match="max_features must be a whole number of at least 1, a share") as raised:
        CARTRegressor(max_features=given).fit(X, y)
    assert raised.value.argument == "max_features"


def test_a_node_draws_until_a_feature_offers_a_split():
    rng = np.random.default_rng(0)
    X = np.zeros((100, 30))
    X[:, 17] = rng.normal(size=100)
    for seed in range(5):
        assert CARTRegressor(max_features=1, random_state=seed).fit(X, X[:, 17]).tree_.n_leaves == 100


def test_trees_that_draw_are_not_pruned_and_have_no_surrogates_unless_requested():
    X, y = table()
    drawn, pruned = CARTRegressor(max_features=2).fit(X, y), CARTRegressor(max_features=2, pruning="cv").fit(X, y)
    assert drawn.tree_.n_leaves == drawn.model_.full_tree.n_leaves > 10 * pruned.tree_.n_leaves
    np.testing.assert_array_equal(pruned.model_.full_tree.splits.feature, drawn.tree_.splits.feature)
    assert len(drawn.tree_.surrogates) == 0
    assert len(CARTRegressor(max_features=2, max_surrogates=3).fit(X, y).tree_.surrogates) > 0
    assert CARTRegressor().fit(X, y).model_.pruned_by is not None


@pytest.mark.parametrize(
    "settings", [{}, {"max_surrogates": 2}, {"interaction_cst": "pairwise"}, {"splitter": "random"}]
)
def test_a_node_grown_anew_is_the_same(settings):
    X, y = table(400)
    model = CARTRegressor(max_features=2, max_depth=5, **settings).fit(X, y)
    tree = model.tree_
    for node in np.flatnonzero(~tree.is_leaf)[:6].tolist():
        np.testing.assert_array_equal(model.grow_below(X, y, node).tree_.splits.feature, tree.splits.feature)


def test_forced_splits_keep_the_draws_below():
    X, y = table(400)
    X = X[["x0", "x2", "x3", "x4"]]
    plain = CARTRegressor(max_features=2, max_depth=4).fit(X, y).tree_
    first = f"{X.columns[plain.splits.feature[0]]} <= {float(plain.splits.breaks[0])!r}"
    forced = CARTRegressor(max_features=2, max_depth=4, forced_splits=first).fit(X, y).tree_
    np.testing.assert_array_equal(forced.splits.feature, plain.splits.feature)


def test_limits_and_constraints_hold():
    X, y = table()
    limited = CARTRegressor(max_features=2, max_leaf_nodes=7).fit(X, y)
    assert limited.tree_.n_leaves == 7
    never = CARTRegressor(max_features=2, forbidden_features=["x0", "x1"]).fit(X, y)
    assert not np.isin([0, 1], never.tree_.splits.feature).any()
    rising = CARTRegressor(max_features=2, monotonic_cst={"x0": 1}).fit(X, y)
    above = X.assign(x0=X["x0"] + 1.0)
    assert (rising.predict(above) >= rising.predict(X)).all()


def test_a_model_file_remembers(tmp_path):
    X, y = table(300)
    model = CARTRegressor(max_features="sqrt", random_state=7).fit(X, y)
    model.save(tmp_path / "drawn.box")
    again = load(tmp_path / "drawn.box")
    assert (again.max_features, again.random_state) == ("sqrt", 7)
    np.testing.assert_array_equal(again.predict(X), model.predict(X))


@pytest.mark.parametrize("setting", [{"max_features": 2}, {"splitter": "random"}])
def test_rows_in_parts_are_refused(setting):
    X, y = table(300)
    with pytest.raises(ParameterError, match="needs two branches, the kernel's search and rows in memory") as raised:
        CARTRegressor(**setting).fit_stream([X.assign(y=y)], target="y")
    assert raised.value.argument == next(iter(setting))


def test_random_splits_of_sparse_columns_are_refused():
    X = sp.random_array((100, 5), density=0.2, format="csr", rng=np.random.default_rng(0))
    with pytest.raises(ParameterError, match="splitter='random' needs dense columns"):
        CARTRegressor(splitter="random").fit(X, np.arange(100.0))
    assert CARTRegressor(max_features=2).fit(X, np.arange(100.0)).tree_.n_leaves > 5


def test_thresholds_are_drawn_evenly():
    rng = np.random.default_rng(0)
    X, y = rng.exponential(size=(50, 1)), rng.normal(size=50)
    trees = [CARTRegressor(splitter="random", max_depth=1, random_state=s).fit(X, y).tree_ for s in range(600)]
    drawn = (np.array([tree.splits.breaks[0] for tree in trees]) - X.min()) / (X.max() - X.min())
    counts = np.histogram(drawn, 10, (0.0, 1.0))[0]
    assert ((counts - 60) ** 2 / 60).sum() < 27


def test_levels_are_divided_evenly():
    X, y = pd.DataFrame({"都市": np.repeat(["京都", "Ulm", "서울", "Graz"], 20)}), np.arange(80.0)
    sides = [
        tuple(CARTRegressor(splitter="random", max_depth=1, random_state=s).fit(X, y).tree_.splits.index_of(0))
        for s in range(700)
    ]
    counts = np.array([sides.count(one) for one in set(sides)])
    assert len(counts) == 14
    assert ((counts - 50) ** 2 / 50).sum() < 35


def test_random_splits_reach_pure_leaves_and_keep_limits():
    X, y = table(500)
    X = X.drop(columns="x1")
    assert CARTRegressor(splitter="random").fit(X, y).tree_.n_leaves == 500
    limited = CARTRegressor(splitter="random", min_samples_leaf=9, monotonic_cst={"x0": 1}).fit(X, y)
    assert limited.tree_.rows.min() >= 9
    assert (limited.predict(X.assign(x0=X["x0"] + 1.0)) >= limited.predict(X)).all()
    assert CARTRegressor(splitter="random", pruning="cv", max_surrogates=2).fit(X, y).tree_.n_leaves < 100
