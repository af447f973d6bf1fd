"""Printed thresholds: short, and true of every training row."""

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
    datasets,
)
from boxwood.tree.neighbours import MOST_VALUES
from boxwood.views.condition import condition
from boxwood.views.words import grouped, shortest_between

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
    assert np.array_equal(routed_by_words(tree, X), model.apply(X))
    for node in np.flatnonzero(~tree.is_leaf).tolist():
        texts = [condition(tree, node, branch) for branch in range(int(tree.n_children[node]))]
        assert len(set(texts)) == len(texts)


def short_tree():
    X = {"dose": [24.8, 24.8167, 30.0, 10.0, 24.8167, 10.0]}
    return CARTClassifier(pruning=None).fit(X, ["low", "high", "high", "none", "high", "none"])


def test_neighbours_survive_everything_that_is_done_to_a_model(tmp_path):
    model = short_tree()
    written = model.tree_.to_text()
    assert "dose <= 24.81" in written
    model.save(tmp_path / "m.box")
    assert boxwood.load(tmp_path / "m.box").tree_.to_text() == written
    assert pickle.loads(pickle.dumps(model)).tree_.to_text() == written
    again = boxwood.from_json(model.export("json"))
    assert np.array_equal(again.neighbours, model.tree_.neighbours)
    assert again.to_text() == written
    small = model.prune(n_leaves=2)
    assert small.tree_.neighbours.shape == (1, 2)
    assert small.model_.full_tree.neighbours.shape == (2, 2)


def test_neighbours_do_not_depend_on_the_order_of_rows_nor_threads():
    X = datasets.load("iris")
    y = X.pop("species")
    order = np.random.default_rng(0).permutation(len(y))
    first = CARTClassifier(pruning=None, n_jobs=1).fit(X, y).tree_
    X, y = {name: np.asarray(column)[order] for name, column in X.items()}, np.asarray(y)[order]
    other = CARTClassifier(pruning=None, n_jobs=2).fit(X, y).tree_
    assert np.array_equal(first.neighbours, other.neighbours)
    assert first.to_text() == other.to_text()


def test_neighbours_enclose_each_break():
    X = datasets.load("titanic")
    y = X.pop("survived")
    tree = CARTClassifier(pruning=None).fit(X, y).tree_
    below, above = tree.neighbours.T
    known = ~np.isnan(below)
    assert known.sum() > 20
    assert ((below <= tree.splits.breaks) & (tree.splits.breaks < above))[known].all()


def test_a_large_table_is_left_alone_and_keeps_six_digits():
    x = np.linspace(0, 1, MOST_VALUES + 1)
    tree = CARTRegressor(max_depth=1, pruning=None).fit({"x": x}, x > 0.123456789).tree_
    assert tree.neighbours is None
    assert "x <= 0.123455" in tree.to_text() or "x <= 0.123457" in tree.to_text() or "x <= 0.12345" in tree.to_text()


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
    ("cut", "sides", "written"),
    [
        (24.808349999999997, (24.8, 24.8167), "24.81"),
        (9.5, (9.0, 10.0), "9.5"),
        (2.45, (1.9, 3.0), "2.45"),
        (42.5, (18.0, 67.0), "42.5"),
        (0.28963214, (0.1, 0.9), "0.29"),
        (-0.37185623, (-0.4, -0.3), "-0.372"),
        (15.0, (10.0, 20.0), "15"),
        (14500.0, (14200.0, 14800.0), "14,500"),
        (1995.5, (1995.0, 1996.0), "1995.5"),
        (24.8, (24.8, 24.8167), "24.8"),
        (0.1 + 0.2, (0.1 + 0.2, 0.5), repr(0.1 + 0.2)),
        (1.25e-9, (1.2e-9, 1.3e-9), "1.25e-09"),
        (3.0, (np.nan, 4.0), None),
        (np.inf, (1.0, np.nan), None),
    ],
)
def test_the_shortest_number_between_two_values(cut, sides, written):
    assert shortest_between(cut, *sides) == written


def test_only_long_numbers_are_grouped():
    assert [grouped(text) for text in ("9999", "10000", "-10000.25", "0.123456", "inf", "2021-03-14")] == [
        "9999", "10,000", "-10,000.25", "0.123456", "inf", "2021-03-14",
    ]  # fmt: skip


def test_id3_has_no_thresholds():
    X = datasets.load("play_tennis")
    y = X.pop(datasets.describe("play_tennis").target)
    tree = ID3Classifier(categorical_features="all").fit(X, y).tree_
    assert tree.neighbours is None or not len(tree.neighbours)
