"""The measures of the theory for the parts into which a feature divides a node, as one row of numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import singledispatch

import numpy as np

from ..statistics.measures import chi_squared, f_statistic, likelihood_ratio
from ..statistics.responses.classes import Classes
from ..statistics.responses.means import Means
from ..statistics.responses.response import Response
from ..statistics.shares import classification_error, entropy, gini


@dataclass(frozen=True, eq=False)
class Partition:
    """A feature at a node: the moments of its parts and of the samples without a value.

    Attributes
    ----------
    response : Response
    parts : float64, shape (B, M)
    unknown : float64, shape (M,)
    counts_unknown : bool
        The samples without a value are one more group of the intrinsic value (C4.5).
    """

    response: Response
    parts: np.ndarray
    unknown: np.ndarray
    counts_unknown: bool = False

    @property
    def mass(self) -> np.ndarray:
        """Weights of the parts as impurity counts them: priors and costs are in them; float64, shape (B, K)."""
        return self.parts * np.asarray(self.response.search_factors)

    @property
    def unknown_mass(self) -> np.ndarray:
        """The same for the samples without a value, shape (K,)."""
        return self.unknown * np.asarray(self.response.search_factors)

    @property
    def known(self) -> float:
        """Share of the node's weight whose value is known."""
        response = self.response
        there = float(response.weight(response.masses(self.parts)).sum())
        missing = float(response.weight(response.masses(self.unknown)))
        return there / (there + missing) if there + missing > 0 else math.nan


def measured(partition: Partition) -> dict[str, float]:
    """All measures of a feature at a node.

    Returns
    -------
    dict of str to float
        Classes: entropy and conditional_entropy of the samples with a value, gain = known (entropy - conditional
        entropy), intrinsic_value, gain_ratio, gini, gini_index, gini_decrease, error, error_after, chi_squared, df, p,
        log_p, likelihood_ratio. Means: variance, variance_after, variance_decrease, f, df, df_within, p, log_p. Rates:
        deviance, deviance_after, deviance_decrease (per unit of weight).
    """
    if not len(partition.parts) or not partition.known > 0:
        return {"known": 0.0}
    return {"known": partition.known, **_measured(partition.response, partition)}


@singledispatch
def _measured(response: Response, partition: Partition) -> dict[str, float]:
    """The measures of a kind of y."""
    return _of_numbers(partition, "deviance")


@_measured.register
def _(response: Means, partition: Partition) -> dict[str, float]:
    return _of_numbers(partition, "variance") | _f(partition.parts)


@_measured.register
def _(response: Classes, partition: Partition) -> dict[str, float]:
    return _of_classes(partition) | _chi_squared(partition.parts)


def _of_classes(partition: Partition) -> dict[str, float]:
    mass = partition.mass
    weight = mass.sum(axis=1)
    filled = weight > 0
    whole = mass.sum(axis=0)[None] / weight.sum()
    each, part = mass[filled] / weight[filled, None], weight[filled] / weight.sum()
    found = {}
    for name, after, measure in (
        ("entropy", "conditional_entropy", entropy),
        ("gini", "gini_index", gini),
        ("error", "error_after", classification_error),
    ):
        found[name], found[after] = float(measure(whole)[0]), float(part @ measure(each))
    groups = np.append(weight, partition.unknown_mass.sum()) if partition.counts_unknown else weight
    intrinsic = float(entropy(groups[None] / groups.sum())[0])
    gain = partition.known * max(found["entropy"] - found["conditional_entropy"], 0.0)
    return {
        "entropy": found["entropy"],
        "conditional_entropy": found["conditional_entropy"],
        "gain": gain,
        "intrinsic_value": intrinsic,
        "gain_ratio": gain / intrinsic if intrinsic > 0 else math.nan,
        "gini": found["gini"],
        "gini_index": found["gini_index"],
        "gini_decrease": partition.known * max(found["gini"] - found["gini_index"], 0.0),
        "error": found["error"],
        "error_after": found["error_after"],
    }


def _chi_squared(counts: np.ndarray) -> dict[str, float]:
    test = chi_squared(counts)
    found = {"chi_squared": test.statistic, "df": test.df, "p": test.p, "log_p": test.log_p}
    return found | {"likelihood_ratio": likelihood_ratio(counts).statistic}


def _of_numbers(partition: Partition, name: str) -> dict[str, float]:
    """Variance or mean deviance before and after; a part without weight adds nothing."""
    parts = partition.parts[partition.parts[:, 0] > 0]
    whole = partition.response.union(parts)
    measure = partition.response.measures[0]
    before = float(partition.response.impurity(whole[None], measure)[0])
    after = float(parts[:, 0] @ partition.response.impurity(parts, measure)) / float(whole[0])
    return {name: before, f"{name}_after": after, f"{name}_decrease": partition.known * max(before - after, 0.0)}


def _f(moments: np.ndarray) -> dict[str, float]:
    test = f_statistic(moments)
    return {"f": test.statistic, "df": test.df[0], "df_within": test.df[1], "p": test.p, "log_p": test.log_p}
