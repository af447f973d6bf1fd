"""The candidate partitions of a node by one feature with their moments, and the one that a criterion selects."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..data.columns.schema import Schema
from .tables import FeatureTable
from .trials import NodeTable, Trials


@dataclass(frozen=True, eq=False)
class Partitions:
    """The candidate partitions of a node by one feature, and what they are scored by.

    Attributes
    ----------
    table : NodeTable
        What occurs in the node: values, numbers of samples and moments, for criteria that test the feature as a whole.
    trials : Trials
    children : float64, shape (C, B, M)
        Moments of the branches; a branch of missing values comes last where the policy gives them one.
    parent : float64, shape (M,)
        Moments of the samples that the children share.
    weight : float64, shape (C, B)
        Of the branches.
    node : float64, shape (M,)
        Moments of all samples of the node, also of those that have no branch.
    total : float
        Weight of all samples of the node.
    """

    table: NodeTable
    trials: Trials
    children: np.ndarray
    parent: np.ndarray
    weight: np.ndarray
    node: np.ndarray
    total: float

    @property
    def known(self) -> float:
        """Weight of the samples that have a branch."""
        return float(self.weight[0].sum())


@dataclass(frozen=True, eq=False)
class BestPartition:
    """The partition of a feature that a criterion takes.

    Attributes
    ----------
    number : int
        Number of the trial.
    value : float
        A gain less its charge, a decrease per unit of weight, or the score of a user's function: what reports show.
    compared : float
        What features are ranked by, in a unit in which rounding is about 1e-16.
    intrinsic : float
        Intrinsic value in bits, the unknown group included; NaN where the criterion has no use for it.
    log_p : float
        ln of the p-value of a test; ``ranked`` may replace it by the adjusted one. NaN where there is no test.
    """

    number: int
    value: float
    compared: float
    intrinsic: float = np.nan
    log_p: float = np.nan


@dataclass(frozen=True, eq=False)
class FeatureSplit:
    """The best split of a feature at a node: its table, the partition, the rank it gets and the score that is shown."""

    feature: int
    table: FeatureTable
    trials: Trials
    best: BestPartition
    compared: float
    score: float

    @property
    def branch(self) -> np.ndarray:
        """Branch of each value of the table, shape (V,)."""
        return self.trials.branch(self.best.number)

    @property
    def n_branches(self) -> int:
        """Number of branches, the one of missing values not counted."""
        return int(self.branch.max()) + 1 if self.trials.kind == "proposed" else self.trials.rows.shape[1]


@dataclass(frozen=True)
class LearningStats:
    """What a criterion may need to know of the learning set when it compares features.

    Attributes
    ----------
    schema : Schema
    n : int
        Rows.
    whole : float
        Their weight.
    grouped : bool
        Levels are merged into groups before a feature is scored.
    least_decrease : float
        ``min_impurity_decrease`` of the termination.
    """

    schema: Schema
    n: int
    whole: float
    grouped: bool = False
    least_decrease: float = 0.0
