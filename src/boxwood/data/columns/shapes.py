"""Whether something has the shape of a table, rows and columns, at least one of each, and real numbers."""

from __future__ import annotations

import numpy as np

from ...errors import DataError


def check_shape(shape: tuple[int, ...]) -> None:
    """Refuse what is not a table with at least one row and one column.

    Raises
    ------
    DataError
        In the words of scikit-learn, which people and tests look for.
    """
    if len(shape) == 2 and 0 not in shape:
        return
    if len(shape) < 2:
        got = "1D array" if shape else "scalar array"
        raise DataError(
            f"Expected 2D array, got {got} instead (shape={shape}). Reshape your data using X.reshape(-1, 1) if it has "
            "a single feature or X.reshape(1, -1) if it has a single sample."
        )
    if len(shape) > 2:
        raise DataError(f"Found array with dim {len(shape)}, while dim <= 2 is required (shape={shape}).")
    what = "feature" if shape[1] == 0 else "sample"
    found = f"Found array with 0 {what}(s) (shape={shape}) while a minimum of 1 is required"
    raise DataError(f"{found}: X has no {'columns' if what == 'feature' else 'rows'}.")


def check_real(kind: np.dtype) -> None:
    """Refuse a table of complex numbers."""
    if kind.kind == "c":
        raise DataError(
            "Complex data not supported: X holds complex numbers; pass real and imaginary parts as columns."
        )
