"""Collapse of branches with the same prediction, as a choice: a smaller tree that predicts the same classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..collapse import collapse_same_decision
from .evidence import Evidence, Pruned
from .outcome import one_tree


@dataclass(frozen=True)
class SameDecision:
    """Collapse nodes below which all leaves predict the same class, for ``pruning=`` and ``prune()``.

    Predicted classes do not change; probabilities become coarser.

    Examples
    --------
    >>> from boxwood import CARTClassifier
    >>> from boxwood.pruners import SameDecision
    >>> X, y = [[1], [2], [3], [3], [4]], ["no", "no", "yes", "no", "no"]
    >>> model = CARTClassifier(pruning=None).fit(X, y)
    >>> model.get_n_leaves(), model.prune(pruner=SameDecision()).get_n_leaves()
    (3, 1)
    """

    name: ClassVar[str] = "same_decision"
    rows: ClassVar[str] = "validation"
    holdout: ClassVar[None] = None

    def prune(self, evidence: Evidence) -> Pruned:
        """Find the smallest tree that predicts the same classes.

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
            The tree predicts a number.
        """
        return one_tree(evidence, collapse_same_decision(evidence.tree))
