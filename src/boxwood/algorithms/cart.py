"""CART: binary splits that lower impurity most, surrogates, weakest-link pruning (Breiman et al. 1984).

The four choices: two branches; the largest decrease of Gini, entropy, classification error, variance or Poisson
deviance; a node stays a leaf when it is pure, too small or too deep; a leaf predicts the class of least expected
cost, the mean or the rate.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

from .._messages import Setting, must_be
from ..data.columns.schema import NAMES_ROWS, Schema
from ..data.frames.target import read_numbers
from ..errors import ParameterError
from ..growing.branching import Binary
from ..growing.constraints import FeatureConstraints
from ..growing.draws import Draws
from ..growing.impurity_decrease import ImpurityDecrease
from ..growing.missing import SURROGATES, Missing
from ..growing.recipe import Recipe
from ..growing.termination import Termination
from ..learning.responses import read_target
from ..pruning.best_first import LeafLimit
from ..pruning.pruners.cost_complexity import CostComplexity
from ..pruning.pruners.evidence import Pruner
from ..pruning.pruners.registry import read_pruner
from ..tree.tree import Tree
from .cart_parameters import CLASSIFICATION, MANY_LEVELS, REGRESSION
from .constraints import constraints_of
from .draws import draws_of, is_random
from .fitting.algorithm import Algorithm


def recipe(settings: dict, schema: Schema, n: int) -> Recipe:
    """The four choices of CART for n rows of positive weight."""
    if settings["max_bins"] is not None and settings["compat"] == "rpart":
        raise ParameterError(
            "rpart uses every value: leave ", Setting("max_bins", None), " with ", Setting("compat", "rpart"), ".",
        )  # fmt: skip
    rows = (_rows(settings["min_samples_split"], n, 2), _rows(settings["min_samples_leaf"], n, 1))
    costs = settings["feature_costs"]
    if settings["level_correction"] == "auto":
        settings = settings | {"level_correction": settings["compat"] is None and _has_many_levels(schema)}
    costs = None if costs is None else _feature_costs(costs, schema)
    if settings["max_surrogates"] == "auto":
        settings = settings | {"max_surrogates": 0 if is_random(settings) else SURROGATES}
    drawn = draws_of(settings, len(schema))
    return _recipe(costs, rows, (constraints_of(settings, schema), drawn), _choices(settings))


def _has_many_levels(schema: Schema) -> bool:
    """Whether a nominal feature has so many levels that some of its splits look good by chance."""
    return not schema.is_numeric and any(
        not feature.type.has_cuts and len(feature.levels) >= MANY_LEVELS and feature.why != NAMES_ROWS
        for feature in schema
    )


#: Settings that make a recipe, but for those that depend on the data.
_CHOICES = (
    "compat", "criterion", "level_correction", "max_competitors", "max_depth", "max_surrogates",
    "min_impurity_decrease", "min_samples_level", "min_weight_fraction_leaf", "missing", "surrogate_style",
)  # fmt: skip
_choices = operator.itemgetter(*_CHOICES)


@lru_cache(256)
def _recipe(
    feature_costs: tuple[float, ...] | None,
    rows: tuple[int, int],
    of_features: tuple[FeatureConstraints, Draws],
    choices: tuple,
) -> Recipe:
    """The recipe of checked settings; the same object for the same ones."""
    settings = dict(zip(_CHOICES, choices, strict=True))
    rpart = settings["compat"] == "rpart"
    return Recipe(
        criterion=ImpurityDecrease(
            settings["criterion"], feature_costs, order_by_mean=rpart, min_share=1e-10 if rpart else -1.0
        ),
        branching=_branching(settings, rpart),
        termination=Termination(
            settings["max_depth"],
            *rows,
            settings["min_impurity_decrease"],
            min_weight_fraction_leaf=settings["min_weight_fraction_leaf"],
        ),
        missing=_missing(settings, rpart),
        max_competitors=_competitors(settings["max_competitors"], rpart),
        constraints=of_features[0],
        draws=of_features[1],
    )


def _branching(settings: dict, rpart: bool) -> Binary:
    """Two branches; rare levels of features with many levels are pooled, because they fit noise (rpart does not).

    rpart tries every subset of any number of levels; beyond 20 that takes longer than anybody waits.
    """
    least, correct = settings["min_samples_level"], settings["level_correction"]
    exhaustive = 20 if rpart else 10
    if least == "auto":
        return Binary(exhaustive, 1 if rpart else 50, pool_above=100, correct_levels=correct)
    return Binary(exhaustive, least, correct_levels=correct)


def _rows(count: int | float, n: int, least: int) -> int:
    """A number of rows from a number or a share."""
    return count if isinstance(count, int) else max(least, math.ceil(count * n))


def _feature_costs(costs, schema: Schema) -> tuple[float, ...]:
    """A cost for each feature, in column order; features not named in a dict cost 1."""
    if isinstance(costs, dict):
        unknown = [name for name in costs if name not in schema.names]
        if unknown:
            raise ParameterError(
                Setting("feature_costs"), f" names {unknown[0]!r}, but the features are {list(schema.names)}.",
            )  # fmt: skip
        costs = [costs.get(name, 1.0) for name in schema.names]
    values = read_numbers(costs, "feature_costs")
    if len(values) != len(schema) or (values <= 0).any():
        raise ParameterError(must_be("feature_costs", f"{len(schema)} positive numbers, one for each feature", costs))
    return tuple(values.tolist())


def _competitors(count: int | str, rpart: bool) -> int:
    """Runners-up to keep; finding them keeps the search from leaving out features that cannot win."""
    if count == "auto":
        return 4 if rpart else 0
    return count


def _missing(settings: dict, rpart: bool) -> Missing:
    policy, stays = settings["missing"], "majority"
    surrogates = settings["max_surrogates"]
    if policy in ("surrogate_or_stay", "stay"):
        surrogates = surrogates if policy == "surrogate_or_stay" else 0
        policy, stays = "surrogate", "stay"
    return Missing(policy, surrogates, settings["surrogate_style"], stays, rpart)


def pruner(settings: dict) -> Pruner | None:
    """The pruner that ``pruning`` names; weakest links that name no risk of their own take ``ccp_risk``.

    rpart evaluates all folds, by errors or their cost.
    """
    pruning = settings["pruning"]
    if pruning == "auto":
        pruning = None if is_random(settings) else "cv"
    found = None if pruning is None else read_pruner(pruning, settings["ccp_risk"], settings["loss"])
    if settings["compat"] == "rpart" and isinstance(found, CostComplexity):
        loss = found.loss or ("error" if "costs" in settings and settings["costs"] is None else None)
        return replace(found, enough_rows=None, loss=loss)
    return found


def finishing(settings: dict) -> Callable[[Tree], Tree] | None:
    """The limit of leaves, if there is one."""
    limit = settings["max_leaf_nodes"]
    return None if limit is None else LeafLimit(limit)


CART = Algorithm(
    name="cart",
    title="CART: binary splits, surrogates, weakest-link pruning",
    parameters={"classification": CLASSIFICATION, "regression": REGRESSION},
    estimators={"classification": "cart_classifier.CARTClassifier", "regression": "cart_regressor.CARTRegressor"},
    examples=(
        "--target survived --algorithm cart --pruning cv-1se -o cart.box",
        "--target survived --algorithm cart --pruning none --max-depth 3 -o shallow.box",
    ),
    recipe=recipe,
    target=read_target,
    streams=True,
    pruner=pruner,
    finishing=finishing,
)
