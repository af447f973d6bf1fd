"""A node as it is drawn: the condition that leads to it, a box with its prediction, a triangle if folded."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..statistics.response import CLASSES, MEAN, RATE
from ..tree.tree import Tree
from ..views.small_leaves import small_intervals
from ..views.words import level
from .blocks import (
    MAIN,
    SMALL,
    Block,
    CountRow,
    Scale,
    counts_table,
    ends_line,
    middle_line,
    space,
    spread_mark,
    stacked_bar,
)
from .branch_words import branch_label, few, note, percent, question, rows_words
from .colours import OTHERS, ClassInk, class_inks, shade
from .histogram import histogram
from .measure import fitted, text_width, wrapped
from .options import PictureOptions
from .rows import Rows
from .scene import Group, Label, Path, Rect

#: Most width of a word in a node, and of the condition above it; longer ones are cut or broken into lines.
_LONGEST, _CONDITION = 150.0, 170.0
#: Space between the frame of a box and what is in it.
_PAD_X, _PAD_Y = 9.0, 6.0
#: Up to this many classes are listed one by one; of more, one less, and the others together.
_MOST_CLASSES = 8
_TRIANGLE = 22.0


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
    """

    width: float
    height: float
    group: Group
    box: tuple[float, float, float, float]


class CellMaker:
    """Makes the cells of one tree: what all of them share is computed once."""

    def __init__(self, tree: Tree, nodes: list[int], options: PictureOptions, rows: Rows | None) -> None:
        self.tree, self.options, self.rows = tree, options, rows
        self.scale = None
        self.intervals = small_intervals(tree)
        if tree.response.kind == CLASSES:
            self.inks = class_inks(tree)
        else:
            self.spread = spreads(tree)
            self.scale = number_scale(tree, nodes, self.spread)

    def cell(self, node: int, folded: int) -> Cell:
        """The cell of a node below which ``folded`` nodes are not drawn."""
        blocks, strip = self._says(node), self._strip(node)
        inner = max(block.width for block in (*blocks, *strip))
        label = self._condition(node)
        words = max((text_width(line, SMALL) for line in label), default=0.0)
        box_width = inner + 2 * _PAD_X
        more = f"+ {folded:,} node{'s' * (folded != 1)}"
        width = max(box_width, words, text_width(more, SMALL) if folded else 0.0)
        left, line = (width - box_width) / 2, SMALL * 1.3
        down = self.options.direction == "down"
        top = line * len(label) + (3.0 if label else 0.0)
        anchor, at = ("middle", width / 2) if down else ("start", 0.0)
        items = [Label(at, line * i + SMALL, text, SMALL, anchor) for i, text in enumerate(label)]
        left = left if down else 0.0
        box, bottom = self._box(node, blocks, strip, (left, top, box_width))
        items += box
        frame = (left, top, left + box_width, bottom)
        if folded:
            items += _triangle((frame[0] + frame[2]) / 2, bottom, more)
            bottom += _TRIANGLE + SMALL * 1.3
        return Cell(width, bottom, Group(0.0, 0.0, tuple(items), note(self.tree, node)), frame)

    def _condition(self, node: int) -> list[str]:
        """The lines above the box: which values lead here."""
        parent = int(self.tree.parent[node])
        if parent < 0:
            return []
        text = branch_label(self.tree, parent, node - int(self.tree.first_child[parent]), self.options.digits)
        return wrapped(text, SMALL, _CONDITION)

    def _box(self, node: int, blocks: list[Block], strip: list[Block], place: tuple) -> tuple[list, float]:
        """The frame and all blocks within it; and its lower edge."""
        left, top, width = place
        band = 4.0 if self.tree.is_leaf[node] else 0.0
        body = band + 2 * _PAD_Y + sum(block.height for block in blocks)
        height = body + (sum(block.height for block in strip) + 6.0 if strip else 0.0)
        items: list = [Rect(left, top, width, height, "panel", "line", 4.0)]
        if band:
            said = self._leaf_ink(node)
            items.append(Rect(left + 1.0, top + 1.0, width - 2.0, band, said.ink, None, 2.0, said.hatch))
        if strip:
            items.append(Rect(left + 0.5, top + body, width - 1.0, height - body - 0.5, "strip", None, 4.0))
        inner, at = width - 2 * _PAD_X, top + band + _PAD_Y
        for block in blocks:
            items.append(Group(left + _PAD_X, at, tuple(block.paint(inner))))
            at += block.height
        at = top + body + 3.0
        for block in strip:
            items.append(Group(left + _PAD_X, at, tuple(block.paint(inner))))
            at += block.height
        return items, top + height

    def _leaf_ink(self, node: int) -> ClassInk:
        """The colour of a leaf: that of its class, or of its number."""
        if self.tree.response.kind == CLASSES:
            return self.inks[int(self.tree.value[node])]
        return ClassInk(shade(self.scale.place(float(self.tree.value[node]))))

    def _strip(self, node: int) -> list[Block]:
        """The lower part of the box of a node that is split: which feature is tested."""
        if self.tree.is_leaf[node]:
            return []
        name, notes = question(self.tree, node)
        return [
            middle_line(fitted(name, MAIN, _LONGEST, True), MAIN, "text", True),
            *(middle_line(text, SMALL) for text in notes),
        ]

    def _says(self, node: int) -> list[Block]:
        """The upper part of the box: the prediction of the node."""
        number = [middle_line(f"node {node}")] if self.options.node_numbers else []
        content = self.options.content
        drawn = self.rows is not None and content == "histogram" and not self.tree.is_leaf[node]
        if self.tree.response.kind == CLASSES:
            return number + (self._counts(node) if content == "counts" else self._class_words(node, drawn))
        return number + self._number_words(node, drawn)

    def _class_words(self, node: int, drawn: bool) -> list[Block]:
        """The predicted class and its probability, a bar of all classes or a histogram, rows."""
        tree, said = self.tree, int(self.tree.value[node])
        shares = tree.probability[node].tolist()
        word = fitted(level(tree.response.labels[said]), MAIN, _LONGEST, True)
        head = ends_line(word, percent(shares[said]), MAIN, "text", True)
        if drawn:
            return [head, space(3.0), histogram(self.rows, tree, node, self.inks), self._rows(node)]
        bar = [space(3.0), stacked_bar(shares, self.inks, self.tree.rows[node] == 0), space(2.0)]
        bar = [] if self.options.content == "text" else bar
        return [head, *self._sure(node), *bar, self._rows(node)]

    def _sure(self, node: int) -> list[Block]:
        """The 95 % interval of the probability of a leaf of few rows."""
        ends = self.intervals.get(node)
        return [ends_line(f"{percent(ends[0])} to {percent(ends[1])}", "", SMALL, "faint")] if ends else []

    def _rows(self, node: int) -> Block:
        """Rows of a node, and their weight as a share of the whole."""
        if self.tree.rows[node] == 0:
            return ends_line("0 rows, as above", "", SMALL, "faint")
        weight = self.tree.weight
        return ends_line(rows_words(self.tree, node), percent(float(weight[node] / weight[0])), SMALL, "faint")

    def _counts(self, node: int) -> list[Block]:
        """A table of classes, the heaviest of the root first where there are too many."""
        tree, p = self.tree, self.tree.probability[node]
        weights, said = tree.moments[node], int(tree.value[node])
        listed = list(range(len(p)))
        if len(listed) > _MOST_CLASSES:
            order = np.argsort(-tree.probability[0], kind="stable").tolist()
            order.remove(said)
            listed = sorted([said, *order[: _MOST_CLASSES - 2]])
        rows = [
            CountRow(
                fitted(level(tree.response.labels[k]), SMALL, _LONGEST, k == said), self.inks[k], float(p[k]),
                few(float(weights[k])), percent(float(p[k])), k == said,
            )
            for k in listed
        ]  # fmt: skip
        rest = [k for k in range(len(p)) if k not in set(listed)]
        if rest:
            share = min(float(p[rest].sum()), 1.0)
            total = few(float(weights[rest].sum()))
            rows.append(CountRow(f"{len(rest)} others", ClassInk(OTHERS), share, total, percent(share), False))
        return [counts_table(rows), *self._sure(node), self._rows(node)]

    def _number_words(self, node: int, drawn: bool) -> list[Block]:
        """Mean or rate, a mark on the scale of all nodes or a histogram, rows."""
        tree, value = self.tree, float(self.tree.value[node])
        kind = tree.response.kind
        text = f"sd {few(self.spread[node])}"
        if kind == RATE:
            text = f"{few(float(tree.moments[node, 2]))} in {few(float(tree.moments[node, 1]))}"
        head = ends_line(few(value), "" if kind == MEAN else "rate", MAIN, "text", True)
        words = ends_line(text, "", SMALL, "faint")
        if drawn:
            return [head, words, space(3.0), histogram(self.rows, tree, node, None), self._rows(node)]
        mark = [] if self.options.content == "text" else [space(2.0), spread_mark(self.scale, value, self.spread[node])]
        return [head, words, *mark, self._rows(node)]


def spreads(tree: Tree) -> list[float]:
    """Standard deviation of y in each node that predicts a mean; of rates the standard error by Poisson's law."""
    moments = tree.moments[tree.speaker]
    if tree.response.kind == MEAN:
        return np.sqrt(np.maximum(moments[:, 2], 0.0) / np.maximum(moments[:, 0], 1e-300)).tolist()
    return (np.sqrt(np.maximum(moments[:, 2], 0.0)) / np.maximum(moments[:, 1], 1e-300)).tolist()


def number_scale(tree: Tree, nodes: list[int], spread: list[float]) -> Scale:
    """The range of the predicted numbers, with their spread, over the nodes that are drawn."""
    value = tree.value
    low = min(float(value[t]) - spread[t] for t in nodes)
    high = max(float(value[t]) + spread[t] for t in nodes)
    return Scale(max(low, 0.0) if tree.response.kind == RATE else low, high, float(value[0]))


def _triangle(x: float, top: float, more: str) -> list:
    """A triangle below a node, and the number of nodes it represents."""
    half, tip = 15.0, top + _TRIANGLE
    steps = (("M", x, top), ("L", x - half, tip - 2.0), ("L", x + half, tip - 2.0), ("Z",))
    return [Path(steps, "line", "strip"), Label(x, tip + SMALL, more, SMALL, "middle", "faint")]
