"""The blocks of a drawn node, one below the other: each has a size and draws itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .colours import ClassInk
from .measure import text_width
from .scene import Label, Path, Rect, polyline

#: Font sizes: the prediction of a node, words at branches and of lesser weight.
MAIN, SMALL = 12.0, 10.5
#: Height of a line of text in font sizes, and of its baseline from the top.
LEADING, ASCENT = 1.35, 1.02
#: Inner width that bars have at least, so that they can be compared from node to node.
BAR = 108.0


@dataclass(frozen=True)
class Block:
    """A part of a node: the width it needs, its height, and how it is painted within the width it gets."""

    width: float
    height: float
    paint: Callable[[float], list]


def ends_line(left: str, right: str, size: float = MAIN, ink: str = "text", bold: bool = False) -> Block:
    """A text at the left end (bold if requested) and one at the right end of a line."""
    width = text_width(left, size, bold) + (12.0 + text_width(right, size) if right else 0.0)

    def paint(width: float) -> list:
        labels = [Label(0.0, size * ASCENT, left, size, "start", ink, bold)]
        return labels + ([Label(width, size * ASCENT, right, size, "end", ink)] if right else [])

    return Block(width, size * LEADING, paint)


def middle_line(text: str, size: float = SMALL, ink: str = "faint", bold: bool = False) -> Block:
    """A text in the middle of a line."""
    return Block(
        text_width(text, size, bold),
        size * LEADING,
        lambda width: [Label(width / 2, size * ASCENT, text, size, "middle", ink, bold)],
    )


def space(height: float) -> Block:
    """Nothing."""
    return Block(0.0, height, lambda _: [])


def stacked_bar(
    shares: list[float], inks: list[ClassInk], thin: bool = False, size: tuple[float, float] = (BAR, 10.0)
) -> Block:
    """One bar, as long as the node is wide, in parts as large as the shares; thin where no row is.

    ``size`` is the least width, and the height.
    """
    height = min(size[1], 4.0) if thin else size[1]

    def paint(width: float) -> list:
        items, at = [], 0.0
        for part, ink in zip(shares, inks, strict=True):
            if part > 0:
                items.append(Rect(at * width, 0.0, part * width, height, ink.ink, None, 0.0, ink.hatch))
                at += part
        return [*items, Rect(0.0, 0.0, width, height, None, "line")]

    return Block(size[0], height, paint)


@dataclass(frozen=True)
class Scale:
    """A range of numbers that all nodes share, and the number of the root."""

    low: float
    high: float
    root: float

    def place(self, value: float) -> float:
        """0 at the low end, 1 at the high end."""
        return (value - self.low) / (self.high - self.low) if self.high > self.low else 0.5


def spread_mark(scale: Scale, value: float, spread: float) -> Block:
    """A number as a dot on the scale, with its spread as a band; a thin upright line marks the root."""
    height = 12.0

    def paint(width: float) -> list:
        inner = width - 8.0
        x = lambda v: 4.0 + inner * min(max(scale.place(v), 0.0), 1.0)  # noqa: E731
        left, right = x(value - spread), x(value + spread)
        middle = height / 2
        items = [Path(polyline((0.0, middle), (width, middle)), "line")]
        if spread > 0:
            items.append(Rect(left, middle - 3.0, right - left, 6.0, "spread", None, 3.0))
        items.append(Path(polyline((x(scale.root), 0.0), (x(scale.root), height)), "line"))
        return [*items, Rect(x(value) - 3.5, middle - 3.5, 7.0, 7.0, "dot", None, 3.5)]

    return Block(BAR, height, paint)


@dataclass(frozen=True)
class CountRow:
    """A line of a table of classes."""

    label: str
    ink: ClassInk
    share: float
    count: str
    percent: str
    is_predicted: bool


def counts_table(rows: list[CountRow]) -> Block:
    """One line per class: its colour, its label, a bar, its count and its share; the predicted class is bold."""
    size, line = SMALL, SMALL * LEADING
    labels = max(text_width(row.label, size, row.is_predicted) for row in rows)
    counts = max(text_width(row.count, size) for row in rows)
    shares = max(text_width(row.percent, size) for row in rows)
    least = 36.0

    def paint(width: float) -> list:
        items = []
        bar = width - labels - counts - shares - 48.0
        for at, row in enumerate(rows):
            top, base = at * line, at * line + size * ASCENT
            items += [
                Rect(0.0, top + 3.0, 8.0, 8.0, row.ink.ink, None, 0.0, row.ink.hatch),
                Label(14.0, base, row.label, size, "start", "text", row.is_predicted),
                Rect(24.0 + labels, top + 3.5, bar * row.share, 7.0, row.ink.ink, None, 0.0, row.ink.hatch),
                Label(width - shares - 10.0, base, row.count, size, "end"),
                Label(width, base, row.percent, size, "end", "faint"),
            ]
        return items

    return Block(labels + counts + shares + 48.0 + least, line * len(rows), paint)
