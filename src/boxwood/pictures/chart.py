"""A chart as data: curves and points over two axes, or a matrix of cells; painted as SVG or by matplotlib."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from .colours import OKABE_ITO, shade
from .measure import fitted, text_width
from .scene import Group, Label, Path, Rect, Scene, polyline

#: Size of a chart, of its texts and of the space between its parts, in points.
WIDTH, HEIGHT, SIZE, GAP = 360.0, 270.0, 10.0, 6.0
#: At most so many numbers are on an axis, and names of places are at most so many font sizes long.
_MOST_TICKS, _LONGEST = 6, 20.0


@dataclass(frozen=True, eq=False)
class Series:
    """A line, or points, of a chart.

    Attributes
    ----------
    x, y : float64, shape (m,)
    name : str
        In the legend; empty for none.
    ink : str
        A colour, or a role of :mod:`boxwood.pictures.colours`.
    line : {"-", "--", ":", ""}
    marks : bool
        A dot at each point.
    errors : float64, shape (2, m), or None
        Lengths of error bars, below and above (with ``across``: to the left and to the right).
    across : bool
    notes : tuple of str
        A word above each point.
    """

    x: np.ndarray
    y: np.ndarray
    name: str = ""
    ink: str = OKABE_ITO[0]
    line: str = "-"
    marks: bool = False
    errors: np.ndarray | None = None
    across: bool = False
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Chart:
    """Series over two axes.

    Attributes
    ----------
    xlabel, ylabel : str
    series : tuple of Series
    square : bool
        One unit has the same length on both axes.
    names : tuple of str
        Names of the places 0, 1, ... on the y axis, from the top; empty where it has numbers.
    from_zero : bool
        The y axis begins at 0.
    """

    xlabel: str
    ylabel: str
    series: tuple[Series, ...]
    square: bool = False
    names: tuple[str, ...] = ()
    from_zero: bool = False


@dataclass(frozen=True, eq=False)
class MatrixChart:
    """Cells of rows and columns of the same names, darker where the share is larger.

    Attributes
    ----------
    xlabel, ylabel : str
    names : tuple of str
    words : tuple of tuple of str
        Two lines in each cell, separated by a line end.
    share : float64, shape (K, K)
    """

    xlabel: str
    ylabel: str
    names: tuple[str, ...]
    words: tuple[tuple[str, ...], ...]
    share: np.ndarray


@dataclass(frozen=True)
class _Axis:
    """Where numbers of a chart lie: from ``low`` to ``high`` between two points of the picture."""

    low: float
    high: float
    first: float
    last: float

    def at(self, value: float) -> float:
        """The place of a number."""
        return self.first + (value - self.low) / (self.high - self.low) * (self.last - self.first)


def limits(chart: Chart, across: bool) -> tuple[float, float]:
    """The range of an axis: all points and error bars, and a little space."""
    if chart.names and not across:
        return -0.5, len(chart.names) - 0.5
    found = []
    for one in chart.series:
        values = np.asarray(one.x if across else one.y, dtype=np.float64)
        below, above = one.errors if one.errors is not None and one.across == across else (0.0, 0.0)
        found += [values - below, values + above]
    values = np.concatenate([np.atleast_1d(part) for part in found] or [np.zeros(1)])
    values = values[np.isfinite(values)]
    low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 1.0)
    if chart.from_zero and not across:
        low = min(low, 0.0)
    space = 0.04 * (high - low) or 0.5 * max(abs(high), 1.0)
    return (low if chart.from_zero and not across else low - space), high + space


def ticks(low: float, high: float) -> list[float]:
    """Round numbers within a range, at most six.

    Examples
    --------
    >>> from boxwood.pictures.chart import ticks
    >>> ticks(-0.04, 1.04), ticks(-3.0, 41.0)
    ([0.0, 0.2, 0.4, 0.6, 0.8, 1.0], [0.0, 10.0, 20.0, 30.0, 40.0])
    """
    rough = (high - low) / _MOST_TICKS
    unit = 10.0 ** math.floor(math.log10(rough))
    step = next(unit * k for k in (1, 2, 5, 10, 20) if (high - low) / (unit * k) <= _MOST_TICKS)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(k * step, 12 - math.floor(math.log10(step))) + 0.0 for k in range(first, last + 1)]


def chart_scene(chart: Chart | MatrixChart, title: str) -> Scene:
    """A chart as a picture; ``title`` is for screen readers."""
    if isinstance(chart, MatrixChart):
        return _matrix_scene(chart, title)
    names = [fitted(name, 1.0, _LONGEST) for name in chart.names]
    height = HEIGHT if not names else 3 * SIZE + 4 * GAP + 28.0 * len(names)
    (x_low, x_high), (y_low, y_high) = limits(chart, True), limits(chart, False)
    numbers = [(at, f"{at:g}") for at in ticks(y_low, y_high)] if not names else list(enumerate(names))
    left = GAP + max(text_width(word, SIZE) for _, word in numbers) + GAP
    width = max(WIDTH, left + text_width(chart.xlabel, SIZE) + GAP) if names else WIDTH
    top, legend = SIZE + 2 * GAP, _legend(chart, left, width)
    bottom = height - SIZE * (2 + len(legend)) - GAP * 3
    right = width - 2 * GAP
    if chart.square:
        side = min(right - left, bottom - top)
        right, bottom = left + side * (x_high - x_low) / (y_high - y_low), top + side
    x = _Axis(x_low, x_high, left, right)
    y = _Axis(y_low, y_high, top, bottom) if names else _Axis(y_low, y_high, bottom, top)
    items = [Label(left, SIZE + GAP / 2, fitted(chart.ylabel, SIZE, width - left), SIZE, ink="faint")]
    items += _frame(x, y, numbers)
    for one in chart.series:
        items += _series(one, x, y)
    under = bottom + 2 * SIZE + 2 * GAP
    items.append(Label(left, under, fitted(chart.xlabel, SIZE, width - left), SIZE, ink="faint"))
    items += [Group(0.0, under + SIZE + GAP + k * SIZE * 1.3, tuple(line)) for k, line in enumerate(legend)]
    end = under + GAP + (SIZE * 1.3 * len(legend) + GAP if legend else 0.0)
    return Scene(width, end, tuple(items), title, f"{chart.ylabel} over {chart.xlabel}")


def _frame(x: _Axis, y: _Axis, numbers: list[tuple[float, str]]) -> list:
    """Grid lines with their numbers."""
    items = []
    for at in ticks(x.low, x.high):
        place = x.at(at)
        items.append(Path(polyline((place, y.first), (place, y.last)), stroke="strip", width=0.8))
        items.append(Label(place, max(y.first, y.last) + SIZE + GAP / 2, f"{at:g}", SIZE, "middle"))
    for at, word in numbers:
        place = y.at(at)
        items.append(Path(polyline((x.first, place), (x.last, place)), stroke="strip", width=0.8))
        items.append(Label(x.first - GAP, place + 0.35 * SIZE, word, SIZE, "end"))
    return items


def _series(one: Series, x: _Axis, y: _Axis) -> list:
    """A line, its dots and error bars."""
    points = [(x.at(a), y.at(b)) for a, b in zip(one.x.tolist(), one.y.tolist(), strict=True)
              if math.isfinite(a) and math.isfinite(b)]  # fmt: skip
    items = []
    if one.line and len(points) > 1:
        width = 1.5 if one.line == "-" else 1.1
        items.append(Path(polyline(*points), stroke=one.ink, width=width, dashed=one.line != "-"))
    if one.errors is not None:
        bars = zip(one.x.tolist(), one.y.tolist(), *np.asarray(one.errors).tolist(), strict=True)
        for a, b, below, above in bars:
            ends = ((a - below, b), (a + above, b)) if one.across else ((a, b - below), (a, b + above))
            items.append(Path(polyline(*((x.at(p), y.at(q)) for p, q in ends)), stroke=one.ink, width=1.1))
    if one.marks:
        items += [Rect(a - 2.2, b - 2.2, 4.4, 4.4, fill=one.ink, radius=2.2) for a, b in points]
    for (a, b), note in zip(points, one.notes, strict=False):
        items.append(Label(a, b - GAP, note, SIZE * 0.9, "middle"))
    return items


def _legend(chart: Chart, left: float, width: float) -> list[list]:
    """Lines of the legend: a sample and a name each, as many in a line as fit."""
    lines, at = [], width
    for one in chart.series:
        if not one.name:
            continue
        name = fitted(one.name, SIZE, width - left - 30.0)
        needed = 22.0 + text_width(name, SIZE) + 2 * GAP
        if at + needed > width:
            lines.append([])
            at = left
        sample = [Rect(at + 7.0, -0.62 * SIZE, 5.0, 5.0, fill=one.ink, radius=2.5)] if one.marks else []
        if one.line:
            line = polyline((at, -0.35 * SIZE), (at + 18.0, -0.35 * SIZE))
            sample.append(Path(line, stroke=one.ink, width=1.5, dashed=one.line != "-"))
        lines[-1] += [*sample, Label(at + 22.0, 0.0, name, SIZE)]
        at += needed
    return lines


def _matrix_scene(matrix: MatrixChart, title: str) -> Scene:
    """Cells with two lines of words each."""
    names = [fitted(name, 1.0, _LONGEST / 2) for name in matrix.names]
    words = [line for row in matrix.words for cell in row for line in cell.split("\n")]
    side = max(44.0, *(text_width(word, SIZE) + 2 * GAP for word in (*words, *names)))
    down = f"{matrix.ylabel} ↓"
    left, top = 2 * GAP + max(text_width(name, SIZE) for name in (down, *names)), 2 * SIZE + 3 * GAP
    items = [
        Label(left, SIZE + GAP / 2, f"{matrix.xlabel} →", SIZE, ink="faint"),
        Label(left - GAP, top - GAP, down, SIZE, "end", "faint"),
    ]
    for k, name in enumerate(names):
        middle = left + (k + 0.5) * side
        items.append(Label(middle, top - GAP, name, SIZE, "middle"))
        items.append(Label(left - GAP, top + (k + 0.5) * 40.0 + 0.35 * SIZE, name, SIZE, "end"))
    for i, j in np.ndindex(matrix.share.shape):
        dark = matrix.share[i, j] > 0.5
        x, y = left + j * side, top + i * 40.0
        items.append(Rect(x, y, side, 40.0, fill=shade(float(matrix.share[i, j])), stroke="ground"))
        for line, word in enumerate(matrix.words[i][j].split("\n")):
            ink = "#ffffff" if dark else "#16191d"
            items.append(Label(x + side / 2, y + 17.0 + 13.0 * line, word, SIZE, "middle", ink))
    width = max(left + side * len(names), left + text_width(f"{matrix.xlabel} →", SIZE)) + GAP
    size = width, top + 40.0 * len(names) + GAP
    return Scene(*size, tuple(items), title, f"{matrix.ylabel} by {matrix.xlabel}")
