"""Values that MARS cannot work with: missing and infinite ones, and numbers whose squares do not fit a float64."""

from __future__ import annotations

import numpy as np

from ..data.columns import Columns
from ..data.schema import NUMERIC
from ..errors import DataError, MissingValueError

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
        gone = columns.missing(j) if inside is None else columns.missing(j) & inside
        if gone.any():
            raise MissingValueError(
                f"column {feature.name!r} has a missing value (NaN) in row {int(np.argmax(gone))} and missing='error' "
                "refuses it; fill it in, or choose missing='indicator'."
            )


def refuse_infinite(columns: Columns, inside: np.ndarray | None = None) -> None:
    """Refuse infinite numbers, which no sum can hold, in the rows that count.

    Raises
    ------
    MissingValueError
        Names the first column with an infinite number and its row.
    """
    for feature, values in zip(columns.schema, columns.values, strict=True):
        if feature.kind != NUMERIC:
            continue
        endless = np.isinf(values) if inside is None else np.isinf(values) & inside
        if endless.any():
            row = int(np.argmax(endless))
            raise MissingValueError(
                f"column {feature.name!r} holds {values[row]} (infinity) in row {row} and MARS takes finite numbers "
                "only; correct it."
            )


def refuse_far(columns: Columns, y: np.ndarray, max_degree: int) -> None:
    """Refuse numbers whose products of ``max_degree`` factors, squared, leave the range of float64.

    Raises
    ------
    DataError
        Names the column, its largest number and the remedy.
    """
    most = _FAR ** (1.0 / max_degree)
    for feature, values in zip(columns.schema, columns.values, strict=True):
        if feature.kind == NUMERIC:
            _check(f"column {feature.name!r}", np.nanmax(np.abs(values), initial=0.0), most)
    _check("y", np.abs(y).max(initial=0.0), _FAR)


def _check(what: str, largest: float, most: float) -> None:
    if largest > most or 0.0 < largest < 1.0 / most:
        raise DataError(
            f"{what} reaches {largest:.3g}, and sums of squares of such numbers do not fit a float64; give it in other "
            f"units, between {1.0 / most:.0e} and {most:.0e}."
        )
