"""Trees under a limit of leaves are grown no further than the limit can reach, and are the same as of whole trees."""

from __future__ import annotations

import pickle
from itertools import product

import numpy as np
import pytest
from scipy import sparse

from boxwood import CARTClassifier, CARTRegressor
from boxwood.pruning import growth, leaf_limit

SEEDS = range(4)
SETTINGS = {
    "plain": {},
    "entropy": {"criterion": "entropy"},
    "weighed classes": {"class_weight": "balanced"},
    "priors": {"priors": {"a": 0.7, "b": 0.2, "c": 0.1}},
    "costs": {"costs": [[0, 4, 1], [1.5, 0, 1], [1, 1, 0]]},
    "leaves of 7 rows": {"min_samples_leaf": 7, "min_samples_split": 20},
    "a depth": {"max_depth": 3},
    "a least decrease": {"min_impurity_decrease": 0.004},
    "own branch": {"missing": "own_branch"},
    "learned": {"missing": "learned"},
    "majority": {"missing": "majority"},
    "staying": {"missing": "surrogate_or_stay"},
    "bins": {"max_bins": 16},
    "folds": {"pruning": "cost_complexity"},
    "a holdout": {"pruning": "reduced_error"},
    "competitors": {"max_competitors": 2},
    "costs of features": {"feature_costs": [1.0, 2.0, 1.0, 5.0, 1.0]},
    "corrected levels": {"level_correction": True},
}
#: What only a whole tree serves.
WHOLE = ("competitors", "costs of features")


@pytest.fixture
def few_rows_do(monkeypatch):
    """Samples of few rows, so that small tables are served; the numbers of leaves of the trees that were."""
    monkeypatch.setattr(leaf_limit, "_SAMPLE", 40)
    monkeypatch.setattr(leaf_limit, "_ROWS_PER_LEAF", 1)
    found, within = [], growth.grow_within

    def counted(*given):
        tree = within(*given)
        found.append(None if tree is None else tree.n_leaves)
        return tree

    monkeypatch.setattr(growth, "grow_within", counted)
    return found


def table(seed: int, n: int = 900):
    """Numbers with ties and missing values, levels, and two responses; weights."""
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(n, 4)), seed % 3)
    level = rng.integers(0, 9, n)
    value = X[:, 0] * X[:, 1] + np.sin(2 * X[:, 2]) + (level % 3) + rng.normal(size=n) * (seed % 4) / 3
    X[rng.random((n, 4)) < 0.05] = np.nan
    columns = {f"x{j}": X[:, j] for j in range(4)} | {"level": np.array(list("ihgfedcba"))[level]}
    return columns, np.array(list("abc"))[np.digitize(value, [0.2, 1.5])], value, rng.integers(0, 4, n).astype(float)


def state(model):
    """Everything about a fitted tree."""
    tree = model.tree_.__getstate__()
    return pickle.dumps([(name, vars(v) if hasattr(v, "breaks") else v) for name, v in tree.items()])


def both(monkeypatch, model, *given, **more):
    """The states of the model as it is fitted, and by the whole tree."""
    first = state(model.fit(*given, **more))
    with monkeypatch.context() as patch:
        patch.setattr(growth, "grow_within", lambda *_: None)
        return first, state(model.fit(*given, **more))


@pytest.mark.parametrize("name", SETTINGS)
def test_the_tree_is_the_same(name, few_rows_do, monkeypatch):
    settings = {"pruning": None, **SETTINGS[name]}
    for seed in SEEDS:
        X, y, value, weight = table(seed)
        for most in (3, 12):
            model = CARTClassifier(max_leaf_nodes=most, random_state=seed, **settings)
            one, other = both(monkeypatch, model, X, y, sample_weight=weight if seed % 2 else None)
            assert one == other
            if set(settings) & {"criterion", "class_weight", "priors", "costs"}:
                continue
            one, other = both(monkeypatch, CARTRegressor(max_leaf_nodes=most, random_state=seed, **settings), X, value)
            assert one == other
    served = sum(leaves is not None for leaves in few_rows_do)
    assert served == 0 if name in WHOLE else served > len(few_rows_do) / 4


@pytest.mark.parametrize("floor", [None, 1e-5, 0.003, 0.01])
def test_levels_whose_decrease_is_mostly_chance(floor, few_rows_do, monkeypatch):
    if floor is not None:
        monkeypatch.setattr(leaf_limit, "_estimated_floor", lambda *_: floor)
    for seed in range(8):
        X, y, value, weight = table(seed)
        rng = np.random.default_rng(seed)
        for name, levels in (("many", 60), ("most", 250)):
            X[name] = np.array([f"l{code}" for code in rng.integers(0, levels, 900)])
        for most, model in product((3, 12), (CARTClassifier, CARTRegressor)):
            given = model(max_leaf_nodes=most, pruning=None, level_correction=True, min_samples_level=1)
            one, other = both(monkeypatch, given, X, y if model is CARTClassifier else value, sample_weight=weight)
            assert one == other
    assert sum(leaves is not None for leaves in few_rows_do) > len(few_rows_do) / 4
    few_rows_do.clear()
    X["many"] = np.where(np.arange(900) % 50, X["many"], None)
    CARTClassifier(max_leaf_nodes=3, pruning=None).fit(X, y)
    assert few_rows_do == [None]


def test_rates_and_sparse_columns(few_rows_do, monkeypatch):
    for seed in SEEDS:
        rng = np.random.default_rng(seed)
        X, _, value, _ = table(seed)
        exposure = rng.random(900) + 0.5
        counts = rng.poisson(np.exp(value / 2) * exposure)
        model = CARTRegressor(criterion="poisson", max_leaf_nodes=9, pruning=None)
        one, other = both(monkeypatch, model, X, counts, exposure=exposure)
        assert one == other
        matrix = sparse.random(900, 12, 0.3, format="csc", random_state=seed)
        sums = matrix.toarray()[:, [0, 3]].sum(axis=1)
        one, other = both(monkeypatch, CARTRegressor(max_leaf_nodes=9, pruning=None), matrix, sums)
        assert one == other
    assert any(few_rows_do)


@pytest.mark.parametrize("floor", [0.0, 1e-5, 0.003, 0.02, 0.05, 100.0])
def test_any_floor_leads_to_the_same_tree(floor, few_rows_do, monkeypatch):
    monkeypatch.setattr(leaf_limit, "_estimated_floor", lambda *_: floor)
    for seed in SEEDS:
        X, y, value, _ = table(seed)
        for most, name in product((2, 9, 5_000), ("plain", "priors", "costs")):
            one, other = both(monkeypatch, CARTClassifier(max_leaf_nodes=most, pruning=None, **SETTINGS[name]), X, y)
            assert one == other
        for most in (2, 9, 5_000):
            one, other = both(monkeypatch, CARTRegressor(max_leaf_nodes=most, pruning=None), X, value)
            assert one == other


@pytest.mark.parametrize("name", ["plain", "weighed classes", "priors", "costs"])
def test_no_split_of_at_least_a_floor_is_left_out(name):
    for seed in SEEDS:
        X, y, _, weight = table(seed)
        tree = CARTClassifier(max_depth=4, pruning=None, **SETTINGS[name]).fit(X, y, sample_weight=weight).tree_
        decrease = np.zeros(tree.n_nodes)
        decrease[~tree.is_leaf] = leaf_limit._decreases(tree)
        least = decrease.copy()  # on the path to each node and at it
        for node in range(1, tree.n_nodes):
            least[node] = min(least[node], least[tree.parent[node]])
        for floor in np.unique(least[least > 0])[-8:]:
            settings = SETTINGS[name] | {"max_depth": 4, "min_impurity_decrease": floor * (1 - 1e-9)}
            found = CARTClassifier(pruning=None, **settings).fit(X, y, sample_weight=weight).tree_
            assert np.count_nonzero(~found.is_leaf) >= np.count_nonzero(least >= floor)


def test_equal_decreases_are_taken_in_the_same_order(few_rows_do, monkeypatch):
    X = np.array([[i >> j & 1 for j in range(8)] for i in range(256)], dtype=float).repeat(4, axis=0)
    y = X @ np.array([1.0, 1, 1, 1, 1, 0, 0, 0])
    for most in range(2, 33, 3):
        one, other = both(monkeypatch, CARTRegressor(max_leaf_nodes=most, pruning=None), X, y)
        assert one == other


def test_little_is_grown_beyond_the_limit(monkeypatch):
    rng = np.random.default_rng(2)
    X = rng.normal(size=(70_000, 4))
    y = X[:, 0] * X[:, 1] + X[:, 2] + rng.normal(size=70_000)
    grown, grow = [], leaf_limit.grow
    monkeypatch.setattr(leaf_limit, "grow", lambda *given: grown.append(grow(*given)) or grown[-1])
    monkeypatch.setattr(growth, "grow", None)  # the whole tree
    model = CARTRegressor(max_leaf_nodes=16, pruning=None).fit(X, y)
    sample, *trees = grown
    assert model.tree_.n_leaves == 16
    assert sample.rows[0] < 25_000
    assert sum(tree.n_leaves for tree in trees) < 200
