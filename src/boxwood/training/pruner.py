"""How far to prune: the weakest-link family of the full tree, judged by cross-validation or cut at a given alpha."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import ParameterError
from ..pruning.cost_complexity import CostComplexityPath, leaves_and_risks, risk_of, weakest_links
from ..pruning.rpart_table import rpart_complexity
from ..pruning.ties import settle_ties
from ..tree.tree import Tree

RULES = ("min", "1se", "none")


@dataclass(frozen=True, eq=False)
class CostComplexity:
    """Weakest-link pruning (Breiman et al. 1984, chapter 3) as a choice for ``pruning=``.

    Parameters
    ----------
    rule : {"min", "1se", "none"}
        Which tree of the family to take after cross-validation: the smallest one within rounding of the least
        held-out loss; the smallest one within one standard error of it; the one that ``cp`` alone gives.
    folds : int or array-like of int, shape (n,), or None
        Number of folds, drawn from the data's content; or the fold of each row; None = no cross-validation (rule
        "none").
    cp : float
        Nothing below this alpha is considered, as a share of the root's risk (rpart's ``cp``).
    risk : str or None
        Risk whose decrease is weighed against leaves: "error", "gini", "entropy", "variance", "poisson"; None =
        the estimator's ``ccp_risk``, and without that the criterion's.
    style : {"exact", "rpart"}
        Exact weakest links, or rpart's one-pass complexity.

    Examples
    --------
    >>> from boxwood import CARTClassifier, CostComplexity
    >>> rpart_like = CARTClassifier(min_samples_split=20, min_samples_leaf=7, ccp_risk="error",
    ...                             pruning=CostComplexity(rule="none", folds=None, cp=0.01))
    """

    rule: str = "min"
    folds: Any = 10
    cp: float = 0.0
    risk: str | None = None
    style: str = "exact"

    def __post_init__(self):
        if self.rule not in RULES:
            raise ParameterError(f"rule must be one of {', '.join(map(repr, RULES))}; got {self.rule!r}.")
        if self.style not in ("exact", "rpart"):
            raise ParameterError(f"style must be 'exact' or 'rpart'; got {self.style!r}.")
        if not (isinstance(self.cp, (int, float)) and 0.0 <= self.cp < np.inf):
            raise ParameterError(f"cp must be a number of at least 0; got {self.cp!r}.")
        if not isinstance(self.risk, (str, type(None))):
            raise ParameterError(f"risk must be None or a name such as 'error' or 'variance'; got {self.risk!r}.")
        if self.folds is None and self.rule != "none":
            raise ParameterError(f"rule={self.rule!r} needs folds; give a number of folds or use rule='none'.")
        if isinstance(self.folds, (str, dict, float, bool)):
            raise ParameterError(f"folds must be a whole number, one fold number a row, or None; got {self.folds!r}.")
        if isinstance(self.folds, (int, np.integer)) and self.folds < 2:
            raise ParameterError(f"folds must be at least 2; got {self.folds!r}.")

    def __repr__(self) -> str:
        folds = self.folds if isinstance(self.folds, (int, type(None))) else "array"
        return (
            f"CostComplexity(rule={self.rule!r}, folds={folds}, cp={self.cp}, risk={self.risk!r}, style={self.style!r})"
        )


def family(tree: Tree, pruner: CostComplexity, least: float | None = None) -> CostComplexityPath:
    """The nested family of a tree, from ``cp`` upwards, or from the alpha ``least``."""
    risk = risk_of(tree, pruner.risk)
    if least is None:
        least = pruner.cp * float(risk[0])
    if pruner.style == "exact":
        path = weakest_links(tree, risk)
        collapses_at = path.collapses_at
        if least == 0.0:
            return path
    else:
        collapses_at = settle_ties(rpart_complexity(tree, risk, least), 1e-13 * float(risk[0]))
    collapses_at = np.maximum(collapses_at, least)
    collapses_at[tree.is_leaf] = 0.0
    alphas = np.unique(np.append(collapses_at[~tree.is_leaf], least))
    n_leaves, risks = leaves_and_risks(tree, risk, collapses_at, alphas)
    return CostComplexityPath(alphas, n_leaves, risks, collapses_at, float(risk[0]))
