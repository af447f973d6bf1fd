"""How many rows lie in each cell of a diff, and how wrong the answers were there before and after."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True, eq=False)
class RowSums:
    """Sums over rows, by cell; those of parts of the data add up.

    Attributes
    ----------
    n : int
        Number of all rows.
    rows : int64, shape (C,)
        Number of rows in each cell.
    losses : float64, shape (C, 2), or None
        Sum of the losses of the answers before and after.
    """

    n: int
    rows: np.ndarray
    losses: np.ndarray | None

    def __add__(self, other: RowSums) -> RowSums:
        losses = None if self.losses is None or other.losses is None else self.losses + other.losses
        return RowSums(self.n + other.n, self.rows + other.rows, losses)

    def of_segment(self, cells: Sequence[int], before: np.ndarray, after: np.ndarray) -> dict[str, Any]:
        """The figures of some cells together; ``before`` and ``after`` are the answers of each."""
        weight = self.rows[cells]
        count = int(weight.sum())
        if not count:
            return {"rows": 0}
        found = {
            "rows": count,
            "mean_before": float(weight @ before / count),
            "mean_after": float(weight @ after / count),
        }
        if self.losses is not None:
            found["loss_before"], found["loss_after"] = (self.losses[cells].sum(axis=0) / count).tolist()
        return found


def sums_of_rows(cell: np.ndarray, answers: np.ndarray, truth: np.ndarray | None, has_classes: bool) -> RowSums:
    """Sums over rows.

    Parameters
    ----------
    cell : int64, shape (n,)
        The cell of each row; -1 = its answer does not change.
    answers : float64, shape (C, 2)
        The class or number of each cell before and after.
    truth : shape (n,), or None
        The class (-1 = one that the models do not know) or number of each row.
    has_classes : bool
    """
    inside = np.flatnonzero(cell >= 0)
    rows = np.bincount(cell[inside], minlength=len(answers))
    if truth is None:
        return RowSums(len(cell), rows, None)
    given, predicted = truth[inside, None], answers[cell[inside]]
    loss = (given != predicted) * 1.0 if has_classes else (given - predicted) ** 2
    losses = np.stack([np.bincount(cell[inside], side, len(answers)) for side in loss.T], axis=1)
    return RowSums(len(cell), rows, losses)
