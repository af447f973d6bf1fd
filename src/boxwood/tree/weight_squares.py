"""Sums of squared weights of the rows of each node: by them, n rows of unequal weights count as fewer equal ones."""

from __future__ import annotations

import numpy as np

from .lazy_arrays import as_kind
from .shares import Parts
from .tree import Tree

#: Squares are added up as whole numbers, so that their order does not matter: in digits of 32 bits, of which the lowest
#: reaches 24 bits below 1. A whole weight has at most 53 bits.
_BITS, _BELOW, _WEIGHT_BITS = 32, 24, 53
#: Weights whose effective number of rows is this close to their number, as a share, are equal but for rounding.
_ROUNDING = 1e-9


def square_sums(tree: Tree, parts: Parts, weight: np.ndarray, codes: np.ndarray | None) -> np.ndarray:
    """Sums of squared weights at the nodes where rows end, as digits of whole numbers, which add up over sets of rows.

    Parameters
    ----------
    tree : Tree
    parts : Parts
        Where the rows end; of a row that was divided, each part has its share of the square.
    weight : int64, shape (n,)
        Class weights included.
    codes : int32, shape (n,), or None
        Class of each row; read if there are class weights.

    Returns
    -------
    int64, shape (T, digits)
    """
    ratios, whole = _ratios(tree), weight.astype(np.float64)
    whole = whole if len(ratios) == 1 else whole * ratios[codes]
    rest = np.ldexp(parts.share * whole[parts.row] ** 2, _BELOW)
    digits = -(-(2 * _WEIGHT_BITS + _BELOW + 2 * int(np.frexp(ratios.max())[1])) // _BITS)
    sums = np.zeros((tree.n_nodes, digits), dtype=np.int64)
    used = min(digits, -(-int(np.frexp(rest.max())[1]) // _BITS))  # the others are 0
    for digit in range(used - 1, -1, -1):
        part = np.floor(np.ldexp(rest, -_BITS * digit))
        rest -= np.ldexp(part, _BITS * digit)
        np.add.at(sums[:, digit], parts.node, part.astype(np.int64))
    return sums


def _ratios(tree: Tree) -> np.ndarray:
    """The largest class weight over that of each class, shape (K,), at least 1; one 1 without class weights."""
    of_class = np.asarray(tree.response.class_weights or (1.0,))
    return of_class.max() / np.where(of_class > 0, of_class, of_class.max())


def with_weight_squares(tree: Tree, sums: np.ndarray, unit: float) -> Tree:
    """The tree with the sums of all its rows; as it is if these have equal weights, but for class weights.

    Parameters
    ----------
    tree : Tree
    sums : int64, as from :func:`square_sums`
    unit : float
        The unit of weights.
    """
    sums = sums[:, : 1 + int(np.flatnonzero(sums.any(axis=0)).max(initial=0))].copy()  # the digits that are used
    levels = np.searchsorted(tree.depth, np.arange(1, tree.max_depth + 2))
    for first, end in zip(levels[:-1][::-1], levels[1:][::-1], strict=True):
        parents = tree.parent[first:end]  # rising: children of one node are neighbours
        begin = np.flatnonzero(np.diff(parents, prepend=-1))
        sums[parents[begin]] += np.add.reduceat(sums[first:end], begin)
    largest = max(tree.response.class_weights or (1.0,))
    squares = np.zeros(tree.n_nodes)
    for digit in range(sums.shape[1] - 1, -1, -1):
        squares += np.ldexp(sums[:, digit].astype(np.float64), _BITS * digit - _BELOW)
    squares *= (unit / largest) ** 2
    equal = tree.row_weight[0] >= np.sqrt(squares[0] * tree.rows[0]) * (1.0 - _ROUNDING)
    return as_kind(tree, type(tree), weight_squares=None if equal else squares)
