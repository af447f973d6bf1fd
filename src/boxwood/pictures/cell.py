"""A node as it is drawn: the condition that leads to it, a box with its prediction, a triangle if folded."""

from __future__ import annotations

from dataclasses import dataclass

from ..tree.tree import Tree
from .blocks import SMALL, Block
from .branch_words import note
from .measure import text_width
from .node_colours import ink_on, inked
from .node_words import NodeWords
from .options import PictureOptions
from .scene import Group, Label, Path, Rect
from .small_words import SMALL_NODE

_TRIANGLE = 22.0


@dataclass(frozen=True)
class CellStyle:
    """Lengths of a cell.

    Attributes
    ----------
    words : float
        Font size of the condition that leads to the node.
    condition : float
        Most width of a line of the condition.
    pad : tuple of float
        Space between the frame of a box and what is in it: at the sides, above and below.
    band : float
        Height of the coloured edge of a leaf.
    """

    words: float
    condition: float
    pad: tuple[float, float]
    band: float


#: The two sizes of nodes.
CELL_STYLES = {
    "normal": CellStyle(SMALL, 170.0, (9.0, 6.0), 4.0),
    "small": CellStyle(SMALL_NODE, 84.0, (4.0, 1.5), 2.0),
}


@dataclass(frozen=True)
class Cell:
    """A node ready to be placed: its size, its shapes from its upper left corner, and where lines come and go.

    Attributes
    ----------
    width, height : float
    group : Group
        At (0, 0).
    box : tuple of float
        Left, top, right and bottom of the box itself.
    entry : tuple of float
        Where the line from the parent ends.
    """

    width: float
    height: float
    group: Group
    box: tuple[float, float, float, float]
    entry: tuple[float, float]


class CellMaker:
    """Makes the cells of one tree from the words in its nodes and the conditions that lead to them."""

    def __init__(self, tree: Tree, options: PictureOptions, words: NodeWords, conditions: dict[int, list[str]]) -> None:
        self.tree, self.words, self.conditions = tree, words, conditions
        self.style = CELL_STYLES[options.node_size]
        self.down = options.direction == "down"
        self.column = 0.0
        if options.align_leaves:  # boxes below each other, whatever is beside them
            beside = (node for node in words.nodes if words.in_one_line(node))
            self.column = max((self._widest(conditions.get(node, [])) for node in beside), default=0.0)

    def cell(self, node: int, folded: int) -> Cell:
        """The cell of a node below which ``folded`` nodes are not drawn."""
        blocks, strip = self.words.blocks(node), self.words.strip(node)
        box_width = max(block.width for block in (*blocks, *strip)) + 2 * self.style.pad[0]
        label = self.conditions.get(node, [])
        if self.words.in_one_line(node):
            return self._with_label_beside(node, blocks, label, box_width)
        size = self.style.words
        more = f"+ {folded:,} node{'s' * (folded != 1)}"
        width = max(box_width, self._widest(label), text_width(more, size) if folded else 0.0)
        top = size * 1.3 * len(label) + (3.0 if label else 0.0)
        anchor, at, left = ("middle", width / 2, (width - box_width) / 2) if self.down else ("start", 0.0, 0.0)
        items = [Label(at, size * (1.3 * i + 1.0), text, size, anchor) for i, text in enumerate(label)]
        box, bottom = self._box(node, blocks, strip, (left, top, box_width))
        frame = (left, top, left + box_width, bottom)
        items += box
        if folded:
            items += _triangle((frame[0] + frame[2]) / 2, bottom, more, size)
            bottom += _TRIANGLE + size * 1.3
        entry = (width / 2, 0.0) if self.down else (frame[0], (frame[1] + frame[3]) / 2)
        return Cell(width, bottom, Group(0.0, 0.0, tuple(items), note(self.tree, node)), frame, entry)

    def _widest(self, label: list[str]) -> float:
        """Width of a condition."""
        return max((text_width(line, self.style.words) for line in label), default=0.0)

    def _with_label_beside(self, node: int, blocks: list[Block], label: list[str], box_width: float) -> Cell:
        """A leaf with the condition to the left of the box."""
        size, words = self.style.words, max(self._widest(label), self.column)
        left = words + (6.0 if label else 0.0)
        high = size * 1.2 * len(label)
        box, bottom = self._box(node, blocks, [], (left, 0.0, box_width))
        # A condition that is higher than the box: the box moves to its middle.
        down = max((high - bottom) / 2, 0.0)
        first = (bottom - high) / 2 + down
        items: list = [Label(words, first + size * (1.2 * i + 0.95), text, size, "end") for i, text in enumerate(label)]
        items.append(Group(0.0, down, tuple(box)))
        frame = (left, down, left + box_width, bottom + down)
        entry = (words - self._widest(label) - 3.0 if label else 0.0, (frame[1] + frame[3]) / 2)
        group = Group(0.0, 0.0, tuple(items), note(self.tree, node))
        return Cell(frame[2], bottom + 2 * down, group, frame, entry)

    def _box(self, node: int, blocks: list[Block], strip: list[Block], place: tuple) -> tuple[list, float]:
        """The frame and all blocks within it; and its lower edge."""
        left, top, width = place
        pad_x, pad_y = self.style.pad
        shades = self.words.shades
        fill = "panel" if shades is None else shades.fill(node)
        band = self.style.band if self.tree.is_leaf[node] and shades is None else 0.0
        body = band + 2 * pad_y + sum(block.height for block in blocks)
        height = body + (sum(block.height for block in strip) + pad_y if strip else 0.0)
        items: list = [Rect(left, top, width, height, fill, "line", 4.0)]
        if band:
            predicted = self.words.predicted.ink(node)
            items.append(Rect(left + 1.0, top + 1.0, width - 2.0, band, predicted.ink, None, 2.0, predicted.hatch))
        if strip:
            items.append(Rect(left + 0.5, top + body, width - 1.0, height - body - 0.5, "strip", None, 4.0))
        drawn = _stacked(blocks, (left + pad_x, top + band + pad_y), width - 2 * pad_x)
        items += drawn if shades is None else inked(drawn, ink_on(fill))
        items += _stacked(strip, (left + pad_x, top + body + pad_y / 2), width - 2 * pad_x)
        return items, top + height


def _stacked(blocks: list[Block], corner: tuple[float, float], width: float) -> list[Group]:
    """Blocks below each other."""
    items, (left, at) = [], corner
    for block in blocks:
        items.append(Group(left, at, tuple(block.paint(width))))
        at += block.height
    return items


def _triangle(x: float, top: float, more: str, size: float) -> list:
    """A triangle below a node, and the number of nodes it represents."""
    half, tip = 15.0, top + _TRIANGLE
    steps = (("M", x, top), ("L", x - half, tip - 2.0), ("L", x + half, tip - 2.0), ("Z",))
    return [Path(steps, "line", "strip"), Label(x, tip + size, more, size, "middle", "faint")]
