"""Options of a tree picture: what is folded, what nodes show, and its direction."""

from __future__ import annotations

import difflib
from dataclasses import dataclass, fields

import numpy as np

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
        Deepest level drawn, the root being 0; None for no limit.
    max_leaves : int or None
        At most so many ends are drawn, leaves and folded nodes; nodes with more rows are opened first. None draws all.
    min_share : float
        A node with less than this share of the root's weight is not opened; from 0 to 1.
    content : {"bars", "counts", "histogram", "text"}
        What stands in a node: a bar of the classes, or mean and spread; the count of every class; the histogram of the
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
        "page" makes a picture of an A4 page, upright or lying, which the tree fills; None takes the space it needs.
    target_class : label or None
        Colour every node by the probability of this class, and write it in place of that of the predicted class.
    theme : {"auto", "light", "dark"}
        "auto" follows the reader's system where the picture is SVG, and is light elsewhere.
    title : str or None
        A headline; None for none.
    node_numbers : bool
        Write the number of each node beside it.
    digits : int or None
        Thresholds are written as the shortest numbers that separate the neighbouring training values; where these are
        not known, in so many significant digits, whole parts never rounded. None writes them exactly. The exact
        condition is always in the note of the node (SVG).
    """

    max_depth: int | None = None
    max_leaves: int | None = 30
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
    digits: int | None = 6


def picture_options(given: dict) -> PictureOptions:
    """Options from keyword arguments.

    Raises
    ------
    ParameterError, ParameterTypeError
        There is no such option, or its value is out of range or of a wrong type; the message names what is allowed.
    """
    known = [field.name for field in fields(PictureOptions)]
    for name in given:
        if name not in known:
            near = difflib.get_close_matches(name, known, 1)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            raise ParameterTypeError(f"there is no option {name!r}; the options are {', '.join(known)}.{hint}")
    options = PictureOptions(**given)
    for name, least in (("max_depth", 0), ("max_leaves", 1), ("digits", 1)):
        _check_whole(name, getattr(options, name), least)
    _check_share(options.min_share)
    _check_choices(options)
    if options.title is not None and not isinstance(options.title, str):
        raise ParameterTypeError(f"title must be text or None; got {options.title!r}.")
    if not isinstance(options.node_numbers, (bool, np.bool_)):
        raise ParameterTypeError(f"node_numbers must be True or False; got {options.node_numbers!r}.")
    if options.align_leaves is not None and not isinstance(options.align_leaves, (bool, np.bool_)):
        raise ParameterTypeError(f"align_leaves must be True, False or None; got {options.align_leaves!r}.")
    return options


def _check_choices(options: PictureOptions) -> None:
    for name, choices in (("content", CONTENTS), ("theme", THEMES)):
        check_one_of(name, getattr(options, name), choices)
    for name, choices in (("direction", DIRECTIONS), ("node_size", NODE_SIZES), ("fit", FITS)):
        if getattr(options, name) is not None:
            check_one_of(name, getattr(options, name), choices)
    if options.node_size == "small" and options.content not in SMALL_CONTENTS:
        raise ParameterError(
            f"node_size='small' has room for content 'bars' or 'text' only; got content={options.content!r}. "
            "Choose one of these, or node_size='normal'."
        )


def _check_whole(name: str, value, least: int) -> None:
    if value is None:
        return
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise ParameterTypeError(f"{name} must be a whole number or None; got {value!r}.")
    if value < least:
        raise ParameterError(f"{name} must be at least {least} or None; got {value!r}.")


def _check_share(value) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, float, np.number)):
        raise ParameterTypeError(f"min_share must be a number from 0 to 1; got {value!r}.")
    if not 0.0 <= value <= 1.0:
        raise ParameterError(f"min_share must be a number from 0 to 1; got {value!r}.")
