"""Orders of predictions along features: held by every kind of y and policy for missing values, refused by name else."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from boxwood import (
    CARTClassifier,
    CARTRegressor,
    CHAIDRegressor,
    ParameterError,
    load,
)

SIGNS = {"a": 1, "b": -1, "tier": 1}


def table(n: int, gaps: float, seed: int = 0) -> tuple[pd.DataFrame, np.ndarray]:
    """Columns of every kind, some of them with gaps, and numbers that do not quite keep the order."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {"a": rng.normal(size=n).round(2), "b": rng.integers(0, 6, n).astype(float), "free": rng.normal(size=n),
         "town": rng.choice(["Ulm", "Bonn", "京都", "Graz"], n),
         "tier": pd.Categorical(rng.choice(["low", "mid", "high"], n), ["low", "mid", "high"], ordered=True)}
    )  # fmt: skip
    y = 2 * X["a"] - 0.5 * X["b"] + np.sin(3 * X["free"]) * X["a"] + (X["town"] == "Ulm") + X["tier"].cat.codes
    y = np.asarray(y + rng.normal(size=n))
    for name in ("a", "free", "town"):
        X.loc[rng.random(n) < gaps, name] = None
    return X, y


def risen(X: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """The same rows, gaps included, with other values of features that have an order, nowhere against it."""
    out = X.copy()
    for name, sign in SIGNS.items():
        if name == "tier":
            codes = X["tier"].cat.codes.to_numpy()
            codes = np.where(codes < 0, codes, np.maximum(codes, rng.integers(0, 3, len(X))))
            out["tier"] = pd.Categorical.from_codes(codes, X["tier"].cat.categories, ordered=True)
        else:
            out[name] = X[name] + sign * np.abs(rng.normal(size=len(X))) * rng.integers(0, 4, len(X))
    return out


def check_order(model, predict, n: int = 4000, gaps: float = 0.0) -> None:
    """Predictions never fall from rows to the same ones risen."""
    for seed in range(3):
        X = table(n, gaps, seed + 100)[0]
        assert (predict(risen(X, np.random.default_rng(seed))) >= predict(X)).all()
    assert model.tree_.n_leaves > 1


KINDS = {
    "variance": lambda y: y, "poisson": lambda y: np.floor(np.exp(y / 3)), "gamma": lambda y: np.exp(y / 3) + 0.1,
    "tweedie": lambda y: np.maximum(y, 0.0),
}  # fmt: skip


@pytest.mark.parametrize("n", [300, 3000])
@pytest.mark.parametrize("criterion", KINDS)
def test_numbers_keep_the_order(criterion, n):
    X, y = table(n, 0.1)
    weight = np.random.default_rng(5).integers(1, 4, n)
    for pruning in (None, "cv"):
        model = CARTRegressor(criterion=criterion, monotonic_cst=SIGNS, pruning=pruning, random_state=0)
        model.fit(X, KINDS[criterion](y), sample_weight=weight)
        check_order(model, model.predict, gaps=0.3)


@pytest.mark.parametrize("criterion", ["gini", "entropy", "error"])
@pytest.mark.parametrize(
    "more", [{}, {"class_weight": "balanced"}, {"priors": [0.8, 0.2]}, {"costs": {"no": {"yes": 5}}}]
)
def test_the_probability_of_the_second_class_keeps_the_order(criterion, more):
    X, y = table(1000, 0.1)
    model = CARTClassifier(criterion=criterion, monotonic_cst=SIGNS, pruning=None, **more)
    model.fit(X, np.where(y > 1, "yes", "no"))
    assert model.classes_.tolist() == ["no", "yes"]
    check_order(model, lambda rows: model.predict_proba(rows)[:, 1], gaps=0.3)
    check_order(model, lambda rows: model.predict(rows) == "yes", gaps=0.3)


@pytest.mark.parametrize("policy", ["surrogate", "majority", "learned", "own_branch", "error"])
def test_rows_with_gaps_keep_the_order(policy):
    gaps = 0.0 if policy == "error" else 0.2
    for n in (200, 2500):
        X, y = table(n, gaps)
        model = CARTRegressor(monotonic_cst=SIGNS, missing=policy, pruning=None, min_samples_leaf=3).fit(X, y)
        check_order(model, model.predict, gaps=gaps)


@pytest.mark.parametrize(
    "settings",
    [{"max_leaf_nodes": 12, "pruning": None}, {"pruning": "reduced_error"}, {"ccp_alpha": 0.01}, {"max_bins": 32}],
)
def test_every_pruned_tree_keeps_the_order(settings, tmp_path):
    X, y = table(1500, 0.1)
    model = CARTRegressor(monotonic_cst=SIGNS, random_state=0, **settings).fit(X, y)
    check_order(model, model.predict, gaps=0.3)
    for n_leaves in (30, 9, 4):
        model.prune(n_leaves=n_leaves)
        check_order(model, model.predict, gaps=0.3)
    model.save(tmp_path / "m.box")
    np.testing.assert_array_equal(load(tmp_path / "m.box").predict(X), model.predict(X))


@pytest.mark.parametrize("criterion", KINDS)
def test_the_candidates_of_a_node_are_ranked_as_in_growth(criterion):
    X, y = table(400, 0.1)
    y = KINDS[criterion](y)
    model = CARTRegressor(criterion=criterion, monotonic_cst=SIGNS, pruning=None, max_depth=4).fit(X, y)
    for node in np.flatnonzero(~model.tree_.is_leaf).tolist():
        first = next(one for one in model.explain_split(X, y, node).candidates if one.rank == 1)
        assert first.chosen
        assert first.score == pytest.approx(float(model.tree_.score[node]), rel=1e-12)


def test_a_split_counts_less_where_means_are_beyond_limits():
    X = pd.DataFrame({"a": [0, 0, 0, 0, 1, 1, 1, 1], "free": [0, 0, 1, 1, 0, 0, 1, 1]}).astype(float)
    y = np.array([0.0, 0.0, 10.0, 10.0, 5.0, 7.0, 8.0, 10.0])
    model = CARTRegressor(monotonic_cst={"a": 1}, pruning=None, forced_splits={"split": "a <= 0.5"}).fit(X, y)
    tree, lower = model.tree_, 1
    # means 0 and 10 about 5, whose limit is the mean 7.5 of the other side: 10 loses 2 * 2.5^2, three quarters count
    assert tree.weight[lower] * tree.score[lower] == pytest.approx(100.0 - 0.75 * 12.5)


def test_siblings_that_share_a_value_are_one_leaf():
    X, y = table(1500, 0.0)
    tree = CARTRegressor(monotonic_cst=SIGNS, pruning=None).fit(X, y).tree_
    for node in np.flatnonzero(~tree.is_leaf):
        first = tree.first_child[node]
        if tree.is_leaf[first] and tree.is_leaf[first + 1]:
            assert tree.value[first] != tree.value[first + 1]


def test_names_places_and_text_give_the_same_tree():
    X, y = table(400, 0.1)
    trees = [
        CARTRegressor(monotonic_cst=given, random_state=0).fit(X, y).tree_
        for given in (SIGNS, [1, -1, 0, 0, 1], np.array([1, -1, 0, 0, 1]), "a=+1,b=-1, tier=1")
    ]
    for other in trees[1:]:
        np.testing.assert_array_equal(other.value, trees[0].value)


def test_no_order_is_no_constraint():
    X, y = table(400, 0.1)
    plain, free = (CARTRegressor(monotonic_cst=given).fit(X, y).tree_ for given in (None, {"a": 0}))
    np.testing.assert_array_equal(plain.value, free.value)
    assert free.monotonic is None


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"monotonic_cst": {"age": 1}}, "monotonic_cst names 'age', but the features are"),
        ({"monotonic_cst": [1, 0]}, "monotonic_cst must be 1, -1 or 0 for each of the 5 features"),
        ({"monotonic_cst": {"a": 2}}, "as a list or a dict by name; got {'a': 2}."),
        ({"monotonic_cst": "a"}, "monotonic_cst must be text such as income="),
        ({"monotonic_cst": {"town": 1}}, "column 'town' is nominal, so its levels have no order"),
        ({"monotonic_cst": SIGNS, "compat": "rpart"}, "compat='rpart' does not keep the order"),
        ({"monotonic_cst": SIGNS, "missing": "stay"}, "missing='stay' does not keep the order"),
        ({"monotonic_cst": SIGNS, "unseen": "stay"}, "unseen='stay' does not keep the order"),
        ({"monotonic_cst": SIGNS, "shrink": 1.0, "criterion": "poisson"}, "shrink=1.0 does not keep the order"),
    ],
)
def test_what_cannot_be_is_refused_by_name(settings, words):
    X, y = table(100, 0.0)
    with pytest.raises(ParameterError, match=words) as caught:
        CARTRegressor(**settings).fit(X, np.abs(y))
    assert caught.value.argument is not None


def test_three_classes_and_smoothing_are_refused():
    X, y = table(100, 0.0)
    with pytest.raises(ParameterError, match="monotonic_cst needs a number or two classes as y, which has 3 classes"):
        CARTClassifier(monotonic_cst=SIGNS).fit(X, np.digitize(y, [-1, 1]))
    with pytest.raises(ParameterError, match="smoothing='laplace' does not keep the order"):
        CARTClassifier(monotonic_cst=SIGNS, smoothing="laplace").fit(X, y > 0)


@pytest.mark.parametrize("gaps", [0.0, 0.15])
def test_streams_grow_the_tree_of_memory(gaps, parts):
    X, y = table(900, gaps)
    frame = X.assign(y=y)
    settings = {"monotonic_cst": SIGNS, "min_samples_leaf": 5, "random_state": 0}
    streamed = CARTRegressor(**settings).fit_stream([frame.iloc[i : i + 250] for i in range(0, 900, 250)], target="y")
    memory = CARTRegressor(**settings).fit(X, y)
    assert streamed.tree_.monotonic.tolist() == memory.tree_.monotonic.tolist()
    np.testing.assert_array_equal(streamed.tree_.splits.feature, memory.tree_.splits.feature)
    np.testing.assert_array_equal(streamed.tree_.value, memory.tree_.value)
    assert streamed.certificate().holds
    check_order(streamed, streamed.predict, gaps=gaps)


def test_a_node_grown_anew_keeps_the_order_of_the_tree():
    X, y = table(800, 0.1)
    model = CARTRegressor(monotonic_cst=SIGNS, pruning=None, max_depth=4).fit(X, y)
    assert model.grow_below(X, y, 1, split="b <= 2.5").certificate().holds
    assert model.grow_below(X, y, 2, recipe=CARTRegressor(max_depth=7)).certificate().holds
    with pytest.raises(ParameterError, match="need two branches and the kernel's search"):
        model.grow_below(X, y, 2, recipe=CHAIDRegressor())
