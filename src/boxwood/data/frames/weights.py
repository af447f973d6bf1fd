"""Sample weights, and whether the parts of a learning set have the same number of rows."""

from __future__ import annotations

import numbers

import numpy as np

from ..._messages import FromZero, Row, Setting, Value, remedy
from ...errors import DataError, DataTypeError, WeightError
from ..columns.columns import Columns
from ..columns.levels import as_numbers, with_levels_of
from ..columns.raw import RawColumn
from .amounts import as_amounts
from .containers import open_column

#: Weights of which only ratios count are moderate up to this power of two: squares of them are multiplied by losses.
RELATIVE = 300


def read_weights(sample_weight, n: int, name: str = "sample_weight") -> np.ndarray | None:
    """Read sample weights.

    Parameters
    ----------
    sample_weight : None, number, or column of n numbers
        Any container of one dimension; a number means n equal weights.
    n : int
        Number of rows of X.
    name : str
        Name of the argument in messages.

    Returns
    -------
    float64, shape (n,), or None
        None when all weights are 1. A copy, which stays what it is if ``sample_weight`` is changed.

    Raises
    ------
    WeightError
        Another length than n, or weights that are missing, not finite, negative or all zero.

    Examples
    --------
    >>> from boxwood.data.frames.weights import read_weights
    >>> read_weights([1, 2, 0.5], 3)
    array([1. , 2. , 0.5])
    """
    if sample_weight is None:
        return None
    weights = _as_column(sample_weight, n, name).copy()
    if weights.shape != (n,):
        raise WeightError(f"{name}.shape == {weights.shape}, expected {(n,)}! Give every row of X exactly one weight.")
    _check_weights(weights, name)
    if not weights.any():
        raise WeightError(f"{name} must contain at least one non-zero number; all of its weights are zero.")
    return None if (weights == 1.0).all() else weights


def with_levels_of_weight(columns: Columns, sample_weight) -> Columns:
    """The columns of training with the levels that have a row of positive weight; all others did not occur.

    Raises
    ------
    WeightError
        As for :func:`read_weights`.
    """
    if sample_weight is None or columns.schema.is_numeric:
        return columns
    weights = read_weights(sample_weight, columns.n)
    return columns if weights is None or weights.all() else with_levels_of(columns, weights > 0)


def relative_weights(sample_weight, n: int) -> np.ndarray | None:
    """Read weights of which only the ratios count, so that squares and sums of them fit a float64.

    Where the largest is beyond 2**300 or below 2**-300, all are multiplied by the same power of two.

    Raises
    ------
    WeightError
        As for :func:`read_weights`.

    Examples
    --------
    >>> from boxwood.data.frames.weights import relative_weights
    >>> relative_weights([2.0**1000, 2.0**999], 2)
    array([0.5 , 0.25])
    """
    weights = read_weights(sample_weight, n)
    return None if weights is None else np.ldexp(weights, bounding_power(weights, RELATIVE))


def bounding_power(weights: np.ndarray, most: int = 500) -> int:
    """The power of two that makes weights moderate if the largest is beyond 2**most or below 2**-most; 0 otherwise."""
    exponent = int(np.frexp(weights.max())[1])
    return 0 if abs(exponent) <= most else -exponent


def bounded_weights(weights: np.ndarray) -> np.ndarray:
    """Weights whose sums fit float64: extreme ones are divided by a power of two, which changes no tree."""
    power = bounding_power(weights)
    return np.ldexp(weights, power) if power else weights


def weights_of(column: RawColumn, name: str = "sample_weight") -> np.ndarray:
    """A column of weights, float64, shape (n,); they may all be 0 here.

    Raises
    ------
    WeightError
        A weight is missing, not finite, negative, or no number.
    """
    try:
        weights = as_numbers(column)[0]
    except DataTypeError as error:
        raise WeightError(error.message) from None
    _check_weights(weights, name)
    return weights


def _check_weights(weights: np.ndarray, name: str) -> None:
    wrong = ~(np.isfinite(weights) & (weights >= 0))
    if wrong.any():
        row = int(np.argmax(wrong))
        raise WeightError(
            Setting(name), ", ", Row(row), FromZero(), " is ", Value(weights[row], str(weights[row])), "; ",
            remedy("use finite weights of 0 or more, none of them negative or missing."),
        )  # fmt: skip


def check_lengths(n: int, m: int) -> None:
    """Refuse X of n rows with y (or exposure, or another column) of m rows.

    Raises
    ------
    DataError
        n and m differ.
    """
    if n != m:
        raise DataError(
            f"Found input variables with inconsistent numbers of samples: [{n}, {m}]; "
            "give every row of X exactly one value."
        )


def _as_column(sample_weight, n: int, name: str) -> np.ndarray:
    """The weights as float64, shape (m,), not yet checked."""
    if isinstance(sample_weight, np.ndarray) and sample_weight.ndim == 0:
        sample_weight = sample_weight.item()
    if isinstance(sample_weight, numbers.Real):
        return np.full(n, float(sample_weight))
    try:
        column, width = open_column(sample_weight, name)
        if column is not None and not width:
            return as_numbers(as_amounts(column))[0]
    except (DataError, DataTypeError) as error:
        raise WeightError(error.message) from None
    raise WeightError(
        f"Sample weights must be 1D array or scalar, got 2D array with {width} columns. Expected either a scalar "
        f"value or a 1D array of length {n} for {name}."
    )
