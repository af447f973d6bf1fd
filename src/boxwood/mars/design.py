"""Features as design columns: numbers as they are, levels in order as 1, 2, ..., nominal levels as indicators."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..data.columns.columns import Columns
from ..data.columns.distinct import distinct
from ..data.columns.instants import counts_of
from ..data.columns.kinds.kind import ByKind
from ..data.columns.schema import Feature, Schema
from ..exports.conditions import Condition, IsMissing, NoneOf

#: What a design column holds.
VALUE, LEVELS, MISSING = "value", "levels", "missing"


@dataclass(frozen=True)
class DesignColumn:
    """One numeric column that is computed from a feature.

    Attributes
    ----------
    feature : int
        Position of the feature.
    what : {"value", "levels", "missing"}
        "value": the number, or the rank of an ordinal level, counted from 1. "levels": 1 if the level is one of
        ``levels``, else 0. "missing": 1 if the value is missing, else 0.
    levels : tuple of int
        Positions in the levels of the feature; empty unless ``what`` is "levels".

    Examples
    --------
    >>> from boxwood import MARSRegressor
    >>> X = {"city": ["Ulm", "Bonn", "Ulm", "Bonn"]}
    >>> MARSRegressor().fit(X, [1, 2, 3, 4]).model_.design.columns
    (DesignColumn(feature=0, what='levels', levels=(1,)),)
    """

    feature: int
    what: str
    levels: tuple[int, ...] = ()


@dataclass(frozen=True, eq=False)
class Design:
    """The q numeric design columns of a model, and how they are computed from the p features.

    Attributes
    ----------
    schema : Schema
        The features.
    columns : tuple of DesignColumn
        q columns, in the order of the features.
    fill : tuple of float
        For each feature, the replacement of a missing value: the training mean, in units of the feature; 0 for a
        nominal feature, whose indicators are then all 0.

    Examples
    --------
    >>> from boxwood import MARSRegressor
    >>> X = {"size": [1.0, 2.0, 4.0, 5.0], "city": ["Ulm", "Bonn", "Ulm", "Bonn"]}
    >>> MARSRegressor().fit(X, [1, 2, 3, 4]).model_.design.names
    ('size', 'cityUlm')
    """

    schema: Schema
    columns: tuple[DesignColumn, ...]
    fill: tuple[float, ...]

    def __len__(self) -> int:
        return len(self.columns)

    @property
    def names(self) -> tuple[str, ...]:
        """Names as in R: ``size``, ``cityUlm`` (1 where city is Ulm), ``missing(size)``."""
        return tuple(self.name(j) for j in range(len(self.columns)))

    def name(self, j: int) -> str:
        """Name of one column."""
        column = self.columns[j]
        feature = self.schema[column.feature]
        if column.what == VALUE:
            return feature.name
        if column.what == MISSING:
            return f"missing({feature.name})"
        if len(column.levels) == 1:
            return f"{feature.name}{feature.levels[column.levels[0]]}"
        return f"{feature.name}{{{', '.join(str(feature.levels[v]) for v in column.levels)}}}"

    def values(self, columns: Columns) -> list[np.ndarray]:
        """The design columns of some rows, float64, shape (n,) each."""
        return [self.value(columns, j) for j in range(len(self.columns))]

    def value(self, columns: Columns, j: int) -> np.ndarray:
        """One design column."""
        column = self.columns[j]
        feature, values = self.schema[column.feature], numbers(columns, column.feature)
        if column.what == LEVELS:
            return np.isin(values, column.levels).astype(float)
        missing = ~feature.type.known(values)
        if column.what == MISSING:
            return missing.astype(float)
        values = ENCODINGS.of(feature).encoded(values)
        return np.where(missing, self.fill[column.feature], values) if missing.any() else values


class Encoding(ABC):
    """How features of one kind become design columns: what they hold beside whether a value is missing."""

    what = VALUE

    @abstractmethod
    def encoded(self, values: np.ndarray) -> np.ndarray:
        """Values or codes of levels as numbers."""

    def learn(self, columns: Columns, f: int, y: np.ndarray, weight: np.ndarray | None, nominal: str) -> tuple:
        """The design columns of feature ``f`` but for missing values, and their replacement."""
        values, known = numbers(columns, f), ~columns.missing(f)
        return [DesignColumn(f, VALUE)], _mean(self.encoded(values[known]), None if weight is None else weight[known])

    def knot(self, feature: Feature, cut: float, written: str) -> str:
        """A finite knot for people; ``written`` as a number."""
        return written

    def unknown(self, j: int, feature: Feature) -> tuple[Condition, ...]:
        """The conditions of which one holds where a value is missing or not known."""
        return (IsMissing(j),)


class NumberEncoding(Encoding):
    """As they are."""

    def encoded(self, values: np.ndarray) -> np.ndarray:
        return values


class TimeEncoding(NumberEncoding):
    """Whole numbers of the resolution."""

    def knot(self, feature: Feature, cut: float, written: str) -> str:
        return feature.temporal.text(math.floor(cut) * feature.temporal.step)


class RankEncoding(Encoding):
    """Places of levels, counted from 1."""

    def encoded(self, values: np.ndarray) -> np.ndarray:
        return values + 1.0

    def unknown(self, j: int, feature: Feature) -> tuple[Condition, ...]:
        return IsMissing(j), NoneOf(j, tuple(range(len(feature.levels))))


class IndicatorEncoding(RankEncoding):
    """1 for one level, or for a group of levels."""

    what = LEVELS

    def encoded(self, values: np.ndarray) -> np.ndarray:
        return (values >= 0).astype(float)

    def learn(self, columns: Columns, f: int, y: np.ndarray, weight: np.ndarray | None, nominal: str) -> tuple:
        return [DesignColumn(f, LEVELS, levels) for levels in _level_sets(columns.values[f], y, weight, nominal)], 0.0


ENCODINGS: ByKind[Encoding] = ByKind(
    numeric=NumberEncoding(), ordinal=RankEncoding(), nominal=IndicatorEncoding(), temporal=TimeEncoding()
)


def numbers(columns: Columns, j: int) -> np.ndarray:
    """The values of a feature; of dates and times in units of their resolution, such as days."""
    values, step = columns.values[j], columns.schema[j].type.step
    if step == 1:
        return values
    counts, missing = counts_of(values, columns.low[j])
    return np.where(missing, np.nan, (counts // step).astype(np.float64))


def learn_design(columns: Columns, y: np.ndarray, weight: np.ndarray | None, nominal: str, missing: str) -> Design:
    """The design of training data.

    Parameters
    ----------
    columns : Columns
    y : float64, shape (n, K)
        Responses; they order the levels of grouped nominal features.
    weight : float64, shape (n,), or None
    nominal : {"indicators", "grouped"}
        One indicator for each level that occurs but the first; or the first 1, 2, ... levels in order of the mean of y,
        so that one term can separate many levels.
    missing : {"error", "indicator"}
        With "indicator" a feature with missing values gets an indicator column.

    Returns
    -------
    Design

    Examples
    --------
    >>> import numpy as np
    >>> from boxwood.data.frames.frame import learn_columns
    >>> from boxwood.mars.design import learn_design
    >>> columns = learn_columns({"size": [1.0, 2.0, 4.0], "city": ["Ulm", "京都", "Wien"]})
    >>> learn_design(columns, np.zeros((3, 1)), None, "indicators", "error").names
    ('size', 'cityWien', 'city京都')
    """
    design, fill = [], []
    for f, feature in enumerate(columns.schema):
        own, replacement = ENCODINGS.of(feature).learn(columns, f, y, weight, nominal)
        design += own
        fill.append(replacement)
        if missing == "indicator" and columns.missing(f).any():
            design.append(DesignColumn(f, MISSING))
    return Design(columns.schema, tuple(design), tuple(fill))


def _mean(values: np.ndarray, weight: np.ndarray | None) -> float:
    """The mean, from sums that do not depend on the order; 0 of nothing."""
    if not len(values):
        return 0.0
    if weight is None:
        return _exact_sum(values) / len(values)
    return _exact_sum(values * weight) / _exact_sum(weight)


def _exact_sum(values: np.ndarray) -> float:
    """The float64 that ``math.fsum`` gives: leading digits, cut off at one place for all, add up without rounding."""
    sums, left = [], values.copy()  # another thread may change the values meanwhile
    while left.any():
        most = np.abs(left).max()
        place = np.frexp(most)[1] + (len(left) + 2).bit_length()
        if not np.isfinite(most) or place > 1023:
            return math.fsum([*sums, *left])
        unit = 2.0**place
        leading = (left + unit) - unit
        sums.append(leading.sum())
        left = left - leading
    return math.fsum(sums)


def _level_sets(codes: np.ndarray, y: np.ndarray, weight, nominal: str) -> Sequence[tuple[int, ...]]:
    """The levels of each indicator of a nominal feature."""
    present = [int(v) for v in distinct(codes[codes >= 0])]
    if nominal == "indicators" or len(present) < 3:
        return [(v,) for v in present[1:]]
    rows = [codes == v for v in present]
    means = np.array([[_mean(column[at], None if weight is None else weight[at]) for column in y.T] for at in rows])
    centred = means - means.mean(axis=0)
    along = centred[:, 0] if y.shape[1] == 1 else centred @ _direction(centred)
    order = [present[i] for i in np.argsort(along.round(12), kind="stable")]
    return [tuple(sorted(order[k:])) for k in range(1, len(order))]


def _direction(centred: np.ndarray) -> np.ndarray:
    """The direction in which rows differ most; its largest entry is positive."""
    first = np.linalg.svd(centred, full_matrices=False)[2][0]
    return first * np.sign(first[np.argmax(np.abs(first))] or 1.0)


def indicators(codes: np.ndarray, k: int) -> np.ndarray:
    """Columns of 0 and 1: of the second class when there are two, of every class when there are more."""
    if k <= 2:
        return (codes == k - 1).astype(float)[:, None] if k == 2 else np.zeros((len(codes), 1))
    return (codes[:, None] == np.arange(k)).astype(float)
