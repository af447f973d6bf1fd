"""Minimum description length: the pruned tree whose description, with its errors, takes the fewest bits."""

from __future__ import annotations

import math

import numpy as np

from ..data.columns.schema import NOMINAL, NUMERIC
from ..tree.tree import Tree

#: Lengths this close, as a share of the larger one, are equal.
_EQUAL = 1e-12


def class_bits(moments: np.ndarray) -> np.ndarray:
    """Bits that encode the classes of the rows of each node for a receiver who has only the number of rows.

    The Krichevsky-Trofimov code: rows are encoded in turn, each by the share of its class among those before,
    half a row of every class added. Its length is

        log2 [ Gamma(n + K/2) Gamma(1/2)^K / (Gamma(K/2) prod_k Gamma(n_k + 1/2)) ],

    which for large n is Rissanen's stochastic complexity, as Mehta, Rissanen and Agrawal (1995) use it for trees,
    sum_k n_k log2(n / n_k) + (K - 1)/2 log2(n / (2 pi)) + log2(pi^(K/2) / Gamma(K/2)), and stays exact for small and
    empty nodes, where that formula makes no sense.

    Parameters
    ----------
    moments : float64, shape (T, K)
        Weight of each class; a weight of 3 counts as three rows.

    Returns
    -------
    float64, shape (T,)

    Examples
    --------
    >>> import numpy as np
    >>> class_bits(np.array([[0.0, 0.0], [1.0, 0.0], [8.0, 0.0], [4.0, 4.0]])).round(3).tolist()
    [0.0, 1.0, 2.348, 9.871]
    """
    k = moments.shape[1]
    constant = k * math.lgamma(0.5) - math.lgamma(k / 2)
    lengths = [
        math.lgamma(math.fsum(row) + k / 2) + constant - math.fsum(math.lgamma(n + 0.5) for n in row)
        for row in moments.tolist()
    ]
    return np.array(lengths) / math.log(2.0)


def split_bits(tree: Tree) -> np.ndarray:
    """Bits that encode the test of each split, shape (T,); 0 at leaves.

    log2(p) for the feature, and log2 of the number of tests of this form: the partitions of the listed levels of a
    nominal feature into so many branches (a Stirling number of the second kind; 1 when each level has a branch of its
    own), to place so many cuts between the levels of an ordinal feature, or between as many values as the node has
    rows.
    """
    bits = np.zeros(tree.n_nodes)
    of_feature = math.log2(len(tree.schema))
    listed, cuts = np.diff(tree.splits.index_start), np.diff(tree.splits.breaks_start)
    for t in np.flatnonzero(~tree.is_leaf).tolist():
        feature = tree.schema[int(tree.splits.feature[t])]
        if feature.kind == NOMINAL:
            form = _log2_partitions(int(listed[t]), int(tree.n_children[t]))
        else:
            values = int(tree.rows[t]) if feature.kind == NUMERIC else len(feature.levels)
            form = _log2_choices(max(values - 1, int(cuts[t])), int(cuts[t]))
        bits[t] = of_feature + form
    return bits


def _log2_choices(n: int, k: int) -> float:
    """log2 of the number of ways to choose k of n."""
    return (math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)) / math.log(2.0)


def _log2_partitions(levels: int, branches: int) -> float:
    """log2 of the number of partitions of levels into branches, none of them empty; 0 if that cannot be."""
    if branches >= levels or branches <= 1:
        return 0.0
    if branches == 2:
        return math.log2(2 ** (levels - 1) - 1)
    row = [1] + [0] * branches
    for size in range(1, levels + 1):
        row = [0] + [b * row[b] + row[b - 1] for b in range(1, min(size, branches) + 1)] + [0] * max(branches - size, 0)
    return math.log2(row[branches])


def shortest_description(tree: Tree) -> tuple[np.ndarray, np.ndarray]:
    """Which nodes become leaves in the pruned tree of least description length, and the lengths.

    A tree is encoded node by node: one bit whether it splits; the test (:func:`split_bits`) or, at a leaf, the classes
    of its rows (:func:`class_bits`). The length of a tree is a sum over its nodes, so one pass from the leaves to the
    root finds the least: L(t) = min(1 + classes(t), 1 + test(t) + sum of L over its branches), the smaller tree on
    ties. Priors and costs do not enter: classes are encoded as they are.

    Parameters
    ----------
    tree : Tree
        Of classes.

    Returns
    -------
    closed : bool, shape (T,)
        Nodes that become leaves.
    bits : float64, shape (T,)
        Length of the best tree from each node down.

    Raises
    ------
    ParameterError
        The tree does not predict a class.
    """
    tree.response.need_classes(
        "minimum description length prunes trees of classes; for a numeric target or a rate use CostComplexity or "
        "ReducedError."
    )
    leaf, test = 1.0 + class_bits(tree.moments), 1.0 + split_bits(tree)
    closed, bits, cost = np.zeros(tree.n_nodes, dtype=bool), leaf.tolist(), test.tolist()
    inner = np.flatnonzero(~tree.is_leaf)[::-1]
    first, count = tree.first_child[inner].tolist(), tree.n_children[inner].tolist()
    for t, child, branches in zip(inner.tolist(), first, count, strict=True):
        split = cost[t] + math.fsum(bits[child : child + branches])
        closed[t] = bits[t] <= split + _EQUAL * split
        bits[t] = min(bits[t], split) if not closed[t] else bits[t]
    return closed, np.array(bits)
