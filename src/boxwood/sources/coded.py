"""The search over codes (kernel/search/): which recipes it serves, and whole trees from it, one or several at once."""

from __future__ import annotations

import numpy as np

from .. import _kernel
from ..growing.branching import Binary
from ..growing.recipe import Recipe
from ..statistics.exact import Exact
from ..statistics.response import CLASSES, Response
from .kernel_form import ONES, kernel_settings

#: Classes and rows up to which the cells of its tables hold, levels up to which its codes do.
MOST_CLASSES, MOST_ROWS, MOST_LEVELS = 256, 2**26, 65_535
#: Classes of rows that count one each up to which it is the faster one.
MOST_PLAIN_CLASSES = 32
#: Rows a class from which it is the faster one for more classes, whose tables have a word for each class.
ROWS_A_CLASS = 1000
#: Limit of depth up to which it is the faster one by classification error: beyond, its bounds leave nothing out.
MOST_DEPTH_OF_ERRORS = 12


def serves(recipe: Recipe, response: Response, exact: Exact) -> bool:
    """Whether the search over codes can grow by this recipe; the general grower serves all.

    It leaves out what cannot win, so it knows no runners-up.
    """
    known = recipe.remembered
    if "by_codes" not in known:
        known["by_codes"] = _serves_recipe(recipe)
    if not known["by_codes"]:
        return False
    # Errors that weigh are left to the general grower: their sums are rounded in another order here.
    if recipe.criterion.measure == "error" and not (exact.weight is None and ONES.issuperset(response.search_factors)):
        return False
    return exact.n < MOST_ROWS and (response.kind != CLASSES or _holds(response, exact))


def is_faster(recipe: Recipe, response: Response, exact: Exact, cuts_numbers: bool) -> bool:
    """Whether it grows what it serves faster than the general grower does. `cuts_numbers`: a column is numeric."""
    few = response.kind != CLASSES or len(response.labels) <= MOST_PLAIN_CLASSES
    if few or exact.n >= ROWS_A_CLASS * len(response.labels):
        return True
    return recipe.criterion.measure == "entropy" and cuts_numbers  # whose cuts it screens better


def _holds(response: Response, exact: Exact) -> bool:
    """Whether its tables hold these classes, and are the faster way."""
    is_plain = ONES.issuperset(response.search_factors)
    if not is_plain and not all(f > 0.0 for f in response.search_factors):
        return False
    return 2 <= len(response.labels) <= (MOST_PLAIN_CLASSES if is_plain and exact.weight is None else MOST_CLASSES)


def _serves_recipe(recipe: Recipe) -> bool:
    """What the recipe alone decides."""
    if recipe.search != Binary.search:
        return False
    criterion, missing = recipe.criterion, recipe.missing
    if criterion.order_by_mean:
        return False
    # Cuts that save no error tie by the thousand in deep trees, and bounds leave none of them out.
    depth = recipe.termination.max_depth
    if criterion.measure == "error" and (depth is None or depth > MOST_DEPTH_OF_ERRORS):
        return False
    # One random problem in a thousand (three classes, weights) grew another tree there than the general grower does.
    if criterion.measure == "error" and missing.policy == "own_branch":
        return False
    return not (recipe.max_competitors or missing.rpart_quirk)


def read_settings(recipe: Recipe):
    """A recipe as the kernel has read it; remembered with the recipe, because many fits use the same."""
    known = recipe.remembered
    if "settings" not in known:
        known["settings"] = _kernel.Settings(kernel_settings(recipe))
    return known["settings"]


def grown(encoded, recipe: Recipe, given: tuple, threads: int, keeps: list[np.ndarray] | None = None) -> list | None:
    """The arrays of whole trees; None where the general grower must do it.

    Parameters
    ----------
    encoded : EncodedColumns
    recipe : Recipe
    given : (dict, dict or Settings)
        The response of all its rows and the settings of the recipe, as the kernel reads them.
    threads : int
    keeps : list of bool arrays of shape (n,), optional
        The rows of each tree; None = one tree of all rows.
    """
    if encoded.codes is None:
        return None
    response, settings = given
    rows = None if keeps is None else [np.flatnonzero(keep).astype(np.uint32) for keep in keeps]
    ranks = encoded.table if recipe.rank_cuts else None
    return _kernel.grow_coded(encoded.codes, response, settings, threads, rows, ranks)
