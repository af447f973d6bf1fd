"""Sums of squared weights of the rows of each node: by them, n rows of unequal weights count as fewer equal ones."""

from __future__ import annotations

import numpy as np

from .lazy_arrays import as_kind
from .shares import Parts
from .tree import Tree

#: Squares are added up as whole numbers, so that their order does not matter: so many digits of 32 bits, of which the
#: lowest reaches 24 bits below 1. A whole weight has at most 53 bits.
_DIGITS, _BITS, _BELOW = 5, 32, 24
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
    int64, shape (T, K or 1, digits)
    """
    k = len(tree.response.class_weights) or 1
    rest = np.ldexp(parts.share * weight[parts.row].astype(np.float64) ** 2, _BELOW)
    group = parts.node.astype(np.int64) * k + (codes[parts.row] if k > 1 else 0)
    sums = np.zeros((tree.n_nodes * k, _DIGITS), dtype=np.int64)
    for digit in range(_DIGITS - 1, -1, -1):
        whole = np.floor(np.ldexp(rest, -_BITS * digit))
        rest -= np.ldexp(whole, _BITS * digit)
        np.add.at(sums[:, digit], group, whole.astype(np.int64))
    return sums.reshape(tree.n_nodes, k, _DIGITS)


def with_weight_squares(tree: Tree, sums: np.ndarray, unit: float) -> Tree:
    """The tree with the sums of all its rows; as it is if these have equal weights, but for class weights.

    Parameters
    ----------
    tree : Tree
    sums : int64, as from :func:`square_sums`
    unit : float
        What a weight of 1 stands for.
    """
    sums = sums.copy()
    levels = np.searchsorted(tree.depth, np.arange(1, tree.max_depth + 2))
    for first, end in zip(levels[:-1][::-1], levels[1:][::-1], strict=True):
        np.add.at(sums, tree.parent[first:end], sums[first:end])
    digits = np.ldexp(sums.astype(np.float64), np.arange(_DIGITS) * _BITS - _BELOW)
    squares = np.ascontiguousarray(digits[..., ::-1]).cumsum(axis=-1)[..., -1] * unit**2
    of_class = np.asarray(tree.response.class_weights or (1.0,)) ** 2
    squares = np.divide(squares, of_class, out=np.zeros_like(squares), where=of_class > 0).sum(axis=1)
    equal = tree.row_weight[0] ** 2 >= squares[0] * float(tree.rows[0]) * (1.0 - _ROUNDING)
    return as_kind(tree, type(tree), weight_squares=None if equal else squares)
