"""How leaves are smoothed, and why a tree has only one."""

from __future__ import annotations

from ...growing.recipe import Recipe
from ...pruning.pruners.evidence import Pruner
from ...pruning.pruners.registry import evaluates
from ...statistics.responses.classes import M
from ...tree.tree import Tree


def on_a_single_leaf(full: Tree, recipe: Recipe) -> tuple[str, ...]:
    """Why a tree was not grown beyond its root; nothing where it was."""
    if len(full.rows) > 1:
        return ()
    if full.impurity()[0] == 0.0:
        return ("The tree is a single leaf: all rows have the same response.",)
    reached = recipe.termination.limit_at(0, int(full.rows[0]), float(full.weight[0]))
    return (f"The tree is a single leaf: {reached or 'no split meets the criterion and the limits of growth'}.",)


def smoothing_of(settings: dict, pruner: Pruner | None) -> str | float | None:
    """How probabilities are smoothed: "auto" where held-out rows choose the size by another loss than errors."""
    given, leaf = settings.get("smoothing"), settings.get("leaf", "majority")
    if given != "auto":
        return given
    if not isinstance(leaf, str) or leaf != "majority":
        return None  # a leaf of a composed tree that smooths, or is a model
    if settings.get("monotonic_cst") is not None:
        return None  # smoothed probabilities of leaves of other sizes need not be in order
    chooses = pruner is not None and evaluates(pruner) and getattr(pruner, "rule", "min") != "none"
    return M if chooses and pruner.loss not in (None, "error") and settings.get("compat") is None else None
