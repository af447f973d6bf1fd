"""Critical value pruning: a split is removed when neither it nor any split below it reaches a critical score."""

from __future__ import annotations

import numpy as np

from .._messages import must_be
from ..data.columns.distinct import distinct
from ..errors import ParameterError
from ..tree.tree import Tree
from .cost_complexity import leaves_and_risks
from .nested import NestedFamily
from .ties import equalize_ties

#: Scores this close, as a share of the largest, are one.
_ONE_VALUE = 1e-12


def split_scores(tree: Tree, measure: str | None = None) -> np.ndarray:
    """The score of each split, shape (T,); NaN at leaves.

    Parameters
    ----------
    tree : Tree
    measure : str, optional
        None = the score by which the tree was grown, ``tree.score``; else the decrease of this impurity by the split,
        per unit of the node's weight: "gini", "entropy" (information gain in bits), "error", "variance", "poisson".

    Raises
    ------
    ParameterError
        The measure does not belong to this kind of response.
    """
    if measure is None:
        return tree.score
    if not tree.response.fits(measure):
        fitting = ", ".join(tree.response.measures)
        raise ParameterError(must_be("measure", f"None or one of {fitting} for this tree", measure))
    impurity = tree.weight * tree.impurity(measure)
    below = np.bincount(tree.parent[1:], impurity[1:], tree.n_nodes)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(tree.is_leaf, np.nan, (impurity - below) / tree.weight)


def strongest_below(tree: Tree, score: np.ndarray) -> np.ndarray:
    """The highest score among the splits of each node and of all nodes below it, shape (T,); -inf at leaves."""
    strongest = np.where(tree.is_leaf, -np.inf, score)
    parent, value = tree.parent.tolist(), strongest.tolist()
    for t in range(tree.n_nodes - 1, 0, -1):
        up = parent[t]
        if value[t] > value[up]:
            value[up] = value[t]
    return np.array(value)


def critical_value_family(tree: Tree, risk: np.ndarray, measure: str | None = None) -> NestedFamily:
    """The trees that rising critical values give (Mingers 1987).

    A node is pruned when its own score and the scores of all splits below it are below the critical value; a weak split
    above a strong one stays. The first row is the full tree; each following one has lost the splits whose strongest
    score is at most its value, so that any critical value above it, up to the next, gives this tree.

    Parameters
    ----------
    tree : Tree
    risk : float64, shape (T,)
        Risk of each node as a leaf, for the table of the family.
    measure : str, optional
        As for :func:`split_scores`.

    Raises
    ------
    ParameterError
        The measure does not belong to this kind of response.
    """
    strongest = strongest_below(tree, split_scores(tree, measure))
    inner = strongest[~tree.is_leaf]
    merged = strongest.copy()
    if len(inner):
        merged[~tree.is_leaf] = equalize_ties(inner, _ONE_VALUE * max(1.0, float(np.abs(inner).max())))
    # Leaves are leaves at every value; the full tree comes before the weakest split.
    lowest = min(0.0, float(inner.min()) - 1.0) if len(inner) and inner.min() <= 0.0 else 0.0
    merged[tree.is_leaf] = lowest
    values = distinct(np.append(merged[~tree.is_leaf], lowest))
    n_leaves, risks = leaves_and_risks(tree, risk, merged, values)
    return NestedFamily(tree, values, n_leaves, risks, merged)


def below_threshold(tree: Tree, threshold: float, measure: str | None = None) -> np.ndarray:
    """Nodes that become leaves at one critical value, bool, shape (T,): their strongest score is below it.

    Raises
    ------
    ParameterError
        The measure does not belong to this kind of response.
    """
    strongest = strongest_below(tree, split_scores(tree, measure))
    return strongest < threshold - _ONE_VALUE * max(1.0, abs(threshold))
