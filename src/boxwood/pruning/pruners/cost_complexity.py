"""Weakest-link pruning as a choice: the sequence of the full tree, cut at an alpha or by held-out rows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar

import numpy as np

from ..._messages import Setting, must_be, remedy
from ...data.columns.distinct import distinct
from ...errors import ParameterError
from ...statistics.responses.response import Response
from ...tree.tree import Tree
from ..cost_complexity import (
    CostComplexityPath,
    bounds_risk,
    leaves_and_risks,
    risk_of,
    subtree,
    weakest_links,
)
from ..held_out import LeftOut
from ..losses import OF_PROBABILITIES, checked_loss
from ..nested import NestedFamily
from ..rpart_table import rpart_complexity
from ..selection import grid
from ..ties import equalize_ties
from .checks import check_choice, check_loss, drop_default_folds
from .choice import Candidates, chosen
from .enough_rows import ENOUGH_ROWS
from .evidence import KEEPS_ALL, Evidence, Pruned, Pruner


@dataclass(frozen=True, eq=False)
class CostComplexity:
    """Weakest-link pruning (Breiman et al., 1984, chapter 3), for ``pruning=`` and ``prune()``.

    For every alpha there is a unique smallest tree that minimises risk + alpha * leaves. These trees are nested, and
    held-out rows select one of them.

    Parameters
    ----------
    rule : {"min", "1se", "none"}
        Which tree to select: "min", the smallest tree with the minimum held-out loss (up to rounding); "1se", the
        smallest tree within one standard error of the minimum; "none", the tree given by ``cp``.
    folds : int or array-like of int, shape (n,), or None
        Number of folds, derived from the content of the rows; or the fold of each row. None means no cross-validation
        (with the rule "none", with ``holdout``, or if rows are passed to ``prune()``).
    cp : float
        Minimum alpha to consider, as a proportion of the risk of the root (rpart's ``cp``). The trees of the folds are
        grown only as far as necessary, which saves time; the full tree is kept.
    risk : str or None
        Risk that is weighed against the number of leaves: "error", "gini", "entropy" (C_alpha = sum N_t H_t + alpha *
        leaves, H_t in bits), "variance" (also "squared_error") or "poisson" (also "deviance"). None means ``ccp_risk``
        of the estimator; if that is None, the entropy where held-out rows choose by "brier" or "log_loss", otherwise
        the criterion.
    loss : str or None
        Loss by which held-out rows choose a tree: of classes "brier" (of the probabilities of the leaves), "log_loss",
        "error" or "cost"; of numbers "squared_error"; of counts "poisson". None means ``loss`` of the estimator; if
        that is None, for classes "brier", or "cost" if errors have costs, or "error" in the style "rpart".
    style : {"exact", "rpart"}
        Exact weakest links, or rpart's one-pass complexity.
    holdout : float or None
        Proportion of the rows, selected by their content, that are held out before the tree is grown. They evaluate the
        trees instead of folds.
    enough_rows : int or None
        If ``folds`` is a number, folds are evaluated in order until they contain about this many rows and the standard
        error of the minimum loss is at most 2.5 % of the loss. Rows with equal features count once. None evaluates all
        folds. Only the rule "min" stops early; "1se" needs the standard error over all rows, and the style "rpart"
        evaluates all folds.

    Examples
    --------
    >>> from boxwood import CARTClassifier, CostComplexity
    >>> rpart_like = CARTClassifier(min_samples_split=20, min_samples_leaf=7, ccp_risk="error",
    ...                             pruning=CostComplexity(rule="none", folds=None, cp=0.01))
    """

    name: ClassVar[str] = "cost_complexity"
    rows: ClassVar[str] = "validation"

    rule: str = "min"
    folds: Any = 10
    cp: float = 0.0
    risk: str | None = None
    style: str = "exact"
    holdout: float | None = None
    enough_rows: int | None = ENOUGH_ROWS
    loss: str | None = None

    def __post_init__(self) -> None:
        drop_default_folds(self)
        check_choice(self.rule, self.folds, self.holdout)
        if self.style not in ("exact", "rpart"):
            raise ParameterError(must_be("style", "'exact' or 'rpart'", self.style))
        if not (isinstance(self.cp, (int, float)) and 0.0 <= self.cp < np.inf):
            raise ParameterError(must_be("cp", "a number of at least 0", self.cp))
        check_loss(self.loss)
        rows = self.enough_rows
        if rows is not None and (isinstance(rows, bool) or not isinstance(rows, (int, np.integer)) or rows < 1):
            raise ParameterError(must_be("enough_rows", "None or a whole number of at least 1", rows))
        if not isinstance(self.risk, (str, type(None))):
            raise ParameterError(must_be("risk", "None or a name such as 'error' or 'variance'", self.risk))

    def __repr__(self) -> str:
        folds = self.folds if isinstance(self.folds, (int, type(None))) else "array"
        shown = {
            "rule": repr(self.rule),
            "folds": folds,
            "cp": self.cp,
            "risk": repr(self.risk),
            "style": repr(self.style),
        }
        shown |= {} if self.holdout is None else {"holdout": self.holdout}
        shown |= {} if self.enough_rows == ENOUGH_ROWS else {"enough_rows": self.enough_rows}
        shown |= {} if self.loss is None else {"loss": repr(self.loss)}
        return f"CostComplexity({', '.join(f'{name}={value}' for name, value in shown.items())})"

    def prune(self, evidence: Evidence) -> Pruned:
        """Select a tree from the weakest-link sequence of the full tree.

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
            The risk is not valid for this tree, or there are no rows to evaluate the trees.

        Examples
        --------
        >>> from boxwood import CARTRegressor, CostComplexity
        >>> X, y = [[1], [2], [3], [4], [5], [6]], [0, 1, 0, 5, 6, 5]
        >>> model = CARTRegressor(pruning=CostComplexity(rule="none", folds=None, cp=0.1)).fit(X, y)
        >>> model.get_n_leaves()
        2
        """
        if self.folds is None and evidence.validation is None and self.rule != "none":
            raise ParameterError(
                Setting("rule", self.rule), " needs folds; ",
                remedy("give a number of folds, a holdout or rows to prune(), or use ", Setting("rule", "none"), "."),
            )  # fmt: skip
        if self.loss is None:
            return for_response(self, evidence.tree.response).prune(evidence)
        path = self._path(evidence.tree)
        family = _nested(evidence.tree, path)
        of_fold = partial(self._of_fold, float(path.alphas[0]), grid(path.alphas))
        min_risk = _min_risk(evidence, path, self.risk)
        rpart = self.style == "rpart"
        enough = self.enough_rows if self.rule == "min" and not rpart else None
        candidates = Candidates(family, of_fold, self.rule, self.folds, self.loss, rpart, min_risk, enough)
        choice = chosen(candidates, evidence)
        alpha = KEEPS_ALL if choice.notes else float(path.alphas[choice.row])
        tree = evidence.tree if choice.notes else subtree(evidence.tree, path, alpha)
        return Pruned(
            tree, path, alpha, None, choice.held_out, choice.confusion, choice.judged_by, choice.notes, choice.folds,
            choice.remarks,
        )  # fmt: skip

    def _of_fold(
        self, least: float, betas: np.ndarray, tree: Tree, share: float, _: LeftOut
    ) -> tuple[NestedFamily, np.ndarray]:
        """The family of a fold's tree, and its alpha for each row of the full tree's family (docs/pruning.md)."""
        return _nested(tree, self._path(tree, least * share)), betas * share

    def _path(self, tree: Tree, least: float | None = None) -> CostComplexityPath:
        """The family from ``cp`` upwards, or from the alpha ``least``."""
        risk = risk_of(tree, self.risk)
        if least is None:
            least = self.cp * float(risk[0])
        if self.style == "exact":
            path = weakest_links(tree, risk)
            collapses_at = path.collapses_at
            if least == 0.0:
                return path
        else:
            collapses_at = equalize_ties(rpart_complexity(tree, risk, least), 1e-13 * float(risk[0]))
        collapses_at = np.maximum(collapses_at, least)
        collapses_at[tree.is_leaf] = 0.0
        alphas = distinct(np.append(collapses_at[~tree.is_leaf], least))
        n_leaves, risks = leaves_and_risks(tree, risk, collapses_at, alphas)
        return CostComplexityPath(alphas, n_leaves, risks, collapses_at, float(risk[0]))


def for_response(pruner: Pruner | None, response: Response) -> Pruner | None:
    """A weakest-link pruner with the loss and the risk that are its defaults for a response; others as they are."""
    if not isinstance(pruner, CostComplexity):
        return pruner
    loss = pruner.loss
    if loss is None and response.plain_loss() == "error" and pruner.style == "exact":
        loss = OF_PROBABILITIES[0]
    loss = checked_loss(loss, response)
    by_entropy = pruner.risk is None and loss in OF_PROBABILITIES and pruner.rule != "none"
    return replace(pruner, loss=loss, risk="entropy" if by_entropy else pruner.risk)


def _min_risk(evidence: Evidence, path: CostComplexityPath, risk: str | None) -> float:
    """Nodes of no more risk are leaves in every tree of the family: a split saves no more than the leaf it costs."""
    is_known = evidence.growth is not None and bounds_risk(evidence.tree, risk)
    return float(path.alphas[0]) if is_known else 0.0


def _nested(tree: Tree, path: CostComplexityPath) -> NestedFamily:
    return NestedFamily(tree, path.alphas, path.n_leaves, path.risks, path.collapses_at)
