"""Error-based pruning as a choice: C4.5's pessimistic errors at a confidence, with subtree raising."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..._messages import Setting, must_be, remedy
from ...errors import ParameterError
from ...learning.learning_set import LearningSet
from ...tree.tree import Tree
from ..confidences import ConfidenceFamily
from ..error_based import Pessimism, prune_by_errors
from ..held_out import LeftOut
from ..raiser import raiser
from ..unreachable import drop_unreachable
from .checks import check_choice, check_loss, drop_default_folds
from .choice import Candidates, chosen
from .evidence import Evidence, Pruned
from .outcome import one_tree


@dataclass(frozen=True)
class ErrorBased:
    """C4.5's error-based pruning (Quinlan, 1993, chapter 4), for ``pruning=`` and ``prune()``.

    A leaf with N rows and e errors is expected to make U(N, e) errors on N new rows, where U is based on the upper
    confidence limit of the error rate. From the leaves to the root, a branch becomes a leaf, or is replaced by its
    largest branch, if this does not increase the expected number of errors. After raising, levels that can no longer
    reach a node are removed from its split, and branches that no row can reach are removed from the tree, as in release
    8 (groups of levels only).

    Parameters
    ----------
    confidence : float, or list of float
        CF, from 1e-300 to 0.5; a smaller value prunes more. If a list is given, held-out rows select the best value.
    raising : bool
        Also try to replace a node by its largest branch. This requires the training rows; after the fit, pass them to
        ``prune()``.
    deviate : {"quantile", "table"}
        Normal deviate of CF: exact, or from the table of release 8.
    nearly_all : {"rest", "two_thirds"}
        What is added if nearly all rows are errors: N - e, or 0.67 (N - e) as in release 8.
    largest : {"first", "last"}
        Which of several equally large branches is tried; release 8 and J48 try the last.
    rule : {"min", "1se"}
        For several confidences: which tree held-out rows select, as for :class:`CostComplexity`.
    folds : int or array-like of int, shape (n,), or None
        For several confidences: folds for cross-validation, as for :class:`CostComplexity`.
    holdout : float or None
        For several confidences: proportion of the rows that are held out before growing and evaluate the trees.
    loss : str or None
        Loss by which held-out rows choose: "brier", "log_loss", "error" or "cost" for classes, "squared_error",
        "poisson"; None means errors (their cost, if they have costs), squared error or deviance.

    Examples
    --------
    >>> from boxwood import C45Classifier, ErrorBased, datasets
    >>> X = datasets.load("titanic")
    >>> y = X.pop("survived")
    >>> [C45Classifier(pruning=ErrorBased(cf)).fit(X, y).get_n_leaves() for cf in (0.5, 0.25, 0.01)]
    [46, 20, 9]
    """

    name: ClassVar[str] = "error_based"

    confidence: Any = 0.25
    raising: bool = True
    deviate: str = "quantile"
    nearly_all: str = "rest"
    largest: str = "first"
    rule: str = "min"
    folds: Any = 10
    holdout: float | None = None
    loss: str | None = None

    def __post_init__(self) -> None:
        if isinstance(self.confidence, (list, tuple, np.ndarray)):
            # From the confidence that prunes least to the one that prunes most.
            grid = sorted({float(value) for value in self.confidence}, reverse=True)
            if len(grid) < 2:
                raise ParameterError(
                    Setting("confidence"), " must be a number, or a list of at least two different ones.",
                )  # fmt: skip
            object.__setattr__(self, "confidence", tuple(grid))
        drop_default_folds(self, not isinstance(self.confidence, tuple))
        check_choice(self.rule, self.folds, self.holdout)
        check_loss(self.loss)
        if not isinstance(self.raising, bool):
            raise ParameterError(must_be("raising", "True or False", self.raising))
        self._rules()

    @property
    def rows(self) -> str:
        """The kind of rows that ``prune()`` needs: raising requires the training rows."""
        return "learning" if self.raising else "validation"

    def prune(self, evidence: Evidence) -> Pruned:
        """Replace branches of the full tree by leaves or by their largest branches.

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
            The tree does not predict a class, raising lacks the training rows or is combined with priors or costs, or
            there are no rows to select a confidence.

        Examples
        --------
        >>> from boxwood import C45Classifier, ErrorBased, datasets
        >>> X = datasets.load("titanic")
        >>> y = X.pop("survived")
        >>> model = C45Classifier(pruning=None).fit(X, y)
        >>> model.prune(pruner=ErrorBased(raising=False)).get_n_leaves()
        25
        >>> model.prune(X, y, pruner=ErrorBased()).get_n_leaves()
        20
        """
        prune_at = self._prunes(evidence.tree, evidence.learning, evidence.keep)
        if not isinstance(self.confidence, tuple):
            return one_tree(evidence, prune_at(self.confidence))
        if self.raising and evidence.growth is None:
            raise ParameterError(
                f"the confidences {', '.join(f'{cf:g}' for cf in self.confidence)} with raising can only be chosen "
                "among while fitting, since after it prune() takes the rows of the fit only: give this pruner to "
                "pruning= at fit, name one confidence, or use ", Setting("raising", False),
                " with rows to validate with.",
            )  # fmt: skip
        family = ConfidenceFamily(evidence.tree, np.array(self.confidence), prune_at)
        choice = chosen(Candidates(family, self._of_fold, self.rule, self.folds, self.loss), evidence)
        return choice.pruned(family, "confidence")

    def _rules(self) -> dict[float, Pessimism]:
        """The rule of each confidence."""
        grid = self.confidence if isinstance(self.confidence, tuple) else (self.confidence,)
        return {cf: Pessimism(cf, self.deviate, self.nearly_all, self.largest) for cf in grid}

    def _prunes(
        self, tree: Tree, learning: LearningSet | None, keep: np.ndarray | None, by_rank: bool = False
    ) -> Callable[[float], Tree]:
        """The tree pruned at a confidence, with the rows that it grew from."""
        rules = self._rules()
        if not self.raising:
            return lambda confidence: prune_by_errors(tree, rules[confidence])
        if learning is None:
            raise ParameterError(
                "ErrorBased with raising needs the rows that the tree was grown from: ",
                remedy("give them (X and y) to prune(), or use ", Setting("raising", False), "."),
            )  # fmt: skip
        raised = raiser(learning, tree, keep, by_rank)
        return lambda confidence: drop_unreachable(raised(rules[confidence]))

    def _of_fold(self, tree: Tree, _: float, rows: LeftOut) -> tuple[ConfidenceFamily, np.ndarray]:
        """A fold's tree at the same confidences."""
        grown_from = (rows.learning, ~rows.rows, rows.rank_cuts) if self.raising else (None, None)
        prune_at = self._prunes(tree, *grown_from)
        points = np.array(self.confidence)
        return ConfidenceFamily(tree, points, prune_at), points
