"""Sets of levels for three classes and more: the set found is the best of all."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from boxwood import Binary, CARTClassifier, Termination, TreeClassifier


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
        branching = Binary(exhaustive_levels=12)
        model = TreeClassifier(
            branching=branching, criterion=measure.__name__, termination=Termination(max_depth=1), pruning=None
        ).fit(frame, y)
        found = sum(side.sum() * measure(side / side.sum()) for side in model.tree_.moments[1:])
        assert found == pytest.approx(best_set(codes, y, measure), rel=1e-12)


def best_along_direction(codes: np.ndarray, y: np.ndarray, measure) -> float:
    """The same of the cuts along the leading eigenvector of what the levels' shares of classes spread over."""
    counts = np.array([np.bincount(y[codes == level], minlength=y.max() + 1) for level in np.unique(codes)])
    rows, whole = counts.sum(axis=1), counts.sum(axis=0)
    shares = counts / rows[:, None]
    off = shares - whole / whole.sum()
    direction = np.linalg.eigh((off * rows[:, None]).T @ off)[1][:, -1]
    least = np.inf
    for left in np.cumsum(counts[np.argsort(shares @ direction)], axis=0)[:-1]:
        least = min(least, sum(side.sum() * measure(side / side.sum()) for side in (left, whole - left)))
    return least


@pytest.mark.parametrize("levels", [11, 12, 17, 40])
@pytest.mark.parametrize("classes", [3, 9, 40])
@pytest.mark.parametrize("measure", [gini, entropy])
def test_many_levels_are_cut_along_the_direction_in_which_they_differ_most(levels, classes, measure):
    for seed in range(6):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(20, 60)) * levels
        codes, y = rng.integers(0, levels, n), rng.integers(0, classes, n)
        y = np.where(rng.random(n) < rng.choice([0.0, 0.3, 0.9]), codes * 7 % classes, y)
        frame = pd.DataFrame({"층": pd.Categorical.from_codes(codes, [f"레벨{level}" for level in range(levels)])})
        tree = CARTClassifier(criterion=measure.__name__, max_depth=1, pruning=None).fit(frame, y).tree_
        found = sum(side.sum() * measure(side / side.sum()) for side in tree.moments[1:])
        assert tree.heuristic[0]
        assert found == pytest.approx(best_along_direction(codes, y, measure), rel=1e-12)


def mixed(rng: np.random.Generator, classes: int) -> tuple[pd.DataFrame, np.ndarray, np.ndarray | None]:
    """Numbers and levels, some of them missing, classes of all sizes, weights or none."""
    n = int(rng.integers(60, 700))
    frame = pd.DataFrame()
    for j in range(int(rng.integers(2, 7))):
        levels, style = int(rng.integers(2, 16)), rng.integers(3)
        codes = rng.integers(0, levels, n)
        codes[rng.random(n) < rng.choice([0.0, 0.1])] = -1
        if style == 0:
            frame[f"c{j}"] = pd.Categorical.from_codes(codes, [f"수준{v}" for v in range(levels)])
        elif style == 1:
            frame[f"c{j}"] = np.where(codes < 0, np.nan, codes)
        else:
            frame[f"c{j}"] = rng.normal(size=n)
    near = frame["c0"].cat.codes if frame["c0"].dtype == "category" else frame["c0"].fillna(0)
    y = np.where(rng.random(n) < 0.5, np.abs(near * 3).astype(int) % classes, rng.geometric(0.1, n) % classes)
    weight = [None, rng.uniform(0.2, 3, n), rng.integers(1, 5, n).astype(float), np.exp(3 * rng.normal(size=n))][
        rng.integers(4)
    ]
    return frame, y, weight


@pytest.mark.parametrize("criterion", ["gini", "entropy", "error"])
@pytest.mark.parametrize("block", range(4))
def test_columns_that_cannot_win_change_nothing(criterion, block):
    for seed in range(15 * block, 15 * block + 15):
        rng = np.random.default_rng(seed)
        frame, y, weight = mixed(rng, int(rng.choice([3, 8, 40, 120])))
        recipe = {
            "criterion": criterion,
            "pruning": None,
            "missing": str(rng.choice(["learned", "majority", "own_branch"])),
            "min_samples_leaf": int(rng.choice([1, 1, 4])),
            "max_depth": [None, 6][rng.integers(2)],
        }
        bounded = CARTClassifier(**recipe).fit(frame, y, sample_weight=weight).tree_
        searched = CARTClassifier(**recipe, max_competitors=1).fit(frame, y, sample_weight=weight).tree_
        for part in ("parent", "moments", "missing"):
            np.testing.assert_array_equal(getattr(bounded, part), getattr(searched, part))
        for part in ("feature", "breaks", "position", "index", "index_start"):
            np.testing.assert_array_equal(getattr(bounded.splits, part), getattr(searched.splits, part))
