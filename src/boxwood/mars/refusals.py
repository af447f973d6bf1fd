"""Values that MARS rejects: missing and infinite ones, and numbers whose squares do not fit a float64."""

from __future__ import annotations

import numpy as np

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
                f"column {feature.name!r} has a missing value (NaN) in row {int(np.argmax(found))} and missing='error' "
                "does not allow it; impute it, or choose missing='indicator'."
            )


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
                f"column {feature.name!r} holds {values[row]} (infinity) in row {row} and MARS takes finite numbers "
                "only; correct it."
            )


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
            f"sample_weight reaches {weight.max():.3g}, and weighted sums of squares do not fit a float64; multiply "
            "the weights so that they add up to the number of rows."
        )
    far = _FAR / heaviest**0.5
    least, most = _FAR ** (-1.0 / max_degree), far ** (1.0 / max_degree)
    for feature, values in zip(columns.schema, columns.values, strict=True):
        encoded = ENCODINGS.of(feature).encoded(values)
        _check(f"column {feature.name!r}", np.nanmax(np.abs(encoded), initial=0.0), least, most)
    _check("y", np.abs(y).max(initial=0.0), 1.0 / _FAR, far)


def _check(what: str, largest: float, least: float, most: float) -> None:
    if largest > most or 0.0 < largest < least:
        raise DataError(
            f"{what} reaches {largest:.3g}, and sums of squares of such numbers do not fit a float64; give it in other "
            f"units, between {least:.0e} and {most:.0e}."
        )
