"""The training rows of an estimator: X as columns, y and weights, without rows whose response is missing."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._typing import ColumnLike, TableLike
from ..data.columns.columns import Columns
from ..data.columns.missing_codes import codes_of_columns, holds_numbers, is_missing, text_to_numbers, without_codes
from ..data.columns.raw import RawColumn, taken
from ..data.frames.alignment import check_aligned
from ..data.frames.containers import open_column
from ..data.frames.frame import learn_columns
from ..data.frames.repeated import learn_repeated
from ..data.frames.several_targets import named_columns
from ..data.frames.target import refuse_missing_response
from ..data.frames.weights import read_weights, with_levels_of_weight
from ..errors import DataError, DataTypeError, ResponseError
from ..evaluation.data_check.check import important_findings, target_of
from ..learning.responses import read_exposure
from .response import flat, name_of

log = logging.getLogger("boxwood")


@dataclass(frozen=True, eq=False)
class TrainingRows:
    """What an estimator learns from.

    Attributes
    ----------
    columns : Columns
    y : array-like of shape (n,)
    weight, exposure : array-like of shape (n,) or None
    """

    columns: Columns
    y: object
    weight: object = None
    exposure: object = None


def training_rows(
    X: TableLike,
    y: ColumnLike,
    settings: dict[str, Any],
    task: str,
    weight: ColumnLike | None = None,
    exposure: ColumnLike | None = None,
) -> TrainingRows:
    """Read the rows to learn from; with ``verbose``, report what a check of them finds.

    Parameters
    ----------
    X : table of shape (n, p)
    y : array-like of shape (n,)
    settings : dict
        Checked; categorical_features, numeric_features, ordinal_features, date_formats, missing_values and
        missing_target are read.
    task : {"classification", "regression"}
    weight, exposure : array-like of shape (n,), optional

    Raises
    ------
    DataError, DataTypeError, ParameterError
    """
    rows = _read(X, y, settings, task, weight, exposure)
    if settings.get("verbose") and np.shape(np.asarray(rows.y)) == (
        rows.columns.n,
    ):  # others are refused, or several responses
        for sentence in important_findings(rows.columns, target_of(rows.y, task, name_of(y))).sentences():
            log.info("note: %s", sentence)
    return rows


def _read(X: TableLike, y: ColumnLike, settings: dict[str, Any], task: str, weight: Any, exposure: Any) -> TrainingRows:
    folds = getattr(settings.get("pruning"), "folds", None)
    check_aligned(X=X, y=y, sample_weight=weight, exposure=exposure, folds=folds)
    listed, codes = settings.get("categorical_features", "from_dtype"), settings.get("missing_values")
    drops = settings.get("missing_target") == "drop"
    keeps_declared = settings.get("compat") is not None  # other programs have a branch for levels without rows
    numeric, dates = settings.get("numeric_features"), settings.get("date_formats")
    orders = settings.get("ordinal_features")
    if codes is None and not drops:
        if (
            (listed is None or (isinstance(listed, str) and listed == "from_dtype"))
            and numeric is None
            and dates is None
            and orders is None
        ):
            columns = learn_repeated(X, listed, keeps_declared)
        else:
            columns = learn_columns(X, listed, None, None, numeric, dates, keeps_declared, orders)
        columns = columns if keeps_declared else with_levels_of_weight(columns, weight)
        return TrainingRows(columns, flat(y), weight, exposure)
    name, several = name_of(y), named_columns(y)
    column = _column(y, codes, name)
    of_features = codes
    if several is not None:
        y = {one: _without_codes(each, codes, one) for one, each in several.items()}
        of_features = (
            {key: value for key, value in codes.items() if key not in y} if isinstance(codes, Mapping) else codes
        )
    if isinstance(codes, Mapping) and name in codes:
        of_features = {key: value for key, value in codes.items() if key != name} or None
    missing = np.zeros(0, dtype=bool) if column is None else is_missing(column)
    if several is not None:
        missing = np.any([is_missing(each) for each in y.values()], axis=0)
    if not missing.any() or (several is not None and not drops):
        keep = None
    elif drops:
        keep = ~missing
        log.info("left out: %d rows without a response", int(missing.sum()))
    else:
        refuse_missing_response(missing, "y")
    if keep is not None and not keep.any():
        raise ResponseError("y has no value in any row; name another response.")
    columns = learn_columns(X, listed, of_features, keep, numeric, dates, keeps_declared, orders)
    if column is not None and codes is not None and task == "regression" and holds_numbers(column):
        numbers = text_to_numbers(column).values
        y = numbers if keep is None else numbers[keep]
    else:
        y = flat(y) if keep is None else some_of(y, keep)
    if keep is not None:
        weight = None if weight is None else _kept(read_weights(weight, len(keep)), keep)
        exposure = None if exposure is None else read_exposure(exposure, len(keep))[keep]
    return TrainingRows(columns if keeps_declared else with_levels_of_weight(columns, weight), y, weight, exposure)


def _kept(weight: np.ndarray | None, keep: np.ndarray) -> np.ndarray | None:
    return None if weight is None else weight[keep]


def rows_with_response(y: ColumnLike, settings: Mapping[str, Any]) -> np.ndarray | None:
    """Which rows have a response, bool, shape (n,); None = all, or rows without one are not to be dropped.

    Parameters
    ----------
    y : array-like of shape (n,)
    settings : mapping
        missing_values and missing_target are read.
    """
    if settings.get("missing_target") != "drop":
        return None
    column = _column(y, settings.get("missing_values"), name_of(y))
    missing = np.zeros(0, dtype=bool) if column is None else is_missing(column)
    return ~missing if missing.any() and not missing.all() else None


def _column(y: ColumnLike, codes: Any, name: str) -> RawColumn | None:
    """y as one column without its codes; None where it is none, which is refused later."""
    if y is None:
        return None
    try:
        column, _ = open_column(y, "y")
    except (DataError, DataTypeError):
        return None
    return None if column is None else _without_codes(column, codes, name)


def _without_codes(column: RawColumn, codes: Any, name: str) -> RawColumn:
    here = codes if not isinstance(codes, Mapping) else {key: codes[key] for key in codes if key == name} or None
    return without_codes(column, codes_of_columns(here, [name]).get(name, ()))


def some_of(y: ColumnLike, keep: np.ndarray) -> ColumnLike:
    """The values of y in some rows, in the type they came in."""
    kept = np.flatnonzero(keep)
    if isinstance(y, Mapping):  # several responses
        return {name: taken(column, kept) for name, column in y.items()}
    if hasattr(y, "iloc"):
        found = y.iloc[kept]
        return found.iloc[:, 0] if found.ndim == 2 else found
    if hasattr(y, "filter"):  # pyarrow and polars; their oldest filters take no mask of numpy
        return y.take(kept) if hasattr(y, "take") else y[kept]
    if isinstance(y, (list, tuple)):
        return [value for value, is_known in zip(y, keep, strict=True) if is_known]
    return np.asarray(y).reshape(len(keep))[keep]
