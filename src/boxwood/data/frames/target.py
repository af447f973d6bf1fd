"""The response y: class labels with their codes, or finite numbers."""

from __future__ import annotations

import warnings

import numpy as np

from ..._messages import FromZero, Row, Setting, Value, remedy
from ...errors import BoxwoodWarning, DataError, DataTypeError, ResponseError, TextResponseError, level_outside
from ..columns.levels import as_numbers, distinct, match_levels
from ..columns.raw import RawColumn, refuse_times
from ..columns.schema import NOMINAL, Feature
from ..columns.whole_numbers import whole_numbers_near
from .amounts import as_amounts
from .containers import open_column


def read_classes(y, column_warning: type[Warning] = BoxwoodWarning) -> tuple[tuple, np.ndarray]:
    """Read class labels.

    Parameters
    ----------
    y : column of n labels
        Strings, booleans, integers, whole floats or categories in any container of one dimension, or of two with
        one column.
    column_warning : type of Warning
        Given when ``y`` has two dimensions.

    Returns
    -------
    labels : tuple
        The labels that occur, in the type they came in (str, int, float, bool), sorted; in declared order when ``y`` is
        an ordered categorical.
    codes : int32, shape (n,)
        Position of every row's label in ``labels``.

    Raises
    ------
    ResponseError
        ``y`` is missing, holds missing values, numbers with a fractional part or labels that end in a NUL character, or
        has several columns.

    Examples
    --------
    >>> from boxwood.data.frames.target import read_classes
    >>> read_classes(["是", "否", "是"])
    (('否', '是'), array([1, 0, 1], dtype=int32))
    """
    found = _whole_labels(y)
    if found is not None:
        return found
    column = open_response(y, "y", column_warning)
    levels, codes = class_levels(column)
    occurs = np.flatnonzero(np.bincount(codes, minlength=len(levels))).tolist()
    if not column.ordered:
        try:
            occurs = sorted(occurs, key=levels.__getitem__)
        except TypeError:
            raise ResponseError(
                "y mixes labels of different types, for example numbers and strings, which have no common order; "
                "convert all labels to strings."
            ) from None
    new = np.full(len(levels) + 1, -1, dtype=np.int32)
    new[occurs] = np.arange(len(occurs))
    return tuple(levels[i] for i in occurs), new[codes]


def class_levels(column: RawColumn) -> tuple[tuple, np.ndarray]:
    """Levels of a column of labels and the position of every row among them, both as they come.

    Raises
    ------
    ResponseError
        It is not a column of labels; see :func:`read_classes`.
    """
    if column.temporal is not None:
        raise ResponseError(str(refuse_times(column)))
    if column.levels is None:
        _check_whole(column)
    levels, codes = distinct(column)
    _check_no_missing(codes)
    _check_no_final_nul(levels, codes)
    return levels, codes


def _whole_labels(y) -> tuple[tuple, np.ndarray] | None:
    """Labels and codes of an array of whole numbers close together, which is the commonest y; None for all else."""
    kind = getattr(y, "dtype", None)
    if not isinstance(kind, np.dtype) or kind.kind not in "iuf" or not kind.isnative or kind.itemsize > 8:
        return None
    if type(y) is not np.ndarray:
        if not hasattr(y, "iloc"):  # a column of pandas has its numbers in an array
            return None
        y = y.to_numpy()
    if type(y) is not np.ndarray or y.ndim != 1:
        return None
    found = whole_numbers_near(y) if len(y) else None
    if found is None:
        return None
    labels, codes = found
    return tuple(map(float, labels)) if kind.kind == "f" else tuple(labels), codes


def encode_classes(y, labels: tuple, column_warning: type[Warning] = BoxwoodWarning) -> np.ndarray:
    """Codes of labels by the labels of training, compared by value.

    Returns
    -------
    int32, shape (n,)
        Positions in ``labels``; -1 for a label that is not among them.

    Raises
    ------
    ResponseError
        ``y`` is missing, holds missing values or has several columns.
    """
    near = _whole_labels(y)
    if near is not None and near[0] == labels and list(map(type, near[0])) == list(map(type, labels)):
        return near[1].astype(np.int32, copy=False)
    codes, _ = match_levels(open_response(y, "y", column_warning), Feature("y", NOMINAL, tuple(labels)))
    _check_no_missing(codes)
    return np.maximum(codes, -1)


def read_numbers(y, what: str = "y", column_warning: type[Warning] = BoxwoodWarning) -> np.ndarray:
    """Read a numeric target, exposures or amounts; texts of numbers of one form are read by it, with a warning.

    Parameters
    ----------
    y : column of n numbers
        Any container of one dimension, or of two with one column.
    what : str
        Name of the argument in messages.
    column_warning : type of Warning
        Given when ``y`` has two dimensions.

    Returns
    -------
    float64, shape (n,)
        Finite; a copy, which stays what it is if ``y`` is changed.

    Raises
    ------
    ResponseError
        ``y`` is missing, has several columns, or holds values that are missing, infinite or not numbers.

    Examples
    --------
    >>> from boxwood.data.frames.target import read_numbers
    >>> read_numbers([1, 2.5])
    array([1. , 2.5])
    """
    column = open_response(y, what, column_warning)
    try:
        column = as_amounts(column)
    except DataTypeError as error:
        raise ResponseError(error.message) from None
    return finite_numbers(column, what)


def finite_numbers(column: RawColumn, what: str = "y") -> np.ndarray:
    """A column as finite numbers, float64, shape (n,).

    Raises
    ------
    TextResponseError
        It is y and holds text.
    ResponseError
        It holds values that are missing, infinite or not numbers.
    """
    try:
        values, _ = as_numbers(column)
    except DataTypeError as error:
        is_text = what == "y" and column.levels is not None
        raise (TextResponseError if is_text else ResponseError)(error.message) from None
    values = values.copy()
    _check_finite(values, what)
    return values


#: Spread of y, half its range, whose squares float64 can add up; exposures lie between the two.
TINIEST, LARGEST = 2.0**-480, 2.0**480


def check_counts(y: np.ndarray) -> None:
    """Refuse events that are negative, or too many to add up.

    Raises
    ------
    ResponseError
    """
    for wrong, fact in ((y > LARGEST, ", which is too many to add up."), (y < 0, ".")):
        if wrong.any():
            row = int(np.argmax(wrong))
            negative = "" if fact != "." else " and cannot be negative"
            raise ResponseError(
                f"y counts events{negative}; ", Row(row), FromZero(), " holds ", Value(y[row].item()), fact,
                *(() if fact != "." else (" ", remedy("Use ", Setting("criterion", "variance"), "."))),
            )  # fmt: skip


def check_exposure(values: np.ndarray) -> None:
    """Refuse exposures that are not positive, or of a size that float64 cannot add up.

    Raises
    ------
    ResponseError
    """
    wrong = ~((values >= TINIEST) & (values <= LARGEST))
    if wrong.any():
        row = int(np.argmax(wrong))
        raise ResponseError(
            Setting("exposure"), " must be positive and of moderate size; ", Row(row), FromZero(), " holds ",
            Value(values[row].item()), ".",
        )  # fmt: skip


def open_response(y, what: str = "y", column_warning: type[Warning] = BoxwoodWarning) -> RawColumn:
    """``y`` as one column of at least one row."""
    if y is None:
        raise ResponseError(f"This estimator requires {what} to be passed, but the target {what} is None.")
    try:
        column, width = open_column(y, what)
    except (DataError, DataTypeError) as error:
        raise ResponseError(error.message) from None
    if column is None:
        raise ResponseError(
            f"{what} should be a 1d array, got {width} columns instead; fit one model for each column of {what}."
        )
    if len(column.values) == 0:
        raise ResponseError(f"Found array with 0 sample(s) in {what} while a minimum of 1 is required.")
    if width:
        warnings.warn(
            f"A column-vector {what} was passed when a 1d array was expected. Please change the shape of {what} to "
            "(n_samples,), for example using ravel().",
            column_warning,
            stacklevel=level_outside(),
        )
    return column


def _check_whole(column: RawColumn) -> None:
    """Refuse numbers that are not labels: missing, infinite, or with a fractional part."""
    _check_finite(column.values, "y")
    if column.integer:
        return
    broken = column.values != np.floor(column.values)
    if broken.any():
        row = int(np.argmax(broken))
        raise ResponseError(
            "Unknown label type: continuous. y, ", Row(row), FromZero(), " is ",
            Value(column.values[row], str(column.values[row])), ", a number and not a class; ",
            remedy("use the regressor, or convert y to whole numbers or strings."),
        )  # fmt: skip


def refuse_missing_response(missing: np.ndarray, what: str) -> None:
    """Refuse a response that is missing in some rows (bool, shape (n,)).

    Raises
    ------
    ResponseError
        The message gives the number of rows, the first of them, and the remedy.
    """
    row, count = int(np.argmax(missing)), int(missing.sum())
    raise ResponseError(
        f"Input {what} contains NaN. ", Row(row, "Row"), FromZero(), f" is the first of {count} without a value; ",
        remedy(Setting("missing_target", "drop"), " drops them."),
    )  # fmt: skip


def _check_finite(values: np.ndarray, what: str) -> None:
    is_finite = np.isfinite(values)
    if not is_finite.all():
        if what == "y" and np.isnan(values).any():
            refuse_missing_response(np.isnan(values), what)
        row = int(np.argmin(is_finite))
        wrong = "NaN" if np.isnan(values[row]) else "infinity or a value too large for dtype('float64')"
        raise ResponseError(
            f"Input {what} contains {wrong}. ", Row(row, "Row"), FromZero(), " is ",
            Value(values[row], str(values[row])), "; ", remedy(f"drop the rows whose {what} is not a finite number."),
        )  # fmt: skip


def _check_no_missing(codes: np.ndarray) -> None:
    if (codes == -1).any():
        refuse_missing_response(codes == -1, "y")


def _check_no_final_nul(levels: tuple, codes: np.ndarray) -> None:
    """Refuse labels that numpy's strings, in which predictions are given, would cut and so merge with others."""
    for i, label in enumerate(levels):
        if isinstance(label, str) and label.endswith("\0") and (codes == i).any():
            raise ResponseError(
                "y, ", Row(int(np.argmax(codes == i))), FromZero(), " holds the label ", Value(label), ", which ends "
                "in a NUL character that arrays of strings cannot keep; ", remedy("remove it from the label."),
            )  # fmt: skip
