"""Importance of features: the decrease of impurity by their splits, with or without surrogate splits."""

from __future__ import annotations

import numpy as np

from .._messages import must_be
from ..errors import ParameterTypeError, check_one_of
from ..statistics.overflow import may_overflow
from ..tree.tree import Tree


def importance(tree: Tree, kind: str = "mdi", normalize: bool = True) -> np.ndarray:
    """Importance by name: "mdi" (:func:`mdi`) or "mdi+surrogates" (:func:`with_surrogates`); shape (p,).

    Raises
    ------
    ParameterError
        There is no such kind.
    """
    kinds = {"mdi": lambda: mdi(tree, normalize=False), "mdi+surrogates": lambda: with_surrogates(tree)}
    check_one_of("kind", kind, kinds)
    if not isinstance(normalize, (bool, np.bool_)):
        raise ParameterTypeError(must_be("normalize", "True or False", normalize))
    total = kinds[kind]()
    return _shares(total) if normalize else total


def mdi(tree: Tree, measure: str | None = None, normalize: bool = True) -> np.ndarray:
    """Mean decrease of impurity by the splits on each feature.

    A node p with children j counts NI_p = N_p/N I(p) - sum_j N_j/N I(j), N being weights of all rows that came by,
    those with a missing value too. Rows that stay at p have gained nothing: they keep the impurity of p, so that
    NI_p = sum_j N_j/N (I(p) - I(j)). Before normalizing, the sum over features is the impurity of the root less that
    of all rows where they end. With priors or costs the weights are the adjusted ones that the measure sees.

    Parameters
    ----------
    tree : Tree
    measure : {"gini", "entropy", "error", "variance", "poisson"}, optional
        None takes the measure by which the tree was grown; where the tree does not record it, "gini", "variance" or
        "poisson".
    normalize : bool
        Divide by the sum over features, so that importances add to 1.

    Returns
    -------
    float64, shape (p,)
        All zeros for a tree without splits.

    Raises
    ------
    ParameterError
        The response has no such measure.
    """
    split = tree.splits.feature >= 0
    total = np.bincount(tree.splits.feature[split], of_nodes(tree, measure)[split], len(tree.schema))
    return _shares(total) if normalize else total


@may_overflow
def of_nodes(tree: Tree, measure: str | None = None) -> np.ndarray:
    """NI_p of every node as in :func:`mdi`, whose parameters and errors it has; float64, shape (T,), 0 at a leaf."""
    impurity = tree.impurity(measure)
    mass = _mass(tree, tree.made_by.get("measure") if measure is None else measure)
    above = tree.parent[1:]
    return np.bincount(above, mass[1:] / mass[0] * (impurity[above] - impurity[1:]), tree.n_nodes)


def with_surrogates(tree: Tree) -> np.ndarray:
    """Importance as rpart counts it: a split's decrease goes to its feature, and in part to its surrogates.

    The decrease of a split is the weight of its node times its score, among the rows that know its feature. Each
    surrogate of the node adds its adjusted agreement times that decrease to its own feature; competitors add nothing
    (docs/rpart.md).

    Parameters
    ----------
    tree : Tree

    Returns
    -------
    float64, shape (p,)
        In units of weight times impurity, not normalized; all zeros for a tree without splits.
    """
    decrease = np.where(tree.is_leaf, 0.0, tree.weight * tree.score)
    inner = ~tree.is_leaf
    total = np.bincount(tree.splits.feature[inner], decrease[inner], len(tree.schema))
    node = np.repeat(np.arange(tree.n_nodes), np.diff(tree.surrogate_start))
    return total + np.bincount(tree.surrogates.feature, tree.adjusted * decrease[node], len(tree.schema))


def _mass(tree: Tree, measure: str | None) -> np.ndarray:
    """Weight of each node as the measure sees it, with priors (and costs, where the search saw them), shape (T,)."""
    return tree.response.mass(tree.moments, measure or tree.response.usual_measure())


def _shares(total: np.ndarray) -> np.ndarray:
    """Numbers divided by their sum, or zeros when the sum is not positive."""
    whole = total.sum()
    return total / whole if whole > 0 else np.zeros(len(total))
