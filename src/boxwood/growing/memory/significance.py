"""CHAID in the kernel: its settings, and the tests of every feature in the rows of a node."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ...data.columns.schema import MISSING
from ..recipe import Recipe


@dataclass(frozen=True, eq=False)
class ChaidAbove:
    """What a CHAID tree takes over from the tree of which it will be part.

    Attributes
    ----------
    all_cases : float
        Cases of that tree's root.
    ends : tuple of ((float64 array, float64 array) or None)
        Greatest value in each bin of numeric features, found on all rows, with the low parts of whole numbers beyond
        2**53; None for other features.
    """

    all_cases: float
    ends: tuple[tuple[np.ndarray, np.ndarray] | None, ...]


def chaid_settings(recipe: Recipe, n_classes: int, above: ChaidAbove | None = None) -> dict:
    """The recipe as the kernel's CHAID reads it, for a response of ``n_classes`` (0 = a mean)."""
    merged, significance, termination = recipe.branching, recipe.criterion, recipe.termination
    return {
        "exhaustive": merged.exhaustive,
        "alpha_merge": merged.alpha_merge,
        "splits_merged": merged.alpha_split_merged is not None,
        "alpha_split_merged": 1.0 if merged.alpha_split_merged is None else merged.alpha_split_merged,
        "min_segment": merged.min_segment,
        "n_bins": merged.n_bins,
        "alpha": significance.alpha,
        "likelihood_ratio": significance.test == "likelihood_ratio",
        "bonferroni": significance.bonferroni,
        "compare_logs": significance.rank_by == "log_p",
        "biggs": significance.multiplier == "biggs",
        "case_weights": significance.case_weights,
        "scores": list(significance.scores or range(1, n_classes + 1)) if significance.ordinal else [],
        "max_iterations": significance.max_iterations,
        "tolerance": significance.tolerance,
        "max_depth": -1 if termination.max_depth is None else termination.max_depth,
        "min_cases_split": termination.min_cases_split,
        "min_cases_leaf": termination.min_cases_leaf,
        "max_competitors": recipe.max_competitors,
        "rank_cuts": recipe.rank_cuts,
        "all_cases": None if above is None else above.all_cases,
        "ends": [] if above is None else list(above.ends),
    }


@dataclass(frozen=True)
class FeatureTest:
    """What CHAID found about one feature in one node (docs/chaid.md).

    Attributes
    ----------
    feature : int
        Column.
    state : {"tested", "constant", "too small"}
        Tested; fewer than two categories here; groups of the least segment size would leave fewer than two.
    kind : {"nominal", "ordinal", "floating"}
        How categories may merge: any two; neighbours; neighbours, and the missing category with any.
    n_categories : int
        Categories present here, the missing one included, before merging.
    groups : tuple of tuple of int
        Categories of each merged group: level codes, or bins of a numeric feature; -1 = missing.
    statistic : float
        Chi-squared, likelihood ratio, or F.
    df : tuple of float
        Degrees of freedom; two for F.
    log_p, log_multiplier, log_adjusted_p : float
        Natural logarithms of p, of the Bonferroni multiplier, and of their product, at most 1.
    """

    feature: int
    state: str
    kind: str
    n_categories: int
    groups: tuple[tuple[int, ...], ...]
    statistic: float
    df: tuple[float, ...]
    log_p: float
    log_multiplier: float
    log_adjusted_p: float

    @property
    def p(self) -> float:
        """p of the test; 0.0 where it is too small for a float."""
        return math.exp(self.log_p)

    @property
    def multiplier(self) -> float:
        """Bonferroni multiplier; a whole number up to 2**53."""
        times = math.exp(self.log_multiplier) if self.log_multiplier < 709.0 else math.inf
        return float(round(times)) if times < 2.0**40 else times

    @property
    def adjusted_p(self) -> float:
        """Adjusted p; 0.0 where it is too small for a float."""
        return math.exp(self.log_adjusted_p)


def feature_tests(grower, kinds: tuple[str, ...], samples: np.ndarray) -> tuple[FeatureTest, ...]:
    """Tests of every feature among some samples, by the kernel's grower whose root has been set.

    Parameters
    ----------
    grower : _kernel.ChaidGrower
    kinds : tuple of str
        Kind of each feature in the schema.
    samples : uint32 array
        Positions in the learning set.
    """
    found = grower.tests(np.ascontiguousarray(samples, dtype=np.uint32))
    return tuple(_feature_test(j, kinds[j], raw) for j, raw in enumerate(found))


def _feature_test(j: int, kind: str, raw: tuple) -> FeatureTest:
    state, floating, n_categories, groups, statistic, df, df2, *logs = raw
    merging = "nominal" if kind == "nominal" else "floating" if floating else "ordinal"
    plain = tuple(tuple(MISSING if code < 0 else code for code in group) for group in groups)
    return FeatureTest(j, state, merging, n_categories, plain, statistic, (df, df2) if df2 else (df,), *logs)
