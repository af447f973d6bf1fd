"""Small nodes: one or two lines of words, for trees of many leaves."""

from __future__ import annotations

from functools import cached_property

from .blocks import ASCENT, Block, ends_line
from .branch_words import question
from .measure import fitted, text_width
from .node_words import NodeWords
from .scene import Group, Label

#: Font size of small nodes: one for all words, since the smallest words decide whether a page can be read.
SMALL_NODE = 10.0
#: The bar of a small node: below its words, and in the line of a leaf, with the space around the latter.
_BELOW, _BESIDE, _APART = (28.0, 4.0), (30.0, 7.0), 7.0


class SmallWords(NodeWords):
    """The blocks of small nodes: the prediction, the number of rows, a thin bar of the classes; the feature tested."""

    longest = 84.0

    def strip(self, node: int) -> list[Block]:
        """The name of the feature; what else is known about the split is in the note of the node."""
        if self.tree.is_leaf[node]:
            return []
        return self._name(node, question(self.tree, node)[0], SMALL_NODE)

    def in_one_line(self, node: int) -> bool:
        """Whether the words of a node are in one line: leaves to the right, of which there are most."""
        return self.options.direction == "right" and bool(self.tree.is_leaf[node])

    def blocks(self, node: int) -> list[Block]:
        """Prediction and rows below each other, or in one line."""
        if self.in_one_line(node):
            return [self._line(node)]
        predicted, share, rows = self._cells(node)
        return [
            ends_line(predicted, share, SMALL_NODE, "text", self._bold(node)),
            ends_line(rows, "", SMALL_NODE, "faint"),
            *self.predicted.small_bar(node, _BELOW),
        ]

    def _bold(self, node: int) -> bool:
        """Whether the word of a node is what it predicts."""
        return self.predicted.short(node)[2]

    def _cells(self, node: int) -> tuple[str, str, str]:
        """What a node predicts, how probable it is, and how many rows it has."""
        word, share, _ = self.predicted.short(node)
        number = f"#{node} · " if self.options.node_numbers else ""
        return fitted(word, SMALL_NODE, self.longest, True), share, number + self.predicted.short_rows(node)

    @cached_property
    def _widths(self) -> tuple[float, float, float]:
        """Widths of the columns of all leaves that are drawn, so that they line up."""
        cells = [self._cells(node) for node in self.nodes if self.tree.is_leaf[node]]
        bold = (True, False, False)
        return tuple(max(text_width(row[j], SMALL_NODE, bold[j]) for row in cells) for j in range(3))

    def _line(self, node: int) -> Block:
        """A leaf in one line: what it predicts, a bar, how probable it is, and rows, each in its column."""
        predicted, share, rows = self._cells(node)
        words, shares, counts = self._widths
        bar_at, high = words + _APART, SMALL_NODE * 1.3
        bars = self.predicted.small_bar(node, _BESIDE)
        shares_end = bar_at + (_BESIDE[0] + _APART) * len(bars) + shares
        end = shares_end + (_APART if shares else 0.0) + counts

        def paint(_: float) -> list:
            base = SMALL_NODE * ASCENT
            items: list = [
                Label(0.0, base, predicted, SMALL_NODE, "start", "text", self._bold(node)),
                Label(shares_end, base, share, SMALL_NODE, "end"),
                Label(end, base, rows, SMALL_NODE, "end", "faint"),
            ]
            items += [Group(bar_at, (high - _BESIDE[1]) / 2, tuple(bar.paint(_BESIDE[0]))) for bar in bars]
            return [item for item in items if not isinstance(item, Label) or item.text]

        return Block(end, high, paint)
