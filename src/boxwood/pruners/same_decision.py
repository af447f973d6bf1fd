"""Collapse of branches with the same prediction, as a choice: a smaller tree that predicts the same classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..pruning.collapse import collapse_same_decision
from .evidence import Evidence, Pruned
from .outcome import one_tree


@dataclass(frozen=True)
class SameDecision:
    """A node below which all leaves predict the same class becomes a leaf, for ``pruning=`` and ``prune()``.

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
        """The smallest tree that says the same.

        Parameters
        ----------
        evidence : Evidence
            The full tree, with the rows or folds that evaluate subtrees.

        Returns
        -------
        Pruned
            The pruned tree, with the sequence it was chosen from where there is one.

        Raises
        ------
        ParameterError
            The tree predicts a number.
        """
        return one_tree(evidence, collapse_same_decision(evidence.tree))
