"""Sparse columns: the trees, the numbers of rows and the paths of rows are those of the same cells made dense."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp

from boxwood.data.columns.columns import Matrix
from boxwood.data.columns.sparse import SparseColumns
from boxwood.data.frames.frame import learn_columns
from boxwood.growing.grow import grow
from boxwood.growing.impurity_decrease import ImpurityDecrease
from boxwood.growing.memory.source import EncodedColumns, MemorySource
from boxwood.growing.memory.sparse import SparseEncoded
from boxwood.growing.missing import Missing
from boxwood.growing.recipe import Recipe
from boxwood.growing.termination import Termination
from boxwood.statistics.exact import Content, exact_classes, exact_mean
from boxwood.statistics.responses.classes import Classes
from boxwood.statistics.responses.means import Means
from boxwood.tree.descend import answer, route, route_shares
from twins.numeric_problems import NumericProblem, problem
from twins.test_codes import assert_equal

MISSING = ("surrogate", "majority", "learned", "own_branch")


def thinned(seed: int) -> tuple[NumericProblem, np.ndarray]:
    """The problem of a seed with a recipe for missing values, and its table with many zeros and some NaN."""
    given, rng = problem(seed), np.random.default_rng(10**7 + seed)
    X = np.column_stack(given.columns.values)
    X = np.where(rng.random(X.shape) < rng.choice([0.02, 0.2, 0.7, 1.0]), X, 0.0)
    if rng.random() < 0.5:
        X = np.where(rng.random(X.shape) < rng.choice([0.02, 0.3]), np.nan, X)
    X = np.column_stack([X, *(np.where(rng.random(len(X)) < 0.1, v, 0.0) for v in (1.0, -2.0, np.nan))])
    missing = Missing(MISSING[seed % 4], int(rng.choice([0, 5])), int(rng.integers(2)), rpart_quirk=rng.random() < 0.2)
    costs = tuple(rng.choice([0.5, 1.0, 3.0], X.shape[1]).tolist()) if rng.random() < 0.2 else None
    criterion = replace(given.recipe.criterion, feature_costs=costs, order_by_mean=bool(rng.random() < 0.2))
    recipe = replace(
        given.recipe, missing=missing, criterion=criterion, max_competitors=int(rng.choice([0, 3])),
        rank_cuts=bool(rng.random() < 0.3),
    )  # fmt: skip
    return given._replace(recipe=recipe), X


def source_of(given: NumericProblem, encoded: EncodedColumns) -> MemorySource:
    return MemorySource(encoded, np.arange(given.exact.n, dtype=np.uint32), given.response, given.exact, 2)


def both(X: np.ndarray) -> tuple[EncodedColumns, SparseEncoded]:
    columns = learn_columns(sp.csr_array(X))
    assert isinstance(columns, SparseColumns)
    return EncodedColumns(Matrix(columns.schema, X), 1), SparseEncoded(columns, 2)


@pytest.mark.parametrize("block", range(6))
def test_grows_the_tree_of_dense_columns(block):
    for seed in range(100 * block, 100 * block + 100):
        given, X = thinned(seed)
        dense, sparse = both(X)
        tree = grow(source_of(given, sparse), given.recipe, {})
        assert_equal(tree, grow(source_of(given, dense), given.recipe, {}))
        assert sparse.has_missing == np.isnan(X).any()


def test_trees_of_some_rows_side_by_side():
    for seed in range(60):
        given, X = thinned(seed)
        dense, sparse = both(X)
        keep = np.random.default_rng(seed).random((3, len(X))) < 0.7
        keep[:, 0] = True
        trees = [source_of(given, encoded).finish_each(given.recipe, list(keep)) for encoded in (sparse, dense)]
        for one, other in zip(*trees, strict=True):
            assert_equal(one, other)


def test_level_by_level():
    for seed in range(40):
        given, X = thinned(seed)
        termination = Termination(given.recipe.termination.max_depth, stop=lambda node: node.depth > 4)
        recipe = replace(given.recipe, termination=termination)
        dense, sparse = both(X)
        found = [grow(source_of(given, encoded), recipe, {}) for encoded in (sparse, dense)]
        assert_equal(*found)


def test_targets_that_differ_in_their_last_digits_alone():
    rng = np.random.default_rng(5)
    X = np.where(rng.random((400, 8)) < 0.2, rng.normal(size=(400, 8)), 0.0)
    y = rng.integers(0, 4, 400) * 2.0**-50 + (X[:, 0] > 0) * 1e3
    exact = exact_mean(y, None)
    given = NumericProblem(learn_columns(X), Means(), exact, Recipe(ImpurityDecrease("variance")))
    trees = [grow(source_of(given, encoded), given.recipe, {}) for encoded in both(X)]
    assert_equal(*trees)
    assert trees[0].n_nodes > 20


def with_repeats(rng: np.random.Generator) -> np.ndarray:
    """A small table in which rows, columns and symmetries repeat."""
    n, p = int(rng.choice([1, 2, 5, 30, 200])), int(rng.choice([1, 3, 10]))
    X = np.where(rng.random((n, p)) < rng.choice([0.1, 0.5, 1.0]), rng.integers(-2, 3, (n, p)), 0).astype(float)
    if rng.random() < 0.4:
        X[rng.random((n, p)) < 0.1] = np.nan
    if rng.random() < 0.5:
        X = np.repeat(X, 2, axis=0)
    if rng.random() < 0.5:
        X = np.column_stack([X, X[:, 0] + 1, -X[:, 0]])
    return np.vstack([X, -X]) if rng.random() < 0.3 else X


def content_of(rng: np.random.Generator, X: np.ndarray) -> Content:
    """A response and weights that repeat, or are a copy of a column."""
    n = len(X)
    weight = rng.integers(1, 3, n).astype(float) if rng.random() < 0.4 else None
    if rng.random() < 0.5:
        return Classes().content(exact_classes(rng.integers(0, 2, n).astype(np.int32), weight))
    y = np.nan_to_num(X[:, 0]) if rng.random() < 0.5 else rng.integers(0, 3, n) / 4
    return Means().content(exact_mean(y, weight))


def test_numbers_of_rows():
    for seed in range(400):
        rng = np.random.default_rng(seed)
        X = with_repeats(rng)
        content = content_of(rng, X)
        dense, sparse = both(X)
        for found, expected in zip(sparse.row_numbers(content, 1), dense.row_numbers(content, 1), strict=True):
            np.testing.assert_array_equal(found, expected)


def test_rows_take_the_same_paths(monkeypatch):
    monkeypatch.setattr("boxwood.data.columns.sparse.BLOCK", 500)  # several blocks
    monkeypatch.setattr("boxwood.growing.memory.sparse.BLOCK", 500)
    for seed in range(80):
        given, X = thinned(seed)
        dense, sparse = both(X)
        tree = grow(source_of(given, dense), given.recipe, {})
        rows = np.flatnonzero(np.random.default_rng(seed).random(len(X)) < 0.5).astype(np.uint32)
        if given.recipe.rank_cuts:
            found, expected = (encoded.parts(tree, rows, 1) for encoded in (sparse, dense))
            for name in ("row", "node", "share"):
                np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))
            continue
        columns = learn_columns(sp.csc_array(X)), Matrix(tree.schema, X)
        for some in (columns, tuple(c.take(rows) for c in columns)):
            for question in ("value", "node"):
                np.testing.assert_array_equal(*(answer(tree, question, c) for c in some))
            found, expected = (route(tree, c) for c in some)
            np.testing.assert_array_equal(found.node, expected.node)
            np.testing.assert_array_equal(found.flags, expected.flags)
            np.testing.assert_array_equal(*(route_shares(tree, c).node for c in some))
