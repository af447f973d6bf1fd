"""The mean distance from a quantile, a measure of impurity of numbers with one share or several."""

from __future__ import annotations

import numbers
from dataclasses import dataclass

from .._messages import Setting, Value, remedy
from ..errors import ParameterError


@dataclass(frozen=True)
class Quantile:
    """The pinball loss about a quantile of y; a node predicts this quantile, and those of further shares.

    A row above the quantile of a share q counts q times its distance, a row below 1 - q times. The quantile is the
    least y up to which the rows have the share q of the weight; if they have exactly this share, it is half the way to
    the next y. ``criterion="absolute_error"`` is twice the loss about the median, ``Quantile(0.5)``.

    Parameters
    ----------
    levels : float or tuple of float, default=0.5
        Shares between 0 and 1. Splits are chosen by the first one; every node predicts all of them, and they never
        cross.

    Raises
    ------
    ParameterError
        A share is not such a number, or is given twice.

    References
    ----------
    R. Koenker and G. Bassett, "Regression Quantiles", Econometrica 46 (1978), 33-50.

    Examples
    --------
    >>> from boxwood import CARTRegressor, Quantile
    >>> model = CARTRegressor(criterion=Quantile((0.5, 0.9)), max_depth=1, pruning=None)
    >>> model.fit([[1], [2], [3], [4], [5]], [1, 1, 3, 1, 2]).predict([[1]]).tolist()
    [1.0]
    """

    levels: float | tuple[float, ...] = 0.5

    def __post_init__(self) -> None:
        levels = tuple(self.levels) if isinstance(self.levels, (tuple, list)) else (self.levels,)
        for level in levels:
            real = isinstance(level, numbers.Real) and not isinstance(level, bool)
            if not real or not 0.0 < float(level) < 1.0:
                raise ParameterError(
                    Setting("levels"), " of Quantile must be numbers between 0 and 1; got ", Value(level), ".",
                )  # fmt: skip
        levels = tuple(float(level) for level in levels)
        if not levels or len(set(levels)) < len(levels):
            raise ParameterError(
                Setting("levels"), " of Quantile must be different numbers between 0 and 1; ",
                remedy("give each of them once."),
            )  # fmt: skip
        object.__setattr__(self, "levels", levels)

    def __str__(self) -> str:
        return f"quantile:{','.join(map(repr, self.levels))}"
