"""Columns in which much of the rows has one value: its bin is not opened, and the tree is that of other engines."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from boxwood import CARTClassifier, CARTRegressor

KINDS = ("amounts", "counts", "spikes", "signs", "gaps")


def table(kind: str, seed: int, n: int = 3000) -> np.ndarray:
    """Six columns of mostly zeros; the others of many values, so that a value has no bin of its own by right."""
    rng = np.random.default_rng(seed)
    rest = {
        "amounts": rng.exponential(size=(n, 6)).round(2),
        "counts": rng.poisson(900, size=(n, 6)).astype(float),
        "spikes": np.where(
            rng.random((n, 6)) < 0.5, rng.choice([1.0, np.nextafter(1.0, 2.0)], (n, 6)), rng.gamma(2, 1, (n, 6))
        ),
        "signs": rng.normal(size=(n, 6)),
        "gaps": np.where(rng.random((n, 6)) < 0.3, np.nan, rng.normal(size=(n, 6))),
    }[kind]
    return np.where(rng.random((n, 6)) < rng.choice([0.6, 0.9, 0.97, 0.99], 6), 0.0, rest)


def response(X: np.ndarray, seed: int) -> np.ndarray:
    """A number with signal and noise."""
    known = np.nan_to_num(X, nan=-1.0)
    return known[:, 0] + known[:, 1] * known[:, 2] + np.random.default_rng(seed).normal(size=len(X)).round(3)


def parts(tree) -> list[np.ndarray]:
    """What a tree decides, and its surrogates when a value is missing."""
    return [tree.parent, tree.moments, tree.splits.feature, tree.splits.breaks, tree.missing,
            tree.surrogates.feature, tree.surrogates.breaks, tree.surrogates.index, tree.agreement]  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "settings", [{"max_depth": 6}, {"missing": "learned"}, {"criterion": "entropy", "max_surrogates": 3}]
)
def test_dense_and_sparse_columns_give_the_same_tree(kind, settings):
    for seed in range(3):
        X = table(kind, seed)
        y = response(X, seed) > 0.3
        trees = [CARTClassifier(pruning=None, **settings).fit(given, y).tree_ for given in (X, sparse.csr_array(X))]
        assert trees[0].n_nodes > 20
        for dense, other in zip(*map(parts, trees), strict=True):
            np.testing.assert_array_equal(dense, other)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "spikes"])  # whose neighbouring floats become one
def test_the_heavy_value_may_be_any(kind):
    X = table(kind, 7)
    y = response(X, 7)
    zero = CARTRegressor(pruning=None).fit(X, y).tree_
    for factor, shift in ((1.0, -1.0), (-2.0, 0.0), (0.5, 4.0)):
        other = CARTRegressor(pruning=None).fit(factor * X + shift, y).tree_
        assert other.n_nodes == zero.n_nodes
        if factor > 0:
            np.testing.assert_array_equal(other.splits.feature, zero.splits.feature)
            np.testing.assert_array_equal(other.moments, zero.moments)


def test_threads_do_not_matter():
    X = table("amounts", 11, 20_000)
    y = response(X, 11)
    one, two = (CARTRegressor(pruning=None, n_jobs=n).fit(X, y).tree_ for n in (1, 2))
    for a, b in zip(parts(one), parts(two), strict=True):
        np.testing.assert_array_equal(a, b)
