"""Rules are those of the plain reference, rule by rule, on random tables of every kind of column."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from boxwood.algorithms.c45 import C45, PARAMETERS
from boxwood.algorithms.rules import rule_set
from boxwood.data.frames.frame import learn_columns
from boxwood.learning.learning_set import learning_set
from boxwood.learning.parameters import checked
from boxwood.pruning.error_based import Pessimism

from .reference_rules import ReferenceRules


def column(rng: np.random.Generator, n: int, kind: str):
    """Values of one column."""
    if kind == "levels":
        return pd.Categorical.from_codes(rng.integers(0, 6, n), list("abcdef"))
    if kind == "ordered":
        return pd.Categorical.from_codes(rng.integers(0, 4, n), ["low", "mid", "high", "top"], ordered=True)
    if kind == "large":
        return 2**53 + rng.integers(0, 30, n)
    return rng.normal(size=n) if kind == "numbers" else np.round(2 * rng.normal(size=n))


def table(seed: int, n: int, n_classes: int) -> tuple[pd.DataFrame, np.ndarray]:
    """Columns of all kinds, a tenth missing, and classes from a noisy score."""
    rng = np.random.default_rng(seed)
    kinds = ["levels", "ordered", "large", "numbers", "few"]
    X = pd.DataFrame({f"{kind} {i}": column(rng, n, kind) for i, kind in enumerate(rng.choice(kinds, 4))})
    score = sum(pd.Categorical(X[name]).codes % 7 * rng.normal() for name in X)
    score = score + rng.normal(size=n) * rng.choice([0.1, 2.0])
    is_missing = rng.random(X.shape) < [0.0 if X[name].dtype.kind == "i" else 0.1 for name in X]
    cuts = np.quantile(score, np.arange(1, n_classes) / n_classes)
    return X.mask(pd.DataFrame(is_missing, columns=X.columns)), np.digitize(score, cuts)


@pytest.mark.sample(5)
@pytest.mark.parametrize("weights", ["none", "whole", "real"])
@pytest.mark.parametrize(
    ("n", "n_classes", "theory_weight"), [(60, 3, 0.5), (65, 2, 0.0), (400, 2, 0.5), (640, 4, 3.0), (900, 3, 0.1)]
)
def test_rules_are_those_of_the_reference(n, n_classes, theory_weight, weights):
    X, y = table(n + n_classes, n, n_classes)
    rng = np.random.default_rng(n)
    weight = {"none": None, "whole": rng.integers(1, 4, n), "real": rng.uniform(0.2, 3.0, n)}[weights]
    columns = learn_columns(X)
    settings = checked(PARAMETERS, {"pruning": None, "min_branch_weight": 1.0, "group_levels": n == 640})
    target = C45.target(y, settings, weight=weight, exposure=None, name="y", task="classification")
    tree = C45.fit_target(columns, target, "classification", settings).full_tree
    learning = learning_set(columns, target, 1)
    pessimism = Pessimism(0.25)
    found = rule_set(tree, learning.columns, learning.exact, pessimism, theory_weight)
    expected = ReferenceRules(tree, learning.columns, learning.exact, pessimism, theory_weight)
    assert [(rule.conditions, rule.code, rule.accuracy) for rule in found.rules] == [
        (conditions, code, 1.0 - rate) for conditions, code, rate in expected.rules
    ]
    assert found.default == expected.default
