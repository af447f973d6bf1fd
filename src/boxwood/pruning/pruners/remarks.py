"""What people should know about the size that held-out rows chose: a single leaf, or another size by another loss."""

from __future__ import annotations

import numpy as np

from ..._messages import Message, Setting, remedy
from ...tree.node_moments import moments_at
from ...tree.tree import Tree
from ..losses import OF_PROBABILITIES, loss_words

#: With fewer rows outside the largest class, a larger tree than the root must be better by a standard error.
FEW_ROWS = 25
#: Sizes that differ by this factor are worth a remark.
_FAR_APART = 3


def has_few_rows(tree: Tree) -> bool:
    """Whether fewer than :data:`FEW_ROWS` rows of the training set are outside the largest class."""
    counts = tree.response.counts(moments_at(tree, np.arange(1)))[0]
    return float(tree.rows[0]) * (1.0 - counts.max() / counts.sum()) < FEW_ROWS


def single_leaf(why: str, first: str = "") -> Message:
    """That a tree is a single leaf, why, and what to try (``first`` comes first)."""
    rest = "no pruning and leaves of at least 1 % of the rows, to see what the features offer."
    return Message(f"The tree is a single leaf: {why}. ", remedy("Try ", first, rest))


def remarks_on_size(leaves: dict[str, int], few_rows: bool) -> tuple[str, ...]:
    """Why a tree is a single leaf and what to try, or that another loss chooses another size.

    Parameters
    ----------
    leaves : dict of str to int
        Leaves chosen by each loss; the first loss is the one that counts.
    few_rows : bool
        See :func:`has_few_rows`.

    Examples
    --------
    >>> remarks_on_size({"brier": 12, "error": 2}, False)[0]
    "Held-out rows choose 12 leaves by the Brier score and 2 by the error; use loss='error' if only accuracy matters."
    """
    (loss, size), *others = leaves.items()
    if size == 1:
        better = Message(Setting("loss", others[0][0]), ", or ") if others and others[0][1] > 1 else ""
        return (single_leaf(_why(loss, others, few_rows), better),)
    if others and max(size, others[0][1]) >= _FAR_APART * min(size, others[0][1]):
        other, found = others[0]
        aim = "for probabilities and ranks" if other in OF_PROBABILITIES else "if only accuracy matters"
        words = f"{size} leaves by the {loss_words()[loss]} and {found} by the {loss_words()[other]}"
        use = remedy("use ", Setting("loss", other), f" {aim}.")
        return (Message(f"Held-out rows choose {words}; ", use),)
    return ()


def _why(loss: str, others: list[tuple[str, int]], few_rows: bool) -> str:
    why = f"no larger tree has a lower {loss_words()[loss]} on held-out rows"
    if few_rows and loss in OF_PROBABILITIES:
        return f"{why} by one standard error, needed with fewer than {FEW_ROWS} rows outside the largest class"
    if loss == "error" and others and others[0][1] > 1:
        return f"{why}, as when no leaf holds a majority of a rare class"
    return why
