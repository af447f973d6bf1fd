"""The contents of a node: its prediction as blocks of words and bars, and which feature it tests."""

from __future__ import annotations

from ..tree.tree import Tree
from ..views.figures import percent
from .blocks import MAIN, SMALL, Block, ends_line, middle_line
from .branch_words import question
from .measure import fitted
from .node_colours import TargetShades
from .options import PictureOptions
from .predicted import LONGEST, pictures_of
from .rows import Rows


class NodeWords:
    """The blocks of the nodes of one tree.

    ``predicted`` has the part of them that depends on the kind of y.
    """

    def __init__(
        self, tree: Tree, nodes: list[int], options: PictureOptions, rows: Rows | None, shades: TargetShades | None
    ) -> None:
        self.tree, self.nodes, self.options, self.rows, self.shades = tree, nodes, options, rows, shades
        self.predicted = pictures_of(tree.response)(tree, nodes, options, rows, shades)

    def in_one_line(self, node: int) -> bool:
        """Whether the words of a node are in one line, so that the condition has its place beside it."""
        return False

    def strip(self, node: int) -> list[Block]:
        """The lower part of the box of a node that is split: which feature is tested."""
        if self.tree.is_leaf[node]:
            return []
        name, notes = question(self.tree, node)
        return [
            middle_line(fitted(name, MAIN, LONGEST, True), MAIN, "text", True),
            *(middle_line(text, SMALL) for text in notes),
        ]

    def blocks(self, node: int) -> list[Block]:
        """The upper part of the box: the prediction of the node."""
        number = [middle_line(f"node {node}")] if self.options.node_numbers else []
        drawn = self.rows is not None and self.options.content == "histogram" and not self.tree.is_leaf[node]
        return [*number, *self.predicted.blocks(node, drawn), self._rows(node)]

    def _rows(self, node: int) -> Block:
        """Rows of a node, and their weight as a share of the whole."""
        if self.tree.rows[node] == 0:
            return ends_line("0 rows, as above", "", SMALL, "faint")
        weight = self.tree.row_weight
        words = self.predicted.rows_words(node)
        return ends_line(words, percent(float(weight[node] / weight[0])), SMALL, "faint")
