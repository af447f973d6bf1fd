"""The rows of a node in words: where probabilities are not the shares of its rows, with the rows of a class."""

from __future__ import annotations

from ..tree.tree import Tree
from .figures import percent
from .words import amount


def counted(tree: Tree, node: int, k: int, plain: str = "") -> str:
    """How many rows a node has; where probabilities are weighted or smoothed, how many of them are of class ``k``.

    Where weights differ, their sums follow; where classes weigh otherwise than their rows, the share of the rows.

    Parameters
    ----------
    tree : Tree
        Of classes.
    node, k : int
        The node has rows.
    plain : str
        The words instead where probabilities are the shares of the rows.

    Examples
    --------
    >>> from boxwood import CARTClassifier
    >>> from boxwood.views.counted import counted
    >>> X, y = {"x": [0] * 10 + [1] * 10}, ["a"] * 8 + ["b"] * 2 + ["b"] * 8 + ["a"] * 2
    >>> tree = CARTClassifier(class_weight={"a": 50, "b": 1}, pruning=None).fit(X, y).tree_
    >>> tree.probability[2, 0].round(3).item(), counted(tree, 2, 0)
    (0.926, '2 of 10 rows, 20.0 %')
    """
    if not tree.response.is_altered and plain:
        return plain
    rows, weight = int(tree.rows[node]), float(tree.row_weight[node])
    return of_class(tree, float(tree.counts[node, k]), weight, rows)


def of_class(tree: Tree, count: float, weight: float, rows: int) -> str:
    """The same for a number of rows and the weight of those of a class among them."""
    words = f"{rows:,} row{'s' * (rows != 1)}"
    if weight == rows and count.is_integer():
        words = f"{count:,.0f} of {words}"
    else:
        words += f", weight {amount(count)} of {amount(weight)}"
    return f"{words}, {percent(count / weight)}" if tree.response.is_weighted else words


def brief(tree: Tree, node: int, k: int) -> str:
    """How many rows of a node, or what weight of them, are of class ``k``, in few letters."""
    count, weight = float(tree.counts[node, k]), float(tree.row_weight[node])
    words = [f"{part:,.0f}" if part.is_integer() else amount(part) for part in (count, weight)]
    return " of ".join(words)
