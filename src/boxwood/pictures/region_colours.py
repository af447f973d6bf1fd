"""Colours of regions and rows: by class and its probability, by the probability of one class, or by a number."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..tree.descend import Routing
from ..tree.tree import Tree
from ..views.words import level, plain
from .colours import OTHERS, class_inks, paint, shade

#: Shapes of points, by class: circle, square, diamond, triangle.
MARKS = 4
#: How strong the colour of a class is at a probability of 1 / K, and at 1.
_WEAK, _STRONG = 0.16, 0.62
#: Strengths and shades are rounded to so many steps.
_STEPS = 64
#: Points of rows whose response is not given.
PLAIN = "faint"


@dataclass(frozen=True, eq=False)
class Colouring:
    """Fills of the cells, and what the colours mean.

    Attributes
    ----------
    fills : int64, shape (c,)
        The fill of each cell, a row of ``palette``.
    palette : tuple of (ink, hatch)
    entries : tuple of (label, ink, mark)
        The legend of classes; empty for numbers.
    scale : tuple of float, or None
        The ends of the scale of numbers, palest and deepest.
    meaning : str
        What the colours show.
    target : int or None
        The class of which the scale shows the probability.
    """

    fills: np.ndarray
    palette: tuple[tuple[str, int], ...]
    entries: tuple[tuple[str, str, int], ...]
    scale: tuple[float, float] | None
    meaning: str
    target: int | None

    def points(self, truth: np.ndarray | None, n: int) -> tuple[tuple[str, ...], tuple[int, ...]]:
        """Ink and mark of each of ``n`` rows by their response: class codes, or numbers."""
        if truth is None:
            return (PLAIN,) * n, (0,) * n
        if self.target is not None:
            hit = (truth == self.target).tolist()
            return tuple(shade(float(h)) for h in hit), tuple(0 if h else 1 for h in hit)
        if self.scale is not None:
            low, high = self.scale
            return tuple(shade(_place(float(v), low, high)) for v in truth), (0,) * n
        return tuple(self.entries[k][1] for k in truth), tuple(self.entries[k][2] for k in truth)


def colours_of_numbers(tree: Tree, routing: Routing) -> Colouring:
    """The colours of cells that were routed down a tree of numbers."""
    leaves, name = tree.value[tree.leaves], plain(tree.response.name)
    ends = float(leaves.min()), float(leaves.max())
    return _scaled(routing.value(tree), ends, f"{tree.response.predicts} {name}", None)


def colours_of_target(tree: Tree, routing: Routing, target: int) -> Colouring:
    """The same by the probability of one class."""
    words = f"probability of {plain(tree.response.name)} = {level(tree.response.labels[target])}"
    return _scaled(routing.probability(tree)[:, target], (0.0, 1.0), words, target)


def colours_of_classes(tree: Tree, routing: Routing) -> Colouring:
    """The same by the predicted class and its probability."""
    name, probability, inks = plain(tree.response.name), routing.probability(tree), class_inks(tree)
    predicted = routing.value(tree).astype(np.int64)
    k = max(len(inks), 2)
    sure = np.clip((probability[np.arange(len(predicted)), predicted] - 1 / k) / (1 - 1 / k), 0.0, 1.0)
    keys, fills = np.unique(np.stack([predicted, np.rint(sure * _STEPS).astype(np.int64)], axis=1), axis=0,
                            return_inverse=True)  # fmt: skip
    palette = tuple((_tinted(inks[c].ink, s / _STEPS), inks[c].hatch) for c, s in keys.tolist())
    labels = tree.response.labels
    entries = tuple(
        (level(label), paint(ink.ink) if ink.ink == OTHERS else ink.ink, at % MARKS)
        for at, (label, ink) in enumerate(zip(labels, inks, strict=True))
    )
    return Colouring(
        fills.reshape(-1), palette, entries, None, f"predicted {name}, deeper where it is more probable", None
    )


def _scaled(value: np.ndarray, ends: tuple[float, float], meaning: str, target: int | None) -> Colouring:
    places = np.array([_place(v, *ends) for v in value.tolist()])
    keys, fills = np.unique(np.rint(places * _STEPS).astype(np.int64), return_inverse=True)
    palette = tuple((shade(key / _STEPS), 0) for key in keys.tolist())
    return Colouring(fills.reshape(-1), palette, (), ends, meaning, target)


def _place(value: float, low: float, high: float) -> float:
    """0 at the low end, 1 at the high end; numbers beyond them lie at the ends."""
    return min(max((value - low) / (high - low), 0.0), 1.0) if high > low else 0.5


def _tinted(ink: str, sure: float) -> str:
    """The colour of a class mixed with white, the deeper the more probable it is."""
    strength = _WEAK + (_STRONG - _WEAK) * sure
    parts = (int(paint(ink)[at : at + 2], 16) for at in (1, 3, 5))
    return "#" + "".join(f"{round(255 - strength * (255 - part)):02x}" for part in parts)
