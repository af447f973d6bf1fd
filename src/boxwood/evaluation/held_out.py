"""What is known after a fit of rows that its tree did not learn from: those left out of folds, or held out."""

from __future__ import annotations

import numpy as np

from ..statistics.responses.registry import CLASSES, MEAN
from ..tree.interest import setting_of
from ..tree.tree import Tree
from ..views.figures import number
from .evaluate import evaluated_counts, judged_by_costs
from .evaluation import Evaluation

#: Rows whose weights of one are laid out in memory to find standard errors; more are not evaluated from counts.
MOST_HELD_OUT = 20_000_000


def held_out_of(model) -> Evaluation | None:
    """The evaluation of the rows that the pruner of a tree model left out, of which a confusion matrix was kept.

    None where there is none, or where rows are weighted: the model does not keep the weights.
    """
    tree, cv = model.full_tree, model.cv
    if cv is None or cv.get("confusion") is None or tree.row_weight[0] != tree.rows[0]:
        return None
    with np.errstate(over="ignore"):  # of a forged model, whose table is too large anyway
        n = float(cv["confusion"].sum())
    if not 1.0 <= n <= MOST_HELD_OUT:
        return None
    of = "held-out rows" if cv["judged_by"] == "validation" else "cross-validation"
    found = evaluated_counts(model.labels, cv["confusion"], np.ones(round(n)), of, model.response_name)
    return judged_by_costs(found, model.costs)


def _weighted(tree: Tree) -> bool:
    return tree.weight[0] != tree.rows[0] or setting_of(tree, "class_weight") is not None


def not_evaluated(tree: Tree) -> str:
    """That a tree has not been evaluated, with its main figure on the training set where the tree holds it."""
    leaves, kind = tree.leaves, tree.response.kind
    if _weighted(tree) or tree.rows[leaves].sum() != tree.rows[0]:
        return "Not evaluated."
    if kind == CLASSES:
        right = tree.moments[leaves, tree.value[leaves].astype(np.int64)].sum()
        return f"Not evaluated (training accuracy {number(float(right / tree.weight[0]))})."
    impurity = tree.impurity(tree.response.measures[0])
    loss, whole = float(tree.weight[leaves] @ impurity[leaves] / tree.weight[0]), float(impurity[0])
    if kind == MEAN:
        return f"Not evaluated (training R² {number(1.0 - loss / whole)})." if whole > 0 else "Not evaluated."
    return f"Not evaluated (training {next(iter(tree.response.losses.values()))} {number(loss)})."


def folds_words(cv: dict) -> str:
    """How many folds were evaluated, where not all were, to follow what their loss is called.

    Examples
    --------
    >>> folds_words({"folds": (2, 10)}), folds_words({"folds": (10, 10)})
    (' (2 of 10 folds)', '')
    """
    evaluated, drawn = cv.get("folds") or (0, 0)
    return f" ({evaluated} of {drawn} folds)" if evaluated < drawn else ""


def size_range_words(cv: dict) -> str:
    """How sure the choice of a size is, to follow the loss of the selected tree; nothing where losses are not known.

    Examples
    --------
    >>> from boxwood.evaluation.held_out import size_range_words
    >>> size_range_words({"leaves_within_1se": (3, 20)})
    '; trees of 3 to 20 leaves are within one standard error of the best'
    """
    if cv["leaves_within_1se"] is None:
        return ""
    least, most = cv["leaves_within_1se"]
    if least == most:
        size = "the single leaf is" if least == 1 else f"trees of {least} leaves are"
        return f"; only {size} within one standard error of the best"
    return f"; trees of {least} to {most} leaves are within one standard error of the best"


def held_out_words(cv: dict, mean: float, variance: float) -> str:
    """Whether held-out predictions of numbers are better than the mean of the training set, by their squared error.

    Parameters
    ----------
    cv : dict
        ``TreeModel.cv``.
    mean, variance : float
        Of the response in the training set.
    """
    mse, se, variance = cv["error"], cv["se"], max(variance, 0.0)  # sums of very large numbers may fall below 0
    better = "No better" if mse >= variance else "Not clearly better" if variance - mse < 1.96 * se else "Better"
    share = f" (R² {number(1.0 - mse / variance)})" if variance > 0 else ""
    return (
        f"{better} than always predicting the mean {number(mean)}: root mean squared error {number(mse**0.5)} against "
        f"{number(variance**0.5)}{share}."
    )
