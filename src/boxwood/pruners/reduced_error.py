"""Reduced error pruning as a choice: held-out rows decide which branches err more than a leaf would."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..errors import check_one_of
from ..pruning.held_out_nodes import held_out_nodes
from ..pruning.reduced_error import TIES, reduced_error
from .choice import check_holdout
from .evidence import Evidence, Pruned
from .outcome import closed_nodes


@dataclass(frozen=True)
class ReducedError:
    """Reduced error pruning (Quinlan 1987), for ``pruning=`` and ``prune()``.

    From the leaves to the root, a node becomes a leaf when the rows that the tree was not grown from are said no worse
    by the leaf than by the best tree below it. The loss is that of the response: expected cost, squared error or
    deviance.

    Parameters
    ----------
    ties : {"prune", "keep"}
        "prune" when the leaf is not worse (Quinlan; the smallest tree of least loss); "keep" unless the leaf is better
        (the rule of many textbooks; the largest tree of least loss).
    holdout : float or None
        At fit: the share of the rows, drawn from the data's content, that is held out before the tree is grown. Rows
        given to ``prune()`` take its place.

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

    def __post_init__(self) -> None:
        check_holdout(self.holdout)
        check_one_of("ties", self.ties, TIES)

    def prune(self, evidence: Evidence) -> Pruned:
        """The pruned tree of least loss on the held-out rows.

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
            There are no such rows.
        """
        rows = evidence.needed_validation(type(self).__name__).ends(evidence.tree)
        nodes = held_out_nodes(evidence.tree, rows)
        return closed_nodes(evidence, reduced_error(evidence.tree, nodes, self.ties))
