"""Blocks of rows through a plan, from tables of every type and layout: rows end where they end one by one."""

import mmap

import numpy as np
import pandas as pd
import pytest

from boxwood import CARTClassifier, CARTRegressor
from boxwood.data.frames.frame import read_columns
from boxwood.tree.descend import answer, route


def problem(rng, n, n_levels):
    """Numbers, of which some are missing or infinite, categories, and two classes that depend on all."""
    X = rng.normal(size=(n, 4))
    X[rng.random(X.shape) < 0.08] = np.nan
    X[rng.random(X.shape) < 0.01] = np.inf
    codes = rng.integers(-1, n_levels, (n, 3))
    effect = rng.normal(size=(3, n_levels + 1))
    score = np.nan_to_num(X, posinf=1.0) @ rng.normal(size=4) + effect[np.arange(3), codes].sum(axis=1)
    frame = pd.DataFrame(X, columns=list("wxyz"))
    for j in range(3):
        frame[f"c{j}"] = pd.Categorical.from_codes(codes[:, j], [f"l{v}" for v in range(n_levels)])
    return frame, (score + rng.normal(size=n) > 0).astype(int)


@pytest.mark.parametrize("missing", ["surrogate", "majority", "own_branch", "stay"])
@pytest.mark.parametrize("n_levels", [3, 12, 20, 40, 60, 300])
def test_rows_end_alike_at_every_depth(n_levels, missing):
    rng = np.random.default_rng(n_levels)
    frame, y = problem(rng, 3000, n_levels)
    for depth in (4, 5, 6, None):
        tree = CARTClassifier(pruning=None, max_depth=depth, missing=missing).fit(frame[:2000], y[:2000]).tree_
        columns = read_columns(frame, tree.schema)
        expected = route(tree, read_columns(frame, tree.schema).take(np.arange(len(frame)))).node
        assert np.array_equal(answer(tree, "node", columns), expected)


@pytest.mark.parametrize("kind", ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8"])
@pytest.mark.parametrize("n_levels", [2, 15, 16, 17, 31, 32, 33, 100])
def test_levels_that_are_numbers_of_any_type(kind, n_levels):
    rng = np.random.default_rng(n_levels)
    X = rng.permutation(n_levels)[rng.integers(0, n_levels, (1500, 3))]
    y = (np.sin(X).sum(axis=1) + rng.normal(size=1500) * 0.3 > 0).astype(int)
    model = CARTClassifier(pruning=None, categorical_features=[0, 1, 2]).fit(X[:1000].astype(kind), y[:1000])
    for table in (X, (X + (rng.random(X.shape) < 0.02)), X % 7):
        table = np.asfortranarray(table.astype(kind))
        columns = read_columns(table, model.tree_.schema)
        expected = route(model.tree_, columns.take(np.arange(len(X)))).node
        assert np.array_equal(answer(model.tree_, "node", columns), expected)


@pytest.mark.parametrize("width", [3, 4, 8, 9, 11, 20, 30, 40])
def test_rows_side_by_side_are_gathered_into_columns(width):
    rng = np.random.default_rng(width)
    X = rng.normal(size=(1500, width))
    nominal = sorted(rng.choice(width, size=width // 3 + 1, replace=False).tolist())
    for j in nominal:
        X[:, j] = rng.integers(0, rng.choice([3, 12, 30, 60]), len(X))
    y = (np.sin(X) @ rng.normal(size=width) + rng.normal(size=len(X)) * 0.3 > 0).astype(int)
    X[rng.random(X.shape) < 0.05] = np.nan
    tree = CARTClassifier(pruning=None, categorical_features=nominal).fit(X[:1000], y[:1000]).tree_
    odd = np.where(rng.random(X.shape) < 0.02, X + 0.5, X)  # numbers that are not levels
    wide = np.repeat(X, 2, axis=1)
    for table in (X, odd, X[::-1], X[::3], wide[:, ::2], X.astype(np.float32), X[:65]):
        columns = read_columns(table, tree.schema)
        expected = route(tree, columns.take(np.arange(len(table)))).node
        assert np.array_equal(answer(tree, "node", columns), expected)


def test_only_columns_that_are_tested_are_read():
    """The last row of a table ends where memory ends."""
    rng = np.random.default_rng(0)
    with mmap.mmap(-1, mmap.PAGESIZE * 6) as memory:
        room = np.frombuffer(memory, np.float64)
        X = room[-64 * 20 * (len(room) // 1280) :].reshape(-1, 20)[:, -3:]
        X[:] = rng.integers(0, 5, X.shape)
        y = (X.sum(axis=1) + rng.normal(size=len(X)) > 6).astype(int)
        tree = CARTClassifier(pruning=None, categorical_features=[0], min_samples_leaf=1).fit(X, y).tree_
        columns = read_columns(X, tree.schema)
        expected = route(tree, columns.take(np.arange(len(X)))).node
        assert np.array_equal(answer(tree, "node", columns), expected)
        del X, room, columns


@pytest.mark.parametrize("missing", ["surrogate", "majority", "own_branch", "stay"])
@pytest.mark.parametrize("depth", [6, 7, 8, 9, 12])
def test_deep_trees_and_tables_of_every_layout(depth, missing):
    """By rows and by columns, as arrays and frames, with unknown levels, and with fewer rows than a block."""
    rng = np.random.default_rng(depth)
    n = 64 * 30 + 17
    frame, y = problem(rng, 2 * n, 12)
    model = CARTClassifier(pruning=None, max_depth=depth, missing=missing, min_samples_leaf=1).fit(frame[:n], y[:n])
    new = frame.copy()
    new["c0"] = pd.Categorical.from_codes(frame["c0"].cat.codes, [f"l{v}" for v in range(11)] + ["unknown"])
    by_rows = pd.concat(
        [pd.DataFrame(frame[list("wxyz")].to_numpy().copy(order="C"), columns=list("wxyz")), frame.iloc[:, 4:]], axis=1
    )
    narrow = frame.astype(dict.fromkeys("wxyz", np.float32))
    for table in (frame, new, by_rows, narrow, frame[:64], frame[:63], frame[:n]):
        columns = read_columns(table, model.tree_.schema)
        expected = route(model.tree_, read_columns(table, model.tree_.schema).take(np.arange(len(table)))).node
        assert np.array_equal(answer(model.tree_, "node", columns), expected)
    X = np.column_stack([frame[list("wxyz")], *(frame[c].cat.codes.replace(-1, np.nan) for c in ("c0", "c1", "c2"))])
    tree = (
        CARTClassifier(pruning=None, max_depth=depth, missing=missing, categorical_features=[4, 5, 6])
        .fit(X[:n], y[:n])
        .tree_
    )
    for table in (X, np.asfortranarray(X), X.astype(np.float32), np.where(X == 3, 3.5, X)):
        columns = read_columns(table, tree.schema)
        expected = route(tree, columns.take(np.arange(len(table)))).node
        assert np.array_equal(answer(tree, "node", columns), expected)


@pytest.mark.parametrize("missing", ["surrogate", "majority", "learned", "own_branch", "stay"])
def test_rows_that_lack_something_below_complete_columns_alone(missing):
    """Six complete columns without surrogates at the top; below them a surrogate serves for a missing number."""
    cells = np.stack(np.meshgrid(*[[0, 1, 1]] * 6, range(16)), axis=-1).reshape(-1, 7)  # no column tells of another
    bits, g = cells[:, :6], cells[:, 6] // 2
    frame = pd.DataFrame(bits.astype(float), columns=list("abcdef"))
    frame["f"] = pd.Categorical.from_codes(bits[:, 5], ["no", "yes"])
    frame["g"] = np.where(np.isin(cells[:, 6], (4, 9)), np.nan, g)
    frame["like"] = np.array([0, 1, 3, 2, 4, 5, 6, 7])[g] * 1.0
    y = bits @ 4.0 ** -np.arange(6) + 1e-4 * (g > 2)
    tree = CARTRegressor(pruning=None, max_depth=7, missing=missing, max_surrogates=1).fit(frame, y).tree_
    depth = np.zeros(tree.n_nodes, int)
    for t in range(1, tree.n_nodes):
        depth[t] = depth[tree.parent[t]] + 1
    has_surrogates = np.diff(tree.surrogate_start) > 0
    assert np.unique(tree.splits.feature[(depth < 6) & ~tree.is_leaf]).tolist() == [0, 1, 2, 3, 4, 5]
    assert has_surrogates[depth < 6].sum() == 0
    assert has_surrogates[depth == 6].any() == (missing == "surrogate")
    columns = read_columns(frame, tree.schema)
    expected = route(tree, columns.take(np.arange(len(y)))).node
    assert np.array_equal(answer(tree, "node", columns), expected)
