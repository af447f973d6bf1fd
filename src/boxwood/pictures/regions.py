"""The regions into which a tree cuts one or two features: tiles of one node each, the cuts, and rows as points."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..data.columns.columns import Columns
from ..errors import ParameterError
from ..tree.descend import route
from ..tree.tree import Tree
from ..views.kinds import VALUE_WORDS
from ..views.words import plain
from .predicted import pictures_of
from .region_axis import RegionAxis, axis_of, no_axis
from .region_colours import Colouring
from .region_options import RegionOptions

#: Outlines of points: light around full colours, dark where their fill is the shade of a number.
LIGHT, _DARK = "#ffffff", "#16191d"
#: More cells than this would be a picture of single points.
_MOST_CELLS = 2_000_000
#: At most so many rows are drawn, every k-th of them.
MOST_POINTS = 2_000
#: Steps of a fixed pattern that spreads points of a level evenly over two directions (Roberts 2018).
_RATIOS = (0.7548776662466927, 0.5698402909980532)


@dataclass(frozen=True)
class Tile:
    """A rectangle of cells that end in one node; corners in the numbers of the axes."""

    x: tuple[float, float]
    y: tuple[float, float]
    node: int
    ink: str
    hatch: int = 0


@dataclass(frozen=True)
class Border:
    """A piece of a border between two regions, and the depth of the split that draws it."""

    x: tuple[float, float]
    y: tuple[float, float]
    depth: int


@dataclass(frozen=True, eq=False)
class Points:
    """Rows as points.

    Attributes
    ----------
    x, y : float64, shape (m,)
    inks : tuple of m str
    marks : tuple of m int
        Shape of each point, from 0.
    outline : str
        The ink around each.
    """

    x: np.ndarray
    y: np.ndarray
    inks: tuple[str, ...]
    marks: tuple[int, ...]
    outline: str = LIGHT


@dataclass(frozen=True, eq=False)
class Regions:
    """A picture of regions in the numbers of its axes, for any renderer.

    Attributes
    ----------
    x, y : RegionAxis
    tiles : tuple of Tile
    cuts : tuple of Border
    steps : tuple of (left, right, value)
        The predicted number over one feature; empty otherwise.
    points : Points
    colouring : Colouring
    notes : tuple of str
        Below the picture: what is fixed, and which rows are not drawn.
    """

    x: RegionAxis
    y: RegionAxis
    tiles: tuple[Tile, ...]
    cuts: tuple[Border, ...]
    steps: tuple[tuple[float, float, float], ...]
    points: Points
    colouring: Colouring
    notes: tuple[str, ...]

    @property
    def lines(self) -> list[list[tuple[float, float]]]:
        """The steps as lines of corners: one line over numbers, one for each level."""
        pieces = [[(left, value), (right, value)] for left, right, value in self.steps]
        return pieces if self.x.bands or not pieces else [[corner for piece in pieces for corner in piece]]


def find_regions(
    tree: Tree, columns: Columns, y: np.ndarray | None, options: RegionOptions, unseen: str = "missing"
) -> Regions:
    """Regions of a tree, and the rows in them.

    Parameters
    ----------
    tree : Tree
    columns : Columns
        Rows; they give the ranges of the axes.
    y : ndarray of shape (n,), or None
        Class codes, or numbers.
    options : RegionOptions
    unseen : {"missing", "majority", "stay", "error"}

    Raises
    ------
    ParameterError
        The cuts make too many cells to be drawn.
    """
    axes = [axis_of(tree, j, columns) for j in options.axes]
    shape = tuple(len(axis.values) for axis in axes)
    if np.prod(shape) > _MOST_CELLS:
        raise ParameterError(
            f"the cuts of this tree make {np.prod(shape):,} cells, more than the {_MOST_CELLS:,} that can be drawn; "
            "prune the tree."
        )
    routing, pictures = route(tree, _grid(options, axes), unseen), pictures_of(tree.response)
    colouring = pictures.colouring(tree, routing, options.target)
    shown, notes = _shown(tree, columns, options, unseen)
    truth = None if y is None else y[shown]
    if len(axes) == 1:
        value = routing.value(tree)
        upward = pictures.upward(tree, value if truth is None else np.concatenate([value, truth]))
        if upward is not None:
            return _steps(tree, (axes[0], upward), routing, columns.take(shown), truth, options, colouring, notes)
        axes.append(no_axis())
    nodes = routing.node.reshape(*shape, *[1] * (2 - len(shape)))
    tiles = _tiles(axes, nodes, colouring)
    values = [columns.values[j][shown] for j in options.axes] + [np.zeros(len(shown))] * (2 - len(shape))
    places = [axis.places(v.astype(np.float64), r) for axis, v, r in zip(axes, values, _RATIOS, strict=False)]
    outline = LIGHT if colouring.scale is None or truth is None else _DARK
    points = Points(*places, *colouring.points(truth, len(shown)), outline)
    return Regions(*axes, tiles, _cuts(tree, axes, nodes), (), points, colouring, notes)


def _steps(tree, axes, routing, columns, truth, options, colouring, notes) -> Regions:
    """The picture of one feature and a predicted number: a line of steps."""
    axis, upward = axes
    corners = axis.corners.tolist()
    steps = tuple(zip(corners, corners[1:], routing.value(tree).tolist(), strict=False))
    cuts = _cuts(tree, [axis, upward], routing.node[:, None])
    x = axis.places(columns.values[options.axes[0]].astype(np.float64), _RATIOS[0])
    if truth is None:
        x, truth = x[:0], np.zeros(0)
    points = Points(x, truth, *colouring.points(None, len(x)))
    return Regions(axis, upward, (), cuts, steps, points, colouring, notes)


def _grid(options: RegionOptions, axes: list[RegionAxis]) -> Columns:
    """One row for each cell, the first axis slowest; what is not fixed is missing."""
    row = options.fixed
    sizes = [len(axis.values) for axis in axes]
    n = int(np.prod(sizes))
    cells = np.indices(sizes).reshape(len(axes), -1)
    values = [np.repeat(v, n) for v in row.values]
    low = [None if v is None else np.repeat(v, n) for v in row.low]
    for j, axis, at in zip(options.axes, axes, cells, strict=True):
        values[j] = axis.values[at].astype(values[j].dtype)
        low[j] = axis.lows[at] if axis.lows.any() else None
    return Columns(row.schema, n, tuple(values), tuple(low), {})


def _shown(tree: Tree, columns: Columns, options: RegionOptions, unseen: str) -> tuple[np.ndarray, tuple[str, ...]]:
    """The rows to be drawn, int64, and notes on the others."""
    known = np.ones(columns.n, dtype=bool)
    for j in options.axes:
        values = columns.values[j]
        known &= columns.schema[j].type.known(values) & np.isfinite(values)
    rows, notes = np.flatnonzero(known), []
    if options.names_fixed:
        rows = _as_fixed(tree, columns, rows, options, unseen)
        notes.append(f"{_fixed_words(options)}: {len(rows):,} of {columns.n:,} rows")
    if not known.all():
        notes.append(f"not drawn: {np.count_nonzero(~known):,} rows with missing or infinite values")
    if len(rows) > MOST_POINTS:
        every = -(-len(rows) // MOST_POINTS)
        rows = rows[::every]
        notes.append(f"points: one row in {every}")
    return rows, tuple(notes)


def _as_fixed(tree: Tree, columns: Columns, rows: np.ndarray, options: RegionOptions, unseen: str) -> np.ndarray:
    """The rows that the fixed values, put in place of their own, send to the same node."""
    taken = columns.take(rows)
    values, low = list(taken.values), list(taken.low)
    for name in options.names_fixed:
        j = columns.schema.names.index(name)
        values[j] = np.repeat(options.fixed.values[j], len(rows)).astype(values[j].dtype)
        low[j] = None if options.fixed.low[j] is None else np.repeat(options.fixed.low[j], len(rows))
    fixed = Columns(columns.schema, len(rows), tuple(values), tuple(low), {})
    own = "missing" if unseen == "error" else unseen
    return rows[route(tree, taken, own).node == route(tree, fixed, own).node]


def _fixed_words(options: RegionOptions) -> str:
    parts = []
    for name in options.names_fixed:
        j = options.fixed.schema.names.index(name)
        feature, value = options.fixed.schema[j], options.fixed.values[j][0]
        parts.append(f"{plain(name)} = {VALUE_WORDS.of(feature).value(feature, float(value))}")
    return ", ".join(parts)


def _tiles(axes: list[RegionAxis], nodes: np.ndarray, colouring: Colouring) -> tuple[Tile, ...]:
    """Rectangles of cells of one fill, as large as possible along the rows of the grid."""
    x, y = (axis.corners.tolist() for axis in axes)
    fill = colouring.fills.reshape(nodes.shape)
    group = np.unique(np.stack([nodes, fill], axis=-1).reshape(-1, 2), axis=0, return_inverse=True)[1]
    group = group.reshape(nodes.shape)
    open_runs: dict[tuple[int, int, int], int] = {}
    found = []
    for i in range(len(group) + 1):
        runs = _runs(group[i]) if i < len(group) else []
        kept = {run: open_runs.get(run, i) for run in runs}
        for (begin, end, which), first in open_runs.items():
            if (begin, end, which) not in kept:
                ink, hatch = colouring.palette[fill[first, begin]]
                found.append(Tile((x[first], x[i]), (y[begin], y[end]), int(nodes[first, begin]), ink, hatch))
        open_runs = kept
    return tuple(found)


def _runs(line: np.ndarray) -> list[tuple[int, int, int]]:
    """Begin, end and value of each run of equal numbers."""
    change = np.flatnonzero(line[1:] != line[:-1]) + 1
    begin, end = [0, *change.tolist()], [*change.tolist(), len(line)]
    return [(b, e, int(line[b])) for b, e in zip(begin, end, strict=True)]


def _cuts(tree: Tree, axes: list[RegionAxis], nodes: np.ndarray) -> tuple[Border, ...]:
    """Borders between cells of different nodes, one piece for each split that draws it."""
    x, y = (axis.corners.tolist() for axis in axes)
    found = []
    for i, line in enumerate(_splits_between(tree, nodes[:-1], nodes[1:]), start=1):
        found += [Border((x[i], x[i]), (y[b], y[e]), int(tree.depth[t])) for b, e, t in _runs(line) if t >= 0]
    for k, line in enumerate(_splits_between(tree, nodes[:, :-1], nodes[:, 1:]).T, start=1):
        found += [Border((x[b], x[e]), (y[k], y[k]), int(tree.depth[t])) for b, e, t in _runs(line) if t >= 0]
    return tuple(found)


def _splits_between(tree: Tree, one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """The node where the paths to two nodes separate; -1 where they are the same node."""
    a, b = one.astype(np.int64), other.astype(np.int64)
    same = a == b
    while (apart := a != b).any():
        # Parents come before their children: the larger number is never an ancestor of the smaller.
        up = apart & (a > b)
        a, b = np.where(up, tree.parent[a], a), np.where(apart & ~up, tree.parent[b], b)
    return np.where(same, -1, a)
