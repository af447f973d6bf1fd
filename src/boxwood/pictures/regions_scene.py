"""A picture of regions as a scene: tiles, cuts, points, two axes, and what the colours mean."""

from __future__ import annotations

from ..tree.tree import Tree
from ..views.figures import few
from ..views.text import to_text
from .branch_words import note
from .chart import GAP, SIZE
from .colours import shade
from .draw import headline
from .measure import fitted, text_width, wrapped
from .region_axis import RegionAxis
from .regions import LIGHT, Regions
from .scene import Group, Label, Path, Rect, Scene, polyline

#: Size of the area between the axes, and its height where one feature leaves the second direction free.
_WIDTH, _HEIGHT, _BAND = 320.0, 240.0, 84.0
#: Longest word at the left axis.
_LONGEST = 110.0
#: Lines stay dark on any ground, because the tiles below them are pale.
_DARK = "#16191d"
_RADIUS = 2.8


def regions_scene(tree: Tree, regions: Regions) -> Scene:
    """The picture of the regions of a tree."""
    height = _BAND if not regions.y.name else _HEIGHT
    left = GAP + max([text_width(fitted(w, SIZE, _LONGEST), SIZE) for _, w in regions.y.words], default=0.0) + GAP
    top = SIZE + 2 * GAP if regions.y.name else 2 * GAP
    frame = _Frame(regions.x, regions.y, (left, top, left + _WIDTH, top + height))
    items: list = [] if regions.steps else _tiles(tree, regions, frame)
    items += _lines(regions, frame) + frame.drawn()
    points = regions.points
    rows = zip(points.x.tolist(), points.y.tolist(), points.inks, points.marks, strict=True)
    items += [_mark(*frame.at(x, y), ink, mark, points.outline) for x, y, ink, mark in rows]
    under, end = _below(regions, left)
    below = top + height + 2 * SIZE + 3 * GAP
    title = headline(tree).replace("Decision tree", "Regions of a decision tree")
    whole = (*items, Group(0.0, below, tuple(under)))
    return Scene(left + _WIDTH + 3 * GAP, below + end, whole, title, to_text(tree, max_lines=60, width=None))


class _Frame:
    """The area between the axes: where a pair of numbers lies in the picture."""

    def __init__(self, x: RegionAxis, y: RegionAxis, box: tuple[float, float, float, float]) -> None:
        self.x, self.y, self.box = x, y, box

    def at(self, x: float, y: float) -> tuple[float, float]:
        left, top, right, bottom = self.box
        across = (x - self.x.low) / (self.x.high - self.x.low)
        up = (y - self.y.low) / (self.y.high - self.y.low)
        return left + across * (right - left), bottom - up * (bottom - top)

    def drawn(self) -> list:
        """The frame, the words at its sides and the names of the axes."""
        left, top, right, bottom = self.box
        items: list = [Rect(left, top, right - left, bottom - top, None, "line")]
        for at, word in thinned(self.x, right - left):
            place = self.at(at, self.y.low)[0]
            items.append(Label(place, bottom + SIZE + GAP / 2, word, SIZE, "middle"))
        for at, word in thinned(self.y, (bottom - top) * 4):
            items.append(Label(left - GAP, self.at(self.x.low, at)[1] + 0.35 * SIZE, fitted(word, SIZE, _LONGEST), SIZE,
                               "end"))  # fmt: skip
        if self.y.name:
            items.append(Label(left, SIZE + GAP / 2, fitted(self.y.name, SIZE, _WIDTH), SIZE, ink="faint"))
        name = fitted(self.x.name, SIZE, _WIDTH)
        return [*items, Label(left, bottom + 2 * SIZE + 2 * GAP, name, SIZE, ink="faint")]


def thinned(axis: RegionAxis, length: float) -> list[tuple[float, str]]:
    """Words at an axis that fit beside each other: every k-th, shortened."""
    apart = length / max(len(axis.words), 1)
    every = max(1, -int(-3.5 * SIZE // apart))
    return [(at, fitted(word, SIZE, every * apart - 4.0)) for at, word in axis.words[::every]]


def cut_width(depth: int) -> float:
    """Width of the line of a cut: the first split is the widest."""
    return max(2.6 - 0.6 * depth, 0.8)


def _tiles(tree: Tree, regions: Regions, frame: _Frame) -> list:
    items = []
    for tile in regions.tiles:
        (left, bottom), (right, top) = frame.at(tile.x[0], tile.y[0]), frame.at(tile.x[1], tile.y[1])
        rect = Rect(left, top, right - left, bottom - top, tile.ink, None, 0.0, tile.hatch)
        items.append(Group(0.0, 0.0, (rect,), note(tree, tile.node)))
    return items


def _lines(regions: Regions, frame: _Frame) -> list:
    """Cuts, and the steps of a predicted number."""
    items = []
    for cut in regions.cuts:
        ends = polyline(frame.at(cut.x[0], cut.y[0]), frame.at(cut.x[1], cut.y[1]))
        ink, width = ("line", 0.8) if regions.steps else (_DARK, cut_width(cut.depth))
        items.append(Path(ends, ink, None, width, dashed=bool(regions.steps)))
    for line in regions.lines:
        items.append(Path(polyline(*(frame.at(*corner) for corner in line)), shade(1.0), None, 2.4))
    return items


def _mark(x: float, y: float, ink: str, mark: int, outline: str = LIGHT):
    """A point: circle, square, diamond or triangle."""
    r = _RADIUS
    if mark == 0:
        return Rect(x - r, y - r, 2 * r, 2 * r, ink, outline, r)
    if mark == 1:
        return Rect(x - 0.9 * r, y - 0.9 * r, 1.8 * r, 1.8 * r, ink, outline)
    wide = 1.35 * r
    corners = (
        ((x, y - wide), (x + wide, y), (x, y + wide), (x - wide, y))
        if mark == 2
        else ((x, y - wide), (x + wide, y + r), (x - wide, y + r))
    )
    return Path((*polyline(*corners), ("Z",)), outline, ink, 1.0)


def _below(regions: Regions, left: float) -> tuple[list, float]:
    """The meaning of the colours, the classes or the scale, and notes; and their height."""
    line, at = SIZE * 1.4, 0.8 * SIZE
    items: list = []
    if not regions.steps:
        items.append(Label(left, at, fitted(regions.colouring.meaning, SIZE, _WIDTH), SIZE))
        at += line
    if regions.colouring.scale is not None and not regions.steps:
        items += _scale(regions.colouring.scale, left, at)
        at += line
    x = left
    for label, ink, mark in regions.colouring.entries:
        word = fitted(label, SIZE, _WIDTH / 2)
        needed = 12.0 + text_width(word, SIZE) + 2 * GAP
        if x + needed > left + _WIDTH + 2 * GAP and x > left:
            x, at = left, at + line
        items += [_mark(x + 4.0, at - 0.35 * SIZE, ink, mark), Label(x + 12.0, at, word, SIZE)]
        x += needed
    at += line if regions.colouring.entries else 0.0
    for text in regions.notes:
        for part in wrapped(text, 0.9 * SIZE, _WIDTH, 3):
            items.append(Label(left, at, part, 0.9 * SIZE, ink="faint"))
            at += line
    return items, at


def _scale(ends: tuple[float, float], left: float, at: float) -> list:
    """The smallest number, colours from pale to deep, the largest number."""
    low, high = few(ends[0]), few(ends[1])
    start = left + text_width(low, SIZE) + GAP
    steps = [Rect(start + 5.0 * k, at - SIZE, 5.2, SIZE, shade(k / 19)) for k in range(20)]
    return [Label(left, at, low, SIZE), *steps, Label(start + 100.0 + GAP, at, high, SIZE)]
