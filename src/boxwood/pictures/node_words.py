"""The contents of a node: its prediction as blocks of words and bars, and which feature it tests."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from ..statistics.responses.registry import CLASSES
from ..tree.tree import Tree
from ..views.counted import counted
from ..views.figures import few, percent
from ..views.predicted import views_of
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
from .branch_words import question, rows_words
from .colours import OTHERS, ClassInk, class_inks, shade
from .histogram import histogram
from .measure import fitted, wrapped
from .node_colours import TargetShades, ink_on
from .options import PictureOptions
from .rows import Rows

#: Least width of a drawn leaf as a share of ``longest``, and most lines of a name.
_END, _NAME_LINES = 0.7, 3
#: Up to this many classes are shown one by one; of more, the largest of each node, and the others together.
_MOST_CLASSES, _LARGEST = 8, 3


class NodeWords:
    """The blocks of the nodes of one tree: what all of them share is computed once.

    Words wider than ``longest`` are cut.
    """

    longest = 150.0

    def __init__(
        self, tree: Tree, nodes: list[int], options: PictureOptions, rows: Rows | None, shades: TargetShades | None
    ) -> None:
        self.tree, self.nodes, self.options, self.rows, self.shades = tree, nodes, options, rows, shades
        self.scale = None
        self.intervals = small_intervals(tree)
        if tree.response.kind == CLASSES:
            self.inks = class_inks(tree)
        else:
            self.spread = spreads(tree)
            self.scale = number_scale(tree, nodes, self.spread)

    def in_one_line(self, node: int) -> bool:
        """Whether the words of a node are in one line, so that the condition has its place beside it."""
        return False

    def leaf_ink(self, node: int) -> ClassInk:
        """The colour of a leaf: that of its class, or of its number."""
        if self.tree.response.kind == CLASSES:
            return self.inks[int(self.tree.value[node])]
        return ClassInk(shade(self.scale.place(float(self.tree.value[node]))))

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
        content = self.options.content
        drawn = self.rows is not None and content == "histogram" and not self.tree.is_leaf[node]
        if self.tree.response.kind == CLASSES:
            return number + (self._counts(node) if content == "counts" else self._class_words(node, drawn))
        return number + self._number_words(node, drawn)

    def shown_class(self, node: int) -> tuple[str, float, bool]:
        """Label and probability of the class written in a node, predicted or target; and whether it is predicted."""
        k = self.shown(node)
        label = level(self.tree.response.labels[k])
        return label, float(self.tree.probability[node, k]), k == int(self.tree.value[node])

    def shown(self, node: int) -> int:
        """Number of the class written in a node."""
        return int(self.tree.value[node]) if self.shades is None else self.shades.target

    def bar_parts(self, node: int) -> tuple[list[float], list[ClassInk]]:
        """Shares and colours of the bar of a node: of all classes, the largest, or the target class alone."""
        if self.shades is not None:
            return [self.shown_class(node)[1]], [ClassInk(ink_on(self.shades.fill(node)))]
        shares = self.tree.probability[node].tolist()
        largest = self._largest(node)
        if len(shares) <= _MOST_CLASSES:
            return shares, self.inks
        rest = max(1.0 - sum(shares[k] for k in largest), 0.0)
        return [*(shares[k] for k in largest), rest], [*(self.inks[k] for k in largest), ClassInk(OTHERS)]

    def _largest(self, node: int) -> list[int]:
        """The classes that are shown one by one: all, or of many the predicted one and the largest, none of them 0."""
        p = self.tree.probability[node]
        if len(p) <= _MOST_CLASSES:
            return list(range(len(p)))
        first = int(self.tree.value[node])
        return [first, *(k for k in np.argsort(-p, kind="stable").tolist() if k != first and p[k] > 0)][:_LARGEST]

    def _class_words(self, node: int, drawn: bool) -> list[Block]:
        """The predicted class and its probability, a bar of all classes or a histogram, rows."""
        tree = self.tree
        word, share, predicted = self.shown_class(node)
        head = ends_line(fitted(word, MAIN, self.longest, True), percent(share), MAIN, "text", predicted)
        if drawn:
            return [head, space(3.0), histogram(self.rows, tree, node, self.inks), self._rows(node)]
        bar = [space(3.0), stacked_bar(*self.bar_parts(node), tree.rows[node] == 0), space(2.0)]
        bar = [] if self.options.content == "text" else bar
        return [head, *self._next(node), *self._sure(node), *bar, self._rows(node)]

    def _next(self, node: int) -> list[Block]:
        """Of many classes the next largest after the predicted one, and the others; or the predicted one itself."""
        largest, p, labels = self._largest(node), self.tree.probability[node], self.tree.response.labels
        if self.shades is not None:
            _, _, predicted = self.shown_class(node)
            word = fitted(f"predicted: {level(labels[int(self.tree.value[node])])}", SMALL, self.longest)
            return [] if predicted else [ends_line(word, "", SMALL)]
        if len(p) <= _MOST_CLASSES or self.options.content == "text":
            return []
        words = [fitted(level(labels[k]), SMALL, self.longest) for k in largest[1:]]
        lines = [ends_line(word, percent(float(p[k])), SMALL) for word, k in zip(words, largest[1:], strict=True)]
        rest = float(np.delete(p, largest).sum())
        others = ends_line(f"{len(p) - len(largest)} others", percent(min(rest, 1.0)), SMALL, "faint")
        return [*lines, others] if rest > 0 else lines

    def _sure(self, node: int) -> list[Block]:
        """The 95 % interval of the probability of a leaf of few rows."""
        ends = self.intervals.get(node)
        if not ends or self.shades is not None:  # it is that of the predicted class
            return []
        return [ends_line(f"{percent(ends[0])} to {percent(ends[1])}", "", SMALL, "faint")]

    def _rows(self, node: int) -> Block:
        """Rows of a node, and their weight as a share of the whole."""
        if self.tree.rows[node] == 0:
            return ends_line("0 rows, as above", "", SMALL, "faint")
        weight, words = self.tree.row_weight, rows_words(self.tree, node)
        if self.tree.response.kind == CLASSES:
            words = counted(self.tree, node, self.shown(node), words)
        return ends_line(words, percent(float(weight[node] / weight[0])), SMALL, "faint")

    def _counts(self, node: int) -> list[Block]:
        """A table of classes; of many, the largest of the node and the others together."""
        tree, p = self.tree, self.tree.probability[node]
        weights, predicted, listed = tree.counts[node], int(tree.value[node]), self._largest(node)
        rows = [
            CountRow(
                fitted(level(tree.response.labels[k]), SMALL, self.longest, k == predicted), self.inks[k], float(p[k]),
                few(float(weights[k])), percent(float(p[k])), k == predicted,
            )
            for k in listed
        ]  # fmt: skip
        rest = [k for k in range(len(p)) if k not in set(listed)]
        if rest and p[rest].any():
            share = min(float(p[rest].sum()), 1.0)
            total = few(float(weights[rest].sum()))
            rows.append(CountRow(f"{len(rest)} others", ClassInk(OTHERS), share, total, percent(share), False))
        return [counts_table(rows), *self._sure(node), self._rows(node)]

    def _number_words(self, node: int, drawn: bool) -> list[Block]:
        """Mean or rate, a mark on the scale of all nodes or a histogram, rows."""
        tree, value = self.tree, float(self.tree.value[node])
        text = f"sd {few(self.spread[node])}"
        if tree.response.takes_exposure:
            text = " in ".join(few(float(part)) for part in tree.response.amounts(tree.moments[node]))
        head = ends_line(few(value), tree.response.before_value.strip(), MAIN, "text", True)
        named = views_of(tree.response).further(tree.response, tree.further[node])
        further = [ends_line(each, "", SMALL) for each in named]
        words = ends_line(text, "", SMALL, "faint")
        if drawn:
            return [head, *further, words, space(3.0), histogram(self.rows, tree, node, None), self._rows(node)]
        mark = [] if self.options.content == "text" else [space(2.0), spread_mark(self.scale, value, self.spread[node])]
        return [head, *further, words, *mark, self._rows(node)]


def spreads(tree: Tree) -> list[float]:
    """Standard deviation of y in each node that predicts a mean; of rates the standard error by Poisson's law."""
    return tree.response.spread(tree.moments[tree.moments_node]).tolist()


def number_scale(tree: Tree, nodes: list[int], spread: list[float]) -> Scale:
    """The range of the predicted numbers, with their spread, over the nodes that are drawn."""
    value = tree.value
    low = min(float(value[t]) - spread[t] for t in nodes)
    high = max(float(value[t]) + spread[t] for t in nodes)
    return Scale(max(low, tree.response.least), high, float(value[0]))
