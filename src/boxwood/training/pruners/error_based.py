"""Error-based pruning as a choice: C4.5's pessimistic estimate of errors, with subtree raising."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...errors import ParameterError
from ...pruning.error_based import Pessimism, prune_and_raise, prune_by_errors
from .evidence import Evidence, Pruned


@dataclass(frozen=True)
class ErrorBased:
    """Error-based pruning (Quinlan 1993, chapter 4) as a choice for ``pruning=`` and ``prune()``.

    The errors a leaf will make on new rows are estimated from above, by the upper limit of its error rate at some
    confidence. From the leaves to the root, a branch becomes a leaf, or gives its place to its largest branch, where
    that promises no more errors. No rows are held out.

    Parameters
    ----------
    confidence : float
        CF, from 1e-300 to 0.5; the smaller, the more is pruned.
    raising : bool
        The largest branch may take the place of its parent; ``prune()`` after the fit needs the rows of the fit for it.
    deviate : {"quantile", "table"}
        Normal deviate of CF: exact (J48), or by release 8's table.
    nearly_all : {"rest", "two_thirds"}
        What is added to e where e + 0.5 reaches N: N - e, or release 8's 0.67 (N - e).
    largest : {"first", "last"}
        Which of several equally heavy branches is the largest; release 8 takes the last.

    Examples
    --------
    >>> from boxwood import C45Classifier, ErrorBased, datasets
    >>> X = datasets.load("titanic")
    >>> y = X.pop("survived")
    >>> [C45Classifier(pruning=ErrorBased(cf)).fit(X, y).get_n_leaves() for cf in (0.5, 0.25, 0.01)]
    [46, 20, 9]
    """

    name: ClassVar[str] = "error_based"
    rows: ClassVar[str] = "learning"
    holdout: ClassVar[None] = None

    confidence: float = 0.25
    raising: bool = True
    deviate: str = "quantile"
    nearly_all: str = "rest"
    largest: str = "first"

    def __post_init__(self):
        if not isinstance(self.raising, bool):
            raise ParameterError(f"raising must be True or False; got {self.raising!r}.")
        self._rule()

    def _rule(self) -> Pessimism:
        return Pessimism(self.confidence, self.deviate, self.nearly_all, self.largest)

    def prune(self, evidence: Evidence) -> Pruned:
        """Prune the full tree by estimated errors.

        Raises
        ------
        ParameterError
            The tree predicts a number; or raising lacks the rows of the fit, or meets priors or costs.

        Examples
        --------
        >>> from boxwood import C45Classifier, ErrorBased, datasets
        >>> X = datasets.load("titanic")
        >>> y = X.pop("survived")
        >>> model = C45Classifier(pruning=None).fit(X, y)
        >>> model.prune(ErrorBased(raising=False)).get_n_leaves(), model.prune(ErrorBased(), X, y).get_n_leaves()
        (25, 20)
        """
        if not self.raising:
            return Pruned(prune_by_errors(evidence.tree, self._rule()))
        learning = evidence.learning
        if learning is None:
            raise ParameterError(
                "error_based pruning with raising sends the rows of the fit down again: give their X and y to prune(), "
                "or use raising=False."
            )
        kept = np.arange(learning.n) if evidence.keep is None else np.flatnonzero(evidence.keep)
        exact = learning.exact if evidence.keep is None else learning.exact.take(evidence.keep)
        rows = kept.astype(np.uint32)
        return Pruned(prune_and_raise(evidence.tree, self._rule(), learning.encoded, rows, exact))
