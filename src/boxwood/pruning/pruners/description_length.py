"""Minimum description length as a choice: no data held out, no parameter to set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..description_length import shortest_description
from .evidence import Evidence, Pruned
from .outcome import closed_nodes


@dataclass(frozen=True)
class MinimumDescriptionLength:
    """Pruning by minimum description length, for ``pruning=`` and ``prune()`` of classification trees.

    A tree is encoded node by node. One bit distinguishes leaves and splits. A split then takes log2 of the number of
    features and of the number of possible tests of this form; a leaf takes the classes of its rows in the
    Krichevsky-Trofimov code. The method is due to Quinlan and Rivest (1989); the code of the classes is the stochastic
    complexity of Mehta, Rissanen and Agrawal (1995) in its exact form. Rows are counted by their weights. See
    :func:`boxwood.pruning.description_length.shortest_description`.

    Examples
    --------
    >>> from boxwood import CARTClassifier, datasets
    >>> from boxwood.pruners import MinimumDescriptionLength
    >>> X = datasets.load("titanic")
    >>> y = X.pop("survived")
    >>> model = CARTClassifier(pruning=MinimumDescriptionLength()).fit(X, y)
    >>> model.pruning_path_.n_leaves.tolist()
    [253, 7]
    """

    name: ClassVar[str] = "mdl"
    rows: ClassVar[str] = "validation"
    holdout: ClassVar[None] = None

    def prune(self, evidence: Evidence) -> Pruned:
        """Find the pruned tree with the minimum description length.

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
            The tree does not predict a class.
        """
        closed, _ = shortest_description(evidence.tree)
        return closed_nodes(evidence, closed)
