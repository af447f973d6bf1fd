"""Validates a Tree: every index, count, size and number is checked before it is used."""

from __future__ import annotations

import numpy as np

from ..data.columns.schema import Schema
from ..errors import ModelFileError
from .marks import check_marks
from .meaning import check_made_by, check_response, check_schema
from .split import SplitTable
from .tree import STAYS, Tree

_NODE_ARRAYS = (
    ("parent", np.int32), ("first_child", np.int32), ("n_children", np.int32), ("missing", np.int32),
    ("heuristic", np.bool_), ("rows", np.int64), ("score", np.float64),
)  # fmt: skip
_TABLE_ARRAYS = (
    ("feature", np.int32), ("breaks_start", np.int32), ("breaks", np.float64), ("breaks_low", np.float64),
    ("n_positions", np.int32), ("index_start", np.int32), ("position", np.int32), ("index", np.int32),
)  # fmt: skip

#: Weights that a fit adds up are at most 2**500 each, and no table has 1e49 rows.
LARGEST_WEIGHT = 1e200
#: A fit refuses numbers that spread over more than 2**481; all may lie far from 0, such as a y that is always 1e308.
FARTHEST_MEAN = 1e150
#: A share of 1, and what rounding may add to it.
_WHOLE = 1.0 + 1e-6


def validate(tree: Tree) -> None:
    """Check that a tree is sound, so that no view, prediction or pruning of it can go astray.

    Costs O(size of the tree), never recurses, and looks at every number once: shapes and types; schema and response;
    children numbered above their parents, in level order, each used once; offsets that rise and end where the values
    end; branches, features and levels that exist; breaks that rise; moments that are finite, with positive weight
    or, in an empty leaf, all 0.

    Raises
    ------
    ModelFileError
        Something is wrong; the message names the array and the node.
    """
    check_schema(tree.schema)
    check_response(tree.response)
    check_made_by(tree.made_by)
    _check_shapes(tree)
    _check_links(tree)
    _check_table(tree, "splits", np.arange(tree.n_nodes), tree.n_children)
    _check_nodes(tree)
    check_marks(tree.marks or {}, tree.is_leaf, len(tree.response.labels))
    owner = _check_lists(tree, "surrogate", len(tree.surrogates))
    _refuse("surrogates", tree.is_leaf[owner], owner, "a leaf has no surrogates")
    _check_table(tree, "surrogates", owner, tree.n_children[owner])
    owner = _check_lists(tree, "competitor", len(tree.competitors))
    # One branch per position, and one for missing values.
    _check_table(tree, "competitors", owner, np.maximum(tree.competitors.n_positions + 1, 2))


def _refuse(array: str, wrong: np.ndarray, node: np.ndarray | None, fact: str) -> None:
    """Raise for the first True of ``wrong``; ``node`` gives the node of each entry."""
    if wrong.any():
        at = int(np.argmax(wrong))
        where = at if node is None else int(node[at])
        raise ModelFileError(f"this is not a sound tree: array {array!r} is wrong at node {where}: {fact}.")


def _check_array(name: str, array: object, dtype: type, shape: tuple[int, ...]) -> None:
    """One array has its type and shape."""
    if not isinstance(array, np.ndarray) or array.dtype != dtype or array.shape != shape:
        found = f"{array.dtype} {array.shape}" if isinstance(array, np.ndarray) else type(array).__name__
        raise ModelFileError(
            f"this is not a sound tree: array {name!r} must be {np.dtype(dtype).name} of shape {shape}; found {found}."
        )


def _check_shapes(tree: Tree) -> None:
    """Types and shapes of all arrays; the numbers of nodes, surrogates and competitors set the sizes."""
    size = np.size(tree.parent)
    if size == 0:
        raise ModelFileError("this is not a sound tree: array 'parent' is empty, but a tree has at least node 0.")
    for name, dtype in _NODE_ARRAYS:
        _check_array(name, getattr(tree, name), dtype, (size,))
    _check_array("moments", tree.moments, np.float64, (size, tree.response.width))
    _check_table_shapes("splits", tree.splits, size)
    surrogates, runners_up = np.size(tree.surrogates.feature), np.size(tree.competitors.feature)
    _check_table_shapes("surrogates", tree.surrogates, surrogates)
    _check_table_shapes("competitors", tree.competitors, runners_up)
    _check_array("surrogate_start", tree.surrogate_start, np.int32, (size + 1,))
    _check_array("competitor_start", tree.competitor_start, np.int32, (size + 1,))
    _check_array("agreement", tree.agreement, np.float64, (surrogates,))
    _check_array("adjusted", tree.adjusted, np.float64, (surrogates,))
    _check_array("competitor_score", tree.competitor_score, np.float64, (runners_up,))
    if tree.log_p is not None:
        _check_array("log_p", tree.log_p, np.float64, (size,))
    if tree.weight_squares is not None:
        _check_array("weight_squares", tree.weight_squares, np.float64, (size,))
    if tree.monotonic is not None:
        _check_monotonic(tree)


def _check_table_shapes(name: str, table: SplitTable, size: int) -> None:
    """Types and shapes of the arrays of a split table."""
    shapes = {
        "feature": (size,), "breaks_start": (size + 1,), "n_positions": (size,), "index_start": (size + 1,),
        "position": (np.size(table.index),), "index": (np.size(table.index),),
        "breaks": (np.size(table.breaks),), "breaks_low": (np.size(table.breaks),),
    }  # fmt: skip
    for part, dtype in _TABLE_ARRAYS:
        _check_array(f"{name}.{part}", getattr(table, part), dtype, shapes[part])


def _check_links(tree: Tree) -> None:
    """Level order: the children of the inner nodes, in order, are exactly the nodes 1 to T - 1."""
    size = tree.n_nodes
    branches = tree.n_children.astype(np.int64)
    _refuse("n_children", branches < 0, None, "the number of children is negative")
    inner = np.flatnonzero(branches)
    if branches.sum() != size - 1:
        raise ModelFileError(
            f"this is not a sound tree: array 'n_children' counts {branches.sum()} children for {size} nodes."
        )
    first = np.full(size, -1, dtype=np.int64)
    first[inner] = 1 + np.cumsum(branches[inner]) - branches[inner]
    _refuse("first_child", tree.first_child != first, None, "the children are not in level order")
    _refuse("first_child", (first <= np.arange(size)) & (first >= 0), None, "a child must be numbered above its parent")
    parent = np.full(size, -1, dtype=np.int64)
    parent[1:] = np.repeat(inner, branches[inner])
    _refuse("parent", tree.parent != parent, None, "the parent does not have this child")


def _check_nodes(tree: Tree) -> None:
    """The prediction of each node about itself."""
    leaf = tree.is_leaf
    _refuse("splits.feature", (tree.splits.feature < 0) != leaf, None, "exactly the leaves have no split")
    _refuse("missing", leaf & (tree.missing != STAYS), None, "missing must be -2 at a leaf")
    wrong = (tree.missing < STAYS) | (tree.missing >= np.maximum(tree.n_children, 1))
    _refuse("missing", wrong, None, "there is no such branch")
    _refuse("heuristic", tree.heuristic & leaf, None, "a leaf has no search")
    _refuse("heuristic", tree.heuristic.view(np.uint8) > 1, None, "a truth value must be 0 or 1")
    empty = tree.rows == 0
    _refuse("rows", tree.rows < 0, None, "the number of rows is negative")
    _refuse("rows", empty & (~leaf | (tree.parent < 0)), None, "only a leaf below another node can be empty")
    _refuse("score", np.isfinite(tree.score) == leaf, None, "score must be finite where there is a split, else NaN")
    _refuse("score", np.isinf(tree.score), None, "score is infinite")
    if tree.log_p is not None:
        _refuse("log_p", ~np.isnan(tree.log_p) & leaf, None, "log_p must be NaN where there is no split")
        _refuse("log_p", tree.log_p > 0.0, None, "the logarithm of a p is above 0")
    if tree.weight_squares is not None:
        wrong = ~np.isfinite(tree.weight_squares) | (tree.weight_squares < 0)
        _refuse("weight_squares", wrong, None, "a sum of squares must be finite and not negative")
    _check_moments(tree, empty)


def _check_monotonic(tree: Tree) -> None:
    """Each feature has an order and a flag; levels of nominal features have no order, and classes are two."""
    _check_array("monotonic", tree.monotonic, np.int32, (2, len(tree.schema)))
    signs, gaps = tree.monotonic
    ordered = np.array([feature.type.has_cuts for feature in tree.schema], dtype=bool)
    wrong = (np.abs(signs) > 1) | ((signs != 0) & ~ordered) | (gaps < 0) | (gaps > 1)
    if wrong.any() or len(tree.response.labels) > 2:
        raise ModelFileError("this is not a sound tree: array 'monotonic' gives an order that cannot be.")


def _check_moments(tree: Tree, empty: np.ndarray) -> None:
    """The moments of each node are finite, with positive weight; those of empty leaves are all 0."""
    moments = tree.moments
    _refuse("moments", ~np.isfinite(moments).all(axis=1), None, "a moment is not finite")
    _refuse("moments", empty & moments.any(axis=1), None, "moments must be 0 where there are no rows")
    with np.errstate(over="ignore"):
        weight = tree.response.weight(moments)
    wrong = ~np.isfinite(weight) | ((weight <= 0) & ~empty)
    _refuse("moments", wrong, None, "the weight must be positive and finite")
    wrong = (tree.row_weight <= 0) & ~empty
    _refuse("moments", wrong, None, "class weights leave no weight to the rows")
    for wrong, fact in tree.response.check_moments(moments, empty):
        _refuse("moments", wrong, None, fact)
    _refuse("moments", weight > LARGEST_WEIGHT, None, f"the weight is above {LARGEST_WEIGHT:g}")
    full = np.flatnonzero(~empty)
    with np.errstate(all="ignore"):
        predicted = tree.response.predicts_of(moments[full])
    _refuse("moments", ~np.isfinite(predicted).all(axis=1), full, "the prediction that follows is not finite")


def _check_lists(tree: Tree, name: str, size: int) -> np.ndarray:
    """The offsets and numbers of the surrogates or competitors; returns the node each of them belongs to."""
    start = getattr(tree, f"{name}_start")
    owner = _check_offsets(f"{name}_start", start, size, None)
    numbers = ("agreement", "adjusted") if name == "surrogate" else ("competitor_score",)
    for array in numbers:
        _refuse(array, ~np.isfinite(getattr(tree, array)), owner, "the number is not finite")
    if name == "surrogate":
        outside = (tree.agreement < 0.0) | (tree.agreement > _WHOLE)
        _refuse("agreement", outside, owner, "a share lies outside 0 to 1")
        _refuse("adjusted", tree.adjusted > _WHOLE, owner, "a share lies above 1")
    table = tree.surrogates if name == "surrogate" else tree.competitors
    _refuse(f"{name}s.feature", table.feature < 0, owner, "there is no such feature")
    return owner


def _check_offsets(name: str, start: np.ndarray, size: int, node: np.ndarray | None) -> np.ndarray:
    """Offsets begin at 0, never fall and end at ``size``; returns the item each of the ``size`` values belongs to."""
    step = np.diff(start.astype(np.int64))
    if start[0] != 0 or start[-1] != size:
        raise ModelFileError(
            f"this is not a sound tree: array {name!r} must run from 0 to {size}, not from {start[0]} to {start[-1]}."
        )
    _refuse(name, step < 0, node, "the offset falls")
    return np.repeat(np.arange(len(step)), step)


def _check_table(tree: Tree, name: str, node: np.ndarray, branches: np.ndarray) -> None:
    """Splits test a known feature by rising breaks, and their index leads to existing branches.

    ``node`` and ``branches``, shape (S,): the node a split belongs to, and the number of branches it may name.
    """
    table: SplitTable = getattr(tree, name)
    feature = table.feature
    _refuse(f"{name}.feature", (feature < -1) | (feature >= len(tree.schema)), node, "there is no such feature")
    by_break = _check_offsets(f"{name}.breaks_start", table.breaks_start, len(table.breaks), node)
    by_index = _check_offsets(f"{name}.index_start", table.index_start, len(table.index), node)
    n_breaks = np.diff(table.breaks_start)
    whole = _without_breaks(tree.schema, feature)
    wanted = _position_counts(tree.schema, feature, n_breaks)
    _refuse(f"{name}.breaks", n_breaks * whole > 0, node, "there is nothing to cut")
    _refuse(f"{name}.n_positions", table.n_positions != wanted, node, "the number of intervals or levels is wrong")
    same = by_index[1:] == by_index[:-1]
    wrong = (table.position < 0) | (table.position >= table.n_positions[by_index])
    _refuse(f"{name}.position", wrong, node[by_index], "there is no such interval or level")
    _refuse(f"{name}.position", same & (np.diff(table.position) <= 0), node[by_index[1:]], "the positions do not rise")
    wrong = (table.index < 0) | (table.index >= branches[by_index])
    _refuse(f"{name}.index", wrong, node[by_index], "there is no such branch")
    _check_breaks(tree.schema, name, table, node[by_break], by_break)


def _without_breaks(schema: Schema, feature: np.ndarray) -> np.ndarray:
    """Whether each split is empty or on a nominal feature, bool, shape (S,)."""
    kinds = np.array([not f.type.has_cuts for f in schema] + [True])
    return kinds[feature]


def _position_counts(schema: Schema, feature: np.ndarray, n_breaks: np.ndarray) -> np.ndarray:
    """Positions each split must have: levels of a nominal feature, intervals of another, 0 for an empty split."""
    levels = np.array([len(f.levels) for f in schema] + [0])
    return np.where(_without_breaks(schema, feature), levels[feature], n_breaks.astype(np.int64) + 1)


def _check_breaks(schema: Schema, name: str, table: SplitTable, node: np.ndarray, split: np.ndarray) -> None:
    """Breaks rise within a split and lie where values can lie; infinities are ordinary values (-inf: x <= -inf)."""
    breaks, low = table.breaks, table.breaks_low
    _refuse(f"{name}.breaks", np.isnan(breaks), node, "a break is not a number")
    _refuse(f"{name}.breaks_low", ~np.isfinite(low), node, "a low part is not a finite number")
    limits = np.array([f.type.cut_limits(len(f.levels)) for f in schema] + [(-np.inf, np.inf)])[table.feature[split]]
    outside = ~((limits[:, 0] <= breaks) & (breaks <= limits[:, 1]))
    _refuse(f"{name}.breaks", outside, node, "the break lies outside what its feature can hold")
    is_code = np.array([bool(f.levels) for f in schema] + [False])[table.feature[split]]
    _refuse(f"{name}.breaks_low", is_code & (low != 0), node, "a break between levels has a low part")
    same = split[1:] == split[:-1]
    rising = (breaks[1:] > breaks[:-1]) | ((breaks[1:] == breaks[:-1]) & (low[1:] > low[:-1]))
    _refuse(f"{name}.breaks", same & ~rising, node[1:], "the breaks do not rise")
