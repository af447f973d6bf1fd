"""Classes: a node predicts the class of least expected cost, and a probability for each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

import numpy as np

from ..._fast_record import with_fields
from ..class_decreases import decrease_of
from ..class_measures import PLAIN_MEASURES, is_of_classes, measure_name, of_shares
from ..overflow import may_overflow
from ..principal_direction import along_principal_direction
from ..shares import classification_error, first_largest, row_sums, shares
from .class_rows import ClassRows
from .class_weights import without_class_weights
from .response import NEGATIVE, Response

# OpenBLAS ends the process if the first product finds no memory for its buffer of 32 MB, so it gets it here.
# On some processors, small matrices need it only for the product of a matrix with its own transpose.
_ONES = np.ones((2, 2))
_ONES @ _ONES.T

#: What an empty leaf can predict: its parent's probabilities, or its parent's class as if it were certain.
EMPTY_LEAVES = ("distribution", "class")
#: Expected costs this close, as a share of the largest cost, are equal: the lowest class is predicted.
EQUAL = 1e-12
#: Rows of the root that the m-estimate adds to a leaf by default.
M = 2.0


@dataclass(frozen=True)
class Classes(ClassRows, Response):
    """Classes; the moments of a node are K sums of weights, one a class.

    Attributes
    ----------
    name : str
    labels : tuple
        The class labels in sorted order, in the type they came in (str, int, float, bool).
    factors : tuple of float
        What a class's weight is multiplied with when probabilities and risks are computed (prior / share of
        the class in the data, docs/rpart.md); all 1.0 without priors.
    altered : tuple of float
        What a class's weight is multiplied with in the search and in gini and entropy: the altered prior,
        which also holds the costs (docs/rpart.md); empty means the same as ``factors``.
    costs : tuple of tuple of float, optional
        costs[i][j] = cost of predicting j when i is true; None means 0/1.
    smoothing : tuple of float
        Added to the weight of each class before probabilities are taken, shape (K,); ones are Laplace's rule
        (n_k + 1)/(N + K), m times the shares of the root the m-estimate; empty = nothing. Impurities and risks are of
        the weights as they are.
    class_weights : tuple of float
        What the weight of each row of a class was multiplied with for the search (``class_weight``), so that
        moments divided by it are the weights of the rows (:meth:`counts`); empty = 1 for each.
    empty : {"distribution", "class"}
        What an empty leaf predicts: its parent's probabilities, or its parent's class with certainty (C4.5).
    """

    kind = "classes"
    measures = PLAIN_MEASURES
    losses = MappingProxyType({"brier": "Brier score", "log_loss": "log loss", "error": "error", "cost": "mean cost"})
    risks = MappingProxyType({"error": "error", "gini": "gini", "entropy": "entropy"})
    repeats = True
    in_kernel = True
    test = "chi_squared"
    described = evaluated = "classes"
    sections = ("entropy", "gini", "error", "chi_squared")

    name: str = "y"
    labels: tuple = ()
    factors: tuple[float, ...] = ()
    altered: tuple[float, ...] = ()
    costs: tuple[tuple[float, ...], ...] | None = None
    smoothing: tuple[float, ...] = ()
    empty: str = "distribution"
    class_weights: tuple[float, ...] = ()

    @classmethod
    def usual_measure(cls) -> str:
        return "entropy"

    # Moments of nodes.

    def weight(self, moments: np.ndarray) -> np.ndarray:
        return row_sums(moments) if moments.ndim == 2 else moments.sum(axis=-1)

    def row_weight(self, moments: np.ndarray) -> np.ndarray:
        """Sum of weights of the rows of each node, class weights taken out again; shape (T,)."""
        return row_sums(self.counts(moments))

    def counts(self, moments: np.ndarray) -> np.ndarray:
        """Weight of the rows of each class, class weights taken out again; shape (T, K)."""
        return without_class_weights(moments, self.class_weights)

    def row_weights(self, weight: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Weights of rows of these classes without the class weights that they were multiplied with; shape (n,)."""
        return without_class_weights(weight, self.class_weights, y.astype(np.int64))

    @property
    def search_factors(self) -> tuple[float, ...]:
        """What a class's weight is multiplied with in the search; shape (K,)."""
        return self.altered or self.factors

    @property
    def is_weighted(self) -> bool:
        """Whether classes weigh otherwise in probabilities than their rows do: by class weights or priors."""
        return bool(self.class_weights) or _any_factor(self.factors)

    @property
    def is_altered(self) -> bool:
        """Whether probabilities are not the shares of the rows: weighted or smoothed."""
        return self.is_weighted or any(self.smoothing)

    def is_mixed(self, moments: np.ndarray) -> np.ndarray:
        return np.count_nonzero(moments, axis=1) > 1

    def searched(self) -> Response:
        return replace(self, factors=self.search_factors, costs=None)

    def with_priors(self, priors: np.ndarray | None, masses_of: Callable[[], np.ndarray]) -> Classes:
        if priors is None and self.costs is None and self.factors:
            return self
        k = len(self.labels)
        share = masses_of()
        share = share / share.sum()
        prior = share if priors is None else priors
        factors = np.divide(prior, share, out=np.ones(k), where=share > 0) if priors is not None else np.ones(k)
        altered = ()
        if self.costs is not None:
            of_class = self.cost_matrix().sum(axis=1)
            altered = tuple((factors * of_class / (prior @ of_class)).tolist())
        return replace(self, factors=tuple(factors.tolist()), altered=altered)

    def smoothed(self, root: np.ndarray, rows: int, how: str | float | None) -> Response:
        """The classes with smoothed probabilities.

        Parameters
        ----------
        root : float64, shape (K,)
            Weights of the classes in the root of the tree.
        rows : int
            Rows in the root.
        how : {"laplace"}, float or None
            Laplace's rule adds a weight of one to each class; a number m adds m rows of the average weight, divided
            among the classes as in the root: p_k = (n_k + m pi_k) / (n + m) (Cestnik 1990, "Estimating probabilities:
            a crucial task in machine learning"). None leaves the response as it is.

        Examples
        --------
        >>> response = Classes(labels=("no", "yes"), factors=(1.0, 1.0))
        >>> m_estimate = response.smoothed(np.array([90.0, 10.0]), 100, 2.0)
        >>> m_estimate.probability(np.array([[0.0, 3.0]])).tolist()
        [[0.36, 0.64]]
        """
        if how is None:
            return self
        if how == "laplace":
            added = (1.0,) * len(self.labels)
        else:
            added = tuple((float(how) * root / rows).tolist()) if how else ()
        return with_fields(Classes, vars(self) | {"smoothing": added})

    # What a node predicts.

    def probability(self, moments: np.ndarray) -> np.ndarray:
        """Class probabilities of each node, shape (T, K), rows add to 1; priors enter through ``factors``.

        Every node must have weight: an empty one takes its parent's moments (``Tree.moments_node``).
        """
        mass = moments + np.asarray(self.smoothing) if len(self.smoothing) else moments
        return shares(_times(mass, self.factors))

    def cost_matrix(self) -> np.ndarray:
        """Costs as an array, shape (K, K): row = true class, column = predicted class."""
        k = len(self.labels)
        return 1.0 - np.eye(k) if self.costs is None else np.asarray(self.costs, dtype=float)

    def decision(self, moments: np.ndarray) -> np.ndarray:
        """Predicted class number of each node: least expected cost, lowest class on ties; shape (T,), int."""
        return self.decide(self.probability(moments))

    def as_probability(self, predicted: np.ndarray) -> np.ndarray | None:
        return predicted

    def decide(self, p: np.ndarray) -> np.ndarray:
        """Predicted class number where classes have these probabilities, shape (n, K) -> (n,), int; as `decision`."""
        # Priors and costs are rounded, so a tie is reached only within rounding.
        if self.costs is None:
            return first_largest(p, EQUAL)
        expected = p @ self.cost_matrix()
        return np.argmax(expected <= expected.min(axis=1, keepdims=True) + EQUAL * np.max(self.costs), axis=1)

    def value(self, moments: np.ndarray) -> np.ndarray:
        return self.decision(moments)

    def predicts_of(self, moments: np.ndarray) -> np.ndarray:
        return self.probability(moments)

    def need_classes(self, otherwise: str) -> None:
        pass

    def confusion(self, count: Callable[[], Any]) -> Any:
        return count()

    @property
    def fields(self) -> tuple[str, ...]:
        return tuple(f"p_{label}" for label in self.labels)

    def columns_of(self, tree: Any) -> np.ndarray:
        return tree.probability

    def labelled(self, value: np.ndarray, classes: np.ndarray) -> np.ndarray:
        return classes[value]

    def label(self, value: Any) -> Any:
        return self.labels[int(value)]

    def as_given(self, predicted: np.ndarray) -> np.ndarray:
        return predicted

    def place(self, moments: np.ndarray) -> np.ndarray:
        """Share of the second of two classes; of more, the place along the principal direction of their shares."""
        return moments[:, -1] / moments.sum(axis=1) if moments.shape[1] < 3 else along_principal_direction(moments)

    # Impurity and risk.

    def plain_loss(self) -> str:
        return "error" if self.costs is None else "cost"

    def fits(self, measure: str | None) -> bool:
        return is_of_classes(measure_name(measure) or measure)

    def filled_impurity(self, moments: np.ndarray, measure: str) -> np.ndarray:
        """Gini, entropy (bits) and tsallis:q under the altered priors; error, or expected cost."""
        if measure != "error":
            return of_shares(measure)(shares(_times(moments, self.search_factors)))
        p = shares(_times(moments, self.factors))
        if self.costs is None:
            return classification_error(p)
        return (p @ self.cost_matrix()).min(axis=1)

    def mass(self, moments: np.ndarray, measure: str) -> np.ndarray:
        """Weight of each node under the priors that a measure sees, so that risks add up (docs/rpart.md); (T,)."""
        factors = self.factors if measure == "error" else self.search_factors
        return row_sums(_times(moments, factors)) if _any_factor(factors) else self.weight(moments)

    @may_overflow
    def risk(self, moments: np.ndarray, measure: str) -> np.ndarray:
        return self.mass(moments, measure) * self._impurity(moments, measure, self.weight(moments))

    def masses(self, moments: np.ndarray) -> np.ndarray:
        return moments * np.asarray(self.search_factors)

    def amounts(self, moments: np.ndarray, target: int | None = None) -> tuple[np.ndarray, np.ndarray]:
        counts = self.counts(moments)
        return counts[..., target], row_sums(counts)

    def decrease(self, measure: str, children: np.ndarray, parent: np.ndarray) -> np.ndarray:
        return decrease_of(measure)(children, parent)

    def unit_of_scores(self, node: np.ndarray) -> float:
        return 1.0

    def check_moments(self, moments: np.ndarray, empty: np.ndarray) -> Iterator[tuple[np.ndarray, str]]:
        yield (moments < 0).any(axis=1), NEGATIVE


def _times(moments: np.ndarray, factors: tuple[float, ...]) -> np.ndarray:
    """Each class's weight times its factor, shape (T, K)."""
    return moments * np.asarray(factors) if _any_factor(factors) else moments


def _any_factor(factors: tuple[float, ...]) -> bool:
    """Whether some factor changes what it multiplies."""
    return factors.count(1.0) < len(factors)
