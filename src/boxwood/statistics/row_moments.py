"""Moments of the rows that end at each node of a tree, for any kind of y, in one pass over the rows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import singledispatch

import numpy as np

from .grid_sums import grid_sums
from .responses.classes import Classes
from .responses.means import Means
from .responses.response import Response


@dataclass(frozen=True, eq=False)
class EndedRows:
    """Rows, or shares of rows, with the node in which each ends.

    Attributes
    ----------
    at : int64, shape (n,)
    y : shape (n,)
        Numbers of classes, or numbers.
    weight : float64, shape (n,), or None
        None = 1 for each.
    exposure : float64, shape (n,), or None
    """

    at: np.ndarray
    y: np.ndarray
    weight: np.ndarray | None
    exposure: np.ndarray | None

    @property
    def largest(self) -> float:
        """The largest weight."""
        return 1.0 if self.weight is None else float(self.weight.max(initial=0.0))


@singledispatch
def moments_at(response: Response, rows: EndedRows, before: np.ndarray) -> np.ndarray:
    """Moments of the rows of each node, shape (T, M); those of no rows are 0.

    ``before``, shape (T, M): earlier moments of the nodes; numbers are added up about their means.
    """
    exposure = np.ones(len(rows.y)) if rows.exposure is None else rows.exposure
    terms = response.terms(rows.y, exposure)
    bounds = [float(np.abs(term).max(initial=0.0)) * rows.largest for term in terms]

    def columns(part: slice) -> list[np.ndarray]:
        return [term[part] if rows.weight is None else rows.weight[part] * term[part] for term in terms]

    sums = grid_sums(rows.at, len(before), bounds, columns)
    return np.column_stack([_weights(rows, len(before)), sums])


@moments_at.register
def _(response: Classes, rows: EndedRows, before: np.ndarray) -> np.ndarray:
    groups, size = rows.at * before.shape[1] + rows.y, before.size
    if rows.weight is None:
        return np.bincount(groups, minlength=size).astype(np.float64).reshape(before.shape)
    return grid_sums(groups, size, [rows.largest], lambda part: [rows.weight[part]]).reshape(before.shape)


@moments_at.register
def _(response: Means, rows: EndedRows, before: np.ndarray) -> np.ndarray:
    center = before[:, 1]
    farthest = max(float(rows.y.max()), -float(rows.y.min())) + float(np.abs(center).max(initial=0.0))
    bounds = [rows.largest * farthest, rows.largest * farthest * farthest]

    def columns(part: slice) -> list[np.ndarray]:
        from_center = rows.y[part] - center[rows.at[part]]
        first = from_center if rows.weight is None else rows.weight[part] * from_center
        return [first, first * from_center]

    weight = _weights(rows, len(center))
    first, second = grid_sums(rows.at, len(center), bounds, columns).T
    filled = weight > 0
    shift = np.divide(first, weight, out=np.zeros_like(first), where=filled)
    squares = np.maximum(second - first * shift, 0.0)
    return np.stack([weight, np.where(filled, center + shift, 0.0), squares], axis=1)


def _weights(rows: EndedRows, k: int) -> np.ndarray:
    """Sum of the weights of each group, shape (k,)."""
    if rows.weight is None:
        return np.bincount(rows.at, minlength=k).astype(np.float64)
    return grid_sums(rows.at, k, [rows.largest], lambda part: [rows.weight[part]])[:, 0]
