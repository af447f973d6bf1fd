"""What the colours of a tree mean: the name of the response, a scale, or a swatch for each class."""

from __future__ import annotations

from ..tree.tree import Tree
from ..views.figures import percent
from ..views.words import level, plain
from .blocks import ASCENT, LEADING, MAIN
from .colours import OTHERS, ClassInk, class_inks
from .measure import fitted, text_width
from .node_colours import TargetShades
from .scene import Label, Rect

_LONGEST, _SWATCH, _APART = 150.0, 10.0, 16.0
#: Squares of the scale of a probability.
_STEPS = 8


def name_of_number(tree: Tree, width: float, top: float) -> tuple[list, float]:
    """The name of a response that is a number."""
    text = fitted(f"{tree.response.predicts} {plain(tree.response.name)}", MAIN, width)
    return [Label(0.0, top + MAIN * ASCENT, text, MAIN)], MAIN * LEADING


def scale_of_target(tree: Tree, shades: TargetShades, width: float, top: float) -> tuple[list, float]:
    """What the colours mean where they show the probability of one class: a scale from its least to its most."""
    what = f"probability of {plain(tree.response.name)} = {level(tree.response.labels[shades.target])}"
    what, low, high = fitted(what, MAIN, width), percent(shades.low), percent(shades.high)
    items: list = [Label(0.0, top + MAIN * ASCENT, what, MAIN)]
    x, y, line = text_width(what, MAIN) + 12.0, top, MAIN * 1.5
    if x + text_width(low + high, MAIN) + _STEPS * _SWATCH + 12.0 > width:
        x, y = 0.0, top + line
    items.append(Label(x, y + MAIN * ASCENT, low, MAIN))
    x += text_width(low, MAIN) + 6.0
    for step in range(_STEPS):
        colour = shades.at(shades.low + step / (_STEPS - 1) * (shades.high - shades.low))
        items.append(Rect(x + step * _SWATCH, y + 3.0, _SWATCH, _SWATCH, colour))
    items.append(Label(x + _STEPS * _SWATCH + 6.0, y + MAIN * ASCENT, high, MAIN))
    return items, y + line - top


def swatches_of_classes(tree: Tree, width: float, top: float) -> tuple[list, float]:
    """The name of the response and a swatch a class, in as many lines as it takes."""
    name = fitted(f"{plain(tree.response.name)}:", MAIN, min(_LONGEST, width))
    items: list = [Label(0.0, top + MAIN * ASCENT, name, MAIN)]
    x, y, line = text_width(name, MAIN) + 10.0, top, MAIN * 1.5
    for word, ink in _entries(tree):
        word = fitted(word, MAIN, min(_LONGEST, width - _SWATCH - 6.0))
        needed = _SWATCH + 6.0 + text_width(word, MAIN)
        if x + needed > width and x > 0.0:
            x, y = 0.0, y + line
        items.append(Rect(x, y + 3.0, _SWATCH, _SWATCH, ink.ink, "line", 0.0, ink.hatch))
        items.append(Label(x + _SWATCH + 6.0, y + MAIN * ASCENT, word, MAIN))
        x += needed + _APART
    return items, y + line - top


def _entries(tree: Tree) -> list[tuple[str, ClassInk]]:
    """Label and fill of each class that has a fill of its own, the others together at the end."""
    inks, labels = class_inks(tree), tree.response.labels
    own = [k for k, ink in enumerate(inks) if ink.ink != OTHERS]
    entries = [(level(labels[k]), inks[k]) for k in own]
    rest = len(labels) - len(own)
    return entries + ([(f"{rest} others", ClassInk(OTHERS))] if rest else [])
