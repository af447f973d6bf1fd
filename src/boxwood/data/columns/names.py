"""Column names: which came with the data, whether they match those of training, which are declared nominal."""

from __future__ import annotations

import warnings
from collections import Counter
from functools import lru_cache

import numpy as np

from ..._messages import Column, FromZero, Message, Phrase, Setting, Value, must_be, remedy, short
from ...errors import BoxwoodWarning, ColumnError, DataTypeError, ParameterError, level_outside
from .raw import group_of
from .schema import Schema


class DataFile(str):
    """A file of data, or another source of rows, as messages call it: a part by which they are known to name it."""

    __slots__ = ()


def resolve_names(found: list, what: str = "X") -> tuple[tuple[str, ...], bool]:
    """Names of the columns of a container, and whether they came with it; ``x0``, ``x1`` ... when none is a string.

    Raises
    ------
    ColumnError
        Some names occur more than once or are missing values.
    DataTypeError
        Strings mixed with other types.
    """
    # As nearly always: nothing to refuse.
    if all(type(name) is str for name in found) and len(set(found)) == len(found):
        return tuple(found), bool(found)
    text = [isinstance(name, str) for name in found]
    unnamed = [j for j, name in enumerate(found) if _is_missing(name)]
    if unnamed:
        raise ColumnError(
            f"{what} has no name for column {unnamed[0]}", FromZero(), ", but ", Value(found[unnamed[0]]), "; ",
            remedy("give every column its own name."),
        )  # fmt: skip
    twice = [name for name, times in Counter(found).items() if times > 1]
    if twice:
        raise ColumnError(f"{what} has more than one column named {listed(twice)}; every name must occur only once.")
    if all(text):
        return tuple(str(name) for name in found), bool(found)
    if any(text):
        types = sorted({type(name).__name__ for name in found})
        raise DataTypeError(
            "Feature names are only supported if all input features have string names, but your input has "
            f"{types} as feature name types; rename them, for example with X.columns = X.columns.astype(str)."
        )
    return made_up(len(found)), False


def _is_missing(name) -> bool:
    return group_of(type(name)) == "missing" or (isinstance(name, float) and name != name)


@lru_cache(maxsize=64)
def made_up(width: int) -> tuple[str, ...]:
    """Names for columns without names."""
    return tuple(f"x{j}" for j in range(width))


def check_names(names: tuple[str, ...], named: bool, schema: Schema, estimator: str) -> None:
    """Warn when only one side has names; refuse names that differ from those of training at all.

    Raises
    ------
    ColumnError
        Lists the columns that are missing, extra or in another order.
    """
    if named != schema.named:
        text = (
            f"X has feature names, but {estimator} was fitted without feature names"
            if named
            else f"X does not have valid feature names, but {estimator} was fitted with feature names"
        )
        warnings.warn(text, BoxwoodWarning, stacklevel=level_outside())
    elif named and names != schema.names:
        raise ColumnError(_mismatch(names, schema.names))


def find_columns(names: tuple[str, ...], schema: Schema) -> list[int]:
    """Positions of the schema's columns among ``names``, which may hold more and in any order.

    A column that names rows need not be there: its position is then that of any other, since its values are not read.

    Raises
    ------
    ColumnError
        Lists the missing columns.
    """
    position = {name: j for j, name in enumerate(names)}
    position = dict.fromkeys(schema.names_of_rows, 0) | position
    missing = [name for name in schema.names if name not in position]
    if missing:
        first, rest = Column(missing[0]), listed(missing)[len(short(missing[0])) :]
        raise ColumnError(
            f"{len(missing)} of the {len(schema)} columns of the model are missing from the data: ", first,
            f"{rest}; the data have {listed(names)}.",
        )  # fmt: skip
    return [position[name] for name in schema.names]


def declared_nominal(categorical_features, names: tuple[str, ...], named: bool) -> frozenset[int]:
    """Positions of the columns that ``categorical_features`` ('all', names, positions or a boolean mask) lists.

    Raises
    ------
    ParameterError
        An unknown name, a position outside the data, a mask of the wrong length, or items of another type.
    """
    if isinstance(categorical_features, str) and categorical_features == "all":
        return frozenset(range(len(names)))
    if isinstance(categorical_features, (str, bytes)) or not np.iterable(categorical_features):
        allowed = "'from_dtype', 'all', None, or a list of column names, of integer positions or of booleans"
        raise ParameterError(must_be("categorical_features", allowed, Value(categorical_features)))
    items = [v.item() if isinstance(v, np.generic) else v for v in categorical_features]
    types = {type(v) for v in items}
    if types <= {bool}:
        return _from_mask(items, len(names))
    if types == {int}:
        return _from_positions(items, len(names))
    if all(issubclass(t, str) for t in types):
        return _from_names(items, names, named)
    raise ParameterError(
        Setting("categorical_features"), " must be an array-like of bool, int or str, got items of type "
        f"{', '.join(sorted(t.__name__ for t in types))}.",
    )  # fmt: skip


def _from_mask(items: list, width: int) -> frozenset[int]:
    if items and len(items) != width:
        raise ParameterError(
            Setting("categorical_features"), " set as a boolean mask must have shape (",
            Setting("n_features"), f",), here ({width},), got: ({len(items)},).",
        )  # fmt: skip
    return frozenset(j for j, v in enumerate(items) if v)


def _from_positions(items: list, width: int) -> frozenset[int]:
    wrong = [j for j in items if not 0 <= j < width]
    if wrong:
        raise ParameterError(
            Setting("categorical_features"), " set as integer indices must be in [0, ",
            Setting("n_features"), f" - 1], here from 0 to {width - 1}; got ", Value(wrong, listed(wrong)), ".",
        )  # fmt: skip
    return frozenset(items)


def _from_names(items: list, names: tuple[str, ...], named: bool) -> frozenset[int]:
    if not named:
        raise ParameterError(
            Setting("categorical_features"), " should be passed as an array of integers or as a boolean mask when the "
            "model is fitted on data without feature names.",
        )  # fmt: skip
    position = {name: j for j, name in enumerate(names)}
    for item in items:
        if item not in position:
            raise ParameterError(
                Setting("categorical_features"), " has an item value ", Value(item), " which is not a valid feature "
                f"name of the training data. Observed feature names: [{listed(names)}].",
            )  # fmt: skip
    return frozenset(position[item] for item in items)


def _mismatch(names: tuple[str, ...], expected: tuple[str, ...]) -> Message:
    """What differs between the names of prediction and training, one name per line."""
    lines: list[Phrase] = ["The feature names should match those that were passed during fit.\n"]
    extra, missing = sorted(set(names) - set(expected)), sorted(set(expected) - set(names))
    for title, found in (
        ("Feature names unseen at fit time:", extra),
        ("Feature names seen at fit time, yet now missing:", missing),
    ):
        if found:
            lines += [f"{title}\n", *(part for name in found[:5] for part in ("- ", Column(name, quoted=False), "\n"))]
            lines += ["- ...\n"] * (len(found) > 5)
    if not extra and not missing:
        lines.append("Feature names must be in the same order as they were in fit.\n")
    by_name = (
        "All columns of fit are there: boxwood.set_config(",
        Setting("columns", "by_name"),
        ") finds them by name.\n",
    )
    return Message(*lines, *(by_name if not missing else ()))


def listed(names, most: int = 10) -> str:
    """Names for a message, the first ten of them, each cut to 60 characters."""
    names = list(names)
    return ", ".join(short(name) for name in names[:most]) + (f" and {len(names) - most} more" * (len(names) > most))
