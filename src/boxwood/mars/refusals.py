"""Values that MARS rejects: missing and infinite ones, and numbers whose squares do not fit a float64."""

from __future__ import annotations

import numpy as np

from .._messages import Column, Phrase, Row, Setting, Value, remedy
from ..data.columns.columns import Columns
from ..errors import DataError, MissingValueError, WeightError
from .design import ENCODINGS

#: Squares of numbers beyond it, or closer to 0 than its reciprocal, are lost to overflow or underflow.
_FAR = 1e150


def refuse_missing(columns: Columns, inside: np.ndarray | None = None) -> None:
    """Refuse missing values in the rows that count, with the remedy that MARS has.

    Raises
    ------
    MissingValueError
        Names the first column with a missing value and its row.
    """
    for j, feature in enumerate(columns.schema):
        found = columns.missing(j) if inside is None else columns.missing(j) & inside
        if found.any():
            raise MissingValueError(
                Column(feature.name, "column"), " has a missing value (NaN) in ", Row(int(np.argmax(found))), " and ",
                Setting("missing", "error"), " does not allow it; ",
                remedy("impute it, or choose ", Setting("missing", "indicator")), ".",
            )  # fmt: skip


def refuse_infinite(columns: Columns, inside: np.ndarray | None = None) -> None:
    """Refuse infinite numbers, which no sum can hold, in the rows that count.

    Raises
    ------
    MissingValueError
        Names the first column with an infinite number and its row.
    """
    for feature, values in zip(columns.schema, columns.values, strict=True):
        endless = np.isinf(values) if inside is None else np.isinf(values) & inside
        if endless.any():
            row = int(np.argmax(endless))
            raise MissingValueError(
                Column(feature.name, "column"), " holds ", Value(values[row].item(), str(values[row])),
                " (infinity) in ", Row(row), " and MARS takes finite numbers only; ", remedy("correct it"), ".",
            )  # fmt: skip


def refuse_far(columns: Columns, y: np.ndarray, weight: np.ndarray | None, max_degree: int) -> None:
    """Refuse numbers whose products of ``max_degree`` factors, squared and weighted, leave the range of float64.

    Raises
    ------
    WeightError
        Names the largest weight and the remedy.
    DataError
        Names the column, its largest number and the remedy.
    """
    heaviest = 1.0 if weight is None else float(weight.max(initial=1.0))
    if heaviest > _FAR or (weight is not None and weight.max() < 1.0 / _FAR):
        raise WeightError(
            Setting("sample_weight"), f" reaches {weight.max():.3g}, and weighted sums of squares do not fit a "
            "float64; ", remedy("multiply the weights so that they add up to the number of rows"), ".",
        )  # fmt: skip
    far = _FAR / heaviest**0.5
    least, most = _FAR ** (-1.0 / max_degree), far ** (1.0 / max_degree)
    for feature, values in zip(columns.schema, columns.values, strict=True):
        encoded = ENCODINGS.of(feature).encoded(values)
        _check(Column(feature.name, "column"), np.nanmax(np.abs(encoded), initial=0.0), least, most)
    _check(Setting("y"), np.abs(y).max(initial=0.0), 1.0 / _FAR, far)


def _check(what: Phrase, largest: float, least: float, most: float) -> None:
    if largest > most or 0.0 < largest < least:
        raise DataError(
            what, " reaches ", Value(float(largest), f"{largest:.3g}"),
            ", and sums of squares of such numbers do not fit a float64; ",
            remedy(f"give it in other units, between {least:.0e} and {most:.0e}"), ".",
        )  # fmt: skip
