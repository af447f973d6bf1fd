"""Weakest-link pruning: the trees that are optimal for some price alpha per leaf, from full tree to root."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from .. import _kernel
from .._messages import Setting, must_be, remedy
from ..errors import ParameterError
from ..statistics.class_measures import measure_name
from ..statistics.responses.response import Response
from ..tree.marks import nodes_above_fixed
from ..tree.node_moments import of_moments
from ..tree.rebuild import keep_nodes
from ..tree.side_by_side import figures
from ..tree.tree import Tree

#: Decreases of risk below this share of the root's risk are rounding (docs/pruning.md).
ROUNDING = 1e-10

#: Measures that are never below a risk of classes: 1 - max p <= 1 - sum p^2 <= - sum p log2 p.
_NOT_BELOW = {"error": ("error", "gini", "entropy"), "gini": ("gini", "entropy")}


def usual_loss(response: Response) -> str:
    """The risk in whose units held-out losses are: errors (or costs) of classes, squared error, Poisson deviance."""
    return next(iter(response.risks))


@dataclass(frozen=True, eq=False)
class CostComplexityPath:
    """The nested family T(alpha): for every alpha the smallest tree of least risk + alpha * leaves.

    Attributes
    ----------
    alphas : float64, shape (S,)
        Rising from 0; row s holds for ``alphas[s] <= alpha < alphas[s + 1]``. Units of risk per leaf.
    n_leaves : int64, shape (S,)
    risks : float64, shape (S,)
        Sum of the risks of the leaves.
    collapses_at : float64, shape (T,)
        The alpha from which on a node is a leaf or removed, never above its parent's; 0 at leaves. T(alpha) is the tree
        in which the nodes with ``collapses_at <= alpha`` are leaves. It is infinite only for a node with a single
        branch that lowers the risk, because giving such a node up saves no leaf, and above nodes that stay by decision.
    root_risk : float
        Risk of the root as a leaf.
    """

    alphas: np.ndarray
    n_leaves: np.ndarray
    risks: np.ndarray
    collapses_at: np.ndarray
    root_risk: float

    def scaled(self, weight: float) -> CostComplexityPath:
        """The same family with alphas and risks per unit of weight: scikit-learn's scale when ``weight`` is the root's.

        Parameters
        ----------
        weight : float
            Positive; everything measured in risk is divided by it.

        Raises
        ------
        ParameterError
            The weight is not a positive number.
        """
        if not 0.0 < weight < np.inf:
            raise ParameterError(must_be("weight", "a positive number", weight))
        return replace(
            self,
            alphas=self.alphas / weight,
            risks=self.risks / weight,
            collapses_at=self.collapses_at / weight,
            root_risk=self.root_risk / weight,
        )

    def to_records(self) -> list[dict]:
        """One dict per row, ready for a data frame.

        Keys: alpha, n_leaves, n_splits (nodes that still split), risk, cp (alpha as a share of the root's risk, as
        rpart writes it) and relative_risk; the last two are 0 when the root has no risk.
        """
        unit = self.root_risk if self.root_risk > 0 else 1.0
        still_split = len(self.collapses_at) - np.searchsorted(np.sort(self.collapses_at), self.alphas, side="right")
        columns = (self.alphas, self.n_leaves, still_split, self.risks, self.alphas / unit, self.risks / unit)
        names = ("alpha", "n_leaves", "n_splits", "risk", "cp", "relative_risk")
        return [dict(zip(names, row, strict=True)) for row in zip(*(c.tolist() for c in columns), strict=True)]


def risk_of(tree: Tree, risk_name: str | None = None) -> np.ndarray:
    """Risk of each node as a leaf, in units of weight; risks of leaves add up to the risk of the tree.

    Parameters
    ----------
    tree : Tree
    risk_name : str, optional
        For classes "error" (expected cost of the predicted class, under priors and costs), "gini" or "entropy"
        (N_t H_t in bits); for numbers "variance", also called "squared_error" (sum of squares about the mean); for
        counts "poisson", also called "deviance". None takes the measure by which the tree was grown, and "error",
        "variance" or "poisson" when the tree does not record one.

    Returns
    -------
    float64, shape (T,)

    Raises
    ------
    ParameterError
        There is no risk of this name for this kind of response.
    """
    response, risk = tree.response, _risk_name(tree, risk_name)
    if risk == "error" and response.labels:
        # Straight from the counts, so that whole counts give whole risks and ties stay ties.
        return (tree.moments * np.asarray(response.factors) @ response.cost_matrix()).min(axis=1)
    return figures(tree, ("risk", risk), lambda at: of_moments(at, lambda moments: response.risk(moments, risk)))


def bounds_risk(tree: Tree, risk_name: str | None = None) -> bool:
    """Whether no node's risk is above its weight times its impurity by the measure that the tree was grown by.

    Parameters
    ----------
    tree : Tree
    risk_name : str, optional
        As for :func:`risk_of`.

    Returns
    -------
    bool
        False also where it is not known: with costs or altered priors, and with rates that are shrunk.

    Raises
    ------
    ParameterError
        There is no risk of this name for this kind of response.
    """
    response, risk = tree.response, _risk_name(tree, risk_name)
    if response.shrink > 0.0:
        return False  # a rate that is drawn towards the root's is not the best of its node
    if risk == "error" and (response.costs is not None or response.altered):
        return False
    return tree.made_by.get("measure") in _NOT_BELOW.get(risk, (risk,))


def _risk_name(tree: Tree, given: str | None) -> str:
    """The name of the risk for this kind of response."""
    response = tree.response
    wanted = tree.made_by.get("measure", usual_loss(response)) if given is None else given
    if (named := measure_name(wanted)) and response.fits(named):
        return named
    if not isinstance(wanted, str) or wanted not in response.risks:
        words = f"{', '.join(response.risks)} for {response.described}"
        raise ParameterError(must_be("risk", f"one of {words}", wanted))
    return response.risks[wanted]


def weakest_links(tree: Tree, risk: np.ndarray) -> CostComplexityPath:
    """The whole weakest-link sequence of Breiman et al. (1984, chapter 3), exactly, in O(T log T).

    The least cost of the branch below a node is a concave, piecewise linear function of alpha. Each inner node adds one
    bend to it, where the node itself becomes the cheaper leaf, and makes all later bends of its branch pointless
    (kernel/prune/weakest_links.hpp).

    Parameters
    ----------
    tree : Tree
    risk : float64, shape (T,)
        Risk of each node as a leaf (:func:`risk_of`), finite.

    Returns
    -------
    CostComplexityPath
        Row 0 has alpha 0: the tree without splits that lower the risk by no more than 1e-10 of the root's. Alphas
        closer than that are one row. Where a split raises the risk (rows that stay at a node can do that) the tree of
        row 0 has the least risk of all, which collapsing from the top would not always find. Nodes above one that was
        signed or overruled never become leaves.

    Raises
    ------
    ParameterError
        The risks are not one finite number per node.
    """
    risk = checked_risk(tree, risk)
    tolerance = ROUNDING * abs(float(risk[0]))
    above = nodes_above_fixed(tree.parent, tree.marks)
    as_leaf = risk
    if above is not None:  # as leaves they would cost more than all that pruning below them can save
        as_leaf = np.where(above, (np.abs(risk).max() + 1.0) * 16.0 * tree.n_nodes, risk)
    links = _kernel.weakest_links(tree.parent, tree.first_child, tree.n_children, as_leaf, tolerance)
    collapses_at, alphas, n_leaves, risks = links
    if above is None:
        return CostComplexityPath(alphas, n_leaves, risks, collapses_at, float(risk[0]))
    first = np.searchsorted(alphas, collapses_at[above].min(initial=np.inf))
    collapses_at = np.where(above, np.inf, collapses_at)
    return CostComplexityPath(alphas[:first], n_leaves[:first], risks[:first], collapses_at, float(risk[0]))


def checked_risk(tree: Tree, risk: np.ndarray) -> np.ndarray:
    """The risks as float64, shape (T,), when there is one finite number per node."""
    risk = np.asarray(risk, dtype=np.float64)
    if risk.shape != (tree.n_nodes,) or not np.isfinite(risk).all():
        raise ParameterError(
            Setting("risk"), f" must hold one finite number for each of the {tree.n_nodes} nodes of the tree.",
        )  # fmt: skip
    return risk


def capped_by_parents(tree: Tree, collapses_at: np.ndarray) -> np.ndarray:
    """No node stays longer than any node above it; shape (T,)."""
    capped = collapses_at
    for up in tree.binary_lifting():
        capped = np.minimum(capped, capped[up])
    return capped


def leaves_and_risks(
    tree: Tree, risk: np.ndarray, collapses_at: np.ndarray, alphas: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Number of leaves (int64) and risk (float64) of each tree of a nested family, shape (S,) both, in O(T log S).

    Node t is a leaf of the trees from its own ``collapses_at`` up to, not including, that of its parent; the sums of
    a row are those before it with the changes, beginning with the full tree, whose risk is smallest.

    Parameters
    ----------
    tree : Tree
    risk, collapses_at : float64, shape (T,)
        ``collapses_at`` never above the parent's, 0 at leaves.
    alphas : float64, shape (S,)
        Rising.
    """
    first = np.searchsorted(alphas, collapses_at, side="left")
    until = first[tree.parent]
    until[0] = len(alphas)
    seen = first < until
    first, until, size = first[seen], until[seen], len(alphas) + 1
    leaves = np.bincount(first, minlength=size) - np.bincount(until, minlength=size)
    change = np.bincount(first, risk[seen], size) - np.bincount(until, risk[seen], size)
    risks = np.cumsum(change[:-1])
    risks[np.searchsorted(alphas, collapses_at[0], side="left") :] = risk[0]
    return np.cumsum(leaves[:-1]), risks


def subtree(tree: Tree, path: CostComplexityPath, alpha: float) -> Tree:
    """T(alpha): the smallest tree of least risk + alpha * leaves among all trees pruned from ``tree``.

    Parameters
    ----------
    tree : Tree
        The tree the path was made from.
    path : CostComplexityPath
    alpha : float
        Price of a leaf, not negative, in the units of the path; infinity gives the root alone.

    Raises
    ------
    ParameterError
        Alpha is negative or not a number, or the path belongs to another tree.
    """
    if not alpha >= 0.0:
        raise ParameterError(must_be("alpha", "0 or larger", alpha))
    if len(path.collapses_at) != tree.n_nodes:
        raise ParameterError(
            f"path was made from a tree of {len(path.collapses_at)} nodes, but tree has {tree.n_nodes}; ",
            remedy("call weakest_links with this tree."),
        )  # fmt: skip
    return keep_nodes(tree, path.collapses_at <= alpha)


def alpha_for_leaves(path: CostComplexityPath, n_leaves: int) -> float:
    """The alpha of the largest tree of the family with at most ``n_leaves`` leaves.

    Raises
    ------
    ParameterError
        ``n_leaves`` is less than the leaves of the smallest tree, which is 1 but for trees with single branches.
    """
    small = np.flatnonzero(path.n_leaves <= n_leaves)
    if len(small) == 0:
        raise ParameterError(must_be("n_leaves", f"at least {int(path.n_leaves[-1])}", n_leaves))
    return float(path.alphas[small[0]])
