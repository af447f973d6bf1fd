"""Minimum description length as a choice: no data held out, no parameter to set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..pruning.description_length import shortest_description
from .evidence import Evidence, Pruned
from .outcome import closed_nodes


@dataclass(frozen=True)
class MinimumDescriptionLength:
    """The pruned classification tree with the shortest description, for ``pruning=`` and ``prune()``.

    A tree is encoded node by node: one bit for leaf or split; then log2 of the number of features and of the tests of
    this form, or at a leaf the classes of its rows, by the Krichevsky-Trofimov code. The idea is by Quinlan and Rivest
    (1989); the code of the classes is the stochastic complexity of Mehta, Rissanen and Agrawal (1995) in its exact
    form. Rows count by their weights. See :func:`boxwood.pruning.description_length.shortest_description`.

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
        """The pruned tree of least description length.

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
            The tree does not predict a class.
        """
        closed, _ = shortest_description(evidence.tree)
        return closed_nodes(evidence, closed)
