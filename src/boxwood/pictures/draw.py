"""From a tree to a scene: the drawn tree with texts above and below, as large as it is, or fitted to a page."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from math import floor

from .._messages import Message, Setting, remedy
from ..errors import ParameterError
from ..tree.tree import Tree
from ..views.text import to_text
from ..views.words import plain
from .drawing import DrawnTree, draw_tree
from .folding import shown_nodes
from .legend import LEAST_WIDTH, footer, header
from .node_colours import TargetShades, target_shades
from .options import DIRECTIONS, NODE_SIZES, SMALL_CONTENTS, PictureOptions
from .rows import Rows
from .scene import Group, Scene, every_label, scaled

_MARGIN = 14.0
#: A4 in points, lying and upright, and its margin (10 mm).
_PAGES = ((841.89, 595.28), (595.28, 841.89))
_PAGE_MARGIN = 28.35
#: Words of this size are read with ease: larger ones do not make one layout better than another.
_READABLE = 8.0
#: All words on a page are at least so high, in points.
_LEAST_SIZE = 5.0
_FOLDED_FURTHER = f"Folded further, so that words are {_LEAST_SIZE:g} points high."
#: No page has room for so many leaves.
_MOST_LEAVES = 150
#: By how much words may be wider than usual where a page has room for them, the widest first.
_ROOMS = (3.0, 2.0, 1.5, 1.0)


def tree_scene(tree: Tree, options: PictureOptions, rows: Rows | None = None) -> Scene:
    """The picture of a tree as a scene.

    Parameters
    ----------
    tree : Tree
    options : PictureOptions
    rows : Rows, optional
        For ``content="histogram"``.

    Raises
    ------
    ParameterError
        Histograms are requested and there are no rows, or rows are given that nothing is drawn from; the tree has no
        such target class; all leaves are wanted and a page has no room for
        them.
    """
    if (options.content == "histogram") != (rows is not None):
        wanted = Message(" takes no X and y; they are for ", Setting("content", "histogram"), ".")
        end = " needs X, and y for classes." if rows is None else wanted
        raise ParameterError(Setting("content", options.content), end)
    if options.fit is None:
        shown, options = shown_nodes(tree, options), next(_layouts(options))
        shades = target_shades(tree, shown.nodes, options.target_class)
        return _as_large_as_it_is(tree, options, draw_tree(tree, shown, options, rows, shades), shades)
    best = _fitted(tree, options, rows, _ROOMS)
    if best.word_size < _LEAST_SIZE:
        best = _folded_further(tree, options, rows, best)
    return best.scene()


def _fitted(
    tree: Tree, options: PictureOptions, rows: Rows | None, rooms: tuple[float, ...], notes: tuple[str, ...] = ()
) -> _Fitted:
    """The layout that can be read best on its page; of equals the one whose words are widest."""
    shown = shown_nodes(tree, options)
    shades = target_shades(tree, shown.nodes, options.target_class)
    tries = []
    for room, each in product(rooms, _layouts(options)):
        drawing = draw_tree(tree, shown, each, rows, shades, room)
        tries.append(_Fitted(tree, each, replace(drawing, notes=(*drawing.notes, *notes)), shades))
    return max(tries, key=_Fitted.legibility)


def _folded_further(tree: Tree, options: PictureOptions, rows: Rows | None, best: _Fitted) -> _Fitted:
    """As many leaves as can be read on a page; ParameterError if all were wanted."""
    ends, notes = shown_nodes(tree, options).n_ends, (_FOLDED_FURTHER,)

    def is_small(leaves: int) -> bool:
        limited = replace(options, max_leaves=leaves)
        return _fitted(tree, limited, rows, (1.0,), notes).word_size < _LEAST_SIZE

    most = 1 + bisect_left(range(2, min(ends, _MOST_LEAVES)), True, key=is_small)
    if options.max_leaves is not None:
        return _fitted(tree, replace(options, max_leaves=most), rows, _ROOMS, notes)
    size = floor(10 * best.word_size) / 10
    raise ParameterError(
        f"an A4 page has no room for {ends:,} leaves: words would be {size:g} points high, and below {_LEAST_SIZE:g} "
        "they cannot be read; ",
        remedy("set ", Setting("max_leaves", most), " or fewer, or draw without ", Setting("fit", "page")), ".",
    )  # fmt: skip


def _layouts(options: PictureOptions) -> Iterator[PictureOptions]:
    """The options with every layout that they leave open; the first is the usual one."""
    sizes = NODE_SIZES if options.content in SMALL_CONTENTS else NODE_SIZES[:1]
    for size, direction, aligned in product(
        sizes if options.node_size is None else (options.node_size,),
        DIRECTIONS if options.direction is None else (options.direction,),
        (False, True) if options.align_leaves is None else (options.align_leaves,),
    ):
        yield replace(options, direction=direction, node_size=size, align_leaves=bool(aligned))


def _as_large_as_it_is(tree: Tree, options: PictureOptions, drawing: DrawnTree, shades: TargetShades | None) -> Scene:
    """The scene of a drawing, with a margin."""
    column = max(drawing.width, LEAST_WIDTH)
    above, top = header(tree, options, shades, column)
    below, end = footer(tree, options, drawing, column)
    left = _MARGIN + (column - drawing.width) / 2
    items = (
        Group(_MARGIN, _MARGIN, tuple(above)),
        Group(left, _MARGIN + top, drawing.items),
        Group(_MARGIN, _MARGIN + top + drawing.height, tuple(below)),
    )
    return _scene(tree, options, (column + 2 * _MARGIN, top + drawing.height + end + 2 * _MARGIN), items)


@dataclass(frozen=True)
class _Fitted:
    """A drawing that is to be fitted to the page on which it is larger."""

    tree: Tree
    options: PictureOptions
    drawing: DrawnTree
    shades: TargetShades | None

    @cached_property
    def word_size(self) -> float:
        """Height of the smallest words of the tree on the page, in points."""
        return max(map(self._scale, _PAGES)) * min(label.size for *_, label in every_label(self.drawing.items))

    def legibility(self) -> float:
        """How well it can be read: the size of its words up to one that is read with ease."""
        return min(self.word_size, _READABLE)

    def scene(self) -> Scene:
        """The page: texts in their usual size, the tree between them in the middle."""
        page = max(_PAGES, key=self._scale)
        (above, top), (below, end) = self._texts(page)
        scale, width = self._scale(page), page[0] - 2 * _PAGE_MARGIN
        left = _PAGE_MARGIN + (width - self.drawing.width * scale) / 2
        items = (
            Group(_PAGE_MARGIN, _PAGE_MARGIN, tuple(above)),
            Group(left, _PAGE_MARGIN + top, scaled(self.drawing.items, scale)),
            Group(_PAGE_MARGIN, page[1] - _PAGE_MARGIN - end, tuple(below)),
        )
        return _scene(self.tree, self.options, page, items)

    def _texts(self, page: tuple[float, float]) -> tuple[tuple[list, float], tuple[list, float]]:
        """The parts above and below, with their height."""
        width = page[0] - 2 * _PAGE_MARGIN
        above = header(self.tree, self.options, self.shades, width)
        return above, footer(self.tree, self.options, self.drawing, width)

    def _scale(self, page: tuple[float, float]) -> float:
        """By how much the tree is made smaller to fill the page; never larger."""
        (_, top), (_, end) = self._texts(page)
        free = page[1] - 2 * _PAGE_MARGIN - top - end
        return min(1.0, (page[0] - 2 * _PAGE_MARGIN) / self.drawing.width, max(free, 1.0) / self.drawing.height)


def _scene(tree: Tree, options: PictureOptions, size: tuple[float, float], items: tuple) -> Scene:
    title = plain(options.title) if options.title else headline(tree)
    return Scene(*size, items, title, to_text(tree, max_lines=60, width=None))


def headline(tree: Tree) -> str:
    """Which tree this is, in one line."""
    algorithm = tree.made_by.get("algorithm")
    by = f" ({plain(str(algorithm))})" if algorithm else ""
    leaves = f"{tree.n_leaves} {'leaf' if tree.n_leaves == 1 else 'leaves'}"
    return f"Decision tree{by} for {plain(tree.response.name)}, {leaves}"
