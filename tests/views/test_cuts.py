"""Printed thresholds: short, and what runs, for any row."""

from __future__ import annotations

import pickle
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import boxwood
from boxwood import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    CHAIDClassifier,
    CHAIDRegressor,
    ID3Classifier,
    TreeClassifier,
    datasets,
)
from boxwood.data.columns.kinds.numeric import rounded_between
from boxwood.views.condition import condition
from boxwood.views.kinds import VALUE_WORDS
from boxwood.views.words import grouped

#: An interval as conditions write it.
_INTERVAL = re.compile(r"^(?:(?P<above>[^ ]+) < )?x\d(?: (?P<sign><=|>) (?P<end>[^ ]+))?$")


def holds(text: str, value: np.ndarray) -> np.ndarray:
    """Whether a printed condition holds for values, read as a person reads it."""
    found = np.zeros(len(value), dtype=bool)
    for part in text.split(" or "):
        match = _INTERVAL.match(part)
        assert match, text
        inside = np.ones(len(value), dtype=bool)
        if match["above"]:
            inside &= float(match["above"].replace(",", "")) < value
        if match["end"]:
            end = float(match["end"].replace(",", ""))
            inside &= value <= end if match["sign"] == "<=" else value > end
        found |= inside
    return found


def routed_by_words(tree, X: np.ndarray) -> np.ndarray:
    """The leaf of every row by what is printed at the branches."""
    at = np.zeros(len(X), dtype=np.int64)
    for node in range(tree.n_nodes):
        if tree.is_leaf[node]:
            continue
        here = np.flatnonzero(at == node)
        value = X[here, int(tree.splits.feature[node])]
        for branch in range(int(tree.n_children[node])):
            text = condition(tree, node, branch)
            if not text.startswith("no value") and not text.endswith("is missing"):
                at[here[holds(text, value)]] = int(tree.first_child[node]) + branch
    return at


def values(rng, kind: str, n: int) -> np.ndarray:
    """Numbers of several kinds, three columns."""
    made = {
        "normal": lambda: rng.normal(size=(n, 3)),
        "prices": lambda: np.round(rng.lognormal(9, 2, size=(n, 3)), 2),
        "near": lambda: 1e6 + rng.integers(0, 40, size=(n, 3)) * 1e-7,
        "tiny": lambda: rng.normal(size=(n, 3)) * 1e-9,
        "large": lambda: rng.integers(-(10**9), 10**9, size=(n, 3)).astype(float),
        "few": lambda: rng.integers(0, 4, size=(n, 3)) / 3,
        "float32": lambda: rng.normal(size=(n, 3)).astype(np.float32).astype(float),
    }
    return made[kind]()


MODELS = {
    "cart": lambda: CARTClassifier(pruning=None),
    "pruned": lambda: CARTClassifier(ccp_alpha=0.02),
    "numbers": lambda: CARTRegressor(pruning=None),
    "bins": lambda: CARTClassifier(pruning=None, max_bins=8),
    "c45": lambda: C45Classifier(),
    "c45 unpruned": lambda: C45Classifier(pruning=None),
    "chaid": lambda: CHAIDClassifier(min_samples_split=4, min_samples_leaf=2),
    "chaid numbers": lambda: CHAIDRegressor(min_samples_split=4, min_samples_leaf=2),
}
KINDS = ["normal", "prices", "near", "tiny", "large", "few", "float32"]


@settings(max_examples=120, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(KINDS), st.sampled_from(sorted(MODELS)), st.integers(8, 200))
def test_whoever_applies_the_printed_rules_comes_to_the_same_leaves(seed, kind, name, n):
    rng = np.random.default_rng(seed)
    X = values(rng, kind, n)
    score = X[:, 0].argsort().argsort() + 0.5 * X[:, 1].argsort().argsort() + rng.normal(size=n) * n / 4
    y = score if "numbers" in name else np.digitize(score, np.quantile(score, [0.3, 0.6]))
    model = MODELS[name]().fit(X, y)
    tree = model.tree_
    cuts = np.repeat(tree.splits.feature, np.diff(tree.splits.breaks_start))
    near = [np.concatenate([X[:, j], tree.splits.breaks[cuts == j]]) for j in range(3)]
    near = [np.concatenate([v, np.nextafter(v, -np.inf), np.nextafter(v, np.inf)]) for v in near]
    new = np.column_stack([rng.choice(v, 400) for v in near])
    for rows in (X, new):
        assert np.array_equal(routed_by_words(tree, rows), model.apply(rows))
    for node in np.flatnonzero(~tree.is_leaf).tolist():
        texts = [condition(tree, node, branch) for branch in range(int(tree.n_children[node]))]
        assert len(set(texts)) == len(texts)


def short_tree():
    X = {"dose": [24.8, 24.8167, 30.0, 10.0, 24.8167, 10.0]}
    return CARTClassifier(pruning=None).fit(X, ["low", "high", "high", "none", "high", "none"])


def test_the_short_number_is_the_cut():
    assert short_tree().tree_.splits.breaks.tolist() == [24.81, 17.4]
    X = {"income": [40.123] * 10 + [60.789] * 10}
    y = ["decline"] * 10 + ["grant"] * 10
    model = CARTClassifier(pruning=None).fit(X, y)
    assert model.tree_.splits.breaks.tolist() == [50.5]
    assert model.predict({"income": [50.478, 50.5, 50.51]}).tolist() == ["decline", "decline", "grant"]
    assert "income = 50.478 → income <= 50.5" in str(model.explain({"income": [50.478]}))
    exact = CARTClassifier(pruning=None, cuts="exact").fit(X, y)
    assert exact.tree_.splits.breaks.tolist() == [40.123 + (60.789 - 40.123) / 2]
    assert "income <= 50.456" in exact.tree_.to_text()


def test_a_value_of_other_nodes_does_not_make_a_cut_longer():
    X = {"z": ["p"] * 20 + ["q"] * 10, "x": [2.6] * 10 + [2.62] * 10 + [2.61] * 10}
    tree = CARTClassifier(pruning=None).fit(X, ["a"] * 10 + ["b"] * 10 + ["c"] * 10).tree_
    assert "x <= 2.61 " in tree.to_text()


@pytest.mark.parametrize("name", ["cart", "numbers", "composed", "c45"])
@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(KINDS))
def test_every_cut_is_the_shortest_number_between_its_neighbours(name, seed, kind):
    rng = np.random.default_rng(seed)
    X = values(rng, kind, 60)
    y = X[:, 0].argsort().argsort() + rng.normal(size=60) * 9
    y = y if name == "numbers" else y > 30
    settings = {"c45": {"data_cuts": False}, "composed": {"branching": "multiway", "criterion": "gain"}}.get(name, {})
    kinds = {"numbers": CARTRegressor, "composed": TreeClassifier, "c45": C45Classifier}
    learner = kinds.get(name, CARTClassifier)
    model = learner(pruning=None, **settings).fit(X, y)
    tree, reached = model.tree_, model.decision_path(X)
    midpoints = learner(pruning=None, cuts="exact", **settings).fit(X, y).tree_
    assert np.array_equal(tree.splits.feature, midpoints.splits.feature)
    assert np.array_equal(tree.moments, midpoints.moments)
    for node in np.flatnonzero(~tree.is_leaf).tolist():
        own = X[np.asarray(reached[:, [node]].todense()).ravel() > 0, tree.splits.feature[node]]
        cut, middle = float(tree.splits.breaks_of(node)[0]), float(midpoints.splits.breaks_of(node)[0])
        below, above = own[own <= cut].max(), own[own > cut].min()
        assert cut == rounded_between(middle, below, above)
        assert below < cut or above == np.nextafter(below, np.inf)


def test_compat_keeps_the_midpoints_of_its_reference_unless_cuts_are_given():
    X = {"x": [40.123] * 10 + [60.789] * 10}
    y = ["a"] * 10 + ["b"] * 10
    cuts = {
        how: CARTClassifier(pruning=None, compat="rpart", cuts=how).fit(X, y).tree_.splits.breaks[0]
        for how in ("auto", "exact", "short")
    }
    assert cuts == {"auto": 50.456, "exact": 50.456, "short": 50.5}
    with pytest.raises(boxwood.ParameterError, match="needs data_cuts=False"):
        C45Classifier(cuts="short").fit(X, y)


def test_surrogates_and_competing_splits_have_short_cuts_too():
    rng = np.random.default_rng(0)
    x = rng.normal(size=200)
    X = np.column_stack([x, x + rng.normal(size=200) * 0.1, x + rng.normal(size=200) * 0.2])
    tree = CARTClassifier(max_depth=1, pruning=None, max_competitors=2).fit(X, x > 0.2).tree_
    for table in (tree.surrogates, tree.competitors):
        assert len(table.breaks)
        assert all(len(repr(abs(cut))) <= 7 for cut in table.breaks.tolist())


def test_dates_are_cut_at_midpoints():
    day = np.array(["2021-01-01", "2021-01-09"], "M8[D]")
    for unit in ("D", "s", "ms"):
        tree = CARTRegressor(pruning=None).fit({"d": day.astype(f"M8[{unit}]")}, [0.0, 1.0]).tree_
        assert "d <= 2021-01-05" in tree.to_text()


def test_the_words_of_a_cut_survive_everything_that_is_done_to_a_model(tmp_path):
    model = short_tree()
    written = model.tree_.to_text()
    assert "dose <= 24.81" in written
    model.save(tmp_path / "m.box")
    assert boxwood.load(tmp_path / "m.box").tree_.to_text() == written
    assert pickle.loads(pickle.dumps(model)).tree_.to_text() == written
    assert boxwood.from_json(model.export("json")).to_text() == written
    assert "dose <= 24.81" in model.prune(n_leaves=2).tree_.to_text()


def test_infinite_values_and_dates_keep_their_words():
    X = {
        "x": [-np.inf, 1.0, 2.0, np.inf],
        "d": np.array(["2021-01-01", "2021-01-05", "2021-02-01", "2022-01-01"], "M8[D]"),
    }
    for name in X:
        tree = CARTRegressor(pruning=None).fit({name: X[name]}, [0.0, 5.0, 9.0, 20.0]).tree_
        texts = [condition(tree, node, 0) for node in np.flatnonzero(~tree.is_leaf).tolist()]
        assert len(set(texts)) == 3
        assert all(" <= " in text for text in texts)


@pytest.mark.parametrize(
    ("sides", "cut", "written"),
    [
        ((24.8, 24.8167), 24.81, "24.81"),
        ((9.0, 10.0), 9.5, "9.5"),
        ((1.9, 3.0), 2.45, "2.45"),
        ((18.0, 67.0), 42.5, "42.5"),
        ((0.1793, 0.4), 0.29, "0.29"),
        ((-0.4, -0.343712), -0.372, "-0.372"),
        ((10.0, 20.0), 15.0, "15"),
        ((14200.0, 14800.0), 14500.0, "14,500"),
        ((1995.0, 1996.0), 1995.5, "1995.5"),
        ((1990.0, 1999.0), 1994.0, "1994"),
        ((1.2e-9, 1.3e-9), 1.25e-9, "1.25e-09"),
        ((-1.0, 1.0), 0.0, "0"),
        ((0.1 + 0.2, float(np.nextafter(0.1 + 0.2, 1))), 0.1 + 0.2, repr(0.1 + 0.2)),
        ((3e-25, 8e-25), 5.5e-25, "5.5e-25"),
        ((-np.inf, 1.0), -np.inf, "-inf"),
    ],
)
def test_the_shortest_number_between_two_values(sides, cut, written):
    tree = CARTRegressor(pruning=None).fit({"x": sides}, [0.0, 1.0]).tree_
    assert tree.splits.breaks.tolist() == [cut]
    assert VALUE_WORDS.of(tree.schema[0]).value(tree.schema[0], cut) == written


def test_only_long_numbers_are_grouped():
    assert [grouped(text) for text in ("9999", "10000", "-10000.25", "0.123456", "inf", "2021-03-14")] == [
        "9999", "10,000", "-10,000.25", "0.123456", "inf", "2021-03-14",
    ]  # fmt: skip


def test_id3_has_no_thresholds():
    X = datasets.load("play_tennis")
    y = X.pop(datasets.describe("play_tennis").target)
    tree = ID3Classifier(categorical_features="all").fit(X, y).tree_
    assert not len(tree.splits.breaks)
