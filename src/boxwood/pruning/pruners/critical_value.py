"""Critical value pruning as a choice: a threshold on the scores of splits, given or found on held-out rows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np

from ..._messages import must_be
from ...errors import ParameterError
from ...tree.tree import Tree
from ..cost_complexity import risk_of, usual_loss
from ..critical_value import below_threshold, critical_value_family
from ..held_out import LeftOut
from ..nested import NestedFamily
from .checks import check_choice, check_loss, drop_default_folds
from .choice import Candidates, chosen
from .evidence import Evidence, Pruned
from .outcome import closed_nodes


@dataclass(frozen=True, eq=False)
class CriticalValue:
    """Critical value pruning (Mingers, 1987), for ``pruning=`` and ``prune()``.

    A split is removed if its score and the scores of all splits below it are smaller than the critical value.

    Parameters
    ----------
    threshold : float or None
        The critical value; None selects it with held-out rows.
    measure : str or None
        None means the score by which the tree was grown (decrease in impurity, gain or gain ratio, per unit of weight
        of the node); otherwise the decrease in "gini", "entropy", "error", "variance" or "poisson".
    rule : {"min", "1se", "none"}
        Which tree held-out rows select, as for :class:`CostComplexity`.
    folds : int or array-like of int, shape (n,), or None
        Folds for cross-validation, as for :class:`CostComplexity`. The tree of a fold is pruned at the geometric mean
        of two consecutive critical values of the full tree.
    holdout : float or None
        Proportion of the rows that are held out before growing and evaluate the trees instead of folds.
    loss : str or None
        Loss by which held-out rows choose: "brier", "log_loss", "error" or "cost" for classes, "squared_error",
        "poisson"; None means errors (their cost, if they have costs), squared error or deviance.

    Examples
    --------
    >>> from boxwood import CARTRegressor
    >>> from boxwood.pruners import CriticalValue
    >>> X, y = [[1], [2], [3], [4]], [0.0, 0.1, 5.0, 5.1]
    >>> CARTRegressor(pruning=CriticalValue(threshold=0.1)).fit(X, y).get_n_leaves()
    2
    """

    name: ClassVar[str] = "critical_value"
    rows: ClassVar[str] = "validation"

    threshold: float | None = None
    measure: str | None = None
    rule: str = "min"
    folds: Any = 10
    holdout: float | None = None
    loss: str | None = None

    def __post_init__(self) -> None:
        drop_default_folds(self, self.threshold is not None)
        check_choice(self.rule, self.folds, self.holdout)
        check_loss(self.loss)
        wrong = isinstance(self.threshold, bool) or not isinstance(self.threshold, (int, float, type(None)))
        if wrong or (self.threshold is not None and not np.isfinite(self.threshold)):
            raise ParameterError(must_be("threshold", "a finite number or None", self.threshold))
        if not isinstance(self.measure, (str, type(None))):
            raise ParameterError(must_be("measure", "None or a name such as 'gini' or 'variance'", self.measure))

    def prune(self, evidence: Evidence) -> Pruned:
        """Remove the weak splits of the full tree.

        Parameters
        ----------
        evidence : Evidence
            The full tree, with the rows or folds that evaluate subtrees.

        Returns
        -------
        Pruned
            The pruned tree and, if there is one, the sequence from which it was selected.

        Raises
        ------
        ParameterError
            The measure is not valid for this tree, or there are no rows to select the critical value.
        """
        if self.threshold is not None:
            return closed_nodes(evidence, below_threshold(evidence.tree, self.threshold, self.measure))
        family = self._family(evidence.tree)
        of_fold = partial(self._of_fold, _between(family.values))
        return chosen(Candidates(family, of_fold, self.rule, self.folds, self.loss), evidence).pruned(
            family, "threshold"
        )

    def _family(self, tree: Tree) -> NestedFamily:
        return critical_value_family(tree, risk_of(tree, usual_loss(tree.response)), self.measure)

    def _of_fold(self, points: np.ndarray, tree: Tree, _: float, __: LeftOut) -> tuple[NestedFamily, np.ndarray]:
        """The family of a fold's tree, at the same values: scores are per unit of weight."""
        return self._family(tree), points


def _between(values: np.ndarray) -> np.ndarray:
    """A value between each of the family's and the next; infinity at the last."""
    low, high = values[:-1], values[1:]
    mean = np.sqrt(np.maximum(low, 0.0)) * np.sqrt(np.maximum(high, 0.0))
    return np.append(np.where(low < 0.0, low + (high - low) / 2, mean), np.inf)
