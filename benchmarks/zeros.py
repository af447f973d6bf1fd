"""Dense columns of which most values are zero, as amounts and counts are: the table, and the fits that are timed."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np


def problem(rows: int, classes: bool, share: float = 0.9) -> tuple[np.ndarray, np.ndarray]:
    """20 columns of zeros and exponential numbers, four of which matter."""
    rng = np.random.default_rng(0)
    X = np.where(rng.random((rows, 20)) < share, 0.0, rng.exponential(size=(rows, 20)))
    score = X[:, 0] + X[:, 1] * X[:, 2] + np.sin(3 * X[:, 3]) + 0.3 * rng.normal(size=rows)
    return X, (score > np.median(score)).astype(int) if classes else score


def fits(X, y, classes: bool, depth: int | None) -> dict[str, Callable[[], object]]:
    """One tree of each program, by name."""
    from lightgbm import LGBMClassifier, LGBMRegressor
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    from boxwood import CARTClassifier, CARTRegressor

    ours, tree = (CARTClassifier, DecisionTreeClassifier) if classes else (CARTRegressor, DecisionTreeRegressor)
    boosted = LGBMClassifier if classes else LGBMRegressor
    one_round = {"n_estimators": 1, "min_child_samples": 1, "n_jobs": 1, "verbose": -1}
    limits = {"num_leaves": 2 ** (depth or 17), "max_depth": depth or -1}
    return {
        "boxwood": lambda: ours(pruning=None, max_surrogates=0, max_depth=depth, n_jobs=1).fit(X, y),
        "scikit-learn": lambda: tree(max_depth=depth, random_state=0).fit(X, y),
        "LightGBM": lambda: boosted(**one_round, **limits).fit(X, y),
    }
