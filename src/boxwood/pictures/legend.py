"""The texts above and below a tree: headline, colours of the classes, and what lines and marks mean."""

from __future__ import annotations

from ..statistics.response import CLASSES, RATE
from ..tree.tree import Tree
from ..views.small_leaves import small_leaves_words
from ..views.words import level, plain
from .blocks import ASCENT, LEADING, MAIN, SMALL, Scale
from .branch_words import ASKED, GROUPED, few
from .colours import OTHERS, ClassInk, class_inks
from .measure import fitted, text_width, wrapped
from .options import PictureOptions
from .scene import Label, Rect

_TITLE = 15.0
_LONGEST, _SWATCH, _APART = 150.0, 10.0, 16.0
#: Narrowest column of text above and below a tree that is narrow itself.
LEAST_WIDTH = 220.0


def header(tree: Tree, options: PictureOptions, width: float) -> tuple[list, float]:
    """Shapes above the tree, from (0, 0), in a column of this width; and their height."""
    items: list = []
    top = 0.0
    for line in wrapped(plain(options.title), _TITLE, width, 3) if options.title else []:
        items.append(Label(0.0, top + _TITLE * ASCENT, line, _TITLE, "start", "text", False))
        top += _TITLE * LEADING
    top += 4.0 if items else 0.0
    if tree.response.kind == CLASSES:
        swatches, height = _classes(tree, width, top)
    else:
        swatches, height = _name(tree, width, top)
    return items + swatches, top + height + 10.0


def _name(tree: Tree, width: float, top: float) -> tuple[list, float]:
    """The name of a response that is a number."""
    what = "events per exposure of" if tree.response.kind == RATE else "mean of"
    text = fitted(f"{what} {plain(tree.response.name)}", MAIN, width)
    return [Label(0.0, top + MAIN * ASCENT, text, MAIN)], MAIN * LEADING


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


def footer(
    tree: Tree, options: PictureOptions, scale: Scale | None, with_means: bool, width: float
) -> tuple[list, float]:
    """Shapes below the tree, from (0, 0): what lines and marks mean; and their height.

    ``scale`` is that of the numbers; ``with_means`` says that histograms show the mean of y.
    """
    items: list = []
    top = 10.0
    for text in _footnotes(tree, options, scale, with_means):
        for line in wrapped(text, SMALL, width, 4):
            items.append(Label(0.0, top + SMALL * ASCENT, line, SMALL, "start", "faint"))
            top += SMALL * LEADING
    return items, top


def _footnotes(tree: Tree, options: PictureOptions, scale: Scale | None, with_means: bool) -> list[str]:
    """One sentence a sign that occurs in this picture."""
    notes = []
    if scale is not None and options.content in ("bars", "counts"):
        spread = "mean ± sd" if tree.response.kind != RATE else "rate ± its standard error"
        notes.append(f"Dot and band: {spread}, from {few(scale.low)} to {few(scale.high)}; upright line: all rows.")
    if options.content == "histogram":
        notes.append("Histograms: the rows that come by, over the values of the feature tested; dashed: the cut.")
        if with_means:
            notes.append("Dots in histograms: mean of y in each bar.")
    if tree.n_nodes > 1:
        notes.append("The wider a line, the more rows go down it.")
    if len(tree.surrogates):
        notes.append(f"{ASKED} surrogate splits are tried first")
    if tree.heuristic.any():
        notes.append(f"{GROUPED} too many levels to try every grouping; this one was found by a heuristic")
    small = small_leaves_words(tree)
    if small:
        notes.append(f"{small}{'; range: 95 % interval' * (tree.response.kind == CLASSES)}.")
    return notes
