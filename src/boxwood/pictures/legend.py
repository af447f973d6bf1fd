"""The texts above and below a tree: headline, colours of the classes, and what lines and marks mean."""

from __future__ import annotations

from ..statistics.responses.registry import CLASSES
from ..tree.tree import Tree
from ..views.figures import few, percent
from ..views.small_leaves import small_leaves_words
from ..views.words import level, plain
from .blocks import ASCENT, LEADING, MAIN, SMALL
from .branch_words import GROUPED, SURROGATES
from .colours import OTHERS, ClassInk, class_inks
from .drawing import DrawnTree
from .measure import fitted, text_width, wrapped
from .node_colours import TargetShades
from .options import PictureOptions
from .scene import Label, Rect

_TITLE = 15.0
_LONGEST, _SWATCH, _APART = 150.0, 10.0, 16.0
#: Squares of the scale of a probability.
_STEPS = 8
#: Narrowest column of text above and below a tree that is narrow itself.
LEAST_WIDTH = 220.0


def header(tree: Tree, options: PictureOptions, shades: TargetShades | None, width: float) -> tuple[list, float]:
    """Shapes above the tree, from (0, 0), in a column of this width; and their height."""
    items: list = []
    top = 0.0
    for line in wrapped(plain(options.title), _TITLE, width, 3) if options.title else []:
        items.append(Label(0.0, top + _TITLE * ASCENT, line, _TITLE, "start", "text", False))
        top += _TITLE * LEADING
    top += 4.0 if items else 0.0
    if shades is not None:
        swatches, height = _shades(tree, shades, width, top)
    elif tree.response.kind == CLASSES:
        swatches, height = _classes(tree, width, top)
    else:
        swatches, height = _name(tree, width, top)
    return items + swatches, top + height + 10.0


def _name(tree: Tree, width: float, top: float) -> tuple[list, float]:
    """The name of a response that is a number."""
    text = fitted(f"{tree.response.predicts} {plain(tree.response.name)}", MAIN, width)
    return [Label(0.0, top + MAIN * ASCENT, text, MAIN)], MAIN * LEADING


def _shades(tree: Tree, shades: TargetShades, width: float, top: float) -> tuple[list, float]:
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


def _classes(tree: Tree, width: float, top: float) -> tuple[list, float]:
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


def footer(tree: Tree, options: PictureOptions, drawing: DrawnTree, width: float) -> tuple[list, float]:
    """Shapes below the tree, from (0, 0): what lines and marks mean; and their height."""
    items: list = []
    top = 10.0
    for text in _footnotes(tree, options, drawing):
        for line in wrapped(text, SMALL, width, 4):
            items.append(Label(0.0, top + SMALL * ASCENT, line, SMALL, "start", "faint"))
            top += SMALL * LEADING
    return items, top


def _footnotes(tree: Tree, options: PictureOptions, drawing: DrawnTree) -> list[str]:
    """One sentence a sign that occurs in this picture."""
    notes, words = list(drawing.notes), drawing.words
    small_nodes = options.node_size == "small"
    if words.scale is not None and options.content in ("bars", "counts") and not small_nodes:
        low, high = few(words.scale.low), few(words.scale.high)
        notes.append(f"Dot and band: {tree.response.spread_words}, from {low} to {high}; upright line: all rows.")
    if options.content == "histogram":
        notes.append("Histograms: the rows that come by, over the values of the feature tested; dashed: the cut.")
        if words.rows.y is not None and tree.response.kind != CLASSES:
            notes.append("Dots in histograms: mean of y in each bar.")
    if words.shades is not None:
        notes.append(f"Bold: {level(tree.response.labels[words.shades.target])} is predicted.")
    if tree.n_nodes > 1:
        notes.append("The wider a line, the more rows go down it.")
    if len(tree.surrogates):
        notes.append(f"{SURROGATES} surrogate splits are tried first")
    if tree.heuristic.any():
        notes.append(f"{GROUPED} too many levels to try every grouping; this one was found by a heuristic")
    small = small_leaves_words(tree)
    if small:
        ranges = tree.response.kind == CLASSES and not small_nodes and words.shades is None
        notes.append(f"{small}{'; range: 95 % interval' * ranges}.")
    return notes
