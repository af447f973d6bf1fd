"""The texts above and below a tree: headline, colours of the classes, and what lines and marks mean."""

from __future__ import annotations

from ..tree.tree import Tree
from ..views.small_leaves import small_leaves_words
from ..views.words import plain
from .blocks import ASCENT, LEADING, SMALL
from .branch_words import GROUPED, SURROGATES
from .drawing import DrawnTree
from .measure import wrapped
from .node_colours import TargetShades
from .options import PictureOptions
from .predicted import pictures_of
from .scene import Label
from .swatches import scale_of_target

_TITLE = 15.0
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
        swatches, height = scale_of_target(tree, shades, width, top)
    else:
        swatches, height = pictures_of(tree.response).swatches(tree, width, top)
    return items + swatches, top + height + 10.0


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
    notes = list(drawing.notes)
    if options.content == "histogram":
        notes.append("Histograms: the rows that come by, over the values of the feature tested; dashed: the cut.")
    notes += drawing.words.predicted.footnotes()
    if tree.n_nodes > 1:
        notes.append("The wider a line, the more rows go down it.")
    if len(tree.surrogates):
        notes.append(f"{SURROGATES} surrogate splits are tried first")
    if tree.heuristic.any():
        notes.append(f"{GROUPED} too many levels to try every grouping; this one was found by a heuristic")
    small = small_leaves_words(tree)
    if small:
        notes.append(f"{small}{drawing.words.predicted.small_leaves}.")
    return notes
