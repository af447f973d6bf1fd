"""Choice 2 of a recipe, the branching criterion: what every criterion has in common."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, ClassVar

from ..data.columns.schema import Schema
from ..statistics.responses.registry import kinds
from ..statistics.responses.response import Response
from .criterion_words import CriterionWords
from .partitions import BestPartition, FeatureSplit, LearningStats, Partitions
from .termination import Termination
from .ties import TIE, best_first
from .trials import NodeTable, Trials, separable_cuts

#: Rounding allowed to a decrease that is compared with ``min_impurity_decrease``.
ROUNDING = 1e-15


class Criterion(CriterionWords):
    """A branching criterion; its subclasses are frozen records.

    A new criterion states :meth:`best`. Everything else has a default: features are compared by their scores, the first
    of equal ones wins, and any branching but merged categories may be used.

    Attributes
    ----------
    searches : frozenset of str
        Branchings whose search in the kernel has this criterion; others are searched in tables.
    is_decrease : bool
        The score is the decrease of a concave impurity: ``min_impurity_decrease`` has a meaning, and with two classes
        or a number the best two sets of levels are neighbours in the order of the response.
    is_test : bool
        Its partitions have p-values (``BestPartition.log_p``), which the tree stores and views show.
    data_cuts : bool
        Cuts are moved to values of the data (C4.5).
    """

    searches: ClassVar[frozenset[str]] = frozenset()
    is_decrease: ClassVar[bool] = False
    is_test: ClassVar[bool] = False
    data_cuts: bool = False

    @property
    def gain(self) -> Any:
        """The :class:`.Gain` by whose rules features are chosen, None if it is another score."""
        return None

    def search_settings(self) -> dict[str, Any]:
        """The settings that the kernel's search reads.

        Returns
        -------
        dict of str to object
            Empty for a criterion that no search of the kernel has.

        Examples
        --------
        >>> from boxwood import ImpurityDecrease
        >>> ImpurityDecrease("gini").search_settings()["measure"]
        'gini'
        """
        return {}

    def cuts(self, node: NodeTable) -> Trials:
        """The cuts of an ordered feature between two values that differ.

        Parameters
        ----------
        node : NodeTable
            The values of the feature in a node.

        Returns
        -------
        Trials

        Examples
        --------
        C4.5 does not separate values that are nearly equal:

        >>> from boxwood import Gain, TreeClassifier
        >>> near = Gain(value_tolerance=0.5)
        >>> model = TreeClassifier(branching="multiway", criterion=near).fit([[1.0], [1.4], [2.0]], ["a", "b", "b"])
        >>> model.tree_.splits.breaks.tolist()
        [1.7]
        """
        return separable_cuts(node, 0.0)

    @property
    def unfiltered(self) -> Criterion:
        """The same criterion without a filter of admissible candidates, for reports."""
        return self

    @property
    def uncharged(self) -> Criterion:
        """The same criterion without the charge for the number of thresholds."""
        return self

    def importance_measure(self, kind: str) -> str:
        """The measure in which impurities and importances are reported: that of the criterion, or else the usual one.

        Parameters
        ----------
        kind : {"classes", "mean", "rate"}
            Of the response.

        Returns
        -------
        str

        Examples
        --------
        >>> from boxwood import Gain, ImpurityDecrease
        >>> ImpurityDecrease("gini").importance_measure("classes"), Gain().importance_measure("mean")
        ('gini', 'variance')
        """
        return kinds()[kind].usual_measure()

    def for_response(self, branching: str, kind: str) -> Criterion:
        """The criterion that grows the tree, given the search of the branching and the kind of response.

        Parameters
        ----------
        branching : str
            Name of the branching's search in the kernel.
        kind : {"classes", "mean", "rate"}
            Kind of the response.

        Returns
        -------
        Criterion

        Examples
        --------
        >>> from boxwood import Significance
        >>> Significance(alpha=0.05).for_response("multiway", "classes").name
        'significance'
        """
        return self

    def check(self, branching, schema: Schema, response: Response) -> None:
        """Raise an error for features, a response or a branching that the criterion does not support.

        Parameters
        ----------
        branching : Branching
            The number of branches, choice 1.
        schema : Schema
            Names, kinds and levels of the columns.
        response : Response
            Classes, numbers or rates, and how they are counted.

        Raises
        ------
        ParameterError
            The message names the invalid combination and the valid ones.

        Examples
        --------
        >>> from boxwood import Gain, TreeRegressor
        >>> TreeRegressor(criterion=Gain()).fit([[1], [2]], [0.5, 1.5])
        Traceback (most recent call last):
        boxwood.errors.ParameterError: information gain is about classes, and y is a number; ...
        """
        self.check_response(response)

    def check_response(self, response: Response) -> None:
        """Raise an error for a response that the criterion cannot evaluate.

        Parameters
        ----------
        response : Response
            Classes, numbers or rates, and how they are counted.

        Examples
        --------
        >>> from boxwood import ImpurityDecrease, TreeClassifier
        >>> TreeClassifier(criterion=ImpurityDecrease("variance")).fit([[1], [2]], ["a", "b"])
        Traceback (most recent call last):
        boxwood.errors.ParameterError: criterion must be one of 'gini', 'entropy', 'error' for this kind of y; ...
        """

    def columns(self, n_features: int) -> Sequence[int]:
        """The features to try, in their order.

        Parameters
        ----------
        n_features : int
            Number of columns of X.

        Returns
        -------
        sequence of int

        Examples
        --------
        >>> from boxwood import Gain, InOrder
        >>> list(Gain().columns(3)), list(InOrder((2, 0)).columns(3))
        ([0, 1, 2], [2, 0])
        """
        return range(n_features)

    def best(self, partitions: Partitions, termination: Termination) -> BestPartition | None:
        """The best admissible partition of a feature (on ties, the first); None if there is none.

        Parameters
        ----------
        partitions : Partitions
            The candidate partitions of a node by one feature, with the moments of their branches.
        termination : Termination
            The limits of size, choice 3.

        Returns
        -------
        BestPartition or None

        Examples
        --------
        For two classes: the largest share of the second class in a branch, without any limit.

        >>> import numpy as np
        >>> from boxwood.growing.criterion import Criterion
        >>> from boxwood.growing.partitions import BestPartition
        >>> from boxwood.growing.ties import first_best
        >>> class Purest(Criterion):
        ...     def best(self, partitions, termination):
        ...         share = (partitions.children[..., 1] / partitions.weight).max(axis=1)
        ...         number = first_best(share)
        ...         return None if number is None else BestPartition(number, share[number], share[number])
        >>> from boxwood import TreeClassifier
        >>> model = TreeClassifier(criterion=Purest(), termination={"max_depth": 1})
        >>> model.fit([[1], [2], [3], [4]], ["no", "yes", "no", "yes"]).tree_.splits.breaks.tolist()
        [3.5]
        """
        raise NotImplementedError(f"{type(self).__name__} needs a method best() that scores partitions.")

    def ranked(self, candidates: list[FeatureSplit], stats: LearningStats, weight: float) -> list[FeatureSplit]:
        """The eligible candidates of a node, best first; on ties, in column order.

        Parameters
        ----------
        candidates : list of FeatureSplit
            The best split of each feature.
        stats : LearningStats
            Schema, total weight and minimum decrease.
        weight : float
            Weight of the node.

        Returns
        -------
        list of FeatureSplit

        Examples
        --------
        >>> from boxwood import Gain
        >>> from boxwood.data.columns.schema import Schema
        >>> from boxwood.growing.partitions import LearningStats
        >>> Gain().ranked([], LearningStats(Schema(()), 0, 0.0), 0.0)
        []
        """
        found = self._eligible([c for c in candidates if self._gains_enough(c, stats, weight)], stats)
        ranked = [found[i] for i in best_first([c.compared for c in found], self._unit(found))]
        least = self._least
        return ranked if ranked and ranked[0].score >= least - TIE * abs(least) else []

    @property
    def _least(self) -> float:
        """A node becomes a leaf if its best score is below this."""
        return -math.inf

    def _gains_enough(self, candidate: FeatureSplit, stats: LearningStats, weight: float) -> bool:
        """scikit-learn's minimum decrease, which is measured against all rows."""
        return not self.is_decrease or candidate.best.value * weight / stats.whole + ROUNDING >= stats.least_decrease

    def _eligible(self, candidates: list[FeatureSplit], stats: LearningStats) -> list[FeatureSplit]:
        """The candidates that are ranked."""
        return candidates

    def _unit(self, candidates: list[FeatureSplit]) -> float:
        """The size of scores below which rounding does not shrink any more."""
        return 1.0
