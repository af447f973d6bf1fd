"""What the header and sections of a model file may hold: the type and range of each value."""

from __future__ import annotations

import math

import numpy as np

from .sections import damaged


def check_numbers(
    name: str, array: np.ndarray | None, shape: tuple[int, ...], dtype: type = np.float64,
    least: float = -math.inf, most: float = math.inf, endless: bool = False, unknown: bool = False,
) -> None:  # fmt: skip
    """Check that a section is there, with its type, its shape, and numbers within a range.

    Parameters
    ----------
    name : str
        Of the section.
    array : ndarray or None
    shape : tuple of int
    dtype : type
    least, most : float
    endless, unknown : bool
        Whether numbers may be infinite, or NaN.

    Raises
    ------
    ModelFileError

    Examples
    --------
    >>> import numpy as np
    >>> from boxwood.tree.stored import check_numbers
    >>> check_numbers("risks", np.array([3.0, -1.0]), (2,), least=0.0)
    Traceback (most recent call last):
    ...
    boxwood.errors.ModelFileError: the model file is damaged in section 'risks': a number is below 0; use an intact copy
    or save the model again.
    """
    if array is None:
        damaged(name, "it is missing")
    if array.dtype != dtype or array.shape != shape:
        damaged(name, f"it must be {np.dtype(dtype).name} of shape {shape}, not {array.dtype} of shape {array.shape}")
    if not unknown and np.isnan(array).any():
        damaged(name, "it holds something that is not a number")
    if not endless and np.isinf(array).any():
        damaged(name, "it holds an infinite number")
    if (array < least).any():
        damaged(name, f"a number is below {least:g}")
    if (array > most).any():
        damaged(name, f"a number is above {most:g}")


def check_fields(where: str, plain: object, kinds: dict[str, type | tuple[type, ...]], optional: bool = False) -> dict:
    """A JSON object whose known fields have their types; ``optional``: they need not be there.

    Raises
    ------
    ModelFileError
    """
    if type(plain) is not dict:
        damaged("header", f"{where} must be an object")
    for name, kind in kinds.items():
        if name not in plain and optional:
            continue
        if name not in plain or type(plain[name]) not in (kind if isinstance(kind, tuple) else (kind,)):
            damaged("header", f"{where} has no field {name!r}, or one of the wrong type")
    return plain


def check_choice(where: str, value: object, allowed: tuple) -> None:
    """A value of a setting that is one of those known.

    Raises
    ------
    ModelFileError
    """
    if not any(value is known or (type(value) is str and value == known) for known in allowed):
        damaged("header", f"{where} must be one of {', '.join(map(repr, allowed))}")


def check_texts(where: str, values: object) -> None:
    """A list of texts.

    Raises
    ------
    ModelFileError
    """
    if type(values) is not list or not all(type(value) is str for value in values):
        damaged("header", f"{where} must be a list of texts")
