"""y, weights, priors and costs as users give them, converted to a target."""

from __future__ import annotations

import numbers
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from .._fast_record import record
from .._messages import Setting, Value, must_be, remedy, shortened
from ..data.frames.class_labels import class_code
from ..data.frames.target import (
    check_exposure,
    encode_classes,
    read_classes,
    read_numbers,
)
from ..data.frames.weights import read_weights
from ..errors import ParameterError, ResponseError, WeightError
from ..statistics.exact_sums import masses
from ..statistics.responses.class_weights import class_weights
from ..statistics.responses.classes import Classes
from ..statistics.responses.registry import number_kind
from .target import Target


def read_target(
    y, settings: dict, *, weight=None, exposure=None, name: str = "y", task: str = "classification"
) -> Target:
    """Read y, weights, priors and costs.

    Parameters
    ----------
    y : array-like of shape (n,)
        Class labels, or numbers; counts of events when ``settings["criterion"]`` is "poisson".
    settings : dict
        Checked settings; class_weight, priors, costs, criterion and shrink are read.
    weight, exposure : array-like of shape (n,), optional
    name : str
        What reports call y.
    task : {"classification", "regression"}

    Raises
    ------
    ResponseError, WeightError, ParameterError
    """
    if task == "classification":
        if exposure is not None:
            raise ParameterError(
                Setting("exposure"), " is for counts; ",
                remedy("use it with ", Setting("criterion", "poisson", estimator="CARTRegressor"), "."),
            )  # fmt: skip
        return _class_target(y, settings, weight, name)
    y = read_numbers(y)
    weight = read_weights(weight, len(y))
    kind = number_kind(settings["criterion"])
    if exposure is not None and not kind.takes_exposure:
        raise ParameterError(
            Setting("exposure"), " is for counts and amounts; ",
            remedy("use it with ", Setting("criterion", "poisson"), ", 'gamma' or 'tweedie'."),
        )  # fmt: skip
    response = kind.from_settings(name, settings)
    response.check(y)
    return Target(response, y, weight, read_exposure(exposure, len(y)))


def read_exposure(exposure, n: int) -> np.ndarray | None:
    """Time, area or persons under observation in each row: positive numbers, or None."""
    if exposure is None:
        return None
    values = read_numbers(exposure, "exposure")
    if len(values) != n:
        raise ResponseError(Setting("exposure"), f" must have one value per row: {n}; got {len(values)}.")
    check_exposure(values)
    return values


def _class_target(y, settings: dict, weight, name: str) -> Target:
    labels, codes = read_classes(y)
    weight = None if weight is None else read_weights(weight, len(codes))
    of_class = None
    if settings["class_weight"] is not None:
        of_class = class_factors(settings["class_weight"], labels, lambda: masses(codes, weight, len(labels)))
        weight = of_class[codes] * (1.0 if weight is None else weight)
        if not np.isfinite(weight).all():
            raise WeightError(
                Setting("class_weight"), " times ", Setting("sample_weight"), " is too large for a float; ",
                remedy("give smaller numbers."),
            )  # fmt: skip
    response = record(
        Classes, name=name, labels=labels, factors=(1.0,) * len(labels),
        class_weights=class_weights(of_class),
    )  # fmt: skip
    if settings.get("costs") is None and settings.get("priors") is None:
        return record(Target, response=response, y=codes, weight=weight)
    response, priors = class_priors_and_costs(response, settings)
    return record(Target, response=response, y=codes, weight=weight, priors=priors)


def class_priors_and_costs(response: Classes, settings: dict) -> tuple[Classes, np.ndarray | None]:
    """A response of classes with the costs of settings, and the priors of settings."""
    costs = _costs(_cost_table(settings.get("costs"), response.labels), len(response.labels))
    if costs is not None:
        response = replace(response, costs=costs)
    return response, _priors(settings.get("priors"), response.labels)


def class_factors(class_weight, labels: tuple, masses_of: Callable[[], np.ndarray]) -> np.ndarray | None:
    """A factor for each class, or None; ``masses_of`` gives the sum of weights of each class."""
    if class_weight is None:
        return None
    if isinstance(class_weight, str):
        if class_weight != "balanced":
            raise ParameterError(must_be("class_weight", "None, 'balanced' or a dict", class_weight))
        mass = masses_of()
        present = mass > 0
        return np.where(present, mass.sum() / (np.count_nonzero(present) * np.where(present, mass, 1.0)), 1.0)
    if not isinstance(class_weight, dict):
        raise ParameterError(must_be("class_weight", "None, 'balanced' or a dict label -> weight", class_weight))
    return _by_label(class_weight, labels, "class_weight", 1.0)


def _by_label(given: dict, labels: tuple, name: str, default: float | None) -> np.ndarray:
    """Numbers in the order of the labels; a label not given gets the default, or is an error when there is none."""
    out = np.full(len(labels), np.nan if default is None else default)
    codes = {label: int(encode_classes([label], labels)[0]) for label in given}
    unknown = [label for label, code in codes.items() if code < 0]
    # An unknown label beside a class without a number is a typing error; beside all classes it may be of other data.
    if unknown and (default is None or len(set(codes.values()) - {-1}) < len(labels)):
        raise ParameterError(
                Setting(name), " names the class ", Value(unknown[0], repr(unknown[0])),
                f", but the classes are {list(labels)}.",
            )  # fmt: skip
    for label, value in given.items():
        code = codes[label]
        if code < 0:
            continue
        if isinstance(value, bool) or not isinstance(value, numbers.Real) or not 0.0 <= value <= 1e300:
            raise ParameterError(
                Setting(name), f" of class {label!r}", " must be a number from 0 to 1e300; got ",
                Value(value, shortened(value)), ".",
            )  # fmt: skip
        out[code] = float(value)
    if np.isnan(out).any():
        absent = labels[int(np.argmax(np.isnan(out)))]
        raise ParameterError(Setting(name), " must name every class; ", Value(absent, repr(absent)), " is not there.")
    return out


def _priors(priors, labels: tuple) -> np.ndarray | None:
    if priors is None:
        return None
    k = len(labels)
    if isinstance(priors, str):
        if priors != "uniform":
            raise ParameterError(must_be("priors", "None, 'uniform', a list or a dict", priors))
        return np.full(k, 1.0 / k)
    given = isinstance(priors, dict)
    values = _by_label(priors, labels, "priors", None) if given else read_numbers(priors, "priors")
    if len(values) != k or (values <= 0).any() or abs(values.sum() - 1.0) > 1e-6:
        raise ParameterError(
            must_be("priors", f"{k} positive numbers that add to 1, one for each of {list(labels)}", priors),
        )  # fmt: skip
    return values / values.sum()


def _cost_table(costs, labels: tuple):
    """Costs by labels, {(true, predicted): cost} or {true: {predicted: cost}}, as a table; a pair not named costs 1."""
    if not isinstance(costs, dict):
        return costs
    pairs = {}
    for key, value in costs.items():
        nested = isinstance(value, dict)
        if not nested and not (isinstance(key, tuple) and len(key) == 2):
            raise ParameterError(must_be("costs", "{(true, predicted): cost} or {true: {predicted: cost}}", costs))
        pairs |= {(key, other): cost for other, cost in value.items()} if nested else {key: value}
    table = (1.0 - np.eye(len(labels))).tolist()
    for pair, cost in pairs.items():
        i, j = (class_code(labels, label, "a label of costs") for label in pair)
        table[i][j] = cost
    return table


def _costs(costs, k: int) -> tuple[tuple[float, ...], ...] | None:
    if costs is None:
        return None
    try:
        table = np.asarray(costs, dtype=float)
    except (TypeError, ValueError, OverflowError):
        raise ParameterError(must_be("costs", f"a {k} x {k} table of numbers", costs)) from None
    if table.shape != (k, k) or not (table <= 1e150).all() or (table < 0).any() or np.diag(table).any():
        raise ParameterError(
            must_be("costs", f"a {k} x {k} table of numbers of at least 0 with zeros on the diagonal (row = true "
            "class, column = predicted class)", costs),
        )  # fmt: skip
    if (table.sum(axis=1) == 0).any():
        raise ParameterError(
            Setting("costs"), " must make some error of every class cost something; ",
            f"row {int(np.argmin(table.sum(1)))} is all 0.",
        )  # fmt: skip
    return tuple(tuple(row) for row in table.tolist())
