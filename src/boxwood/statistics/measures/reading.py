"""Reads and checks the arguments of a measure: counts, moments or columns; and shapes its result."""

from __future__ import annotations

import inspect
import math
import numbers
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import numpy as np

from ..._messages import Message, Setting, Value, must_be, remedy
from ..._typing import ColumnLike
from ...errors import DataError, ParameterError, ParameterTypeError

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

#: Beyond this, sums would overflow.
_LARGEST = 1e300

_SHAPES = {1: "classes of y", 2: "values of x and classes of y"}
_COLUMNS = {1: Message(Setting("y"), "="), 2: Message(Setting("y"), "=, ", Setting("x"), "=")}
#: The end of a message about a first argument that is neither counts nor a measure.
BY_KEYWORD = Message("; ", remedy("columns are given by keyword: ", _COLUMNS[2]), ".")

#: Why a measure lacks a parameter that others have.
_LACKS = {("gain_ratio", "base"): "the base cancels, because both gain and intrinsic value are logarithms"}


def columns_by_keyword(measure: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """A measure that names the keywords of its columns when a caller gives them by position.

    Python's own message gives only the number of arguments. Whether x or y comes first is not obvious, so no order of
    columns is accepted.
    """
    names = inspect.signature(measure).parameters
    known = names.values()
    by_position = [each.name for each in known if each.kind is each.POSITIONAL_OR_KEYWORD]
    columns = ", ".join(f"{each.name}=..." for each in known if each.name in ("y", "x"))

    @wraps(measure)
    def called(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        if len(args) > len(by_position):
            raise ParameterTypeError(
                f"{measure.__name__} takes only {' and '.join(by_position)} by position; got {len(args)} arguments. "
                f"Give columns by keyword: {measure.__name__}({columns})."
            )
        if unknown := [name for name in kwargs if name not in names]:
            reason = _LACKS.get((measure.__name__, unknown[0]), f"its parameters are {', '.join(names)}")
            raise ParameterTypeError(f"{measure.__name__} has no parameter {unknown[0]!r}: {reason}.")
        return measure(*args, **kwargs)

    return called


def read_cells(cells: ColumnLike, axes: int, what: str) -> np.ndarray:
    """Counts of at least ``axes`` axes as float64.

    Raises
    ------
    DataError
        Too few axes, an axis of length 0, or counts that are missing, infinite or negative.
    """
    found = as_floats(cells, what)
    if found.ndim < axes or 0 in found.shape[-axes:]:
        raise DataError(
            Setting(what), f" must have {_SHAPES[axes]} in the last {axes} axes, at least one of each; got shape "
            f"{found.shape}. Columns are given by keyword: ", _COLUMNS[axes], ".",
        )  # fmt: skip
    wrong = ~((found >= 0) & (found <= _LARGEST))
    if wrong.any():
        place = tuple(int(i) for i in np.argwhere(wrong)[0])
        raise DataError(
            Setting(what), f"{list(place)} is ", Value(found[place].item(), str(found[place])),
            "; counts are at least 0 and at most 1e300. Columns are given by keyword: ", _COLUMNS[1], ".",
        )  # fmt: skip
    return found


def read_moments(cells: ColumnLike, axes: int, what: str) -> np.ndarray:
    """Moments of at least ``axes`` axes as float64, the last of length 3.

    Raises
    ------
    DataError
        Another shape, values that are not finite, or negative weights or squares.
    """
    found = as_floats(cells, what)
    if found.ndim < axes or found.shape[-1] != 3 or 0 in found.shape[-axes:]:
        shape = "(..., 3)" if axes == 1 else "(..., V, 3)"
        raise DataError(
            Setting(what), f" must have shape {shape}, with (weight, mean, squares) in the last axis; got shape "
            f"{found.shape}. Columns are given by keyword: ", _COLUMNS[axes], ".",
        )  # fmt: skip
    if not np.isfinite(found).all() or (found[..., [0, 2]] < 0).any():
        raise DataError(Setting(what), " must be finite, with weights and squares of at least 0.")
    return found


def given(measure: str, cells: ColumnLike, make: Callable[..., Any], **columns: Any) -> Any:
    """What a measure works on: its first argument, or the table that ``make`` builds from the columns.

    Raises
    ------
    ParameterError
        Neither or both are given, or only some of the columns.
    """
    sample_weight = columns.pop("sample_weight", None)
    absent = [name for name, column in columns.items() if column is None]
    if cells is not None:
        if len(absent) < len(columns) or sample_weight is not None:
            belongs = Message(Setting("sample_weight"), " belongs to columns.")
            raise ParameterError(f"{measure} takes counts or columns, not both; ", belongs)
        return cells
    if absent:
        needed = " and ".join(f"{name}=" for name in columns)
        raise ParameterError(f"{measure} needs counts as its first argument, or {needed}; {absent[0]} is not given.")
    return make(sample_weight=sample_weight, **columns)


def plain(result: np.ndarray) -> float | Any:
    """A result without axes as a Python float, others as they are."""
    return float(result) if np.ndim(result) == 0 else result


def as_floats(cells: ColumnLike, what: str) -> np.ndarray:
    """Numbers of any type as float64; text is refused also where it could be read as a number."""
    try:
        found = np.asarray(cells)
        if found.dtype.kind in "biuf" or (found.dtype.kind == "O" and not any(isinstance(v, str) for v in found.flat)):
            return found.astype(np.float64)
    except (TypeError, ValueError):
        pass
    raise DataError(Setting(what), " must be an array of numbers", BY_KEYWORD)


def check_base(base: float) -> None:
    """Refuse a base of logarithms that is not a finite number above 1."""
    if isinstance(base, bool) or not isinstance(base, numbers.Real) or not math.isfinite(base) or base <= 1:
        raise ParameterError(must_be("base", "a number above 1, such as 2, math.e or 10", base))
