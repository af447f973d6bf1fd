"""Surrogates among many columns are the same with runners-up and without, in tables of any width."""

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
