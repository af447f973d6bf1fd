"""Constraints on counterfactuals: fixed features, allowed ranges and levels, and distances."""

from __future__ import annotations

import datetime
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from .._messages import Message, Setting, Value, must_be, remedy, shortened
from ..data.columns.columns import Columns
from ..data.columns.instants import as_instants
from ..data.columns.kinds.kind import ByKind
from ..data.columns.schema import Feature
from ..data.columns.temporal import NANOSECONDS, Temporal
from ..data.frames.objects import from_objects
from ..errors import DataError, DataTypeError, ParameterError, ParameterTypeError, check_one_of
from ..tree.tree import Tree
from .nearest import Number

#: Directions in which a number or an ordinal level may go.
UP, DOWN = "increase", "decrease"
#: What is smallest first: the number of changes, or the distance.
ORDERS = ("changes", "distance")


@dataclass(frozen=True)
class Constraints:
    """What a counterfactual may change, as users give it.

    Attributes
    ----------
    immutable : sequence of str
        Features that must not change.
    allowed : dict of str to (low, high), "increase", "decrease" or list of levels
        Ranges of numbers (None means no limit; the ends are allowed), directions, and the levels that are allowed.
    scale : dict of str to float, Columns or None
        How large a change of each number counts as 1: given; or the standard deviation in rows; by default the
        distance between the lowest and the highest cut of the feature in the tree (of one cut its size, at least 1).
    by : {"changes", "distance"}
        What makes an answer small: the number of changes, then the distance; or the distance first.
    rounded : bool
        Prefer round numbers up to a hundredth of the scale beyond the nearest.
    n : int
        Number of counterfactuals, at least 1.
    """

    immutable: Sequence[str] = ()
    allowed: Mapping | None = None
    scale: Mapping | Columns | None = None
    by: str = ORDERS[0]
    rounded: bool = True
    n: int = 1


@dataclass(frozen=True, eq=False)
class Limits:
    """The same, feature by feature.

    Attributes
    ----------
    fixed : frozenset of int
    ranges : dict of int to (lowest, highest)
        Of numbers; None means no limit.
    directions : dict of int to {"increase", "decrease"}
    levels : dict of int to frozenset of int
        Codes.
    scale : float64, shape (p,)
    """

    fixed: frozenset[int]
    ranges: dict[int, tuple[Number | None, Number | None]]
    directions: dict[int, str]
    levels: dict[int, frozenset[int]]
    scale: np.ndarray


def read_constraints(tree: Tree, constraints: Constraints) -> Limits:
    """Check the constraints given, and order them by feature.

    Raises
    ------
    ParameterError, ParameterTypeError
        A feature or level is not there, a range is empty, a scale is not positive; the message names it.
    """
    check_one_of("by", constraints.by, ORDERS)
    if isinstance(constraints.n, bool) or not isinstance(constraints.n, (int, np.integer)) or constraints.n < 1:
        raise ParameterError(must_be("n", "a whole number of at least 1", constraints.n))
    if not isinstance(constraints.rounded, (bool, np.bool_)):
        raise ParameterTypeError(must_be("rounded", "True or False", constraints.rounded))
    if not isinstance(constraints.immutable, (tuple, list, set, frozenset)):
        raise ParameterTypeError(must_be("immutable", "a list of names", constraints.immutable))
    if constraints.allowed is not None and not isinstance(constraints.allowed, dict):
        raise ParameterTypeError(
            must_be("allowed", "a dictionary of what each feature may become", constraints.allowed)
        )
    fixed = frozenset(_feature(tree, name, "immutable") for name in constraints.immutable)
    limits = Limits(fixed, {}, {}, {}, _scales(tree, constraints.scale))
    for name, bound in (constraints.allowed or {}).items():
        j = _feature(tree, name, "allowed")
        _KINDS.of(tree.schema[j]).allow(limits, j, tree.schema[j], bound)
    return limits


class NumberLimits:
    """How numbers may change."""

    def allow(self, limits: Limits, j: int, feature: Feature, bound: object) -> None:
        """Put what a feature may become into the limits."""
        if isinstance(bound, str) and bound in (UP, DOWN):
            limits.directions[j] = bound
        else:
            limits.ranges[j] = _range(feature.name, self._counted(feature, bound))

    def size(self, feature: Feature, size: object) -> object:
        """A size of change that was given, in units of the column."""
        return size

    def usual_size(self, cuts: float) -> float:
        """The size that counts as 1 by default, from the distance of the lowest and the highest cut."""
        return cuts

    def spread(self, values: np.ndarray) -> float:
        """The standard deviation of a column, 0 without any."""
        known = values[np.isfinite(values)]
        return float(known.std()) if len(known) else 0.0

    def _counted(self, feature: Feature, bound: object) -> object:
        return bound


class TimeLimits(NumberLimits):
    """How dates, times and durations may change."""

    def size(self, feature: Feature, size: object) -> object:
        return _span(feature.temporal, size)

    def _counted(self, feature: Feature, bound: object) -> object:
        if not isinstance(bound, (tuple, list)):
            return bound
        return tuple(
            end if end is None else count_of(feature, end, Message(Setting("allowed", key=feature.name)))
            for end in bound
        )


class OrderLimits(NumberLimits):
    """How ordered levels may change."""

    def allow(self, limits: Limits, j: int, feature: Feature, bound: object) -> None:
        if isinstance(bound, str) and bound in (UP, DOWN):
            limits.directions[j] = bound
        else:
            limits.levels[j] = _codes(feature, bound)

    def usual_size(self, cuts: float) -> float:
        return 1.0

    def spread(self, values: np.ndarray) -> float:
        return 0.0


class SetLimits(OrderLimits):
    """How levels without order may change."""

    def allow(self, limits: Limits, j: int, feature: Feature, bound: object) -> None:
        limits.levels[j] = _codes(feature, bound)


_KINDS: ByKind[NumberLimits] = ByKind(
    numeric=NumberLimits(), ordinal=OrderLimits(), nominal=SetLimits(), temporal=TimeLimits()
)


def _feature(tree: Tree, name: object, argument: str) -> int:
    """Number of a feature by its name."""
    if not isinstance(name, str) or name not in tree.schema.names:
        known = ", ".join(map(repr, tree.schema.names[:8]))
        raise ParameterError(
            Setting(argument), " names ", Value(name, shortened(name)),
            f", which is not a feature; the features are {known}.",
        )  # fmt: skip
    return tree.schema.names.index(name)


def _range(name: str, bound: object) -> tuple[Number | None, Number | None]:
    """Lowest and highest number allowed."""
    if not isinstance(bound, (tuple, list)) or len(bound) != 2 or not all(map(_is_limit, bound)):
        pair = f"a pair (low, high) of numbers or None, {UP!r} or {DOWN!r}"
        raise ParameterError(must_be("allowed", pair, bound, key=name))
    low, high = bound
    if low is not None and high is not None and low > high:
        raise ParameterError(Setting("allowed", key=name), f" is an empty range: {low!r} is above {high!r}.")
    return low, high


def count_of(feature: Feature, value: object, place: Message) -> int:
    """A date, time or length of time, or its text, as a whole number of the feature's unit.

    Raises
    ------
    ParameterError
        It is something else; the message begins with the place.
    """
    try:
        values, low = as_instants(from_objects(place, [value]), feature)
    except (DataError, DataTypeError) as error:
        raise ParameterError(error.message) from None
    if np.isnan(values[0]):
        raise ParameterError(place, " holds no date or time; ", remedy("give one, or None in its place"), ".")
    return int(values[0]) + (0 if low is None else int(low[0]))


def _is_limit(end: object) -> bool:
    real = isinstance(end, (int, float, np.number)) and not isinstance(end, bool)
    return end is None or (real and not math.isnan(end))


def _codes(feature, bound: object) -> frozenset[int]:
    """Codes of the levels allowed."""
    if isinstance(bound, (str, bytes)) or not isinstance(bound, (list, tuple, set, frozenset)):
        raise ParameterError(must_be("allowed", "a list of levels", bound, key=feature.name))
    codes = []
    for level in bound:
        if level not in feature.levels:
            known = ", ".join(map(repr, feature.levels[:8]))
            raise ParameterError(
                Setting("allowed", key=feature.name), " names ", Value(level),
                f", which is not a level; levels are {known}.",
            )  # fmt: skip
        codes.append(feature.levels.index(level))
    return frozenset(codes)


def _scales(tree: Tree, scale: dict | Columns | None) -> np.ndarray:
    """How large a change counts as 1, shape (p,)."""
    found = _spreads_of_cuts(tree)
    if isinstance(scale, Columns):
        for j, feature in enumerate(tree.schema):
            spread = _KINDS.of(feature).spread(scale.values[j])
            found[j] = spread if spread > 0 else found[j]
        return found
    for name, size in (scale or {}).items():
        feature = tree.schema[_feature(tree, name, "scale")]
        size = _KINDS.of(feature).size(feature, size)
        if isinstance(size, bool) or not isinstance(size, (int, float, np.number)) or not 0 < size < math.inf:
            raise ParameterError(must_be("scale", "a positive number", size, key=name))
        found[_feature(tree, name, "scale")] = size
    return found


def _span(temporal: Temporal, size: object):
    """A length of time, or a number of the resolution, in the unit."""
    if isinstance(size, datetime.timedelta):
        return size / datetime.timedelta(microseconds=1) * NANOSECONDS["us"] / NANOSECONDS[temporal.unit]
    return size * temporal.step if isinstance(size, (int, float)) and not isinstance(size, bool) else size


def _spreads_of_cuts(tree: Tree) -> np.ndarray:
    """Distance of the lowest and the highest cut of each feature in the tree, shape (p,)."""
    which = np.repeat(tree.splits.feature, np.diff(tree.splits.breaks_start))
    known = np.isfinite(tree.splits.breaks)
    which, cuts = which[known], tree.splits.breaks[known]
    lowest, highest = np.full(len(tree.schema), np.inf), np.full(len(tree.schema), -np.inf)
    np.minimum.at(lowest, which, cuts)
    np.maximum.at(highest, which, cuts)
    has_cuts = np.isfinite(lowest)
    lowest, highest = np.where(has_cuts, lowest, 0.0), np.where(has_cuts, highest, 1.0)
    sizes = np.where(highest > lowest, highest - lowest, np.maximum(np.abs(lowest), 1.0)).tolist()
    return np.array([_KINDS.of(f).usual_size(size) for f, size in zip(tree.schema, sizes, strict=True)])
