"""Sets of levels for three classes and more: what the look from afar leaves is the best of all sets."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from boxwood import Branching, Termination, TreeClassifier


def best_set(codes: np.ndarray, y: np.ndarray, measure) -> float:
    """The least impurity of two sets of levels, weighted by rows, by trying all of them."""
    levels = np.unique(codes)
    counts = np.array([np.bincount(y[codes == level], minlength=y.max() + 1) for level in levels])
    whole = counts.sum(axis=0)
    least = np.inf
    for bits in range(1, 2 ** (len(levels) - 1)):
        left = counts[[bool(bits >> g & 1) for g in range(len(levels))]].sum(axis=0)
        least = min(least, sum(side.sum() * measure(side / side.sum()) for side in (left, whole - left)))
    return least


def gini(share: np.ndarray) -> float:
    return 1.0 - float(share @ share)


def entropy(share: np.ndarray) -> float:
    return -float(share[share > 0] @ np.log2(share[share > 0]))


@pytest.mark.parametrize("levels", [4, 10, 11, 12])
@pytest.mark.parametrize("measure", [gini, entropy])
def test_the_best_of_all_sets_of_levels_is_found(levels, measure):
    for seed in range(4):
        rng = np.random.default_rng(seed)
        codes, y = rng.integers(0, levels, 700), rng.integers(0, 5, 700)
        y = np.where(rng.random(700) < 0.3, codes * 7 % 5, y)
        frame = pd.DataFrame({"층": pd.Categorical([f"레벨{code}" for code in codes])})
        branching = Branching(exhaustive_levels=12)
        model = TreeClassifier(
            branching=branching, criterion=measure.__name__, termination=Termination(max_depth=1), pruning=None
        ).fit(frame, y)
        found = sum(side.sum() * measure(side / side.sum()) for side in model.tree_.moments[1:])
        assert found == pytest.approx(best_set(codes, y, measure), rel=1e-12)
