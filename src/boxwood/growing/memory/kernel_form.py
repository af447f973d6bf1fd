"""A recipe and a response in the form that the kernel reads, and the nodes that it returns."""

from __future__ import annotations

from dataclasses import fields

import numpy as np

from ...statistics.exact import Exact
from ...statistics.responses.response import Response
from ...tree.lazy_arrays import LazyArrays
from ..protocol import LevelSplits
from ..recipe import Recipe

#: Factors of classes that change nothing.
ONES = frozenset((1.0,))


def level_splits(nodes) -> LevelSplits:
    """The splits of a level, from what the kernel handed back (``_kernel.Nodes``)."""
    arrays = LazyArrays(nodes, 1)
    return LevelSplits(**{field.name: arrays.get(field.name) for field in fields(LevelSplits)})


def kernel_response(response: Response, exact: Exact) -> dict:
    """A response with its exact numbers."""
    factors = None if ONES.issuperset(response.search_factors) else np.array(response.search_factors, dtype=np.float64)
    n_classes = len(response.labels)
    return {
        "weight": exact.weight, "unit": exact.unit, "codes": exact.codes, "high": exact.high,
        "low": exact.low, "log": exact.log, "center": exact.center, "scale": exact.scale, "low_scale": exact.low_scale,
        "log_scale": exact.log_scale, "factors": factors, "n_classes": n_classes,
    } | response.for_kernel() | response.rows_for_kernel(exact)  # fmt: skip


def kernel_settings(recipe: Recipe, above: tuple[float, float] | None = None) -> dict:
    """A recipe of binary splits; ``above``: weight and risk of the root, when the tree will be part of another."""
    branching, criterion, termination, missing = recipe.branching, recipe.criterion, recipe.termination, recipe.missing
    return criterion.search_settings() | {
        "exhaustive_levels": branching.exhaustive_levels,
        "min_samples_level": branching.min_samples_level,
        "pool_above": branching.pool_above,
        "correct_levels": branching.correct_levels,
        "max_depth": -1 if termination.max_depth is None else termination.max_depth,
        "min_samples_split": termination.min_samples_split,
        "min_samples_leaf": termination.min_samples_leaf,
        "min_weight_fraction_leaf": termination.min_weight_fraction_leaf,
        "min_impurity_decrease": termination.min_impurity_decrease,
        "policy": missing.policy,
        "max_surrogates": missing.max_surrogates,
        "style": missing.style,
        "stay": missing.stays_in_growth,
        "rpart_quirk": missing.rpart_quirk,
        "predict_by_rows": missing.predicts_by_rows,
        "max_competitors": recipe.max_competitors,
        "min_risk": recipe.min_risk,
        "rank_cuts": recipe.rank_cuts,
        "monotonic": list(recipe.constraints.monotonic),
        "groups": list(recipe.constraints.groups),
        "features_on_path": recipe.constraints.features_on_path,
        "used_above": list(recipe.constraints.used_above),
        "max_features": recipe.draws.max_features,
        "random_cuts": recipe.draws.random_cuts,
        "seed": recipe.draws.seed,
        "branches_above": list(recipe.draws.branches_above),
        "value_limits": list(recipe.constraints.value_limits),
        "short_cuts": list(recipe.short_cuts),
        "root": list(above or ()),
    }
