"""A figure: its value, its standard error, and the value of the best constant prediction."""

from __future__ import annotations

import math
from dataclasses import dataclass

#: Standard errors on each side of a 95 % interval.
NORMAL_95 = 1.959963984540054
#: Figure -> its words, and the range that its interval is cut to.
FIGURES = {
    "accuracy": ("accuracy", 0.0, 1.0),
    "balanced_accuracy": ("balanced accuracy", 0.0, 1.0),
    "log_loss": ("log loss", 0.0, math.inf),
    "brier": ("Brier score", 0.0, 2.0),
    "auc": ("AUC", 0.0, 1.0),
    "gini": ("Gini (2 AUC - 1)", -1.0, 1.0),
    "ks": ("KS", 0.0, 1.0),
    "lift_10": ("lift of the top 10 %", 0.0, math.inf),
    "average_precision": ("average precision", 0.0, 1.0),
    "precision": ("precision", 0.0, 1.0),
    "recall": ("recall", 0.0, 1.0),
    "f1": ("F1", 0.0, 1.0),
    "r2": ("R²", -math.inf, 1.0),
    "rmse": ("root mean squared error", 0.0, math.inf),
    "mae": ("mean absolute error", 0.0, math.inf),
    "mse": ("mean squared error", 0.0, math.inf),
    "poisson_deviance": ("mean Poisson deviance", 0.0, math.inf),
    "d2": ("share of Poisson deviance explained", -math.inf, 1.0),
}


@dataclass(frozen=True)
class Figure:
    """A figure of an evaluation.

    Attributes
    ----------
    name : str
        One of ``FIGURES``.
    value : float
        NaN where it is not defined, for example the AUC when only one class occurs.
    se : float
        Standard error.
    baseline : float
        What always predicting the most frequent class (their shares as probabilities), or the mean, gets.
    label : str, bool, int, float or None
        The class that it is about.
    """

    name: str
    value: float
    se: float
    baseline: float
    label: object = None

    @property
    def words(self) -> str:
        """What the figure is called."""
        return FIGURES[self.name][0]

    @property
    def low(self) -> float:
        """Lower end of the 95 % interval: 1.96 standard errors below, not below the range of the figure."""
        return max(self.value - NORMAL_95 * self.se, FIGURES[self.name][1])

    @property
    def high(self) -> float:
        """Upper end of the 95 % interval."""
        return min(self.value + NORMAL_95 * self.se, FIGURES[self.name][2])
