"""The kinds of response (classes, numbers, counts with exposure), and value, impurity and risk from their moments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .class_measures import of_shares
from .overflow import may_overflow
from .shares import classification_error, first_largest, row_sums, shares

# OpenBLAS ends the process if the first product finds no memory for its buffer of 32 MB, so it gets it here.
# On some processors, small matrices need it only for the product of a matrix with its own transpose.
_ONES = np.ones((2, 2))
_ONES @ _ONES.T

CLASSES, MEAN, RATE = "classes", "mean", "rate"

#: What an empty leaf can predict: its parent's probabilities, or its parent's class as if it were certain.
EMPTY_SAYS = ("distribution", "class")

#: Expected costs this close, as a share of the largest cost, are equal: the lowest class is predicted.
EQUAL = 1e-12
#: What fixed-point weights may lose, as a share: one class may weigh a million times another.
_ROUNDING = 1e-6
#: Powers of two of extreme class weights.
_EXTREME = 500


@dataclass(frozen=True)
class Response:
    """The response of a tree and what is needed to turn a node's moments into its prediction.

    Attributes
    ----------
    kind : {"classes", "mean", "rate"}
        Moments of a node (see Tree.moments) are, by kind:
        classes: K sums of weights, one a class; mean: (sum w, weighted mean, sum w (y - mean)^2);
        rate: (sum w, sum w t, sum w d, sum w d ln(d/t)), t exposure, d events.
    name : str
        Name of the response column, "y" when it has none.
    labels : tuple
        classes: the class labels in sorted order, in the type they came in (str, int, float, bool).
    factors : tuple of float
        classes: what a class's weight is multiplied with when probabilities and risks are computed (prior / share of
        the class in the data, docs/rpart.md); all 1.0 without priors.
    altered : tuple of float
        classes: what a class's weight is multiplied with in the search and in gini and entropy: the altered prior,
        which also holds the costs (docs/rpart.md); empty means the same as ``factors``.
    costs : tuple of tuple of float, optional
        classes: costs[i][j] = cost of saying j when i is true; None means 0/1.
    shrink : float
        rate: rpart's shrinkage (coefficient of variation of the prior on rates); 0 = none.
    smoothing : tuple of float
        classes: added to the weight of each class before probabilities are taken, shape (K,); ones are Laplace's rule
        (n_k + 1)/(N + K), m times the shares of the root the m-estimate; empty = nothing. Impurities and risks are of
        the weights as they are.
    class_weights : tuple of float
        classes: what the weight of each row of a class was multiplied with for the search (``class_weight``), so that
        moments divided by it are the weights of the rows (:meth:`counts`); empty = 1 for each.
    empty : {"distribution", "class"}
        classes: what an empty leaf predicts: its parent's probabilities, or its parent's class with certainty (C4.5).
    """

    kind: str
    name: str = "y"
    labels: tuple = ()
    factors: tuple[float, ...] = ()
    altered: tuple[float, ...] = ()
    costs: tuple[tuple[float, ...], ...] | None = None
    shrink: float = 0.0
    smoothing: tuple[float, ...] = ()
    empty: str = "distribution"
    class_weights: tuple[float, ...] = ()

    @property
    def width(self) -> int:
        """Number of moments of a node."""
        return {CLASSES: len(self.labels), MEAN: 3, RATE: 4}[self.kind]

    @property
    def search_factors(self) -> tuple[float, ...]:
        """What a class's weight is multiplied with in the search; shape (K,)."""
        return self.altered or self.factors

    def weight(self, moments: np.ndarray) -> np.ndarray:
        """Sum of weights of each node: shape (T, M) -> (T,)."""
        return row_sums(moments) if self.kind == CLASSES else moments[:, 0]

    def probability(self, moments: np.ndarray) -> np.ndarray:
        """Class probabilities of each node, shape (T, K), rows add to 1; priors enter through ``factors``.

        Every node must have weight: an empty one takes its parent's moments (``Tree.speaker``).
        """
        mass = moments + np.asarray(self.smoothing) if len(self.smoothing) else moments
        return shares(_times(mass, self.factors))

    def counts(self, moments: np.ndarray) -> np.ndarray:
        """Weight of the rows of each class, class weights taken out again; shape (T, K)."""
        return without_class_weights(moments, self.class_weights)

    def row_weights(self, weight: np.ndarray, codes: np.ndarray) -> np.ndarray:
        """Weights of rows of these classes without the class weights that they were multiplied with; shape (n,)."""
        return without_class_weights(weight, self.class_weights, codes)

    def row_weight(self, moments: np.ndarray) -> np.ndarray:
        """Sum of weights of the rows of each node, class weights taken out again; shape (T,)."""
        return row_sums(self.counts(moments)) if self.kind == CLASSES else moments[:, 0]

    @property
    def is_weighted(self) -> bool:
        """Whether classes weigh otherwise in probabilities than their rows do: by class weights or priors."""
        return bool(self.class_weights) or _any_factor(self.factors)

    @property
    def is_altered(self) -> bool:
        """Whether probabilities are not the shares of the rows: weighted or smoothed."""
        return self.is_weighted or any(self.smoothing)

    def cost_matrix(self) -> np.ndarray:
        """Costs as an array, shape (K, K): row = true class, column = predicted class."""
        k = len(self.labels)
        return 1.0 - np.eye(k) if self.costs is None else np.asarray(self.costs, dtype=float)

    def decision(self, moments: np.ndarray) -> np.ndarray:
        """Predicted class number of each node: least expected cost, lowest class on ties; shape (T,), int."""
        return self.decide(self.probability(moments))

    def decide(self, p: np.ndarray) -> np.ndarray:
        """Predicted class number where classes have these probabilities, shape (n, K) -> (n,), int; as `decision`."""
        # Priors and costs are rounded, so a tie is met only within rounding.
        if self.costs is None:
            return first_largest(p, EQUAL)
        expected = p @ self.cost_matrix()
        return np.argmax(expected <= expected.min(axis=1, keepdims=True) + EQUAL * np.max(self.costs), axis=1)

    def value(self, moments: np.ndarray) -> np.ndarray:
        """What each node predicts: class number, mean, or rate; shape (T,). Nodes are rows, the root is row 0."""
        if self.kind == CLASSES:
            return self.decision(moments)
        if self.kind == MEAN:
            return moments[:, 1]
        return self._rate(moments)

    def _rate(self, moments: np.ndarray) -> np.ndarray:
        """Events per exposure, shrunk towards the root's rate when ``shrink`` > 0 (docs/rpart.md)."""
        exposure, events = moments[:, 1], moments[:, 2]
        if self.shrink == 0.0:
            return events / exposure
        prior = 1.0 / self.shrink**2
        overall = events[0] / exposure[0]
        return (events + prior) / (exposure + prior / overall) if overall > 0 else np.zeros(len(moments))

    @may_overflow  # deviances of extreme counts, squares of extreme means
    def impurity(self, moments: np.ndarray, measure: str) -> np.ndarray:
        """Impurity per unit of weight of each node by a measure, shape (T,); 0 for a node without weight.

        Measures: gini, entropy (bits), tsallis:q, error for classes (under the altered priors of the response);
        variance for means; poisson (mean deviance) for rates. Nodes are rows, the root is row 0.
        """
        return self._impurity(moments, measure, self.weight(moments))

    def _impurity(self, moments: np.ndarray, measure: str, weight: np.ndarray) -> np.ndarray:
        """The same, with the sum of weights of each node."""
        filled = weight > 0
        if filled.all():
            return self._filled_impurity(moments, measure)
        impurity = np.zeros(len(moments))
        impurity[filled] = self._filled_impurity(moments[filled], measure)
        return impurity

    def _filled_impurity(self, moments: np.ndarray, measure: str) -> np.ndarray:
        """The same for nodes that all have weight."""
        if self.kind == MEAN:
            return moments[:, 2] / moments[:, 0]
        if self.kind == RATE:
            return self._deviance(moments) / moments[:, 0]
        if measure != "error":
            return of_shares(measure)(shares(_times(moments, self.search_factors)))
        p = shares(_times(moments, self.factors))
        if self.costs is None:
            return classification_error(p)
        return (p @ self.cost_matrix()).min(axis=1)

    def _deviance(self, moments: np.ndarray) -> np.ndarray:
        """Poisson deviance 2 sum w (d ln(d / (rate t)) - (d - rate t)) of each node about its own rate."""
        exposure, events, d_log = moments[:, 1], moments[:, 2], moments[:, 3]
        rate = self._rate(moments)
        logs = np.log(rate, out=np.zeros_like(rate), where=rate > 0)
        return 2.0 * np.maximum(d_log - events * logs - events + rate * exposure, 0.0)

    @may_overflow
    def risk(self, moments: np.ndarray, measure: str) -> np.ndarray:
        """Total risk of each node as a leaf, in units of weight: weight times impurity; shape (T,).

        For classes with priors the weight is the prior-adjusted one, so that risks of leaves add up (docs/rpart.md).
        """
        mass = weight = self.weight(moments)
        factors = self.factors if measure == "error" else self.search_factors
        if self.kind == CLASSES and _any_factor(factors):
            mass = row_sums(_times(moments, factors))
        return mass * self._impurity(moments, measure, weight)


def class_weights(of_class: Sequence[float] | np.ndarray | None) -> tuple[float, ...]:
    """Factors on the weights of the rows of each class as a response records them: nothing where all are 1.

    As weights are, extreme ones are divided by a power of two; none is less than 2**-300 of the largest.
    """
    if of_class is None or all(factor == 1.0 for factor in of_class):
        return ()
    factors = np.asarray(of_class, dtype=np.float64)
    power = int(np.frexp(factors.max())[1])
    factors = np.ldexp(factors, -power) if abs(power) > _EXTREME else factors
    return tuple(np.where(factors > 0, np.maximum(factors, factors.max() * 2.0**-300), 0.0).tolist())


def _times(moments: np.ndarray, factors: tuple[float, ...]) -> np.ndarray:
    """Each class's weight times its factor, shape (T, K)."""
    return moments * np.asarray(factors) if _any_factor(factors) else moments


def _any_factor(factors: tuple[float, ...]) -> bool:
    """Whether some factor changes what it multiplies."""
    return factors.count(1.0) < len(factors)


def without_class_weights(
    moments: np.ndarray, class_weights: tuple[float, ...], codes: np.ndarray | None = None
) -> np.ndarray:
    """Moments of classes over the weight of each, or weights of rows whose classes are ``codes``; 0 for a weight of 0.

    What is whole but for rounding is made whole.
    """
    if not class_weights:
        return moments
    weights = np.asarray(class_weights)
    weights = weights if codes is None else weights[codes]
    counts = np.divide(moments, weights, out=np.zeros_like(moments), where=weights > 0)
    whole = np.rint(counts)
    return np.where(np.abs(counts - whole) <= _ROUNDING * np.maximum(whole, 1.0), whole, counts)
