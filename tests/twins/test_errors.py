"""Classification error without a limit of depth: long chains of nodes are the same with runners-up and without."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from boxwood import CARTClassifier
from twins.test_codes import assert_equal


def table(rng: np.random.Generator, n: int) -> np.ndarray:
    """Columns of normal numbers, some of them in few values, in heaps, or all but constant."""
    X = rng.normal(size=(n, int(rng.integers(1, 6))))
    for j in range(X.shape[1]):
        style = rng.integers(5)
        if style == 0:
            X[:, j] = np.round(X[:, j] * rng.integers(1, 30))
        if style == 1:
            X[rng.random(n) < 0.6, j] = 0.5
        if style == 2:
            X[:, j] = X[:, j] > 2.5
    return X


def labels(rng: np.random.Generator, X: np.ndarray, classes: int) -> np.ndarray:
    """Classes of one size or of many, with some signal or none."""
    n = len(X)
    y = rng.integers(0, classes, n) if rng.random() < 0.5 else np.minimum(rng.geometric(0.5, n) - 1, classes - 1)
    return np.where(X[:, 0] > rng.normal(), 0, y) if rng.random() < 0.5 else y


def weights(rng: np.random.Generator, n: int) -> np.ndarray | None:
    """Whole weights, parts, numbers of all sizes, and some that differ by about what is still a tie."""
    style = rng.integers(6)
    if style == 0:
        return None
    if style == 1:
        return rng.integers(1, 4, n).astype(float)
    if style == 2:
        return rng.uniform(0.2, 3, n).round(3)
    if style == 3:
        return np.exp(rng.normal(size=n) * 3)
    if style == 4:
        return 1 + rng.integers(0, 5, n) * n * 10.0 ** rng.uniform(-13, -10)
    return rng.uniform(0.5, 1, n)


def compare(recipe: dict, X, y, w=None) -> int:
    """Assert that runners-up change no split; how deep the tree is."""
    alone = CARTClassifier(**recipe).fit(X, y, sample_weight=w)
    ranked = CARTClassifier(**recipe, max_competitors=1).fit(X, y, sample_weight=w)
    for part in ("parent", "moments", "missing"):
        np.testing.assert_array_equal(getattr(alone.tree_, part), getattr(ranked.tree_, part))
    for part in ("feature", "breaks", "breaks_start", "position", "index"):
        np.testing.assert_array_equal(getattr(alone.tree_.splits, part), getattr(ranked.tree_.splits, part))
    return alone.get_depth()


def recipe_of(rng: np.random.Generator) -> dict:
    """Limits that keep long chains."""
    return {
        "criterion": "error",
        "pruning": None,
        "min_samples_leaf": int(rng.choice([1, 1, 1, 2, 7])),
        "min_samples_split": int(rng.choice([2, 2, 30])),
        "min_impurity_decrease": float(rng.choice([0.0, 0.0, 2e-4])),
    }


def factors(rng: np.random.Generator, classes: int) -> dict:
    """Weights or priors of classes, in half of the problems."""
    parts = rng.uniform(0.1, 2, classes)
    choices = [
        {"class_weight": "balanced"},
        {"class_weight": dict(enumerate(parts))},
        {"priors": dict(enumerate(parts / parts.sum()))},
    ]
    return choices[rng.integers(3)] if rng.random() < 0.5 else {}


@pytest.mark.sample(2)
@pytest.mark.parametrize("block", range(8))
def test_runners_up_change_no_split(block):
    deepest = 0
    for seed in range(25 * block, 25 * block + 25):
        rng = np.random.default_rng(seed)
        X = table(rng, int(rng.integers(300, 2500)))
        y = labels(rng, X, int(rng.integers(2, 19)))
        deepest = max(deepest, compare(recipe_of(rng), X, y))
    assert deepest > 150


@pytest.mark.sample(2)
@pytest.mark.parametrize("block", range(8))
def test_nor_with_weights_and_factors(block):
    deepest = 0
    for seed in range(1000 + 20 * block, 1020 + 20 * block):
        rng = np.random.default_rng(seed)
        X = table(rng, int(rng.integers(300, 2500)))
        classes = int(rng.choice([2, 2, 3, 5, 9, 16]))
        y = np.r_[np.arange(classes), labels(rng, X, classes)[classes:]]
        deepest = max(deepest, compare(recipe_of(rng) | factors(rng, classes), X, y, weights(rng, len(y))))
    assert deepest > 150


@pytest.mark.sample(2)
@pytest.mark.parametrize("block", range(8))
def test_nor_with_missing_values(block):
    deepest = 0
    for seed in range(2000 + 20 * block, 2020 + 20 * block):
        rng = np.random.default_rng(seed)
        X = table(rng, int(rng.integers(300, 2500)))
        X[rng.random(X.shape) < rng.choice([0.001, 0.02, 0.1, 0.5])] = np.nan
        if rng.random() < 0.3:
            X[:, 0] = np.where(np.isnan(X[:, 0]), np.nan, 1.0)
        classes = int(rng.choice([2, 2, 3, 5, 9, 16]))
        y = np.r_[np.arange(classes), labels(rng, np.nan_to_num(X), classes)[classes:]]
        recipe = (
            recipe_of(rng) | factors(rng, classes) | {"missing": str(rng.choice(["learned", "learned", "majority"]))}
        )
        deepest = max(deepest, compare(recipe, X, y, weights(rng, len(y))))
    assert deepest > 60


@pytest.mark.sample(2)
@pytest.mark.parametrize("block", range(8))
def test_nor_with_nominal_columns(block):
    deepest = 0
    for seed in range(3000 + 20 * block, 3020 + 20 * block):
        rng = np.random.default_rng(seed)
        X = table(rng, int(rng.integers(300, 2500)))
        classes = int(rng.choice([2, 2, 3, 5, 9, 16]))
        y = np.r_[np.arange(classes), labels(rng, X, classes)[classes:]]
        frame = pd.DataFrame({f"c{j}": X[:, j] for j in range(X.shape[1])})
        for j in range(int(rng.integers(1, 4))):
            levels = int(rng.choice([2, 3, 9, 14, 60]))
            codes = np.minimum(rng.geometric(1.5 / levels, len(y)), levels) - 1
            codes[rng.random(len(y)) < rng.choice([0.0, 0.0, 0.1])] = -1
            frame.insert(
                int(rng.integers(frame.shape[1] + 1)), f"n{j}", pd.Categorical.from_codes(codes, list(range(levels)))
            )
        recipe = recipe_of(rng) | factors(rng, classes) | {"missing": str(rng.choice(["learned", "majority"]))}
        recipe |= {"level_correction": bool(rng.random() < 0.2), "min_samples_level": int(rng.choice([1, 5]))}
        deepest = max(deepest, compare(recipe, frame, y, weights(rng, len(y))))
    assert deepest > 60


def test_a_limit_of_depth_cuts_the_same_chain():
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(3000, 4)), rng.integers(0, 2, 3000)
    for depth in (8, 13, 100):
        limited = CARTClassifier(criterion="error", pruning=None, max_depth=depth).fit(X, y)
        ranked = CARTClassifier(criterion="error", pruning=None, max_depth=depth, max_competitors=1).fit(X, y)
        assert limited.get_depth() == depth
        np.testing.assert_array_equal(limited.tree_.parent, ranked.tree_.parent)
        np.testing.assert_array_equal(limited.tree_.splits.breaks, ranked.tree_.splits.breaks)


def test_same_tree_for_any_number_of_threads_and_order_of_rows():
    rng = np.random.default_rng(4)
    X, y = np.round(rng.normal(size=(9000, 5)), 2), rng.integers(0, 3, 9000)
    one = CARTClassifier(criterion="error", pruning=None, n_jobs=1).fit(X, y).tree_
    turned = rng.permutation(len(X))
    assert_equal(CARTClassifier(criterion="error", pruning=None, n_jobs=2).fit(X, y).tree_, one)
    other = CARTClassifier(criterion="error", pruning=None, n_jobs=2).fit(X[turned], y[turned]).tree_
    np.testing.assert_array_equal(other.moments, one.moments)
    np.testing.assert_array_equal(other.splits.breaks, one.splits.breaks)


def test_nor_with_ordered_levels():
    rng = np.random.default_rng(5)
    n = 1500
    size = pd.Categorical(rng.choice(["小", "中", "大"], n), categories=["小", "中", "大"], ordered=True)
    y = rng.integers(0, 2, n)
    ordered = pd.DataFrame({"크기": size, "width": rng.normal(size=n)})
    with_gaps = ordered.assign(width=ordered["width"].where(rng.random(n) > 0.1))
    nominal = ordered.assign(크기=pd.Categorical(size.astype(str)))
    for frame in (ordered, with_gaps, nominal):
        recipe = {"criterion": "error", "pruning": None, "missing": "learned"}
        alone = CARTClassifier(**recipe).fit(frame, y).tree_
        ranked = CARTClassifier(**recipe, max_competitors=1).fit(frame, y).tree_
        np.testing.assert_array_equal(alone.moments, ranked.moments)
        np.testing.assert_array_equal(alone.splits.breaks, ranked.splits.breaks)
        np.testing.assert_array_equal(alone.missing, ranked.missing)
