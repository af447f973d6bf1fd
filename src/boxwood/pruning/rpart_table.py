"""The cp table as rpart prints it, from the exact weakest links or from rpart's own one-pass complexity."""

from __future__ import annotations

import numpy as np

from .._messages import must_be
from ..data.columns.distinct import distinct
from ..errors import ParameterError, check_one_of
from ..tree.tree import Tree
from .cost_complexity import capped_by_parents, checked_risk, leaves_and_risks, weakest_links
from .ties import equalize_ties

_STYLES = ("exact", "rpart")
#: Complexities this close, as a share of the root's risk, are one row: they are the same fraction rounded twice.
_ONE_ROW = 1e-13


def rpart_complexity(tree: Tree, risk: np.ndarray, alpha: float = 0.0) -> np.ndarray:
    """The complexity rpart gives each node, in one pass from the leaves to the root (docs/rpart.md).

    It is the decrease of risk per split of the branch, after children that are cheaper as leaves have become leaves;
    but weak links deeper inside the children stay, so that the table can differ from the exact one on deep trees.

    Parameters
    ----------
    tree : Tree
    risk : float64, shape (T,)
        Risk of each node as a leaf (:func:`~boxwood.pruning.cost_complexity.risk_of`), finite.
    alpha : float
        Price of a leaf in units of risk; branches worth no more become leaves as well.

    Returns
    -------
    float64, shape (T,)
        Never above the parent's; ``alpha`` at leaves. rpart prints it divided by the root's risk.

    Raises
    ------
    ParameterError
        The risks are not one finite number per node, or alpha is negative.
    """
    _check_alpha(alpha)
    own = checked_risk(tree, risk).tolist()
    complexity = [alpha] * tree.n_nodes
    best = list(own)
    splits = [0] * tree.n_nodes
    inner = np.flatnonzero(~tree.is_leaf)[::-1]
    first, count = tree.first_child[inner].tolist(), tree.n_children[inner].tolist()
    for t, child, branches in zip(inner.tolist(), first, count, strict=True):
        below = sum(best[child : child + branches])
        # For more than two branches rpart has no rule: a split counts as its branches less one, the leaves it adds.
        parts = sum(splits[child : child + branches]) + branches - 1
        value = (own[t] - below) / max(parts, 1)
        for c in sorted(range(child, child + branches), key=complexity.__getitem__):
            if value > complexity[c]:
                below += own[c] - best[c]
                parts -= splits[c]
                value = (own[t] - below) / max(parts, 1)
        complexity[t] = value
        if value > alpha:
            best[t], splits[t] = below, parts
    return capped_by_parents(tree, np.array(complexity))


def cp_table(
    tree: Tree, risk: np.ndarray, alpha: float = 0.0, style: str = "exact", loss: np.ndarray | None = None
) -> list[dict]:
    """The table of complexity parameters as rpart shows it, the root alone first.

    Parameters
    ----------
    tree : Tree
    risk : float64, shape (T,)
        Risk of each node as a leaf, finite.
    alpha : float
        Price of a leaf, in units of risk, at which the table ends; rpart's ``cp`` times the risk of the root.
    style : {"exact", "rpart"}
        From the exact weakest-link sequence, or from :func:`rpart_complexity`.
    loss : float64, shape (T,), optional
        What rel_error measures, for each node as a leaf; by default the risk, as in rpart.

    Returns
    -------
    list of dict
        CP (as a share of the root's risk), nsplit (leaves less one) and rel_error (loss as a share of the root's).

    Raises
    ------
    ParameterError
        The style is unknown, risks or losses are not one finite number per node, or alpha is negative.
    """
    check_one_of("style", style, _STYLES)
    _check_alpha(alpha)
    risk = checked_risk(tree, risk)
    unit = float(risk[0]) if risk[0] > 0 else 1.0
    if style == "rpart":
        complexity = equalize_ties(rpart_complexity(tree, risk, alpha), _ONE_ROW * unit)
    else:
        complexity = weakest_links(tree, risk).collapses_at
    complexity = np.maximum(complexity, alpha)
    complexity[tree.is_leaf] = alpha
    levels = distinct(complexity)
    loss = risk if loss is None else checked_risk(tree, loss)
    n_leaves, losses = leaves_and_risks(tree, loss, complexity, levels)
    losses /= float(loss[0]) if loss[0] > 0 else 1.0
    rows = zip((levels / unit).tolist(), (n_leaves - 1).tolist(), losses.tolist(), strict=True)
    return [{"CP": cp, "nsplit": nsplit, "rel_error": error} for cp, nsplit, error in rows][::-1]


def _check_alpha(alpha: float) -> None:
    """The price of a leaf is a finite number, not negative."""
    if not 0.0 <= alpha < np.inf:
        raise ParameterError(must_be("alpha", "a finite number, 0 or larger", alpha))
