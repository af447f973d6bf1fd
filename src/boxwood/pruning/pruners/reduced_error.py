"""Reduced error pruning as a choice: held-out rows decide which branches err more than a leaf would."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ...errors import check_one_of
from ..held_out_nodes import held_out_nodes
from ..reduced_error import TIES, reduced_error
from .checks import check_holdout, check_loss
from .evidence import Evidence, Pruned
from .outcome import closed_nodes


@dataclass(frozen=True)
class ReducedError:
    """Reduced error pruning (Quinlan, 1987), for ``pruning=`` and ``prune()``.

    From the leaves to the root, a node becomes a leaf if this does not increase the loss on held-out rows, compared
    with the best pruned branch below it. The loss is the expected cost, the squared error or the deviance.

    Parameters
    ----------
    ties : {"prune", "keep"}
        "prune" collapses a node if the leaf is not worse (Quinlan; the smallest tree with minimum loss); "keep"
        collapses it only if the leaf is better (the rule of many textbooks; the largest tree with minimum loss).
    holdout : float or None
        For ``fit``, the proportion of the rows, selected by their content, that are held out before the tree is grown.
        Rows passed to ``prune()`` replace them.
    loss : str or None
        Loss by which held-out rows choose: "brier", "log_loss", "error" or "cost" for classes, "squared_error",
        "poisson"; None means errors (their cost, if they have costs), squared error or deviance.

    Examples
    --------
    >>> from boxwood import CARTClassifier, datasets
    >>> from boxwood.pruners import ReducedError
    >>> X = datasets.load("titanic")
    >>> y = X.pop("survived")
    >>> model = CARTClassifier(pruning=ReducedError(holdout=0.3)).fit(X, y)
    >>> before, after = model.pruning_path_.losses
    >>> bool(after < before)
    True
    """

    name: ClassVar[str] = "reduced_error"
    rows: ClassVar[str] = "validation"

    ties: str = "prune"
    holdout: float | None = 1 / 3
    loss: str | None = None

    def __post_init__(self) -> None:
        check_holdout(self.holdout)
        check_loss(self.loss)
        check_one_of("ties", self.ties, TIES)

    def prune(self, evidence: Evidence) -> Pruned:
        """Find the pruned tree with the minimum loss on the held-out rows.

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
        return closed_nodes(evidence, reduced_error(evidence.tree, nodes, self.ties), self.loss)
