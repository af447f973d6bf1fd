"""Random learning sets for the laws: numeric, ordinal and nominal columns with ties and missing values."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from boxwood.algorithms import REGISTRY
from boxwood.data.columns.columns import Columns
from boxwood.data.columns.schema import MISSING, NOMINAL, NUMERIC, ORDINAL, Feature, Schema
from boxwood.model.tree_model import TreeModel

CART = REGISTRY["cart"]


@dataclass(frozen=True)
class Problem:
    """X as columns, y, and the task."""

    columns: Columns
    y: np.ndarray
    task: str

    def fit(self, weight=None, **settings) -> TreeModel:
        """A model of this problem."""
        settings = {"pruning": None, "n_jobs": 1} | settings
        return CART.fit(self.columns, self.y, task=self.task, settings=settings, weight=weight)

    def rows(self, rows: np.ndarray) -> Problem:
        """The same problem with other rows."""
        return Problem(self.columns.take(np.asarray(rows)), self.y[rows], self.task)

    def with_columns(self, values: list, features: list[Feature]) -> Problem:
        """The same rows and y with other columns."""
        columns = Columns(Schema(tuple(features)), self.columns.n, tuple(values), (None,) * len(values), {})
        return Problem(columns, self.y, self.task)


def make(seed: int, n: int = 60, task: str = "classification", missing: float = 0.1, ties: bool = True) -> Problem:
    """A problem with three numeric, one ordinal and two nominal columns whose y depends on some of them."""
    rng = np.random.default_rng(seed)
    numeric = rng.normal(size=(3, n))
    if ties:
        numeric[0] = np.round(numeric[0] * 2) / 2
    grade = rng.integers(0, 4, n)
    colour, town = rng.integers(0, 5, n), rng.integers(0, 3, n)
    score = numeric[0] + 0.7 * (grade > 1) - 0.9 * np.isin(colour, (1, 3)) + rng.normal(size=n) * 0.6
    y = np.digitize(score, [-0.4, 0.6]) if task == "classification" else np.round(score, 3)
    values = [*numeric, grade.astype(np.int32), colour.astype(np.int32), town.astype(np.int32)]
    for v in values:
        is_missing = rng.random(n) < missing
        v[is_missing] = np.nan if v.dtype == float else MISSING
    features = [Feature(f"n{j}", NUMERIC) for j in range(3)]
    features += [Feature("grade", ORDINAL, ("low", "mid", "high", "top"))]
    features += [Feature("色", NOMINAL, tuple("ABCDE")), Feature("도시", NOMINAL, ("가", "나", "다"))]
    columns = Columns(Schema(tuple(features)), n, tuple(values), (None,) * len(values), {})
    return Problem(columns, y, task)


seeds = st.integers(0, 10_000)
tasks = st.sampled_from(["classification", "regression"])
policies = st.sampled_from(["surrogate", "majority", "learned", "own_branch"])


def shape(model: TreeModel, values: bool = True) -> tuple:
    """Everything that makes two trees the same, as plain values that compare bit for bit."""
    tree = model.tree
    parts = [tree.parent, tree.n_children, tree.splits.feature, tree.splits.breaks, tree.splits.index, tree.missing]
    parts += [tree.surrogates.feature, tree.surrogates.breaks, tree.surrogates.index, tree.surrogate_start]
    if values:
        parts += [tree.moments, tree.rows, np.nan_to_num(tree.score, nan=-1.0), tree.agreement]
    return tuple(part.tobytes() for part in parts)
