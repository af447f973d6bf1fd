"""The Tweedie deviance, a measure of impurity of numbers with a power p."""

from __future__ import annotations

import numbers
from dataclasses import dataclass

from .._messages import Setting, Value, remedy
from ..errors import ParameterError


@dataclass(frozen=True)
class Tweedie:
    """The Tweedie deviance of a power 1 < p < 2: for amounts y >= 0 of which some are exactly 0, such as yearly costs.

    The variance of y is taken to rise as mean^p: p near 1 is near the Poisson deviance, p near 2 near the gamma one.

    Parameters
    ----------
    power : float, default=1.5
        Between 1 and 2, from 1.01 to 1.99.

    Raises
    ------
    ParameterError
        The power is not such a number.

    References
    ----------
    B. Jørgensen, "The Theory of Dispersion Models", Chapman and Hall (1997), chapter 4.

    Examples
    --------
    >>> from boxwood import CARTRegressor, Tweedie
    >>> model = CARTRegressor(criterion=Tweedie(power=1.7), pruning=None).fit([[1], [2], [3], [4]], [0, 0, 0, 8])
    >>> model.tree_.value.tolist(), model.tree_.made_by["measure"]
    ([2.0, 0.0, 8.0], 'tweedie:1.7')
    """

    power: float = 1.5

    def __post_init__(self) -> None:
        real = isinstance(self.power, numbers.Real) and not isinstance(self.power, bool)
        if not real or not 1.01 <= float(self.power) <= 1.99:
            raise ParameterError(
                Setting("power"), " of Tweedie must be a number from 1.01 to 1.99; got ", Value(self.power), ". ",
                remedy("Use ", Setting("criterion", "poisson"), " for 1, 'gamma' for 2 and 'variance' for 0"), ".",
            )  # fmt: skip
        object.__setattr__(self, "power", float(self.power))

    def __str__(self) -> str:
        return f"tweedie:{self.power!r}"
