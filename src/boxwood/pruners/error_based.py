"""Error-based pruning as a choice: C4.5's pessimistic errors at a confidence, with subtree raising."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..errors import ParameterError
from ..learning.held_out import LeftOut
from ..learning.learning_set import LearningSet
from ..pruning.confidences import ConfidenceFamily
from ..pruning.error_based import Pessimism, prune_by_errors
from ..pruning.unreachable import drop_unreachable
from ..tree.tree import Tree
from .choice import Candidates, check_choice, chosen, drop_default_folds
from .evidence import Evidence, Pruned
from .outcome import one_tree


@dataclass(frozen=True)
class ErrorBased:
    """C4.5's error-based pruning (Quinlan 1993, chapter 4), for ``pruning=`` and ``prune()``.

    A leaf with N rows and e errors is expected to make U(N, e) errors on as many new rows: the upper limit of the error
    rate at a confidence. From the leaves to the root, a branch becomes a leaf, or is replaced by its largest branch,
    when that promises no more errors. With raising, levels that the splits above keep from a node then leave its split,
    and branches that nothing can come to leave the tree, as in release 8 (groups of levels only).

    Parameters
    ----------
    confidence : float, or list of float
        CF, from 1e-300 to 0.5; the smaller, the more is pruned. Of several, held-out rows take the best.
    raising : bool
        Also try the largest branch in the place of its parent. It needs the rows that the tree was grown from: at fit
        they are there; after the fit give them to ``prune()``.
    deviate : {"quantile", "table"}
        Normal deviate of CF: exact, or release 8's table.
    nearly_all : {"rest", "two_thirds"}
        What is added where nearly all rows are wrong: N - e, or release 8's 0.67 (N - e).
    largest : {"first", "last"}
        Which of several largest branches is tried; release 8 takes the last.
    rule : {"min", "1se"}
        For several confidences: which tree held-out rows choose, as for :class:`CostComplexity`.
    folds : int or array-like of int, shape (n,), or None
        For several confidences: folds to cross-validate with, as for :class:`CostComplexity`.
    holdout : float or None
        For several confidences: share of the rows that is held out before growth and evaluates instead of folds.

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

    def __post_init__(self) -> None:
        if isinstance(self.confidence, (list, tuple, np.ndarray)):
            # From the confidence that prunes least to the one that prunes most.
            grid = sorted({float(value) for value in self.confidence}, reverse=True)
            if len(grid) < 2:
                raise ParameterError("confidence must be a number, or a list of at least two different ones.")
            object.__setattr__(self, "confidence", tuple(grid))
        drop_default_folds(self, not isinstance(self.confidence, tuple))
        check_choice(self.rule, self.folds, self.holdout)
        if not isinstance(self.raising, bool):
            raise ParameterError(f"raising must be True or False; got {self.raising!r}.")
        self._rules()

    @property
    def rows(self) -> str:
        """What rows given to ``prune()`` are: raising wants those that the tree was grown from."""
        return "learning" if self.raising else "validation"

    def prune(self, evidence: Evidence) -> Pruned:
        """The full tree with its branches replaced.

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
            The tree does not predict a class, the rows that raising needs are not there, or nothing to choose a
            confidence with; or raising meets priors or costs.

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
                "pruning= at fit, name one confidence, or use raising=False with rows to validate with."
            )
        family = ConfidenceFamily(evidence.tree, np.array(self.confidence), prune_at)
        choice = chosen(Candidates(family, self._of_fold, self.rule, self.folds), evidence)
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
                "ErrorBased with raising needs the rows that the tree was grown from: give them (X and y) to prune(), "
                "or use raising=False."
            )
        raised = learning.raiser(tree, keep, by_rank)
        return lambda confidence: drop_unreachable(raised(rules[confidence]))

    def _of_fold(self, tree: Tree, _: float, rows: LeftOut) -> tuple[ConfidenceFamily, np.ndarray]:
        """A fold's tree at the same confidences."""
        grown_from = (rows.learning, ~rows.rows, rows.rank_cuts) if self.raising else (None, None)
        prune_at = self._prunes(tree, *grown_from)
        points = np.array(self.confidence)
        return ConfidenceFamily(tree, points, prune_at), points
