"""The elements of a picture for any renderer: rectangles, labels, paths and groups, in points, y downward."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Rect:
    """A rectangle; ``fill`` and ``stroke`` are inks (see colours), None for none."""

    x: float
    y: float
    width: float
    height: float
    fill: str | None = None
    stroke: str | None = None
    radius: float = 0.0
    hatch: int = 0


@dataclass(frozen=True)
class Label:
    """A text on a line; ``y`` is the baseline, ``anchor`` names the one of its points that is at ``x``."""

    x: float
    y: float
    text: str
    size: float
    anchor: str = "start"
    ink: str = "text"
    bold: bool = False


@dataclass(frozen=True)
class Path:
    """A line or an area: steps ("M", x, y), ("L", x, y), ("C", x1, y1, x2, y2, x, y), ("Z",)."""

    steps: tuple[tuple, ...]
    stroke: str | None = None
    fill: str | None = None
    width: float = 1.0
    dashed: bool = False


@dataclass(frozen=True)
class Group:
    """Things drawn together at a place, with a note that a pointer over them shows."""

    x: float
    y: float
    items: tuple
    note: str = ""


@dataclass(frozen=True)
class Scene:
    """A whole picture.

    Attributes
    ----------
    width, height : float
        Points.
    items : tuple
        Later things are painted over earlier ones.
    title, description : str
        For screen readers and similar programs; the picture itself shows them only where it draws them.
    """

    width: float
    height: float
    items: tuple
    title: str = ""
    description: str = ""


def polyline(*points: tuple[float, float]) -> tuple[tuple, ...]:
    """The steps of straight lines through points."""
    return (("M", *points[0]), *(("L", *point) for point in points[1:]))


def every_label(items, x: float = 0.0, y: float = 0.0):
    """All labels with their places in the picture, those in groups too."""
    for item in items:
        if isinstance(item, Group):
            yield from every_label(item.items, x + item.x, y + item.y)
        elif isinstance(item, Label):
            yield x + item.x, y + item.y, item


def scaled(items, by: float) -> tuple:
    """The same things in another size about (0, 0): places, lengths, fonts and widths of lines.

    Examples
    --------
    >>> from boxwood.pictures.scene import Label, scaled
    >>> scaled([Label(10.0, 20.0, "age", 12.0)], 0.5)[0].size
    6.0
    """
    return tuple(_scaled(item, by) for item in items)


def _scaled(item, by: float):
    if isinstance(item, Group):
        return Group(item.x * by, item.y * by, scaled(item.items, by), item.note)
    if isinstance(item, Label):
        return replace(item, x=item.x * by, y=item.y * by, size=item.size * by)
    if isinstance(item, Rect):
        place = {name: getattr(item, name) * by for name in ("x", "y", "width", "height", "radius")}
        return replace(item, **place)
    steps = tuple((letter, *(number * by for number in numbers)) for letter, *numbers in item.steps)
    return replace(item, steps=steps, width=item.width * by)
