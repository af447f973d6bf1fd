"""The one-leaf-removed sequence as a choice: lambda, a number of leaves, or selection by held-out rows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np

from ..._messages import Setting, must_be
from ...errors import ParameterError, check_one_of
from ...tree.tree import Tree
from ..cost_complexity import risk_of, usual_loss
from ..held_out import LeftOut
from ..nested import NestedFamily
from ..one_leaf import OneLeafPath, by_lambda, by_leaves, by_step, one_leaf_fewer
from ..selection import grid
from .checks import check_choice, check_loss, drop_default_folds
from .choice import Candidates, Choice, chosen
from .evidence import Evidence, Pruned

_CHOSEN = ("leaves", "lambda")


@dataclass(frozen=True, eq=False)
class OneLeaf:
    """Pruning one leaf at a time, as in lecture note S1, for ``pruning=`` and ``prune()``.

    G(i + 1) is obtained from G(i) by collapsing the node with only leaves as children that increases the training error
    E_in the least. Then the tree that minimises E_in(G(i)) + lambda * leaves is selected, with a given lambda or one
    chosen by validation; or validation selects a tree of the sequence directly.

    Parameters
    ----------
    n_leaves : int or None
        Select the largest tree with at most this many leaves.
    lam : float or None
        Select the tree that minimises E_in + lam * leaves; on ties, the smaller tree. E_in is per unit of weight.
    choose : {"leaves", "lambda"}
        What held-out rows select if neither is given: the number of leaves, which allows any tree of the sequence, or
        lambda, which allows only the trees that are optimal for some lambda.
    rule : {"min", "1se", "none"}
        As for :class:`CostComplexity`.
    folds : int or array-like of int, shape (n,), or None
        Folds for cross-validation, as for :class:`CostComplexity`.
    holdout : float or None
        Proportion of the rows that are held out before growing and evaluate the trees instead of folds.
    risk : str or None
        The risk E_in: "error", "gini", "entropy", "variance" or "poisson"; None means error, squared error or deviance.
    ties : {"level", "depth"}
        On ties between nodes: "level" collapses the lowest node number, "depth" the first in depth-first order.
    loss : str or None
        Loss by which held-out rows choose: "brier", "log_loss", "error" or "cost" for classes, "squared_error",
        "poisson"; None means errors (their cost, if they have costs), squared error or deviance.

    Examples
    --------
    >>> from boxwood import CARTClassifier, datasets
    >>> from boxwood.pruners import OneLeaf
    >>> X = datasets.load("play_tennis")
    >>> y = X.pop("play")
    >>> del X["day"]
    >>> model = CARTClassifier(pruning=OneLeaf(lam=0.06)).fit(X, y)
    >>> path = model.pruning_path_
    >>> path.n_leaves.tolist()[-3:], model.get_n_leaves() in path.n_leaves
    ([3, 2, 1], True)
    """

    name: ClassVar[str] = "one_leaf"
    rows: ClassVar[str] = "validation"

    n_leaves: int | None = None
    lam: float | None = None
    choose: str = "leaves"
    rule: str = "min"
    folds: Any = 10
    holdout: float | None = None
    risk: str | None = None
    ties: str = "level"
    loss: str | None = None

    def __post_init__(self) -> None:
        if self.n_leaves is not None and self.lam is not None:
            raise ParameterError("give ", Setting("n_leaves"), " or ", Setting("lam"), ", not both.")
        drop_default_folds(self, self.n_leaves is not None or self.lam is not None)
        check_choice(self.rule, self.folds, self.holdout)
        check_one_of("choose", self.choose, _CHOSEN)
        check_loss(self.loss)
        whole = isinstance(self.n_leaves, (int, np.integer)) and not isinstance(self.n_leaves, bool)
        if self.n_leaves is not None and not (whole and self.n_leaves >= 1):
            raise ParameterError(must_be("n_leaves", "a whole number of at least 1 or None", self.n_leaves))
        real = isinstance(self.lam, (int, float)) and not isinstance(self.lam, bool)
        if self.lam is not None and not (real and 0.0 <= self.lam < np.inf):
            raise ParameterError(must_be("lam", "a finite number of at least 0 or None", self.lam))
        if not isinstance(self.risk, (str, type(None))):
            raise ParameterError(must_be("risk", "None or a name such as 'error' or 'variance'", self.risk))

    def prune(self, evidence: Evidence) -> Pruned:
        """Select a tree of the sequence.

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
            The risk is not valid for this tree, no tree has so few leaves, or there are no rows to evaluate the trees.
        """
        path = self._path(evidence.tree)
        if self.n_leaves is not None:
            return self._at(path, path.step_for(self.n_leaves))
        if self.lam is not None:
            return self._at(path, path.best_for(self.lam * float(evidence.tree.weight[0])))
        family = by_step(path) if self.choose == "leaves" else by_lambda(path)
        of_fold = partial(self._of_fold, family)
        choice = chosen(Candidates(family, of_fold, self.rule, self.folds, self.loss), evidence)
        return choice.pruned(family, "step" if self.choose == "leaves" else "lambda")

    def _at(self, path: OneLeafPath, step: int) -> Pruned:
        return Choice(step).pruned(by_step(path), "step")

    def _path(self, tree: Tree) -> OneLeafPath:
        risk = usual_loss(tree.response) if self.risk is None else self.risk
        return one_leaf_fewer(tree, risk_of(tree, risk), self.ties)

    def _of_fold(self, full: NestedFamily, tree: Tree, share: float, _: LeftOut) -> tuple[NestedFamily, np.ndarray]:
        """A fold's tree with at most as many leaves as the full tree's, or the best for lambda in its share."""
        path = self._path(tree)
        if self.choose == "lambda":
            return by_lambda(path), grid(full.values) * share
        return by_leaves(path), -full.n_leaves.astype(np.float64)
