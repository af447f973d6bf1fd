"""A multiway recipe passed to the kernel."""

from __future__ import annotations

from ..._messages import Learner, Setting, must_be, remedy
from ...errors import ParameterError
from ...statistics.responses.response import Response
from ..recipe import TABLE_POLICIES, Recipe


def check_multiway(recipe: Recipe, response: Response) -> None:
    """Refuse what multiway trees have no use for.

    Raises
    ------
    ParameterError
        The recipe holds something of that kind.
    """
    response.need_classes("one branch per level is grown by information gain, which needs classes; y is a number.")
    if any(factor != 1.0 for factor in response.search_factors):
        raise ParameterError(
            "priors and costs do not go with multiway trees; ",
            remedy("use ", Setting("class_weight"), ", or ", Learner("cart", "CARTClassifier"), "."),
        )  # fmt: skip
    if not recipe.has_kernel_search:
        raise ParameterError("multiway branching in the kernel goes with InOrder or Gain as criterion.")
    if recipe.missing.policy not in TABLE_POLICIES:
        words = ", ".join(map(repr, TABLE_POLICIES))
        raise ParameterError(must_be("missing", f"one of {words} with multiway trees", recipe.missing.policy))


def multiway_settings(recipe: Recipe, above: tuple[float, float] | None = None) -> dict:
    """A recipe as the kernel reads it; ``above``: weight and rows of the root of a tree that contains this one."""
    criterion, branching, termination = recipe.criterion, recipe.branching, recipe.termination
    return criterion.search_settings() | {
        "once": branching.once,
        "grouping": branching.grouping,
        "ordinal_levels": branching.ordinal_levels,
        "max_depth": -1 if termination.max_depth is None else termination.max_depth,
        "min_samples_split": termination.min_samples_split,
        "min_samples_leaf": termination.min_samples_leaf,
        "min_impurity_decrease": termination.min_impurity_decrease,
        "min_branch_weight": termination.min_branch_weight,
        "policy": recipe.missing.policy,
        "max_competitors": recipe.max_competitors,
        "rank_cuts": recipe.rank_cuts,
        "short_cuts": list(recipe.short_cuts),
        "root": list(above or ()),
    }
