"""Pre-pruning on a validation set as a choice: no split that does not help held-out rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..errors import check_one_of
from ..pruning.held_out_nodes import held_out_nodes
from ..pruning.pre_pruning import TIES, UNREACHED, pre_pruned
from .choice import check_holdout
from .evidence import Evidence, Pruned
from .outcome import closed_nodes


@dataclass(frozen=True)
class PrePruning:
    """Pre-pruning on a validation set (lecture note S0; Zhou, Machine Learning, 4.3.1), for ``pruning=``, ``prune()``.

    A node that is about to be split is evaluated by the rows that the tree is not grown from: the loss of the node as a
    leaf against that of this one split. A split depends only on the rows of its own node, so checking from the root of
    the full tree down gives the tree that asking while growing would have given; the full tree stays at hand for other
    pruners.

    Parameters
    ----------
    ties : {"prune", "keep"}
        A split that changes nothing on these rows is cancelled (the textbook's rule), or made (the note's rule: it is
        cancelled when it makes things worse).
    unreached : {"leaf", "grow"}
        A node that none of these rows reaches stays a leaf, or is split as the recipe says.
    holdout : float or None
        At fit: the share of the rows, drawn from the data's content, that is held out before the tree is grown. Rows
        given to ``prune()`` take its place.

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

    def __post_init__(self) -> None:
        check_holdout(self.holdout)
        check_one_of("ties", self.ties, TIES)
        check_one_of("unreached", self.unreached, UNREACHED)

    def prune(self, evidence: Evidence) -> Pruned:
        """The tree whose splits the held-out rows wanted one by one, from the root down.

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
        return closed_nodes(evidence, pre_pruned(evidence.tree, nodes, self.ties, self.unreached))
