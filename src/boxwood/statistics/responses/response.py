"""What every kind of y has in common: a positive number that is predicted from sums over the rows of a node."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar

import numpy as np

from ...errors import ParameterError
from ..overflow import may_overflow
from .single import OneResponse
from .words import ResponseWords

#: What is wrong with moments that are not negative in any real tree.
NEGATIVE = "a weight, an exposure or a number of events is negative"


class Response(OneResponse, ResponseWords):
    """A kind of y: a node's moments, and what is predicted, measured and written from them.

    Each kind is a frozen record in a file of its own, registered in ``registry.py``. Everything has a default that
    serves a number y with the moments (sum w, sum w y, sum w u(y), ...), or (sum w, sum w t, sum w y, sum w u(y, t))
    with exposures t, whose nodes predict sum w y / sum w, or / sum w t. Such a kind states :meth:`terms` and
    :meth:`deviance`, its names below, and how it checks y.

    Attributes
    ----------
    kind : str
        The name in model files, and of the kernel's response where it has one.
    measures : tuple of str
        Measures of impurity, the first is the usual one.
    losses : dict of str to str
        Losses of held-out rows, the first is the usual one, and what they are called.
    risks : dict of str to str
        Names of risks that pruning weighs against leaves, and their measures.
    n_terms : int
        Numbers that a row adds to the moments besides its weight.
    takes_exposure : bool
        The first term is the exposure of the row.
    repeats : bool
        Many rows have the same y, so that rows that are alike are counted.
    in_kernel : bool
        The kernel searches for splits; otherwise trees are grown from tables in numpy.
    adds_up : bool
        Moments of parts of a node add up to its own; otherwise trees are grown from rows in memory alone.
    has_interval : bool
        Moments tell how sure the prediction of a node is.
    name : str
        Name of the response column, "y" when it has none.
    labels, factors, altered, costs, smoothing, class_weights, empty
        As described at :class:`boxwood.statistics.responses.classes.Classes`; numbers have none of them.
    shrink : float
        As described at :class:`boxwood.statistics.responses.rates.Rates`.
    """

    measures: ClassVar[tuple[str, ...]]
    losses: ClassVar[Mapping[str, str]]
    risks: ClassVar[Mapping[str, str]]
    repeats: ClassVar[bool] = False
    in_kernel: ClassVar[bool] = False
    has_interval: ClassVar[bool] = True

    #: Names of the numbers that a node predicts besides its value, which :meth:`further_of` gives.
    further: ClassVar[tuple[str, ...]] = ()

    #: The level of the quantile that is predicted.
    level: ClassVar[float | None] = None

    name: str = "y"
    labels: tuple = ()
    factors: tuple[float, ...] = ()
    altered: tuple[float, ...] = ()
    costs: tuple[tuple[float, ...], ...] | None = None
    shrink: float = 0.0
    smoothing: tuple[float, ...] = ()
    empty: str = "distribution"
    class_weights: tuple[float, ...] = ()

    @classmethod
    def usual_measure(cls) -> str:
        """The measure in which importances are reported where a criterion has none of its own."""
        return cls.measures[0]

    @classmethod
    def from_settings(cls, name: str, settings: Mapping) -> Response:
        """The response of a column of numbers by the settings of a fit."""
        return cls(name)

    # Moments of nodes.

    def weight(self, moments: np.ndarray) -> np.ndarray:
        """Sum of weights behind moments: shape (..., M) -> (...)."""
        return moments[..., 0]

    def row_weight(self, moments: np.ndarray) -> np.ndarray:
        """Sum of weights of the rows of each node, class weights taken out again; shape (T,)."""
        return self.weight(moments)

    def counts(self, moments: np.ndarray) -> np.ndarray:
        """Moments without class weights: of classes the weight of their rows; shape (T, M)."""
        return moments

    def row_weights(self, weight: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Weights of rows without the class weights that they were multiplied with; shape (n,)."""
        return weight

    def amounts(self, moments: np.ndarray, target: int | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Sum of w y and what it is divided by, the sum of w or of w t: shape (..., M) -> two of (...).

        Of classes, the weight of the rows of a ``target`` and of all.
        """
        first = int(self.takes_exposure)
        return moments[..., first + 1], moments[..., first]

    def masses(self, moments: np.ndarray) -> np.ndarray:
        """Moments as measures see them: classes may have priors; shape (T, M)."""
        return moments

    def is_mixed(self, moments: np.ndarray) -> np.ndarray:
        """Whether y may differ within each node, shape (T,)."""
        return np.ones(len(moments), dtype=bool)

    def union(self, parts: np.ndarray) -> np.ndarray:
        """Moments of parts of a node together, shape (B, M) -> (M,)."""
        return parts.sum(axis=0)

    def rest(self, whole: np.ndarray, parts: np.ndarray) -> np.ndarray:
        """Moments of the rows of a node that are in none of its parts, shape (M,)."""
        return np.maximum(whole - parts.sum(axis=0), 0.0)

    @property
    def search_factors(self) -> tuple[float, ...]:
        """What a class's weight is multiplied with in the search, shape (K,); none for numbers."""
        return ()

    @property
    def is_weighted(self) -> bool:
        """Whether classes weigh otherwise in probabilities than their rows do: by class weights or priors."""
        return False

    @property
    def is_altered(self) -> bool:
        """Whether probabilities are not the shares of the rows: weighted or smoothed."""
        return False

    def with_priors(self, priors: np.ndarray | None, masses_of: Callable[[], np.ndarray]) -> Response:
        """Prior over share of each class, and the altered priors that also hold the costs (docs/rpart.md).

        ``masses_of`` gives the sum of weights of each class; it is called only if there are priors or costs.
        """
        return self

    def smoothed(self, root: np.ndarray, rows: int, how: str | float | None) -> Response:
        """The response with smoothed probabilities; numbers have none."""
        return self

    def searched(self) -> Response:
        """The response as the search for splits sees it: with costs in the factors of classes."""
        return self

    # What a node predicts.

    def value(self, moments: np.ndarray) -> np.ndarray:
        """The number that each node predicts, shape (T,); for classes the number of the class. Row 0 is the root."""
        total, per = self.amounts(moments)
        return total / per

    @property
    def fields(self) -> tuple[str, ...]:
        """Names of what a node predicts, in the order of the columns of :meth:`columns_of`."""
        return ("value", *self.further)

    def further_of(self, moments: np.ndarray) -> np.ndarray:
        """The numbers that each node predicts besides its value, shape (T, F), one column for each in ``further``."""
        return np.zeros((len(moments), 0))

    def need_classes(self, otherwise: str) -> None:
        """Check that classes are predicted.

        Raises
        ------
        ParameterError
            With the sentence ``otherwise``.
        """
        raise ParameterError(otherwise)

    def confusion(self, count: Callable[[], Any]) -> Any:
        """What ``count`` finds by actual and predicted class; None for numbers."""
        return None

    def columns_of(self, tree: Any) -> np.ndarray:
        """What the nodes of a tree predict, a column for each of ``fields``: shape (T, 1 + F), or of classes (T, K)."""
        return np.column_stack((tree.value, tree.further)) if self.further else tree.value[:, None]

    def labelled(self, value: np.ndarray, classes: np.ndarray) -> np.ndarray:
        """Predictions as users see them: numbers, or of classes their labels, shape (n,)."""
        return value

    def label(self, value: Any) -> Any:
        """The same of one prediction."""
        return float(value)

    def as_given(self, predicted: np.ndarray) -> np.ndarray:
        """Columns of predictions, shape (..., K), as explanations divide them: of numbers the value alone."""
        return predicted[..., 0]

    def as_probability(self, predicted: np.ndarray) -> np.ndarray | None:
        """Columns of predictions where they are probabilities; None for a number."""
        return None

    def decide(self, predicted: np.ndarray) -> np.ndarray:
        """The value of rows whose fields, or probabilities of classes, are predicted: shape (n, K) -> (n,)."""
        return predicted[:, 0]

    def place(self, moments: np.ndarray) -> np.ndarray:
        """The order in which levels of a feature are cut in two, shape (V,)."""
        return self.value(moments)

    def interval(self, moments: np.ndarray, scale: np.ndarray, level: float) -> tuple[np.ndarray, np.ndarray]:
        """Confidence interval of the number that each node predicts, two of shape (T,); NaN where none is known.

        ``scale``, shape (T,), is the effective number of rows per unit of weight.
        """
        unknown = np.full(len(moments), np.nan)
        return unknown, unknown

    # Impurity, risk and loss.

    def plain_loss(self) -> str:
        """The loss of what is predicted: cost where errors have costs, error, squared error or a deviance."""
        return next(iter(self.losses))

    def fits(self, measure: str | None) -> bool:
        """Whether a measure of impurity is one of this kind."""
        return measure in self.measures

    @may_overflow  # deviances of extreme counts, squares of extreme means
    def impurity(self, moments: np.ndarray, measure: str) -> np.ndarray:
        """Impurity per unit of weight of each node by a measure, shape (T,); 0 for a node without weight.

        Nodes are rows, the root is row 0.
        """
        return self._impurity(moments, measure, self.weight(moments))

    def mass(self, moments: np.ndarray, measure: str) -> np.ndarray:
        """Weight of each node as a measure sees it, shape (T,): classes may have priors."""
        return self.weight(moments)

    def _impurity(self, moments: np.ndarray, measure: str, weight: np.ndarray) -> np.ndarray:
        """The same, with the sum of weights of each node."""
        filled = weight > 0
        if filled.all():
            return self.filled_impurity(moments, measure)
        impurity = np.zeros(len(moments))
        impurity[filled] = self.filled_impurity(moments[filled], measure)
        return impurity

    def filled_impurity(self, moments: np.ndarray, measure: str) -> np.ndarray:
        """The same for nodes that all have weight."""
        return self.deviance(moments) / moments[:, 0]

    def deviance(self, moments: np.ndarray) -> np.ndarray:
        """Weight times impurity of each node about its own prediction, shape (T,); all nodes have weight."""
        raise NotImplementedError(f"{type(self).__name__} needs a method deviance().")

    @may_overflow
    def risk(self, moments: np.ndarray, measure: str) -> np.ndarray:
        """Total risk of each node as a leaf, in units of weight: weight times impurity; shape (T,)."""
        return self.mass(moments, measure) * self._impurity(moments, measure, self.weight(moments))

    def spread(self, moments: np.ndarray) -> np.ndarray:
        """How far y lies from the prediction of each node, or the prediction's standard error; shape (T,)."""
        return np.zeros(len(moments))

    def row_losses(self, y: np.ndarray, predicted: np.ndarray) -> np.ndarray:
        """Usual loss of each row for which a number is predicted; ``y`` is that of :meth:`with_exposure`."""
        raise NotImplementedError(f"{type(self).__name__} needs a method row_losses().")

    def decrease(self, measure: str, children: np.ndarray, parent: np.ndarray) -> np.ndarray:
        """Decrease of impurity per unit of weight by partitions: (C, B, M) and (M,) -> (C,)."""
        risks = self.risk(children.reshape(-1, children.shape[-1]), measure).reshape(children.shape[:2])
        return np.maximum(self.risk(parent[None], measure)[0] - risks.sum(axis=1), 0.0) / parent[0]

    def unit_of_scores(self, node: np.ndarray) -> float:
        """The impurity of a node per unit of weight, by which scores are compared as y may have any unit."""
        return float(self.impurity(node[None], self.measures[0])[0])

    # Model files.

    def check_moments(self, moments: np.ndarray, empty: np.ndarray) -> Iterator[tuple[np.ndarray, str]]:
        """What is wrong with moments of nodes: pairs of (bool array of shape (T,), sentence)."""
        total, per = self.amounts(moments)
        yield (moments[:, 0] < 0) | (total < 0) | (per < 0), NEGATIVE
        if self.takes_exposure:
            yield (per <= 0) & ~empty, "the exposure must be positive"
