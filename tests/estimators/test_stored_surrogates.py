"""Surrogates are found for complete data too, once for the tree: rows of later data may lack a value."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pyarrow as pa
import pytest

import boxwood
from boxwood import CARTClassifier, CARTRegressor, TreeClassifier, TreeRegressor
from boxwood.pruning.growth import Growth
from boxwood.tree.split import SplitTable

N = 3_000


def people(seed: int = 0, n: int = N):
    """Complete data: 身長 follows 体重, which decides the class; 町 is nominal, and the rest is noise."""
    rng = np.random.default_rng(seed)
    weight = rng.normal(70, 12, n).round(1)
    height = (170 + 0.9 * (weight - 70) + rng.normal(0, 5, n)).round(1)
    town = np.array(["Ulm", "京都", "서울"])[rng.integers(0, 3, n)]
    y = np.where(weight + rng.normal(0, 4, n) > 66, "large", "small")
    return {"体重": weight, "身長": height, "町": town, "noise": rng.normal(size=n)}, y


def parts(tree, names=("splits", "surrogates")) -> list:
    """What a tree is made of, its surrogates among it."""
    plain = ("parent", "missing", "rows", "moments", "score", "surrogate_start", "agreement", "adjusted")
    tables = [getattr(getattr(tree, name), part.name) for name in names for part in fields(SplitTable)]
    return [getattr(tree, name) for name in plain] + tables


def assert_same(one, other):
    assert len(one.surrogates) > 0
    for a, b in zip(parts(one), parts(other), strict=True):
        assert np.array_equal(a, b, equal_nan=True)


def test_a_row_without_the_value_is_routed_by_a_surrogate():
    X, y = people()
    new, actual = people(1)
    new["体重"] = np.full(N, np.nan)
    right = [np.mean(m.fit(X, y).predict(new) == actual) for m in (CARTClassifier(max_surrogates=0), CARTClassifier())]
    majority = max(np.mean(actual == "large"), np.mean(actual == "small"))
    assert right[0] <= majority < 0.7
    assert right[1] > 0.8


@pytest.mark.parametrize("pruning", ["cv", None])
@pytest.mark.parametrize("kind", [CARTClassifier, CARTRegressor])
def test_surrogates_change_neither_splits_nor_sizes_nor_importance(kind, pruning):
    X, y = people()
    y = y if kind is CARTClassifier else X["体重"] + X["noise"]
    X = X if kind is CARTClassifier else {name: X[name] for name in ("身長", "町", "noise")}
    full, none = (kind(pruning=pruning, max_surrogates=k).fit(X, y) for k in (5, 0))
    assert len(none.tree_.surrogates) == 0 < len(full.tree_.surrogates)
    assert kind().max_surrogates == "auto"
    for name in ("parent", "missing", "rows", "moments", "score"):
        assert np.array_equal(getattr(full.tree_, name), getattr(none.tree_, name), equal_nan=True)
    for part in fields(SplitTable):
        assert np.array_equal(getattr(full.tree_.splits, part.name), getattr(none.tree_.splits, part.name))
    assert np.array_equal(full.feature_importances_, none.feature_importances_)
    assert np.array_equal(full.predict(X), none.predict(X))


def test_inner_nodes_have_them_up_to_five_and_identifiers_none():
    X, y = people()
    X |= {f"x{j}": X["体重"] + np.random.default_rng(j).normal(0, 9, N) for j in range(6)}
    X["number"] = np.argsort(np.argsort(X["体重"], kind="stable"))
    with pytest.warns(boxwood.KindWarning, match="number"):
        tree = CARTClassifier().fit(X, y).tree_
    assert np.diff(tree.surrogate_start)[0] == 5
    assert not (tree.surrogates.feature == list(X).index("number")).any()


def test_folds_search_none_where_the_data_are_complete(monkeypatch):
    requested, of_folds = [], Growth.of_folds

    def watched(*args, **more):
        requested.append(of_folds(*args, **more).recipe.missing.max_surrogates)
        return of_folds(*args, **more)

    monkeypatch.setattr(Growth, "of_folds", watched)
    X, y = people(n=400)
    for kind in (CARTClassifier, TreeClassifier):
        kind(**({} if kind is CARTClassifier else COMPOSED), pruning="cv").fit(X, y)
    X["体重"][::9] = np.nan
    CARTClassifier().fit(X, y)
    assert requested == [0, 0, 5]


#: CART, composed.
COMPOSED = {"branching": "binary", "missing": "surrogate"}


@pytest.mark.parametrize("pruning", ["cv", None])
def test_the_composed_tree_has_the_same(pruning):
    X, y = people()
    composed = TreeClassifier(**COMPOSED, criterion="gini", pruning=pruning).fit(X, y).tree_
    assert_same(composed, CARTClassifier(pruning=pruning).fit(X, y).tree_)
    composed = TreeRegressor(**COMPOSED, criterion="variance", pruning=pruning).fit(X, X["身長"] + X["noise"]).tree_
    assert_same(composed, CARTRegressor(pruning=pruning).fit(X, X["身長"] + X["noise"]).tree_)


@pytest.mark.parametrize("kind", [CARTClassifier, CARTRegressor])
def test_any_order_any_threads_and_parts_give_the_same(kind, tmp_path):
    X, y = people()
    y = y if kind is CARTClassifier else (X["体重"] + X["noise"]).round(2)
    wanted = kind(n_jobs=1).fit(X, y).tree_
    order = np.random.default_rng(3).permutation(N)
    shuffled = {name: column[order] for name, column in X.items()}
    assert_same(kind(n_jobs=2).fit(shuffled, y[order]).tree_, wanted)
    table = pa.table(X | {"y": y})
    streamed = kind().fit_stream(lambda: iter(table.to_batches(700)), "y", memory="32MB").tree_
    assert_same(streamed, wanted)


def test_the_model_file_keeps_them(tmp_path):
    X, y = people()
    model = CARTClassifier().fit(X, y)
    path = tmp_path / "people.box"
    model.save(path)
    assert_same(boxwood.load(path).tree_, model.tree_)


def test_complete_rows_pay_nothing_for_surrogates():
    X, y = people()
    tree = CARTClassifier(pruning=None, max_depth=6).fit(X, y).tree_
    wanted = CARTClassifier(pruning=None, max_depth=6, max_surrogates=0).fit(X, y).tree_.predict(X)
    assert np.array_equal(tree.predict(X), wanted)
    assert list(vars(tree)["_plans"]) == [("known", "missing")]  # the whole plan is compiled when a row needs it
    gaps = X | {"体重": np.where(np.arange(N) % 5 == 0, np.nan, X["体重"])}
    once, again = tree.predict(gaps), tree.predict(gaps)
    by_rows = np.array([tree.classes[tree.value[node]] for node in tree.apply(gaps)])
    assert np.array_equal(once, by_rows)
    assert np.array_equal(again, by_rows)
    assert (once[::5] != wanted[::5]).any()
