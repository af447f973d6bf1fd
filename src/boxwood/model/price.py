"""Where the weakest-link sequence is cut, given as alpha, cp or a number of leaves; in units of weight."""

from __future__ import annotations

import numpy as np

from .._messages import Setting, must_be
from ..errors import ParameterError
from ..pruning.cost_complexity import CostComplexityPath, alpha_for_leaves


def price_of(
    path: CostComplexityPath, unit: float, alpha: float | None, cp: float | None, n_leaves: int | None
) -> float:
    """The price that alpha (risk per unit of weight), cp (share of the root's risk) or a number of leaves means.

    Raises
    ------
    ParameterError
        Not exactly one of the three is given, or it is out of range.
    """
    if sum(x is not None for x in (alpha, cp, n_leaves)) != 1:
        raise ParameterError(
            "give exactly one of ", Setting("alpha"), ", ", Setting("cp"), " and ", Setting("n_leaves"), "."
        )  # fmt: skip
    if n_leaves is not None:
        if isinstance(n_leaves, bool) or not isinstance(n_leaves, (int, np.integer)):
            raise ParameterError(must_be("n_leaves", "a whole number of at least 1", n_leaves))
        return alpha_for_leaves(path, n_leaves)
    value = cp if alpha is None else alpha
    value = value.item() if isinstance(value, np.generic) else value  # float32 would overflow in comparisons
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0.0 <= value <= 1e300:
        name = "cp" if alpha is None else "alpha"
        raise ParameterError(must_be(name, "a number from 0 to 1e300", value))
    return _nearest(path, float(value) * (path.root_risk if alpha is None else unit))


def _nearest(path: CostComplexityPath, alpha: float) -> float:
    """An alpha within rounding of one of the path's own is that one: tables print fewer digits than floats hold."""
    at = int(np.argmin(np.abs(path.alphas - alpha))) if np.isfinite(alpha) else -1
    close = abs(path.alphas[at] - alpha) <= 1e-12 * max(path.root_risk, 0.0)
    return float(path.alphas[at]) if np.isfinite(alpha) and close else alpha
