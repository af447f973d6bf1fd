"""Random trees of scikit-learn: every class, criterion and setting, of data about the ends of single precision."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeClassifier, ExtraTreeRegressor

import boxwood
from readers.drawn_tables import Drawn, hostile, numbers, response

CLASSIFIERS = (DecisionTreeClassifier, ExtraTreeClassifier)
REGRESSORS = (DecisionTreeRegressor, ExtraTreeRegressor)


def settings(rng: np.random.Generator, width: int, classes: bool) -> dict:
    """Settings that change what a tree is."""
    criteria = ["gini", "entropy", "log_loss"] if classes else ["squared_error", "absolute_error", "poisson"]
    found = {
        "criterion": str(rng.choice(criteria)), "max_depth": rng.choice([None, 1, 3, 8]), "random_state": 1,
        "min_samples_leaf": int(rng.choice([1, 5])), "max_leaf_nodes": rng.choice([None, 2, 9]),
        "ccp_alpha": float(rng.choice([0, 0.01])), "max_features": rng.choice([None, 1]),
    }  # fmt: skip
    if rng.random() < 0.2:
        found["monotonic_cst"] = rng.integers(-1, 2, width)
    if classes and rng.random() < 0.3:
        found["class_weight"] = "balanced"
    return found


def single(column: np.ndarray) -> np.ndarray:
    """Numbers that scikit-learn takes: infinite in single precision is refused."""
    return np.where(np.abs(column) > 3.4e38, np.nan, column)


def column(rng: np.random.Generator, n: int) -> np.ndarray:
    """Numbers, some of them at the ends of what single precision holds."""
    most = np.finfo(np.float32).max
    if rng.random() < 0.2:
        return rng.choice([most, -most, float(np.nextafter(most, np.float32(0))), 0.0, 1e-45, -1e-45, 2e38], n)
    return numbers(rng, n)


def drawn(seed: int, folder: Path) -> Iterator[Drawn]:
    """One model."""
    rng = np.random.default_rng([seed, 13])
    n, width, classes = int(rng.integers(10, 200)), int(rng.integers(1, 5)), bool(rng.random() < 0.5)
    kind = (CLASSIFIERS if classes else REGRESSORS)[rng.integers(2)]
    options = settings(rng, width, classes)
    X = np.column_stack([column(rng, n) for _ in range(width)])
    takes_missing = kind(**options).__sklearn_tags__().input_tags.allow_nan and "monotonic_cst" not in options
    if not takes_missing:
        X = np.nan_to_num(X, nan=0.5)
    y = response(rng, list(X.T))
    if classes:
        y = np.array(["春", "b", "c"])[np.digitize(y, np.quantile(y, [0.3, 0.7]))]
        y = np.where(y == "c", "b", y) if "monotonic_cst" in options else y
    elif options["criterion"] == "poisson":
        y = np.abs(y) + 0.1
    weight = rng.choice([0.0, 0.5, 1.0, 3.0], n) if rng.random() < 0.3 else None
    with np.errstate(all="ignore"):  # it sums rows to see whether they are finite
        model = kind(**options).fit(X, y, sample_weight=weight)
    cuts = model.tree_.threshold[model.tree_.feature >= 0]
    rows = X[rng.integers(0, n, 160)]
    odd = single(hostile(rng, cuts.tolist(), rows.size)).reshape(rows.shape)
    rows = np.where(rng.random(rows.shape) < 0.4, odd, rows)
    if not takes_missing:
        rows = np.nan_to_num(rows, nan=0.5)
    with np.errstate(all="ignore"):
        predicted, probability = model.predict(rows), model.predict_proba(rows) if classes else None
    yield Drawn(boxwood.from_sklearn(model), rows, predicted, probability)
