"""A figure: its value, its standard error, and the value of the best constant prediction."""

from __future__ import annotations

import math
from dataclasses import dataclass

#: Standard errors on each side of a 95 % interval: of new rows, and by ten folds, whose trees are not the final one
#: (Student's with 9 degrees of freedom; docs/pruning.md has the coverage).
NORMAL_95, FOLDS_95 = 1.959963984540054, 2.2621571628540993
#: Figure -> its words, and the range that its interval is cut to.
FIGURES = {
    "cost": ("cost per row", 0.0, math.inf),
    "accuracy": ("accuracy", 0.0, 1.0),
    "balanced_accuracy": ("balanced accuracy", 0.0, 1.0),
    "log_loss": ("log loss", 0.0, math.inf),
    "brier": ("Brier score", 0.0, 2.0),
    "calibration": ("predicted less observed share", -1.0, 1.0),
    "calibration_slope": ("calibration slope (1 = right)", -math.inf, math.inf),
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
    "gamma_deviance": ("mean gamma deviance", 0.0, math.inf),
    "tweedie_deviance": ("mean Tweedie deviance", 0.0, math.inf),
    "pinball": ("mean pinball loss", 0.0, math.inf),
    "coverage": ("share at or below", 0.0, 1.0),
    "d2": ("share of deviance explained", -math.inf, 1.0),
}


@dataclass(frozen=True)
class Figure:
    """One figure of an :class:`Evaluation`, such as the accuracy.

    Attributes
    ----------
    name : str
        Its name, such as "accuracy" or "auc" (docs/evaluation.md lists all).
    value : float
        NaN if it is undefined, for example the AUC if only one class occurs.
    se : float
        Standard error; NaN on the training set.
    baseline : float
        The same figure for the baseline: always the most frequent class (with the class shares as probabilities), or
        always the mean.
    label : str, bool, int, float or None
        The class to which the figure refers, if it refers to one.
    width : float
        Standard errors on each side of the 95 % interval: 1.96, or 2.26 by cross-validation.

    Examples
    --------
    >>> from boxwood import CARTClassifier
    >>> model = CARTClassifier(pruning=None).fit([[1], [2], [3], [4]], ["no", "no", "yes", "yes"])
    >>> auc = model.evaluate([[1], [2], [3], [0]], ["no", "no", "yes", "yes"])["auc"]
    >>> auc.value, auc.baseline, auc.label, (round(auc.low, 3), auc.high)
    (0.75, 0.5, 'yes', (0.404, 1.0))
    """

    name: str
    value: float
    se: float
    baseline: float
    label: object = None
    width: float = NORMAL_95

    @property
    def words(self) -> str:
        """The name of the figure for people, such as "root mean squared error"."""
        return FIGURES[self.name][0]

    @property
    def low(self) -> float:
        """Lower end of the 95 % interval: ``width`` standard errors below the value, cut to the range of the figure."""
        return max(self.value - self.width * self.se, FIGURES[self.name][1])

    @property
    def high(self) -> float:
        """Upper end of the 95 % interval: ``width`` standard errors above the value, cut to the range of the figure."""
        return min(self.value + self.width * self.se, FIGURES[self.name][2])
