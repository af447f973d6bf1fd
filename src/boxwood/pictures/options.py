"""Options of a tree picture: what is folded, what nodes show, and its direction."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._messages import Setting, must_be, remedy
from ..errors import ParameterError, ParameterTypeError, check_one_of

CONTENTS = ("bars", "counts", "histogram", "text")
#: What fits into a small node.
SMALL_CONTENTS = ("bars", "text")
DIRECTIONS = ("down", "right")
NODE_SIZES = ("normal", "small")
FITS = ("page",)
THEMES = ("auto", "light", "dark")


@dataclass(frozen=True)
class PictureOptions:
    """The options of a picture; every function and method that draws a tree takes these by name.

    Attributes
    ----------
    max_depth : int or None
        Draw nodes down to this depth; the root is at depth 0. None sets no limit.
    max_leaves : int, "all" or None
        At most so many ends are drawn, leaves and folded nodes; nodes with more rows are opened first. "all" and None
        draw all.
    min_share : float
        Fold nodes with less than this proportion of the total weight; from 0 to 1.
    content : {"bars", "counts", "histogram", "text"}
        The contents of a node: a bar of the classes, or mean and spread; the count of every class; the histogram of the
        feature that is split, with the cut (needs X and, for classes, y); or only text.
    direction : {"down", "right"} or None
        Where the leaves are; None is "down", or with ``fit="page"`` whichever is larger on the page.
    node_size : {"normal", "small"} or None
        "small" has one or two lines in a node, for trees of many leaves: prediction, rows, and the feature tested; the
        content is "bars" or "text". None is "normal", or with ``fit="page"`` whichever is larger on the page.
    align_leaves : bool or None
        Draw all leaves in one row (a column with ``direction="right"``) instead of each at its own depth. None is
        False, or with ``fit="page"`` whichever is larger on the page.
    fit : {"page"} or None
        "page" makes a picture of an A4 page, upright or lying, which the tree fills; nodes are folded until words are
        5 points high. None takes the space it needs.
    target_class : label or None
        Colour every node by the probability of this class, and print this probability instead of that of the
        predicted class.
    theme : {"auto", "light", "dark"}
        "auto" follows the system of the viewer in SVG, and is light in other formats.
    title : str or None
        A headline; None for none.
    node_numbers : bool
        Show the number of each node.
    """

    max_depth: int | None = None
    max_leaves: int | str | None = 30
    min_share: float = 0.0
    content: str = "bars"
    direction: str | None = None
    node_size: str | None = None
    align_leaves: bool | None = None
    fit: str | None = None
    target_class: object = None
    theme: str = "auto"
    title: str | None = None
    node_numbers: bool = False

    def __post_init__(self) -> None:
        """Check the values; "all" leaves are None.

        Raises
        ------
        ParameterError, ParameterTypeError
            A value is out of range or of a wrong type; the message names what is allowed.
        """
        if isinstance(self.max_leaves, str) and self.max_leaves == "all":
            object.__setattr__(self, "max_leaves", None)
        for name, least in (("max_depth", 0), ("max_leaves", 1)):
            _check_whole(name, getattr(self, name), least)
        _check_share(self.min_share)
        _check_choices(self)
        if self.title is not None and not isinstance(self.title, str):
            raise ParameterTypeError(must_be("title", "text or None", self.title))
        if not isinstance(self.node_numbers, (bool, np.bool_)):
            raise ParameterTypeError(must_be("node_numbers", "True or False", self.node_numbers))
        if self.align_leaves is not None and not isinstance(self.align_leaves, (bool, np.bool_)):
            raise ParameterTypeError(must_be("align_leaves", "True, False or None", self.align_leaves))


def _check_choices(options: PictureOptions) -> None:
    for name, choices in (("content", CONTENTS), ("theme", THEMES)):
        check_one_of(name, getattr(options, name), choices)
    for name, choices in (("direction", DIRECTIONS), ("node_size", NODE_SIZES), ("fit", FITS)):
        if getattr(options, name) is not None:
            check_one_of(name, getattr(options, name), choices)
    if options.node_size == "small" and options.content not in SMALL_CONTENTS:
        raise ParameterError(
            Setting("node_size", "small"), " has room for content 'bars' or 'text' only; got ",
            Setting("content", options.content), ". ",
            remedy("Choose one of these, or ", Setting("node_size", "normal")), ".",
        )  # fmt: skip


def _check_whole(name: str, value, least: int) -> None:
    if value is None:
        return
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        every = ", 'all'" * (name == "max_leaves")
        raise ParameterTypeError(must_be(name, f"a whole number{every} or None", value))
    if value < least:
        raise ParameterError(must_be(name, f"at least {least} or None", value))


def _check_share(value) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, float, np.number)):
        raise ParameterTypeError(must_be("min_share", "a number from 0 to 1", value))
    if not 0.0 <= value <= 1.0:
        raise ParameterError(must_be("min_share", "a number from 0 to 1", value))
