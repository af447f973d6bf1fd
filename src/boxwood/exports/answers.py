"""What an engine, or the model itself, predicts for rows; what an export is compared by."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np


@dataclass(frozen=True, eq=False)
class Answers:
    """Predictions of n rows; an entry is None when the target does not report it.

    Attributes
    ----------
    value : object, shape (n,)
        Labels, floats, or tuples of them for several responses; None for a row that was refused.
    node : int64, shape (n,), optional
        Node in which each row ended; -1 for a row that was refused.
    probability : float64, shape (n, K), optional
        NaN for a row that was refused.
    left_out : bool, shape (n,), optional
        Rows that the target cannot hold, such as a third value among true and false; they are not compared.
    summed : bool, shape (n,), optional
        Rows whose numbers another engine may round differently.
    further : float64, shape (n, F), optional
        The numbers that are predicted besides the value; NaN for a row that was refused.
    """

    value: np.ndarray
    node: np.ndarray | None = None
    probability: np.ndarray | None = None
    left_out: np.ndarray | None = None
    summed: np.ndarray | None = None
    further: np.ndarray | None = None

    def without(self, refused: np.ndarray) -> Answers:
        """The same, with some rows refused."""
        value = self.value.copy()
        value[refused] = None
        node = None if self.node is None else np.where(refused, -1, self.node)
        tables = {name: getattr(self, name) for name in ("probability", "further")}
        known = {name: np.where(refused[:, None], np.nan, t) for name, t in tables.items() if t is not None}
        return replace(self, value=value, node=node, **known)


def side_by_side(each: list[Answers]) -> Answers:
    """The predictions of several responses by one tree, from those of each."""
    value = np.empty(len(each[0].value), dtype=object)
    value[:] = list(zip(*(one.value for one in each), strict=True))
    tables = [one.probability for one in each if one.probability is not None]
    return replace(each[0], value=value, probability=np.hstack(tables) if tables else None)
