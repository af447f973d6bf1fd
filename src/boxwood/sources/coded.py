"""The search over codes (kernel/coded/): which recipes it serves, and whole trees from it, one or several at once."""

from __future__ import annotations

import numpy as np

from .. import _kernel
from ..statistics.exact import Exact
from ..statistics.response import CLASSES, Response
from .branching import Branching
from .criterion import Criterion
from .recipe import Recipe

#: Classes and rows up to which the cells of its tables hold, levels up to which its codes do.
MOST_CLASSES, MOST_ROWS, MOST_LEVELS = 256, 2**26, 65_535


def serves(recipe: Recipe, response: Response, exact: Exact) -> bool:
    """Whether the search over codes can grow by this recipe; the general grower serves all.

    It leaves out what cannot win, so it knows no runners-up.
    """
    if not isinstance(recipe.branching, Branching) or not isinstance(recipe.criterion, Criterion):
        return False
    criterion, missing = recipe.criterion, recipe.missing
    if criterion.order_by_mean:
        return False
    if recipe.max_competitors or missing.rpart_quirk:
        return False
    if not all(f > 0.0 for f in response.search_factors):
        return False
    return exact.n < MOST_ROWS and (response.kind != CLASSES or 2 <= len(response.labels) <= MOST_CLASSES)


def grown(encoded, given: tuple[dict, dict], threads: int, keeps: list[np.ndarray] | None = None) -> list[dict] | None:
    """The arrays of whole trees; None where the general grower must do it.

    Parameters
    ----------
    encoded : EncodedColumns
    given : (dict, dict)
        The response of all its rows and the settings, as the kernel reads them.
    threads : int
    keeps : list of bool arrays of shape (n,), optional
        The rows of each tree; None = one tree of all rows.
    """
    if encoded.codes is None:
        return None
    response, settings = given
    if settings["policy"] == "surrogate" and settings["max_surrogates"] and encoded.has_levels:
        return None  # sets of levels stand in only in the general grower
    rows = None if keeps is None else [np.flatnonzero(keep).astype(np.uint32) for keep in keeps]
    ranks = encoded.table if settings["rank_cuts"] else None
    return _kernel.grow_coded(encoded.codes, response, settings, threads, rows, ranks)
