"""The items about the basic algorithm itself and about the data it takes, by item."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from boxwood import datasets, measures
from boxwood.data.frames.frame import learn_columns, read_columns
from boxwood.data.frames.target import read_classes
from theory.tables import fit, table, training_error


def decision_tree(X, y):
    """The basic algorithm of note S1 with C&RT's four choices, in plain recursion on numbers."""
    counts = np.bincount(y)
    stumps = [
        (measures.gini_index(y=y, x=X[:, j] <= cut), j, cut)
        for j in range(X.shape[1])
        for cut in (np.unique(X[:, j])[:-1] + np.unique(X[:, j])[1:]) / 2
    ]
    if np.count_nonzero(counts) == 1 or not stumps:  # 3. termination
        return int(np.argmax(counts))  # 4. base hypothesis
    least = min(score for score, *_ in stumps)
    _, j, cut = next(s for s in stumps if s[0] <= least + 1e-12)  # 1. two branches, 2. least impurity
    inside = X[:, j] <= cut
    return j, cut, decision_tree(X[inside], y[inside]), decision_tree(X[~inside], y[~inside])


def grown(tree, t=0):
    """A fitted tree in the same form."""
    if tree.is_leaf[t]:
        return int(tree.value[t])
    children = (grown(tree, tree.first_child[t] + c) for c in (0, 1))
    return int(tree.splits.feature[t]), float(tree.splits.breaks_of(t)[0]), *children


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.integers(2, 4))
def test_s1_05_the_basic_algorithm(seed, k):
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 6, (25, 3)).astype(float), rng.integers(0, k, 25)
    y[:k] = range(k)
    assert grown(fit(X, y).tree) == decision_tree(X, y)


def test_s1_23_deep_nodes_hold_little_data_and_fit_its_noise():
    learn, new = datasets.load("titanic"), datasets.load("titanic_new")
    y, truth = learn.pop("survived"), new.pop("survived")
    errors = {}
    for depth in (3, 30):
        model = fit(learn, y, max_depth=depth)
        wrong = np.mean(model.predict(read_columns(new, model.schema)) != np.array(truth))
        errors[depth] = (training_error(learn, y, model) / len(y), float(wrong))
    assert errors[30][0] < errors[3][0]  # the deep tree knows its own rows better ...
    assert errors[30][1] > errors[3][1]  # ... and new ones worse
    tree = model.tree
    rows = [np.median(tree.rows[tree.depth == d]) for d in (0, 4, 8, 12)]
    assert rows == sorted(rows, reverse=True)
    assert rows[-1] < 20


def test_s4_01_a_tree_of_classes_and_a_tree_of_numbers():
    X = datasets.load("iris")
    species, width = X.pop("species"), X.pop("petal_width")
    assert fit(X, species).predict(learn_columns(X)).dtype.kind == "U"
    assert fit(X, width, "regression").predict(learn_columns(X)).dtype == np.float64


def test_s4_02_the_titanic_is_bundled():
    assert {"sex", "age", "siblings_spouses", "survived"} <= set(datasets.load("titanic"))
    assert Path(datasets.path("titanic")).is_file()


def test_s4_03_data_are_features_and_a_response():
    X, y = table("loan")
    columns = learn_columns(X)
    labels, codes = read_classes(y)
    assert (len(columns.schema), columns.n, len(codes), labels) == (4, 15, 15, ("否", "是"))
