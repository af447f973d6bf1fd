"""Columns become tables: value of x times class of y, or value of x times moments of a numeric y."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..._messages import FromZero, Row, Setting, Value, must_be, remedy
from ..._typing import ColumnLike
from ...data.columns.levels import as_numbers, distinct
from ...data.columns.raw import RawColumn
from ...data.frames.alignment import check_aligned
from ...data.frames.containers import open_column
from ...data.frames.weights import read_weights
from ...errors import DataError, check_one_of
from ..exact import exact_weights

#: Beyond this, squares would overflow.
_LARGEST_Y = 1e150

#: Names of the three moments of a numeric target.
MOMENTS = ("weight", "mean", "squares")


@dataclass(frozen=True, eq=False)
class Table:
    """The distribution of the response for each value of a feature. Every measure accepts it instead of counts.

    Attributes
    ----------
    cells : float64, shape (V, M)
        Weights of the K classes (M = K), or moments (sum of weights, mean, weighted sum of squared deviations).
    values : tuple
        The V values of x in the order of `cells`: the declared order of a category, otherwise sorted; None is missing.
    labels : tuple
        The K classes of y, or the names of the three moments.
    known : float
        Proportion of the weight in the table; the rest was omitted because x or y is missing.

    Examples
    --------
    >>> from boxwood import measures
    >>> found = measures.table(y=["yes", "no", "yes", "no"], x=["a", "a", "b", None])
    >>> found.values, found.labels, found.cells.tolist(), found.known
    (('a', 'b'), ('no', 'yes'), [[1.0, 1.0], [0.0, 1.0]], 0.75)
    """

    cells: np.ndarray
    values: tuple[Any, ...]
    labels: tuple[Any, ...]
    known: float = 1.0

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        # numpy before 2.0 has no copy=None
        return np.asarray(self.cells, dtype=dtype) if copy is None else np.array(self.cells, dtype=dtype, copy=copy)


def table(
    y: ColumnLike, x: ColumnLike | None = None, sample_weight: ColumnLike | None = None, missing: str = "drop"
) -> Table:
    """Weights of all pairs (value of x, class of y).

    Parameters
    ----------
    y, x : column of n values
        Any one-dimensional container. Every distinct value, including numbers, is a class. Without x, the table has one
        row.
    sample_weight : column of n numbers, optional
        Finite and at least 0. None counts rows.
    missing : {"drop", "level"}
        If x is missing, omit the row, or treat None as the last value. Rows in which y is missing are always omitted.

    Returns
    -------
    Table
        The sums do not depend on the order of the rows.

    Raises
    ------
    DataError, DataTypeError
        A column cannot be read, or the columns differ in length.
    WeightError
        The weights are missing, not finite, negative or all zero.
    ParameterError
        ``missing`` has another value.

    Examples
    --------
    >>> from boxwood import datasets, measures
    >>> loan = datasets.load("loan")
    >>> age = measures.table(loan["类别"], loan["年龄"])
    >>> dict(zip(age.values, age.cells.tolist()))
    {'中年': [2.0, 3.0], '老年': [1.0, 4.0], '青年': [3.0, 2.0]}
    """
    check_aligned(y=y, x=x, sample_weight=sample_weight)
    labels, of_y = _levels(y, "y")
    n = len(of_y)
    values, of_x = _values(x, n, missing)
    whole, unit = _whole_weights(sample_weight, n)
    kept = (of_y >= 0) & (of_x >= 0)
    cells = np.zeros((len(values), len(labels)), dtype=np.int64)
    np.add.at(cells, (of_x[kept], of_y[kept]), whole[kept])
    return Table(cells * unit, values, labels, _share(whole, kept))


def group_moments(
    y: ColumnLike, x: ColumnLike | None = None, sample_weight: ColumnLike | None = None, missing: str = "drop"
) -> Table:
    """Moments of a numeric y for every value of x: sum of weights, mean, weighted sum of squared deviations.

    Parameters
    ----------
    y : column of n numbers
        At most 1e150 in absolute value.
    x : column of n values, optional
        Without it, the table has one row.
    sample_weight, missing
        As in `table`.

    Returns
    -------
    Table
        ``cells`` has shape (V, 3). The sums are rounded once, so they do not depend on the order of the rows.

    Raises
    ------
    DataError, DataTypeError, WeightError, ParameterError
        As in `table`; also if y is infinite or not a number.

    Examples
    --------
    >>> from boxwood import measures
    >>> measures.group_moments(y=[1, 2, 3, 6], x=["a", "a", "b", "b"]).cells.tolist()
    [[2.0, 1.5, 0.5], [2.0, 4.5, 4.5]]
    """
    check_aligned(y=y, x=x, sample_weight=sample_weight)
    numbers, _ = as_numbers(_column(y, "y"))
    too_large = np.abs(numbers) > _LARGEST_Y
    if too_large.any():
        row = int(np.argmax(too_large))
        raise DataError(
            "y, ", Row(row), FromZero(), " is ", Value(numbers[row].item(), str(numbers[row])), "; ",
            remedy("drop rows whose y is not finite, and scale y down if it goes beyond 1e150"),
            ", since its squares would overflow.",
        )  # fmt: skip
    values, of_x = _values(x, len(numbers), missing)
    whole, unit = _whole_weights(sample_weight, len(numbers))
    kept = ~np.isnan(numbers) & (of_x >= 0) & (whole > 0)
    cells = np.zeros((len(values), 3))
    order = np.flatnonzero(kept)[np.argsort(of_x[kept], kind="stable")]
    bounds = np.searchsorted(of_x[order], np.arange(len(values) + 1))
    for v in range(len(values)):
        rows = order[bounds[v] : bounds[v + 1]]
        cells[v] = _moments(numbers[rows], whole[rows] * unit)
    return Table(cells, values, MOMENTS, _share(whole, kept | (whole == 0)))


def value_counts(column: ColumnLike, sample_weight: ColumnLike, name: str) -> tuple[np.ndarray, np.ndarray]:
    """Weight of each distinct value of a column, float64, and the position of every row among them, -1 = missing."""
    check_aligned(**{name: column, "sample_weight": sample_weight})
    values, codes = _levels(column, name)
    whole, unit = _whole_weights(sample_weight, len(codes))
    counts = np.zeros(len(values), dtype=np.int64)
    np.add.at(counts, codes[codes >= 0], whole[codes >= 0])
    return counts * unit, codes


def merge_moments(cells: np.ndarray) -> np.ndarray:
    """Moments of the union of groups: shape (..., V, 3) -> (..., 3); a group without weight adds nothing."""
    weight = cells[..., 0]
    total = weight.sum(axis=-1)
    mean = (weight * cells[..., 1]).sum(axis=-1) / np.where(total > 0, total, 1.0)
    between = (weight * (cells[..., 1] - mean[..., None]) ** 2).sum(axis=-1)
    return np.stack([total, mean, cells[..., 2].sum(axis=-1) + between], axis=-1)


def _column(column: ColumnLike, name: str) -> RawColumn:
    found, width = open_column(column, name)
    if found is None:
        raise DataError(must_be(name, "one column", Value(width, f"{width} columns"), ". Give one of them."))
    if len(found.values) == 0:
        raise DataError(Setting(name), " has no rows; ", remedy("give at least one"), ".")
    return found


def _levels(column: ColumnLike, name: str) -> tuple[tuple[Any, ...], np.ndarray]:
    """Distinct values of a column and the position of every row among them, -1 = missing."""
    values, codes = distinct(_column(column, name))
    if not values:
        raise DataError(
            Setting(name), f" holds no value in any of its {len(codes)} rows; ", remedy("use another column"), "."
        )  # fmt: skip
    return values, codes


def _values(x: ColumnLike, n: int, missing: str) -> tuple[tuple[Any, ...], np.ndarray]:
    """Values of x and the position of every row among them, -1 = left out."""
    check_one_of("missing", missing, ("drop", "level"))
    if x is None:
        return (None,), np.zeros(n, dtype=np.int32)
    values, codes = distinct(_column(x, "x")) if missing == "level" else _levels(x, "x")
    if len(codes) != n:
        raise DataError(
            Setting("y"), f" has {n} rows and ", Setting("x"), f" has {len(codes)}; ",
            remedy("give every row one value of each"), ".",
        )  # fmt: skip
    if missing == "level" and (codes < 0).any():
        return (*values, None), np.where(codes < 0, len(values), codes)
    return values, codes


def _whole_weights(sample_weight: ColumnLike, n: int) -> tuple[np.ndarray, float]:
    """Weights as whole multiples of a unit, so that sums are the same in any order; 0 stays 0."""
    found = read_weights(sample_weight, n, "sample_weight")
    if found is None:
        return np.ones(n, dtype=np.int64), 1.0
    whole = np.zeros(n, dtype=np.int64)
    positive = found > 0
    multiples, unit = exact_weights(found[positive])
    whole[positive] = 1 if multiples is None else multiples
    return whole, unit


def _share(whole: np.ndarray, kept: np.ndarray) -> float:
    return int(whole[kept].sum()) / int(whole.sum())


def _moments(y: np.ndarray, weight: np.ndarray) -> tuple[float, float, float]:
    """Moments of one group; `fsum` rounds once, whatever the order of rows."""
    if len(y) == 0:
        return 0.0, 0.0, 0.0
    total = math.fsum(weight)
    mean = min(max(math.fsum(weight * y) / total, float(y.min())), float(y.max()))  # equal values: exactly that value
    return total, mean, math.fsum(weight * (y - mean) ** 2)
