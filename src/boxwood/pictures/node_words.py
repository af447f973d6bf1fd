"""The contents of a node: its prediction as blocks of words and bars, and which feature it tests."""

from __future__ import annotations

from functools import cached_property

from ..tree.tree import Tree
from ..views.figures import percent
from ..views.marked import SIGN, mark_words
from .blocks import MAIN, SMALL, Block, ends_line, middle_line
from .branch_words import question
from .measure import fitted, wrapped
from .node_colours import TargetShades
from .options import PictureOptions
from .predicted import pictures_of
from .rows import Rows

#: Least width of a drawn leaf as a share of ``longest``, and most lines of a name.
_END, _NAME_LINES = 0.7, 3


class NodeWords:
    """The blocks of the nodes of one tree.

    ``predicted`` has the part of them that depends on the kind of y. A name is cut where it is wider than ``longest``
    and than the room that the nodes below give.
    """

    longest = 150.0

    def __init__(
        self, tree: Tree, nodes: list[int], options: PictureOptions, rows: Rows | None, shades: TargetShades | None,
        room: float = 1.0,
    ) -> None:  # fmt: skip
        self.tree, self.nodes, self.options, self.rows, self.shades = tree, nodes, options, rows, shades
        self.longest *= room
        self.predicted = pictures_of(tree.response)(tree, nodes, options, rows, shades, self.longest)

    def in_one_line(self, node: int) -> bool:
        """Whether the words of a node are in one line, so that the condition has its place beside it."""
        return False

    def strip(self, node: int) -> list[Block]:
        """The lower part of the box of a node that is split: which feature is tested."""
        if self.tree.is_leaf[node]:
            return []
        name, notes = question(self.tree, node)
        return [*self._name(node, name, MAIN), *(middle_line(text, SMALL) for text in notes)]

    def _name(self, node: int, name: str, size: float) -> list[Block]:
        """The name of a feature in the room that the nodes below give: their width, or in lines their height."""
        ends = self._ends[node]
        if self.options.direction == "right":
            lines = wrapped(name, size, self.longest, min(max(ends - 2, 1), _NAME_LINES), True)
        else:
            lines = [fitted(name, size, self.longest * max(_END * ends, 1.0), True)]
        return [middle_line(line, size, "text", True) for line in lines]

    @cached_property
    def _ends(self) -> dict[int, int]:
        """How many leaves and folded nodes are drawn below each node."""
        ends = dict.fromkeys(self.nodes, 0)
        for node in reversed(self.nodes):
            ends[node] = max(ends[node], 1)
            if node:
                ends[int(self.tree.parent[node])] += ends[node]
        return ends

    def blocks(self, node: int) -> list[Block]:
        """The upper part of the box: the prediction of the node."""
        number = [middle_line(f"node {node}")] if self.options.node_numbers else []
        drawn = self.rows is not None and self.options.content == "histogram" and not self.tree.is_leaf[node]
        marks = [
            middle_line(fitted(f"{SIGN} {text}", SMALL, self.longest, True)) for text in mark_words(self.tree, node)
        ]
        return [*number, *self.predicted.blocks(node, drawn), self._rows(node), *marks]

    def _rows(self, node: int) -> Block:
        """Rows of a node, and their weight as a share of the whole."""
        if self.tree.rows[node] == 0:
            return ends_line("0 rows, as above", "", SMALL, "faint")
        weight = self.tree.row_weight
        words = self.predicted.rows_words(node)
        return ends_line(words, percent(float(weight[node] / weight[0])), SMALL, "faint")
