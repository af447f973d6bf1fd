"""Columns ready to be split or routed down a tree: one plain array per feature, whatever the container was."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..._messages import Column, FromZero, Row, Setting, Value, remedy
from ...errors import MissingValueError, UnseenLevelError
from .raw import from_numbers
from .schema import UNSEEN, Schema


@dataclass(frozen=True)
class Columns:
    """The values of all features of some rows.

    Attributes
    ----------
    schema : Schema
    n : int
        Number of rows.
    values : tuple of ndarray of shape (n,)
        Numeric feature: float64, NaN = missing, infinities are ordinary ordered values.
        Ordinal or nominal feature: int32 level codes (position in ``Feature.levels``), -1 = missing, -2 = not seen
        in training.
    low : tuple of (ndarray of shape (n,) or None)
        Only for numeric features whose integers do not all fit float64 (beyond 2**53): the exact value is
        ``values[j] + low[j]``, both float64, so that comparing (values, low) pairs keeps such integers apart.
    unseen : dict of str to dict
        Feature name -> {level: number of rows} for levels not in the schema (prediction only).
    """

    schema: Schema
    n: int
    values: tuple[np.ndarray, ...]
    low: tuple[np.ndarray | None, ...]
    unseen: dict

    @property
    def has_unseen(self) -> bool:
        """Whether some level was not seen in training."""
        return bool(self.unseen)

    def in_place(self) -> np.ndarray | list[tuple]:
        """A table of numbers as it came, if the kernel can read it; else the columns for the kernel."""
        return self.for_kernel(in_place=True)

    def missing(self, j: int) -> np.ndarray:
        """Whether feature ``j`` is missing, shape (n,), bool; a level not seen in training is not missing."""
        return self.schema[j].type.missing(self.values[j])

    def take(self, rows: np.ndarray) -> Columns:
        """The same features for some rows (integer positions or a boolean mask)."""
        values = tuple(v[rows] for v in self.values)
        low = tuple(None if v is None else v[rows] for v in self.low)
        n = int(np.count_nonzero(rows)) if rows.dtype == bool else len(rows)
        return Columns(self.schema, n, values, low, {})

    def with_fields(self, **changes: Any) -> Columns:
        """The same columns with other fields; of a table of numbers too, which becomes columns."""
        fields = {name: getattr(self, name) for name in ("schema", "n", "values", "low", "unseen")}
        return Columns(**fields | changes)

    def weighs_unseen(self, weight: np.ndarray | None) -> bool:
        """Whether some row, of positive weight if there are weights, has a level that is not one of the schema."""
        rows = slice(None) if weight is None else weight > 0
        return any(f.levels and (v[rows] == UNSEEN).any() for f, v in zip(self.schema, self.values, strict=True))

    def refuse_missing(self) -> None:
        """Raise when any value is missing: the policy "error".

        Raises
        ------
        MissingValueError
            Names the first column with a missing value, its row and the remedy.
        """
        for j, feature in enumerate(self.schema):
            missing = self.missing(j)
            if missing.any():
                raise MissingValueError(
                    Column(feature.name, "column"), " has a missing value (NaN) in ", Row(int(np.argmax(missing))),
                    " and ", Setting("missing", "error"), " does not allow it; ",
                    remedy("impute it, or choose another policy for missing values."),
                )  # fmt: skip

    def refuse_unseen(self) -> None:
        """Raise when any level did not occur in training: the policy "error".

        Raises
        ------
        UnseenLevelError
            Names the first column with such a level, the level, its first row and the remedy.
        """
        if not self.unseen:
            return
        name, levels = next(iter(self.unseen.items()))
        level, count = next(iter(levels.items()))
        row = int(np.argmax(self.values[self.schema.names.index(name)] == UNSEEN))
        others = f" and {len(levels) - 1} other such level(s)" if len(levels) > 1 else ""
        raise UnseenLevelError(
            Column(name, "column"), " holds the level ", Value(level), f" in {count} row(s){others}, which did not "
            "occur in training, the first in ", Row(row), FromZero(), ", and ", Setting("unseen", "error"),
            " does not allow it; ", remedy("correct the data or choose ", Setting("unseen", "missing"), "."),
        )  # fmt: skip

    def for_kernel(self, in_place: bool = False) -> list[tuple]:
        """Columns for the kernel: ("numeric", values, low or None) or (kind, level codes, number of levels).

        With ``in_place`` numeric values may lie apart in memory, as in the rows of a table: good for prediction, which
        reads few of them, not for learning.
        """
        return [
            feature.type.for_kernel(values, low, len(feature.levels), in_place)
            for feature, values, low in zip(self.schema, self.values, self.low, strict=True)
        ]


class Matrix(Columns):
    """The columns of a table of numbers in memory, all features numeric, cut into columns only when these are read.

    Parameters
    ----------
    schema : Schema
    matrix : ndarray of shape (n, p)
        Floats of at most 64 bits or whole numbers, in this machine's byte order; it is neither copied nor changed.
    """

    def __init__(self, schema: Schema, matrix: np.ndarray):
        vars(self).update(schema=schema, n=len(matrix), matrix=matrix, unseen={})

    def __getattr__(self, name: str):
        """``values`` and ``low``, made together when one of them is first read."""
        if name not in ("values", "low"):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        if self.matrix.dtype == np.float64:
            across = self.matrix.T
            values, low = tuple(across if across.flags.aligned else across.copy()), (None,) * len(across)
        else:
            read = [from_numbers("", column) for column in self.matrix.T]
            values, low = tuple(column.values for column in read), tuple(column.low for column in read)
        vars(self).update(values=values, low=low)
        return vars(self)[name]

    def take(self, rows: np.ndarray) -> Matrix:
        """The same table with some rows: each row is copied whole."""
        places = np.flatnonzero(rows) if rows.dtype == bool else rows
        return Matrix(self.schema, np.take(self.matrix, places, axis=0))  # half the time of matrix[rows]

    def in_place(self) -> np.ndarray | list[tuple]:
        """The table itself, floats of 64 or 32 bits; else the columns for the kernel."""
        matrix = self.matrix
        as_it_is = matrix.dtype.kind == "f" and matrix.itemsize >= 4 and matrix.flags.aligned
        return matrix if as_it_is else super().in_place()
