"""From a tree to a scene: cells, their places, the lines between them, the texts around."""

from __future__ import annotations

from ..errors import ParameterError
from ..statistics.response import CLASSES
from ..tree.tree import Tree
from ..views.text import to_text
from ..views.words import plain
from .cell import Cell, CellMaker
from .folding import Shown, shown_nodes
from .layout import Gaps, centres, level_tops
from .legend import LEAST_WIDTH, footer, header
from .options import PictureOptions
from .rows import Rows
from .scene import Group, Path, Scene

_MARGIN = 14.0
_GAPS = {"down": Gaps(12.0, 20.0), "right": Gaps(8.0, 14.0)}
#: Free space between levels: at least and at most, and as a share of the widest fan of lines that crosses it.
_LEAST_GAP, _MOST_GAP, _GAP_SHARE = 30.0, 110.0, 0.07
#: Widest line, of all rows, and narrowest.
_WIDEST, _THINNEST = 9.0, 1.0


def tree_scene(tree: Tree, options: PictureOptions, rows: Rows | None = None) -> Scene:
    """The picture of a tree as a scene.

    Parameters
    ----------
    tree : Tree
    options : PictureOptions
    rows : Rows, optional
        For ``content="histogram"``.

    Raises
    ------
    ParameterError
        Histograms are asked for and there are no rows, or rows are given that nothing is drawn from.
    """
    if (options.content == "histogram") != (rows is not None):
        wanted = "needs X, and y for classes" if rows is None else "takes no X and y; they are for content='histogram'"
        raise ParameterError(f"content={options.content!r} {wanted}.")
    shown = shown_nodes(tree, options)
    maker = CellMaker(tree, shown.nodes, options, rows)
    cells = [maker.cell(node, folded) for node, folded in zip(shown.nodes, shown.folded, strict=True)]
    places, width, height = _places(tree, shown, cells, options.direction)
    column = max(width, LEAST_WIDTH)
    above, top = header(tree, options, column)
    with_means = rows is not None and rows.y is not None and tree.response.kind != CLASSES
    below, end = footer(tree, options, maker.scale, with_means, column)
    left = _MARGIN + (column - width) / 2
    lines = _lines(tree, shown, cells, places, options.direction)
    drawn = [Group(*place, cell.group.items, cell.group.note) for place, cell in zip(places, cells, strict=True)]
    items = (
        Group(_MARGIN, _MARGIN, tuple(above)),
        Group(left, _MARGIN + top, (*lines, *drawn)),
        Group(_MARGIN, _MARGIN + top + height, tuple(below)),
    )
    title = plain(options.title) if options.title else headline(tree)
    return Scene(
        column + 2 * _MARGIN, top + height + end + 2 * _MARGIN, items, title, to_text(tree, max_lines=60, width=None)
    )


def headline(tree: Tree) -> str:
    """Which tree this is, in one line."""
    algorithm = tree.made_by.get("algorithm")
    by = f" ({plain(str(algorithm))})" if algorithm else ""
    leaves = f"{tree.n_leaves} {'leaf' if tree.n_leaves == 1 else 'leaves'}"
    return f"Decision tree{by} for {plain(tree.response.name)}, {leaves}"


def _places(tree: Tree, shown: Shown, cells: list[Cell], direction: str) -> tuple[list, float, float]:
    """Upper left corner of each cell, and width and height of them all."""
    depth = [int(tree.depth[node]) for node in shown.nodes]
    down = direction == "down"
    along = [cell.width if down else cell.height for cell in cells]
    across = [cell.height if down else cell.width for cell in cells]
    middle = centres(shown.parent, along, _GAPS[direction])
    begin, end = level_tops(depth, across, _level_gaps(depth, shown.parent, middle))
    corner = [(m - a / 2, begin[d]) for m, a, d in zip(middle, along, depth, strict=True)]
    size = (max(m + a / 2 for m, a in zip(middle, along, strict=True)), end[-1])
    return (corner, *size) if down else ([(y, x) for x, y in corner], size[1], size[0])


def _level_gaps(depth: list[int], parent: list[int], middle: list[float]) -> list[float]:
    """Free space below each level: the more, the wider the lines of a node fan out."""
    fan = [0.0] * (max(depth) + 1)
    for node in range(1, len(depth)):
        above = parent[node]
        fan[depth[above]] = max(fan[depth[above]], abs(middle[node] - middle[above]))
    return [min(max(_LEAST_GAP, _GAP_SHARE * 2 * reach), _MOST_GAP) for reach in fan]


def _lines(tree: Tree, shown: Shown, cells: list[Cell], places: list, direction: str) -> list[Path]:
    """A line from each parent to each child: straight to the end of the parent's level, then a curve to the child."""
    down = direction == "down"
    ends: dict[int, float] = {}
    for at, cell in enumerate(cells):
        level = int(tree.depth[shown.nodes[at]])
        reach = places[at][1] + cell.height if down else places[at][0] + cell.width
        ends[level] = max(ends.get(level, 0.0), reach)
    weight, lines = tree.weight, []
    for at in range(1, len(shown.nodes)):
        above = shown.parent[at]
        (px, py), (x, y) = places[above], places[at]
        box, own = cells[above].box, cells[at].box
        end = ends[int(tree.depth[shown.nodes[above]])]
        if down:
            start = (px + (box[0] + box[2]) / 2, py + box[3])
            goal = (x + cells[at].width / 2, y)
            bend, middle = (start[0], end), (end + goal[1]) / 2
            curve = ("C", bend[0], middle, goal[0], middle, *goal)
        else:
            start = (px + box[2], py + (box[1] + box[3]) / 2)
            goal = (x + own[0], y + (own[1] + own[3]) / 2)
            bend, middle = (end, start[1]), (end + goal[0]) / 2
            curve = ("C", middle, bend[1], middle, goal[1], *goal)
        share = float(weight[shown.nodes[at]] / weight[0]) if weight[0] > 0 else 0.0
        width = _THINNEST + (_WIDEST - _THINNEST) * share
        lines.append(Path((("M", *start), ("L", *bend), curve), "edge", None, round(width, 2)))
    return lines
