"""Tests of levels as masked words, in trees of two and of several branches: rows end as by the plain descent."""

import numpy as np
import pandas as pd
import pytest

from boxwood import CARTClassifier
from boxwood.data.columns.schema import NOMINAL, NUMERIC, ORDINAL, Feature, Schema
from boxwood.data.frames.frame import read_columns
from boxwood.errors import BoxwoodWarning
from boxwood.statistics.responses.registry import CLASSES
from boxwood.tree.descend import answer, route
from tree.random_trees import random_tree
from tree.slow_descent import random_columns, walk


def levels(n):
    return tuple(f"级{i}" for i in range(n))


#: A word has 52 bits: 50 levels, the missing and the unseen ones have a bit each; of more levels, each test has one.
MIXED = Schema(
    (
        Feature("x", NUMERIC),
        Feature("few", NOMINAL, levels(7)),
        Feature("full", NOMINAL, levels(50)),
        Feature("over", NOMINAL, levels(51)),
        Feature("many", NOMINAL, levels(300)),
        Feature("low", ORDINAL, levels(9)),
        Feature("high", ORDINAL, levels(80)),
        Feature("y", NUMERIC),
    )
)


@pytest.mark.parametrize("unseen", ["missing", "majority", "stay"])
@pytest.mark.parametrize("most_branches", [2, 6])
@pytest.mark.parametrize("seed", range(8))
def test_rows_end_where_the_plain_descent_ends(seed, unseen, most_branches):
    tree = random_tree(seed, CLASSES, 91, MIXED, most_branches=most_branches)
    columns = random_columns(MIXED, seed, 203)
    parts = [walk(tree, columns, row, unseen)[0] for row in range(columns.n)]
    whole = np.array([len(ends) == 1 for ends in parts])
    expected = np.array([ends[0][0] for ends in parts])
    assert whole.sum() > 20
    assert np.array_equal(answer(tree, "node", columns, unseen)[whole], expected[whole])
    assert np.array_equal(answer(tree, "node", columns, unseen), route(tree, columns, unseen).node)


@pytest.mark.parametrize("n_nodes", [151, 901])
def test_more_tests_of_one_feature_than_a_word_or_all_words_have_bits(n_nodes):
    schema = Schema((Feature("many", NOMINAL, levels(300)),))
    tree = random_tree(n_nodes, CLASSES, n_nodes, schema, most_branches=2)
    columns = random_columns(schema, 1, 2000)
    assert (tree.n_children > 0).sum() > (52 if n_nodes == 151 else 4 * 52)
    for unseen in ("missing", "majority", "stay"):
        assert np.array_equal(answer(tree, "node", columns, unseen), route(tree, columns, unseen).node)


def problem(n, rng):
    """Numbers with holes, categories of few and of many levels, and a class that depends on all."""
    X = rng.normal(size=(n, 4))
    X[rng.random(X.shape) < 0.08] = np.nan
    few, many = rng.integers(-1, 6, n), rng.integers(-1, 120, n)
    frame = pd.DataFrame(X, columns=list("abcd")).assign(
        few=pd.Categorical.from_codes(few, levels(6)), many=pd.Categorical.from_codes(many, levels(120))
    )
    frame = frame[["a", "few", "b", "many", "c", "d"]]
    score = np.nan_to_num(X).sum(axis=1) + np.sin(few) + np.cos(many) + rng.normal(size=n) / 2
    return frame, (score > 0).astype(int)


@pytest.mark.parametrize("missing", ["surrogate", "majority", "own_branch", "learned", "stay"])
@pytest.mark.parametrize("depth", [3, 8, None])
def test_grown_trees_and_tables_of_every_layout(missing, depth):
    rng = np.random.default_rng(7)
    frame, y = problem(3000, rng)
    model = CARTClassifier(pruning=None, max_depth=depth, missing=missing).fit(frame[:2000], y[:2000])
    tree = model.tree_
    columns = read_columns(frame, tree.schema).take(np.arange(len(frame)))
    expected = route(tree, columns).node
    by_row = pd.DataFrame({name: frame[name] for name in frame}, copy=True)
    by_row[list("abcd")] = np.ascontiguousarray(frame[list("abcd")].to_numpy())
    with np.errstate(all="raise"):
        for table in (frame, by_row, frame[::-1][::-1], frame.iloc[:65], frame.iloc[:64], frame.iloc[:7]):
            assert np.array_equal(model.apply(table), expected[: len(table)])


def test_numbers_that_are_levels_with_gaps_and_unseen_values():
    rng = np.random.default_rng(3)
    numbers = np.array([-3.0, 0.0, 5.0, 64.0, 4000.0])
    table = np.column_stack([numbers[rng.integers(0, 5, 2000)], rng.normal(size=2000)])
    y = ((table[:, 0] % 3 == 0) ^ (table[:, 1] > 0)).astype(int)
    model = CARTClassifier(pruning=None, categorical_features=[0]).fit(table, y)
    strange = (np.nan, -np.nan, -0.0, 0.5, 5e-324, -1.0, 1.0, 4093.0, 2.0**52, 2.0**60, -(2.0**60), np.inf, -np.inf)
    for value in (*strange, *numbers):
        rows = table[:130].copy()
        rows[17, 0] = value
        known = np.isin(value, numbers) or np.isnan(value)
        for rows_like in (rows, np.asfortranarray(rows)):
            columns = read_columns(rows_like, model.tree_.schema)
            found = answer(model.tree_, "node", columns)
            assert columns.has_unseen == (not known), value
            plain = read_columns(rows_like, model.tree_.schema).take(np.arange(130))
            assert np.array_equal(found, route(model.tree_, plain).node)
    with pytest.warns(BoxwoodWarning, match="level"):
        model.predict(np.array([[0.5, 1.0]]))
