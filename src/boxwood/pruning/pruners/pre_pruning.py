"""Pre-pruning on a validation set as a choice: no split that does not help held-out rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ...errors import check_one_of
from ..held_out_nodes import held_out_nodes
from ..pre_pruning import TIES, UNREACHED, pre_pruned
from .checks import check_holdout, check_loss
from .evidence import Evidence, Pruned
from .outcome import closed_nodes


@dataclass(frozen=True)
class PrePruning:
    """Pre-pruning with a validation set (note S0; Zhou, Machine Learning, 4.3.1), for ``pruning=`` and ``prune()``.

    Before a node is split, its loss as a leaf on held-out rows is compared with the loss after this single split. A
    split depends only on the rows of its node, so checking the full tree from the root down gives the same result as
    checking while the tree is grown. The full tree remains available to other pruners.

    Parameters
    ----------
    ties : {"prune", "keep"}
        "prune" cancels a split that does not change the loss (the rule of the textbook); "keep" makes it (the rule of
        the note, which cancels only splits that increase the loss).
    unreached : {"leaf", "grow"}
        If no held-out row reaches a node, "leaf" makes it a leaf and "grow" keeps its splits.
    holdout : float or None
        For ``fit``, the proportion of the rows, selected by their content, that are held out before the tree is grown.
        Rows passed to ``prune()`` replace them.
    loss : str or None
        Loss by which held-out rows choose: "brier", "log_loss", "error" or "cost" for classes, "squared_error",
        "poisson"; None means errors (their cost, if they have costs), squared error or deviance.

    Examples
    --------
    >>> from boxwood import CARTClassifier
    >>> from boxwood.pruners import PrePruning
    >>> X, y = [[i] for i in range(60)], ["no"] * 30 + ["yes"] * 30
    >>> CARTClassifier(pruning=PrePruning(holdout=0.25)).fit(X, y).get_n_leaves()
    2
    """

    name: ClassVar[str] = "pre_pruning"
    rows: ClassVar[str] = "validation"

    ties: str = "prune"
    unreached: str = "leaf"
    holdout: float | None = 1 / 3
    loss: str | None = None

    def __post_init__(self) -> None:
        check_holdout(self.holdout)
        check_loss(self.loss)
        check_one_of("ties", self.ties, TIES)
        check_one_of("unreached", self.unreached, UNREACHED)

    def prune(self, evidence: Evidence) -> Pruned:
        """Check each split with the held-out rows, from the root down.

        Parameters
        ----------
        evidence : Evidence
            The full tree, with the rows or folds that evaluate subtrees.

        Returns
        -------
        Pruned
            The pruned tree and, if there is one, the sequence from which it was selected.

        Raises
        ------
        ParameterError
            There are no held-out rows.
        """
        rows = evidence.needed_validation(type(self).__name__).ends(evidence.tree)
        nodes = held_out_nodes(evidence.tree, rows, self.loss)
        return closed_nodes(evidence, pre_pruned(evidence.tree, nodes, self.ties, self.unreached), self.loss)
