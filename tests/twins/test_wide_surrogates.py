"""Surrogates among many columns are the same with runners-up and without, and those that every cut was tried for."""

from dataclasses import fields

import numpy as np
import pandas as pd
import pytest

from boxwood import CARTClassifier, CARTRegressor
from boxwood.tree.split import SplitTable


def problem(seed, n, n_columns):
    """Columns of which some follow others, some have few values, some categories; a tenth of all values missing."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, n_columns))
    half = n_columns // 2
    X[:, half:] = X[:, : n_columns - half] + rng.choice([0.0, 0.1, 1.0], n_columns - half) * X[:, half:]
    X[:, ::5] = np.round(X[:, ::5] * 4)
    X[:, 1] = np.where(rng.random(n) < 0.6, 0.0, np.exp(4 * X[:, 1]))
    score = X[:, 0] + X[:, 2] * X[:, 3] + rng.normal(size=n)
    X[rng.random(X.shape) < 0.1] = np.nan
    frame = pd.DataFrame(X, columns=[f"x{j}" for j in range(n_columns)])
    if seed % 2:
        frame["c"] = pd.cut(frame["x2"], 6).cat.codes.replace(-1, np.nan).astype("category")
    return frame, score


def assert_same_surrogates(one, other):
    """The same splits, surrogates and rows."""
    for name in ("splits", "surrogates"):
        a, b = getattr(one, name), getattr(other, name)
        for part in fields(SplitTable):
            assert np.array_equal(getattr(a, part.name), getattr(b, part.name))
    for name in ("missing", "rows", "moments", "surrogate_start", "agreement", "adjusted"):
        assert np.array_equal(getattr(one, name), getattr(other, name))


@pytest.mark.sample(5)
@pytest.mark.parametrize("n_columns", [5, 15, 16, 17, 33, 48])
@pytest.mark.parametrize(("n", "depth"), [(3_000, None), (12_000, 6), (70_000, 3)])
def test_the_general_grower_finds_the_same(n, depth, n_columns):
    for seed in range(2):
        frame, score = problem(seed, n, n_columns)
        weight = np.random.default_rng(seed).choice([1.0, 2.5], n) if n == 12_000 else None
        cases = [(CARTClassifier, score > 0)] if n > 3_000 else [(CARTClassifier, score > 0), (CARTRegressor, score)]
        for kind, y in cases:
            settings = {"pruning": None, "max_depth": depth, "max_surrogates": 5, "n_jobs": 1 + seed}
            by_codes = kind(**settings).fit(frame, y, sample_weight=weight).tree_
            general = kind(**settings, max_competitors=1).fit(frame, y, sample_weight=weight).tree_
            assert len(by_codes.agreement) > 0
            assert_same_surrogates(by_codes, general)


def best_agreement(x, goes_left, weight, known):
    """The weight that the best cut of a column sends as the split does, by trying every cut; -1 where there is none."""
    known = known & ~np.isnan(x)
    order = np.argsort(x[known], kind="stable")
    value = x[known][order]
    lead = np.cumsum(np.where(goes_left[known], weight[known], -weight[known])[order])
    below = np.flatnonzero(value[:-1] < value[1:])
    below = below[(below >= 1) & (below <= len(value) - 3)]  # two rows on each side
    if not len(below):
        return -1.0
    right = weight[known & ~goes_left].sum()
    left = weight[known & goes_left].sum()
    return max(float(right + lead[below].max()), float(left - lead[below].min()))


@pytest.mark.parametrize("weights", [False, True])
@pytest.mark.parametrize("n", [1_500, 7_000, 9_000, 40_000])
def test_no_cut_agrees_better_than_those_kept(n, weights):
    frame, score = problem(0, n, 12)
    weight = np.random.default_rng(n).integers(1, 4, n).astype(float) if weights else np.ones(n)
    tree = CARTRegressor(pruning=None, max_depth=1, max_surrogates=4).fit(frame, score, sample_weight=weight).tree_
    own = frame.iloc[:, tree.splits.feature[0]].to_numpy()
    known, goes_left = ~np.isnan(own), own <= tree.splits.breaks[0]
    whole = weight[known].sum()
    majority = max(weight[known & goes_left].sum(), weight[known & ~goes_left].sum())
    agreed = {
        j: best_agreement(frame.iloc[:, j].to_numpy(), goes_left, weight, known)
        for j in range(frame.shape[1])
        if j != tree.splits.feature[0]
    }
    best = sorted((j for j in agreed if agreed[j] > majority), key=lambda j: (-agreed[j], j))[:4]
    assert tree.surrogates.feature.tolist() == best
    assert tree.agreement.tolist() == [agreed[j] / whole for j in best]
