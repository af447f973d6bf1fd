"""CART: binary splits that lower impurity most, surrogates for missing values, weakest-link pruning (Breiman et al. 1984).

The four choices: two branches; the largest decrease of Gini, entropy, classification error, variance or Poisson deviance;
a node stays a leaf when it is pure, too small or too deep; a leaf says the class of least expected cost, the mean or the rate.
"""

from __future__ import annotations

import math

import numpy as np

from ..data.schema import Schema
from ..data.target import encode_classes, read_classes, read_numbers
from ..data.weights import read_weights
from ..errors import ParameterError, ResponseError
from ..sources.recipe import Branching, Criterion, Missing, Recipe, Termination
from ..statistics.response import CLASSES, MEAN, RATE, Response
from ..training.algorithm import Algorithm
from ..training.parameters import Parameter
from ..training.pruner import CostComplexity
from ..training.target import Target

_RISKS = {"classification": ("error", "gini", "entropy"), "regression": ("variance", "poisson")}
_MISSING = ("surrogate", "majority", "learned", "own_branch", "error", "surrogate_or_stay", "stay")

_SHARED = (
    Parameter("max_depth", "integer", None, "deepest level of the tree", low=1, optional=True),
    Parameter("min_samples_split", "count", 2, "rows a node needs to be split", low=2),
    Parameter("min_samples_leaf", "count", 1, "rows each branch must get", low=1),
    Parameter("max_leaf_nodes", "integer", None, "grow best first until there are so many leaves", low=2, optional=True),
    Parameter("min_impurity_decrease", "real", 0.0, "least decrease of impurity, weighted by the node's share of rows", low=0.0),
    Parameter("missing", "choice", "surrogate", "what to do when the feature of a split is missing", choices=_MISSING),
    Parameter("max_surrogates", "integer", 5, "surrogate splits kept a node", low=0),
    Parameter("surrogate_style", "integer", 0, "agreement over all rows (0) or over rows that know both splits (1)", low=0, high=1),
    Parameter("max_competitors", "integer", 4, "runner-up splits kept a node", low=0),
    Parameter("unseen", "choice", "missing", "what to do with a level not seen in training", choices=("missing", "majority", "error")),
    Parameter("min_samples_level", "integer", "auto", "levels with fewer rows in a node are pooled; 'auto': 10 for features of over "
              "100 levels", choices=("auto",), low=1),
    Parameter("level_correction", "flag", False, "take off what many levels gain by chance before features are compared"),
    Parameter("feature_costs", "free", None, "a positive number for each feature, or a dict by name; decreases are divided by it"),
    Parameter("ccp_alpha", "real", 0.0, "prune at this alpha instead of cross-validating", low=0.0),
    Parameter("pruning", "free", "cv", "'cv', 'cv-1se', None or a CostComplexity"),
    Parameter("compat", "choice", None, "reproduce another program where it deviates", choices=("rpart",), optional=True),
    Parameter("categorical_features", "free", "from_dtype", "columns to read as nominal: 'from_dtype', names, positions or a mask", cli=False),
    Parameter("random_state", "integer", None, "draws other cross-validation folds; the tree itself has no randomness", low=0, optional=True),
    Parameter("n_jobs", "integer", None, "threads; the result never depends on it", low=-1, optional=True),
    Parameter("verbose", "integer", 0, "1 tells what is being done", low=0),
)  # fmt: skip

_CLASSIFICATION = (
    Parameter("criterion", "choice", "gini", "measure of impurity", choices=("gini", "entropy", "error"),
              aliases=(("log_loss", "entropy"), ("information", "entropy"))),
    Parameter("ccp_risk", "choice", None, "risk that pruning weighs against leaves; None = the criterion", choices=_RISKS["classification"], optional=True),
    Parameter("class_weight", "free", None, "None, 'balanced' or a dict label -> weight"),
    Parameter("priors", "free", None, "None, 'uniform', a list in the order of the labels or a dict label -> probability"),
    Parameter("costs", "free", None, "None or a square table: row = true class, column = class said"),
)  # fmt: skip

_REGRESSION = (
    Parameter("criterion", "choice", "variance", "measure of impurity", choices=("variance", "poisson"),
              aliases=(("squared_error", "variance"), ("anova", "variance"))),
    Parameter("ccp_risk", "choice", None, "risk that pruning weighs against leaves; None = the criterion", choices=_RISKS["regression"],
              aliases=(("squared_error", "variance"), ("deviance", "poisson")), optional=True),
    Parameter("shrink", "real", 0.0, "poisson: pull rates of small leaves towards the root's (rpart's shrink); 0 = not", low=0.0),
)  # fmt: skip


def recipe(settings: dict, schema: Schema, n: int) -> Recipe:
    """The four choices of CART for n rows of positive weight."""
    rpart = settings["compat"] == "rpart"
    return Recipe(
        criterion=Criterion(
            settings["criterion"],
            feature_costs=_feature_costs(settings["feature_costs"], schema),
            order_by_mean=rpart,
            min_share=1e-10 if rpart else -1.0,
        ),
        branching=_branching(settings, rpart),
        termination=Termination(
            settings["max_depth"],
            _rows(settings["min_samples_split"], n, 2),
            _rows(settings["min_samples_leaf"], n, 1),
            settings["min_impurity_decrease"],
        ),
        missing=_missing(settings, rpart),
        max_competitors=settings["max_competitors"],
    )


def _branching(settings: dict, rpart: bool) -> Branching:
    """Two branches; rare levels of features with many levels are pooled, because they fit noise (rpart does not)."""
    least, correct = settings["min_samples_level"], settings["level_correction"]
    if least == "auto":
        return Branching(min_samples_level=1 if rpart else 10, pool_above=100, correct_levels=correct)
    return Branching(min_samples_level=least, correct_levels=correct)


def _rows(count: int | float, n: int, least: int) -> int:
    """A number of rows from a number or a share."""
    return count if isinstance(count, int) else max(least, math.ceil(count * n))


def _feature_costs(costs, schema: Schema) -> tuple[float, ...] | None:
    """A cost for each feature, in column order; features not named in a dict cost 1."""
    if costs is None:
        return None
    if isinstance(costs, dict):
        unknown = [name for name in costs if name not in schema.names]
        if unknown:
            raise ParameterError(f"feature_costs names {unknown[0]!r}, but the features are {list(schema.names)}.")
        costs = [costs.get(name, 1.0) for name in schema.names]
    values = read_numbers(costs, "feature_costs")
    if len(values) != len(schema) or (values <= 0).any():
        raise ParameterError(f"feature_costs must be {len(schema)} positive numbers, one for each feature; got {costs!r}.")
    return tuple(values.tolist())


def _missing(settings: dict, rpart: bool) -> Missing:
    policy, stays = settings["missing"], "majority"
    surrogates = settings["max_surrogates"]
    if policy in ("surrogate_or_stay", "stay"):
        surrogates = surrogates if policy == "surrogate_or_stay" else 0
        policy, stays = "surrogate", "stay"
    return Missing(policy, surrogates, settings["surrogate_style"], stays, rpart)


def target(y, settings: dict, *, weight=None, exposure=None, name: str = "y", task: str = "classification") -> Target:
    """Read y, weights, priors and costs."""
    if task == "classification":
        if exposure is not None:
            raise ParameterError("exposure is for counts; use it with CARTRegressor(criterion='poisson').")
        return _class_target(y, settings, weight, name)
    y = read_numbers(y)
    weight = read_weights(weight, len(y))
    if settings["criterion"] != "poisson":
        if exposure is not None:
            raise ParameterError("exposure is for counts; use it with criterion='poisson'.")
        return Target(Response(MEAN, name), y, weight)
    if (y < 0).any():
        row = int(np.argmax(y < 0))
        raise ResponseError(f"y counts events and cannot be negative; row {row} holds {y[row]!r}. Use criterion='variance'.")
    return Target(Response(RATE, name, shrink=settings["shrink"]), y, weight, _exposure(exposure, len(y)))


def _exposure(exposure, n: int) -> np.ndarray | None:
    if exposure is None:
        return None
    values = read_numbers(exposure, "exposure")
    if len(values) != n:
        raise ResponseError(f"exposure must have one value a row: {n}; got {len(values)}.")
    if (values <= 0).any():
        row = int(np.argmax(values <= 0))
        raise ResponseError(f"exposure must be positive; row {row} holds {values[row]!r}.")
    return values


def _class_target(y, settings: dict, weight, name: str) -> Target:
    labels, codes = read_classes(y)
    weight = read_weights(weight, len(codes))
    of_class = _class_weights(settings["class_weight"], labels, codes, weight)
    if of_class is not None:
        weight = of_class[codes] * (1.0 if weight is None else weight)
    k = len(labels)
    response = Response(CLASSES, name, labels, (1.0,) * k, costs=_costs(settings["costs"], k))
    return Target(response, codes, weight, priors=_priors(settings["priors"], labels))


def _class_weights(class_weight, labels: tuple, codes: np.ndarray, weight: np.ndarray | None) -> np.ndarray | None:
    """A factor for each class, or None."""
    if class_weight is None:
        return None
    if isinstance(class_weight, str):
        if class_weight != "balanced":
            raise ParameterError(f"class_weight must be None, 'balanced' or a dict; got {class_weight!r}.")
        mass = np.bincount(codes, weight, len(labels))
        present = mass > 0
        return np.where(present, mass.sum() / (np.count_nonzero(present) * np.where(present, mass, 1.0)), 1.0)
    if not isinstance(class_weight, dict):
        raise ParameterError(f"class_weight must be None, 'balanced' or a dict label -> weight; got {class_weight!r}.")
    return _by_label(class_weight, labels, "class_weight", 1.0)


def _by_label(given: dict, labels: tuple, name: str, default: float | None) -> np.ndarray:
    """Numbers in the order of the labels; a label not given gets the default, or is an error when there is none."""
    out = np.full(len(labels), np.nan if default is None else default)
    for label, value in given.items():
        code = encode_classes([label], labels)[0]
        if code < 0:
            if default is None:
                raise ParameterError(f"{name} names the class {label!r}, but the classes are {list(labels)}.")
            continue
        if isinstance(value, (bool, str)) or not 0.0 <= float(value) < math.inf:
            raise ParameterError(f"{name} of class {label!r} must be a number of at least 0; got {value!r}.")
        out[code] = float(value)
    if np.isnan(out).any():
        raise ParameterError(f"{name} must name every class; {labels[int(np.argmax(np.isnan(out)))]!r} is not there.")
    return out


def _priors(priors, labels: tuple) -> np.ndarray | None:
    if priors is None:
        return None
    k = len(labels)
    if isinstance(priors, str):
        if priors != "uniform":
            raise ParameterError(f"priors must be None, 'uniform', a list or a dict; got {priors!r}.")
        return np.full(k, 1.0 / k)
    if isinstance(priors, dict):
        values = _by_label(priors, labels, "priors", None)
    else:
        values = read_numbers(priors, "priors")
    if len(values) != k or (values <= 0).any() or abs(values.sum() - 1.0) > 1e-6:
        raise ParameterError(f"priors must be {k} positive numbers that add to 1, one for each of {list(labels)}; got {priors!r}.")
    return values / values.sum()


def _costs(costs, k: int) -> tuple[tuple[float, ...], ...] | None:
    if costs is None:
        return None
    try:
        table = np.asarray(costs, dtype=float)
    except (TypeError, ValueError):
        raise ParameterError(f"costs must be a {k} x {k} table of numbers; got {costs!r}.") from None
    if table.shape != (k, k) or not np.isfinite(table).all() or (table < 0).any() or np.diag(table).any():
        raise ParameterError(
            f"costs must be a {k} x {k} table of numbers of at least 0 with zeros on the diagonal (row = true class, column = class "
            f"said); got {costs!r}."
        )
    if (table.sum(axis=1) == 0).any():
        raise ParameterError(f"costs must make some error of every class cost more than 0; row {int(np.argmin(table.sum(axis=1)))} is all 0.")
    return tuple(tuple(row) for row in table.tolist())


def pruner(settings: dict) -> CostComplexity | None:
    """The pruner that ``pruning`` names."""
    pruning = settings["pruning"]
    if pruning is None or isinstance(pruning, CostComplexity):
        return pruning
    if isinstance(pruning, str) and pruning in ("cv", "cv-1se"):
        return CostComplexity(rule="min" if pruning == "cv" else "1se", risk=settings["ccp_risk"])
    raise ParameterError(f"pruning must be 'cv', 'cv-1se', None or a CostComplexity; got {pruning!r}.")


CART = Algorithm(
    name="cart",
    title="CART: binary splits, surrogates, weakest-link pruning",
    parameters={"classification": _CLASSIFICATION + _SHARED, "regression": _REGRESSION + _SHARED},
    recipe=recipe,
    target=target,
    pruner=pruner,
)
