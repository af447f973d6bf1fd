"""How pictures show what nodes predict: numbers, or classes with their probabilities; one class for each kind of y."""

from __future__ import annotations

from functools import singledispatch

import numpy as np

from ..statistics.responses.classes import Classes
from ..statistics.responses.response import Response
from ..statistics.responses.several import Several
from ..tree.descend import Routing
from ..tree.tree import Tree
from ..views.counted import brief, counted
from ..views.figures import few, percent
from ..views.predicted import views_of
from ..views.small_leaves import small_intervals
from ..views.words import level, plain
from .blocks import (
    MAIN,
    SMALL,
    Block,
    CountRow,
    Scale,
    counts_table,
    ends_line,
    space,
    spread_mark,
    stacked_bar,
)
from .branch_words import rows_words
from .colours import OTHERS, ClassInk, class_inks, shade
from .histogram import histogram
from .measure import fitted
from .node_colours import TargetShades, ink_on
from .options import PictureOptions
from .region_axis import RegionAxis, number_axis
from .region_colours import Colouring, colours_of_classes, colours_of_numbers, colours_of_target
from .rows import Rows
from .swatches import name_of_number, swatches_of_classes

#: Up to this many classes are shown one by one; of more, the largest of each node, and the others together.
_MOST_CLASSES, _LARGEST = 8, 3


class NumberPictures:
    """Trees that predict a number; an object is one drawing, and what all its nodes share is computed once."""

    def __init__(
        self, tree: Tree, nodes: list[int], options: PictureOptions, rows: Rows | None, shades: TargetShades | None,
        longest: float,
    ) -> None:  # fmt: skip
        self.tree, self.options, self.rows, self.shades, self.longest = tree, options, rows, shades, longest
        self.spread = tree.response.spread(tree.moments[tree.moments_node]).tolist()
        low = min(float(tree.value[t]) - self.spread[t] for t in nodes)
        high = max(float(tree.value[t]) + self.spread[t] for t in nodes)
        self.scale = Scale(max(low, tree.response.least), high, float(tree.value[0]))

    def ink(self, node: int) -> ClassInk:
        """The colour of a leaf: that of its number, or of its class."""
        return ClassInk(shade(self.scale.place(float(self.tree.value[node]))))

    def blocks(self, node: int, drawn: bool) -> list[Block]:
        """Mean or rate, a mark on the scale of all nodes or a histogram."""
        tree, value = self.tree, float(self.tree.value[node])
        text = f"sd {few(self.spread[node])}"
        if tree.response.takes_exposure:
            text = " in ".join(few(float(part)) for part in tree.response.amounts(tree.moments[node]))
        head = ends_line(few(value), tree.response.before_value.strip(), MAIN, "text", True)
        named = views_of(tree.response).further(tree.response, tree.further[node])
        words = [head, *(ends_line(each, "", SMALL) for each in named), ends_line(text, "", SMALL, "faint")]
        if drawn:
            return [*words, space(3.0), histogram(self.rows, tree, node, None)]
        return words if self.options.content == "text" else [
            *words, space(2.0), spread_mark(self.scale, value, self.spread[node])
        ]  # fmt: skip

    def rows_words(self, node: int) -> str:
        """How many rows a node has; of classes that are weighted, how many of them are of the class written."""
        return rows_words(self.tree, node)

    def short(self, node: int) -> tuple[str, str, bool]:
        """What a small node shows: a number, or a class and its probability; and whether it is predicted."""
        return few(float(self.tree.value[node])), "", True

    def short_rows(self, node: int) -> str:
        """The rows of a small node."""
        return f"{int(self.tree.rows[node]):,}"

    def small_bar(self, node: int, size: tuple[float, float]) -> list[Block]:
        """The bar of the classes in a small node."""
        return []

    def footnotes(self) -> list[str]:
        """What marks in nodes mean."""
        content, spread = self.options.content, self.tree.response.spread_words
        if content == "histogram" and self.rows.y is not None:
            return ["Dots in histograms: mean of y in each bar."]
        if content == "histogram" or content == "text" or self.options.node_size == "small":
            return []
        low, high = few(self.scale.low), few(self.scale.high)
        return [f"Dot and band: {spread}, from {low} to {high}; upright line: all rows."]

    @property
    def small_leaves(self) -> str:
        """What the intervals of small leaves are."""
        return ""

    @staticmethod
    def swatches(tree: Tree, width: float, top: float) -> tuple[list, float]:
        """The name of the response and what the colours of leaves mean, below ``top``; and their height."""
        return name_of_number(tree, width, top)

    @staticmethod
    def colouring(tree: Tree, routing: Routing, target: int | None) -> Colouring:
        """The colours of cells that were routed down a tree; ``target`` is a class whose probability is shown."""
        return colours_of_numbers(tree, routing)

    @staticmethod
    def upward(tree: Tree, values: np.ndarray) -> RegionAxis | None:
        """The axis for the numbers that are predicted in a picture of one feature; None for classes."""
        return number_axis(plain(tree.response.name), values)


class ClassPictures(NumberPictures):
    """Trees that predict a class."""

    def __init__(
        self, tree: Tree, nodes: list[int], options: PictureOptions, rows: Rows | None, shades: TargetShades | None,
        longest: float,
    ) -> None:  # fmt: skip
        self.tree, self.options, self.rows, self.shades, self.longest = tree, options, rows, shades, longest
        self.intervals, self.inks = small_intervals(tree), class_inks(tree)

    def ink(self, node: int) -> ClassInk:
        return self.inks[int(self.tree.value[node])]

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

    def blocks(self, node: int, drawn: bool) -> list[Block]:
        """The predicted class and its probability, a bar of all classes or a histogram; or a table of the classes."""
        if self.options.content == "counts":
            return [self._counts(node), *self._sure(node)]
        tree = self.tree
        word, share, predicted = self.shown_class(node)
        head = ends_line(fitted(word, MAIN, self.longest, True), percent(share), MAIN, "text", predicted)
        if drawn:
            return [head, space(3.0), histogram(self.rows, tree, node, self.inks)]
        bar = [space(3.0), stacked_bar(*self.bar_parts(node), tree.rows[node] == 0), space(2.0)]
        bar = [] if self.options.content == "text" else bar
        return [head, *self._next(node), *self._sure(node), *bar]

    def _next(self, node: int) -> list[Block]:
        """Of many classes the next largest after the predicted one, and the others; or the predicted one itself."""
        largest, p, labels = self._largest(node), self.tree.probability[node], self.tree.response.labels
        if self.shades is not None:
            _, _, predicted = self.shown_class(node)
            word = fitted(f"predicted: {level(labels[int(self.tree.value[node])])}", SMALL, self.longest)
            return [] if predicted else [ends_line(word, "", SMALL)]
        if len(p) <= _MOST_CLASSES or self.options.content == "text":
            return []
        lines = [
            ends_line(fitted(level(labels[k]), SMALL, self.longest), percent(float(p[k])), SMALL) for k in largest[1:]
        ]
        rest = float(np.delete(p, largest).sum())
        others = ends_line(f"{len(p) - len(largest)} others", percent(min(rest, 1.0)), SMALL, "faint")
        return [*lines, others] if rest > 0 else lines

    def _sure(self, node: int) -> list[Block]:
        """The 95 % interval of the probability of a leaf of few rows."""
        ends = self.intervals.get(node)
        if not ends or self.shades is not None:  # it is that of the predicted class
            return []
        return [ends_line(f"{percent(ends[0])} to {percent(ends[1])}", "", SMALL, "faint")]

    def _counts(self, node: int) -> Block:
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
        return counts_table(rows)

    def rows_words(self, node: int) -> str:
        return counted(self.tree, node, self.shown(node), rows_words(self.tree, node))

    def short(self, node: int) -> tuple[str, str, bool]:
        word, share, predicted = self.shown_class(node)
        return word, percent(share), predicted

    def short_rows(self, node: int) -> str:
        altered = self.tree.response.is_altered and self.tree.rows[node] > 0
        return brief(self.tree, node, self.shown(node)) if altered else super().short_rows(node)

    def small_bar(self, node: int, size: tuple[float, float]) -> list[Block]:
        return [stacked_bar(*self.bar_parts(node), size=size)] if self.options.content == "bars" else []

    def footnotes(self) -> list[str]:
        if self.shades is None:
            return []
        return [f"Bold: {level(self.tree.response.labels[self.shades.target])} is predicted."]

    @property
    def small_leaves(self) -> str:
        shown = self.options.node_size != "small" and self.shades is None
        return "; range: 95 % interval" if shown else ""

    swatches = staticmethod(swatches_of_classes)

    @staticmethod
    def colouring(tree: Tree, routing: Routing, target: int | None) -> Colouring:
        return colours_of_classes(tree, routing) if target is None else colours_of_target(tree, routing, target)

    @staticmethod
    def upward(tree: Tree, values: np.ndarray) -> RegionAxis | None:
        return None


class SeveralPictures(NumberPictures):
    """Trees that predict several responses: a line for each, and no colours."""

    def __init__(
        self, tree: Tree, nodes: list[int], options: PictureOptions, rows: Rows | None, shades: TargetShades | None,
        longest: float,
    ) -> None:  # fmt: skip
        if options.content == "histogram":
            tree.response.refuse()
        self.tree, self.options, self.rows, self.shades, self.longest = tree, options, rows, shades, longest

    def ink(self, node: int) -> ClassInk:
        return ClassInk(OTHERS)

    def blocks(self, node: int, drawn: bool) -> list[Block]:
        lines = views_of(self.tree.response).lines(self.tree, node)
        return [ends_line(fitted(line, SMALL, self.longest), "", SMALL, "text") for line in lines]

    def short(self, node: int) -> tuple[str, str, bool]:
        return views_of(self.tree.response).lines(self.tree, node)[0], "", True

    def footnotes(self) -> list[str]:
        return []

    @staticmethod
    def swatches(tree: Tree, width: float, top: float) -> tuple[list, float]:
        return [], 0.0


@singledispatch
def pictures_of(response: Response) -> type[NumberPictures]:
    """The pictures of a kind of y; an object of the class is one drawing."""
    return NumberPictures


@pictures_of.register
def _(response: Classes) -> type[NumberPictures]:
    return ClassPictures


@pictures_of.register
def _(response: Several) -> type[NumberPictures]:
    return SeveralPictures
