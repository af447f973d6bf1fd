"""The training values on either side of each threshold, by which people can be shown a shorter one."""

from __future__ import annotations

import numpy as np

from ..data.columns import Columns
from ..data.distinct import distinct
from ..data.schema import NUMERIC, Feature
from ..data.sparse import SparseColumns
from .lazy_arrays import as_kind
from .split import SplitTable
from .tree import Tree

#: Larger tables are not looked at for the sake of shorter numbers: rows times features.
MOST_VALUES = 250_000


def with_neighbours(tree: Tree, columns: Columns) -> Tree:
    """The tree with the neighbours of its thresholds, where the table is not too large.

    They are those of the whole column and not of the rows of a node, so that a number between them stands for the
    threshold in any rule about training rows, pruned, raised or simplified. A tree whose arrays are still in the kernel
    keeps a copy of the values until they are asked for.

    Parameters
    ----------
    tree : Tree
    columns : Columns
        The rows it was grown from.

    Examples
    --------
    >>> import boxwood
    >>> tree = boxwood.CARTRegressor(pruning=None).fit({"age": [20, 30, 50]}, [0, 1, 5]).tree_
    >>> tree.splits.breaks.tolist(), tree.neighbours.tolist()
    ([40.0, 25.0], [[30.0, 50.0], [20.0, 30.0]])
    """
    if is_too_large(columns.n, len(columns.schema)):
        return tree
    lazy = vars(tree).get("_lazy")
    sparse = isinstance(columns, SparseColumns)
    if sparse or lazy is None or {"neighbours", "splits"} & set(vars(tree)):  # its splits may not be the kernel's
        return as_kind(tree, type(tree), neighbours=neighbours_of(tree.splits, columns))
    lazy.ask_later("neighbours", _Later(columns))
    return tree


def is_too_large(n: int, p: int) -> bool:
    """Whether n rows of p features are not looked at for the sake of shorter numbers."""
    return n * p > MOST_VALUES


class _Later:
    """Finds the neighbours when they are asked for, in a copy of the values: the caller's may change."""

    def __init__(self, columns: Columns) -> None:
        matrix = vars(columns).get("matrix")
        if matrix is not None:
            self._columns = type(columns)(columns.schema, matrix.copy())
        else:
            values = tuple(column.copy() for column in columns.values)
            self._columns = Columns(columns.schema, columns.n, values, columns.low, {})

    def __call__(self, arrays) -> np.ndarray:
        return neighbours_of(arrays.get("splits"), self._columns)


def neighbours_of(splits: SplitTable, columns: Columns) -> np.ndarray:
    """The largest value up to each break and the smallest above it, float64, shape (B, 2); NaN where not known."""
    feature = np.repeat(splits.feature, np.diff(splits.breaks_start))
    found = np.full((len(splits.breaks), 2), np.nan)
    for j in distinct(feature).tolist():
        about = columns.schema[j]
        if has_neighbours(about):
            at = feature == j
            values = columns.column(j) if isinstance(columns, SparseColumns) else columns.values[j]
            found[at] = _around(values, splits.breaks[at])
    return known(found, splits.breaks)


def has_neighbours(feature: Feature) -> bool:
    """Whether thresholds of a feature may be shown shorter: it has numbers, which are not times."""
    return feature.kind == NUMERIC and feature.temporal is None


def known(found: np.ndarray, breaks: np.ndarray) -> np.ndarray:
    """Neighbours, shape (B, 2), NaN where a double does not hold them or the break does not lie between them."""
    below, above = found.T
    sound = (below <= breaks) & (breaks < above) & (np.abs(found) < 2.0**53).all(axis=1)
    return np.where(sound[:, None], found + 0.0, np.nan)


def _around(values: np.ndarray, cuts: np.ndarray) -> np.ndarray:
    """The values on either side of some cuts, shape (B, 2)."""
    ordered = np.sort(np.asarray(values, dtype=np.float64))
    ordered = ordered[: np.searchsorted(ordered, np.nan)]
    padded = np.concatenate([[np.nan], ordered, [np.nan]])
    below = np.searchsorted(ordered, cuts, side="right")
    return np.column_stack([padded[below], padded[below + 1]])
