"""The tree itself as shapes: cells at their places and the lines between them."""

from __future__ import annotations

from dataclasses import dataclass

from ..tree.tree import Tree
from .cell import CELL_STYLES, Cell, CellMaker
from .conditions import conditions_of
from .folding import Shown
from .layout import Gaps, centres, level_tops
from .node_colours import TargetShades
from .node_words import NodeWords
from .options import PictureOptions
from .rows import Rows
from .scene import Group, Path
from .small_words import SmallWords

#: Free space between neighbours, by the size of nodes and the direction.
_GAPS = {
    ("normal", "down"): Gaps(12.0, 20.0),
    ("normal", "right"): Gaps(8.0, 14.0),
    ("small", "down"): Gaps(6.0, 10.0),
    ("small", "right"): Gaps(2.5, 3.5),
}
#: Free space between levels: at least and at most, and as a share of the widest fan of lines that crosses it.
_LEVEL_GAPS = {"normal": (30.0, 110.0, 0.07), "small": (16.0, 40.0, 0.03)}
#: Widest line, of all rows, and narrowest.
_WIDEST, _THINNEST = 9.0, 1.0


@dataclass(frozen=True)
class DrawnTree:
    """A drawn tree.

    Attributes
    ----------
    items : tuple
        Shapes from (0, 0).
    width, height : float
    words : NodeWords
    notes : tuple of str
        The notes below it.
    """

    items: tuple
    width: float
    height: float
    words: NodeWords
    notes: tuple[str, ...]


@dataclass(frozen=True)
class Places:
    """Where the cells are.

    Attributes
    ----------
    corner : list of (float, float)
        Upper left corner of each.
    size : tuple of float
        Width and height of them all.
    level : list of int
        The level of each.
    begin, end : list of float
        Where each level begins and ends, in the direction of the leaves.
    """

    corner: list[tuple[float, float]]
    size: tuple[float, float]
    level: list[int]
    begin: list[float]
    end: list[float]


def draw_tree(
    tree: Tree, shown: Shown, options: PictureOptions, rows: Rows | None, shades: TargetShades | None, room: float = 1.0
) -> DrawnTree:
    """The shown nodes of a tree, in the direction and the size of nodes that the options have.

    Words and conditions may be ``room`` times as wide as usual before they are cut.
    """
    style = CELL_STYLES[options.node_size]
    words = (SmallWords if options.node_size == "small" else NodeWords)(tree, shown.nodes, options, rows, shades, room)
    conditions = conditions_of(tree, shown.nodes, style.words, style.condition * room)
    maker = CellMaker(tree, options, words, conditions.lines)
    cells = [maker.cell(node, folded) for node, folded in zip(shown.nodes, shown.folded, strict=True)]
    places = _places(shown, cells, _levels(tree, shown, options.align_leaves), options)
    lines = _lines(tree, shown, cells, places, options.direction == "down")
    drawn = [Group(*place, cell.group.items, cell.group.note) for place, cell in zip(places.corner, cells, strict=True)]
    return DrawnTree((*lines, *drawn), *places.size, words, conditions.notes)


def _levels(tree: Tree, shown: Shown, aligned: bool) -> list[int]:
    """The level of each node: its depth, or the deepest of all for what has no children here."""
    depth = [int(tree.depth[node]) for node in shown.nodes]
    if not aligned:
        return depth
    deepest, parents = max(depth), set(shown.parent)
    return [own if at in parents else deepest for at, own in enumerate(depth)]


def _places(shown: Shown, cells: list[Cell], depth: list[int], options: PictureOptions) -> Places:
    """The place of everything."""
    down = options.direction == "down"
    along = [cell.width if down else cell.height for cell in cells]
    across = [cell.height if down else cell.width for cell in cells]
    above = [depth[parent] if parent >= 0 else -1 for parent in shown.parent]
    levels = [own - up for own, up in zip(depth, above, strict=True)]
    middle = centres(shown.parent, along, _GAPS[options.node_size, options.direction], levels)
    begin, end = level_tops(depth, across, _level_gaps(depth, shown.parent, middle, options.node_size))
    corner = [(m - a / 2, begin[d]) for m, a, d in zip(middle, along, depth, strict=True)]
    size = (max(m + a / 2 for m, a in zip(middle, along, strict=True)), end[-1])
    if not down:
        corner, size = [(y, x) for x, y in corner], size[::-1]
    return Places(corner, size, depth, begin, end)


def _level_gaps(depth: list[int], parent: list[int], middle: list[float], node_size: str) -> list[float]:
    """Free space below each level: the more, the wider the lines of a node fan out."""
    least, most, share = _LEVEL_GAPS[node_size]
    fan = [0.0] * (max(depth) + 1)
    for node in range(1, len(depth)):
        above = parent[node]
        fan[depth[above]] = max(fan[depth[above]], abs(middle[node] - middle[above]))
    return [min(max(least, share * 2 * reach), most) for reach in fan]


def _lines(tree: Tree, shown: Shown, cells: list[Cell], places: Places, down: bool) -> list[Path]:
    """A line from each parent to each child: to the end of the parent's level, a curve through the gap, to the child.

    Only leaves in one row are farther than the next level; their line goes straight on.
    """
    weight, lines = tree.row_weight, []
    for at in range(1, len(shown.nodes)):
        above = shown.parent[at]
        (px, py), (x, y) = places.corner[above], places.corner[at]
        box, entry = cells[above].box, cells[at].entry
        end, begin = places.end[places.level[above]], places.begin[places.level[above] + 1]
        goal = (x + entry[0], y + entry[1])
        if down:
            start = (px + (box[0] + box[2]) / 2, py + box[3])
            turn = (goal[0], begin + entry[1])
            bend, middle = (start[0], end), (end + turn[1]) / 2
            curve = ("C", bend[0], middle, turn[0], middle, *turn)
        else:
            start = (px + box[2], py + (box[1] + box[3]) / 2)
            turn = (begin + min(entry[0], 0.0), goal[1])
            bend, middle = (end, start[1]), (end + turn[0]) / 2
            curve = ("C", middle, bend[1], middle, turn[1], *turn)
        share = float(weight[shown.nodes[at]] / weight[0]) if weight[0] > 0 else 0.0
        width = _THINNEST + (_WIDEST - _THINNEST) * share
        rest = (("L", *goal),) if turn != goal else ()
        lines.append(Path((("M", *start), ("L", *bend), curve, *rest), "edge", None, round(width, 2)))
    return lines
