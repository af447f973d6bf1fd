"""Surrogates of composed trees with a criterion of the user's own: those of CART, wherever a tree is used."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from boxwood import CARTClassifier, Gain, Multiway, ParameterError, Scored, TreeClassifier, TreeRegressor, load
from boxwood.growing.impurity_decrease import ImpurityDecrease
from estimators.composed import decrease_of_gini, squares_saved

OWN = Scored("gini", decrease_of_gini)
TABLES = ("splits", "surrogates")


def table(n: int = 400, seed: int = 0) -> tuple[pd.DataFrame, np.ndarray, np.ndarray]:
    """Columns that follow one another, of every kind, with missing values; two classes and weights."""
    rng = np.random.default_rng(seed)
    base = rng.normal(size=n)
    frame = pd.DataFrame(
        {
            "a": base + 0.2 * rng.normal(size=n),
            "b": (base * 3 + rng.normal(size=n)).round(),
            "size": pd.Categorical.from_codes(np.digitize(base, [-0.5, 0.7]), ["小", "중", "大"], ordered=True),
            "town": np.array(["Ulm", "京都", "서울", "Wien"])[np.digitize(base + rng.normal(size=n), [-1, 0, 1])],
        }
    )
    for name in frame:
        frame.loc[rng.random(n) < 0.12, name] = None
    return frame, np.where(base + 0.5 * rng.normal(size=n) > 0, "yes", "no"), rng.integers(1, 5, n)


class InTables(ImpurityDecrease):
    """A measure of impurity that the kernel does not know."""

    searches = ()


def composed(criterion=OWN, **more) -> TreeClassifier:
    return TreeClassifier(criterion=criterion, missing="surrogate", termination={"max_depth": 4}, **more)


@pytest.mark.parametrize("seed", range(6))
def test_the_same_as_those_of_cart(seed):
    X, y, weight = table(seed=seed)
    found = composed(InTables("gini")).fit(X, y, sample_weight=weight)
    expected = CARTClassifier(max_depth=4, pruning=None, level_correction=False).fit(X, y, sample_weight=weight)
    ours, theirs = found.tree_, expected.tree_
    assert len(ours.agreement) > 5
    for name in ("parent", "missing", "rows", "surrogate_start", "agreement", "adjusted"):
        np.testing.assert_array_equal(getattr(ours, name), getattr(theirs, name), err_msg=name)
    for splits in TABLES:
        for name in ("feature", "breaks", "index"):
            np.testing.assert_array_equal(getattr(getattr(ours, splits), name), getattr(getattr(theirs, splits), name))
    new = table(seed=seed + 100)[0]
    np.testing.assert_array_equal(found.predict_proba(new), expected.predict_proba(new))
    assert found.routing(new).count() == expected.routing(new).count()


def test_exports_explanations_pruning_bins_and_files(tmp_path):
    X, y, _ = table()
    for settings in ({}, {"pruning": "cv", "random_state": 0}, {"max_bins": 16}):
        model = composed(**settings).fit(X, y)
        tree = model.tree_
        assert len(tree.agreement) > 0
        for language in ("sql", "python"):
            assert not model.verify_export(language, X).mismatches
        assert "surrogate" in str(model.explain(X[X[tree.schema[int(tree.splits.feature[0])].name].isna()][:3]))
        model.save(tmp_path / "tree.boxwood")
        np.testing.assert_array_equal(load(tmp_path / "tree.boxwood").predict(X), model.predict(X))


def test_numbers():
    X, _, _ = table()
    y = X["b"].fillna(0).to_numpy() + np.arange(len(X)) / 1000
    tree = (
        TreeRegressor(
            criterion=Scored("squares", squares_saved), missing="surrogate", termination={"min_samples_leaf": 20}
        )
        .fit(X.drop(columns="b"), y)
        .tree_
    )
    assert tree.n_leaves > 2
    assert len(tree.agreement) > 0


@pytest.mark.parametrize("branching", [Multiway(one_level=True), lambda node: None])
def test_refused_where_splits_may_have_more_branches(branching):
    X, y, _ = table()
    with pytest.raises(ParameterError, match="missing='surrogate' does not go with this branching"):
        TreeClassifier(branching=branching, criterion=Gain(), missing="surrogate").fit(X, y)
