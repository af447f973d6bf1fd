"""Differences of earth 5.3 that can change the model: the handicap in selection, and weighted partners."""

from __future__ import annotations

import numpy as np

from .learning import LearningRows
from .terms import Factor, factor_value

#: A column is new to earth if this much of its squared norm is left.
_LEAST_NEW = 0.01


def scan(found: dict[str, np.ndarray], handicap: np.ndarray) -> tuple[int, int, bool]:
    """The candidate that earth ends up with when it goes through parents and columns in order.

    The gain of a column that is not in the model yet is divided by its handicap, but after each parent earth takes the
    handicap off the best gain so far, so later parents have to beat the gain itself.

    Parameters
    ----------
    found : dict of arrays of shape (parents, p)
        ``gain``, ``linear`` and ``new_form`` of the best candidate of each parent and column.
    handicap : float64, shape (p,)
        1 plus the penalty of a new column.

    Returns
    -------
    parent, column : int
        -1 where no candidate gains.
    new_form : bool
        Of the last best candidate that was a hinge: linear candidates leave it as it was.
    """
    best, place, new_form = 0.0, (-1, -1), False
    for i, gains in enumerate(found["gain"]):
        for j, score in enumerate((gains / handicap).tolist()):
            if score > best:
                best, place = score, (i, j)
                new_form = new_form if found["linear"][i, j] else bool(found["new_form"][i, j])
        if place[0] == i:
            best = float(gains[place[1]])
    return *place, new_form


class Partners:
    """Whether the second hinge of a weighted pair stays a possible parent.

    earth makes weighted columns orthogonal to a constant without weights. So a partner that depends linearly on the
    model usually passes for new: it takes part as a parent, and is only dropped when the forward pass has ended.

    Parameters
    ----------
    rows : LearningRows
        With weights.
    """

    def __init__(self, rows: LearningRows):
        self.rows = rows
        self.columns = [np.full(rows.n, rows.n**-0.5)]

    def add(self, product: list[Factor], always: bool) -> bool:
        """Keep the column of a product if it is new to earth, or in any case; whether it is kept."""
        left = self.rows.root_weight.copy()
        for column, direction, cut in product:
            left *= factor_value(self.rows.columns[column], direction, cut)
        for column in self.columns:
            left -= (column @ left) * column
        square = float(left @ left)
        if square > _LEAST_NEW or (always and square > 0.0):
            self.columns.append(left / np.sqrt(square))
        return always or square > _LEAST_NEW
