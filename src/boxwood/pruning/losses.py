"""The losses by which held-out rows choose among pruned trees: their names, of each class at each node, and in sums."""

from __future__ import annotations

from dataclasses import dataclass
from functools import singledispatch

import numpy as np

from .._messages import Message, Setting, must_be, remedy
from ..errors import ParameterError
from ..statistics.overflow import may_overflow
from ..statistics.responses.classes import Classes
from ..statistics.responses.registry import kinds
from ..statistics.responses.response import Response
from ..statistics.responses.several import Several
from ..tree.lazy_arrays import changed
from ..tree.node_moments import has_few_moments, moments_at, some_at_a_time
from ..tree.one_response import of_response
from ..tree.predicting import probability_at
from ..tree.side_by_side import figures_of_all
from ..tree.tree import Tree
from .cost_complexity import risk_of

#: Losses of predicted probabilities.
OF_PROBABILITIES = ("brier", "log_loss")
#: Probabilities are not taken to be smaller than this in the log loss, as in scikit-learn.
LEAST_PROBABILITY = float(np.finfo(np.float64).eps)


def loss_words() -> dict[str, str]:
    """What each loss is called."""
    return {loss: words for kind in kinds().values() for loss, words in kind.losses.items()}


def checked_loss(loss: str | None, response: Response) -> str:
    """A loss that this response has; None = ``Response.plain_loss``.

    Raises
    ------
    ParameterError
        The response has no such loss, or no costs.
    """
    if loss is None:
        return response.plain_loss()
    if not isinstance(loss, str) or loss not in response.losses:
        counts = Message("; counts take ", Setting("criterion", "poisson"), ".")
        words = f"{', '.join(response.losses)} for {response.evaluated}"
        raise ParameterError(must_be("loss", f"one of {words}", loss, counts if loss == "poisson" else "."))
    if loss == "cost" and response.costs is None:
        raise ParameterError(
            Setting("loss", "cost"), " needs costs; ",
            remedy("give ", Setting("costs"), "=, or choose ", Setting("loss", "error"), ", by which each costs 1."),
        )  # fmt: skip
    return loss


def other_loss(loss: str, response: Response) -> str | None:
    """A loss of another kind, of predictions or of their probabilities; None where there is none."""
    if loss in OF_PROBABILITIES:
        return response.plain_loss()
    return OF_PROBABILITIES[0] if OF_PROBABILITIES[0] in response.losses else None


def class_losses(tree: Tree, loss: str, nodes: np.ndarray | None = None) -> np.ndarray:
    """Loss of a row of each class at some nodes as leaves (all if None), times prior factor and class weight; (n, K).

    brier: squared distance of the probabilities from the truth, of two classes half of it (Brier 1950); log_loss: - ln
    of the probability of the true class; error, cost: of the predicted class.
    """
    response = tree.response
    if loss in OF_PROBABILITIES:
        p = tree.probability if nodes is None else probability_at(tree, nodes)
        if loss == "log_loss":
            found = -np.log(np.clip(p, LEAST_PROBABILITY, 1.0 - LEAST_PROBABILITY))
        else:
            found = (1.0 - 2.0 * p + (p**2).sum(axis=1, keepdims=True)) / (2.0 if p.shape[1] == 2 else 1.0)
    else:
        k = len(response.labels)
        costs = response.cost_matrix() if loss == "cost" else 1.0 - np.eye(k)
        found = costs.T[tree.value if nodes is None else tree.value[nodes]]
    weights = response.class_weights or (1.0,) * len(response.labels)
    return found * np.asarray(response.factors) * np.asarray(weights)


def losses_of_classes(trees: list[Tree], loss: str, node: np.ndarray, of_class: np.ndarray) -> np.ndarray:
    """The same of one class at each of some nodes of some trees, numbered one after the other and ascending; (n,)."""
    if all(map(has_few_moments, trees)):
        return figures_of_all(trees, ("loss", loss), lambda at: class_losses(at, loss))[node, of_class]
    start = np.cumsum([0, *(tree.n_nodes for tree in trees)])
    at = np.searchsorted(node, start)
    spans = zip(trees, start[:-1], at[:-1], at[1:], strict=True)
    return np.concatenate([_in_parts(tree, loss, node[i:j] - begin, of_class[i:j]) for tree, begin, i, j in spans])


def _in_parts(tree: Tree, loss: str, node: np.ndarray, of_class: np.ndarray) -> np.ndarray:
    """The same of one tree, without the losses of all classes at all nodes."""
    nodes, found = node[np.append(True, node[1:] != node[:-1])[: len(node)]], []
    for some in some_at_a_time(tree, nodes):
        here = slice(*np.searchsorted(node, (some[0], some[-1] + 1)))
        found.append(class_losses(tree, loss, some)[np.searchsorted(some, node[here]), of_class[here]])
    return np.concatenate(found) if found else np.zeros(0)


def training_losses(tree: Tree, loss: str) -> np.ndarray:
    """Loss of the training rows at each node as a leaf by its own rows, in units of weight, shape (T,)."""
    return _of_training(tree.response, tree if tree.monotonic is None else changed(tree, monotonic=None), loss)


@singledispatch
def _of_training(response: Response, tree: Tree, loss: str) -> np.ndarray:
    """Of numbers: their usual risk."""
    return risk_of(tree, response.measures[0])


@_of_training.register
def _(response: Classes, tree: Tree, loss: str) -> np.ndarray:
    parts = some_at_a_time(tree, np.arange(tree.n_nodes))
    return np.concatenate([_class_sums(tree, loss, some) for some in parts])


@_of_training.register
def _(response: Several, tree: Tree, loss: str) -> np.ndarray:
    each = (w * training_losses(of_response(tree, r), loss) for r, w in enumerate(response.weights))
    return np.sum(list(each), axis=0)


def _class_sums(tree: Tree, loss: str, nodes: np.ndarray) -> np.ndarray:
    return (tree.response.counts(moments_at(tree, nodes)) * class_losses(tree, loss, nodes)).sum(axis=1)


@dataclass(frozen=True, eq=False)
class HeldOutLosses:
    """Held-out losses of each tree of a family; those of several folds are added with ``+``.

    Rows are the evidence, whatever their class weighs: a class weight is a factor of the loss. A weight of a row enters
    standard errors by its square, so that rows of equal weight are as many as they are.

    Attributes
    ----------
    sums : float64, shape (G, 4, S)
        For each stratum, sums over its rows of weight * loss, weight^2 * loss, weight^2 * loss^2 and weight^2 * loss *
        loss of the root as a leaf (not a number where that is not known).
    mass : float64, shape (G, 2)
        Sums of the weights of the rows of each stratum, and of their squares.
    scale : float64, shape (G,)
        What a class weighs in the mean: its class weight.
    fixed : bool
        The strata weigh by design, as classes with priors or balanced classes do, however many rows each has.
    """

    sums: np.ndarray
    mass: np.ndarray
    scale: np.ndarray
    fixed: bool = False

    def __add__(self, other: HeldOutLosses) -> HeldOutLosses:
        return HeldOutLosses(self.sums + other.sums, self.mass + other.mass, self.scale, self.fixed)

    @property
    def totals(self) -> np.ndarray:
        """Sums of weight * loss, shape (S,)."""
        return self.sums[:, 0].sum(axis=0)

    @property
    def weight(self) -> float:
        """What the mean is taken over: the sum of the weights, class weights included."""
        return float(self.scale @ self.mass[:, 0])

    def mean(self, unit: float | None = None) -> np.ndarray:
        """Totals divided by ``unit``, shape (S,): by :attr:`weight` if None; rpart's xerror by the root's risk."""
        return self.totals / (self.weight if unit is None else unit)

    @may_overflow  # unknown where squares of losses are beyond float64
    def standard_error(self, unit: float | None = None) -> np.ndarray:
        """Standard error of :meth:`mean`, shape (S,), infinite where that is; rpart's xstd by the root's risk."""
        finite = np.isfinite(self.totals)
        sums = np.where(finite, self.sums, 0.0)
        spread = self._spread(sums[:, 0], sums[:, 1], sums[:, 2])
        return np.where(finite, np.sqrt(spread), np.inf) / (self.weight if unit is None else unit)

    @may_overflow
    def spread(self, row: int) -> float:
        """Variance of the losses of one tree over the square of their mean; 0 where they are all 0, or infinite."""
        mean = float(self.mean()[row])
        if mean == 0.0:
            return 0.0
        effective = self.weight**2 / float(self.scale**2 @ self.mass[:, 1])
        spread = effective * (float(self.standard_error()[row]) / mean) ** 2
        return spread if np.isfinite(spread) else np.inf

    @may_overflow
    def above_last(self) -> tuple[np.ndarray, np.ndarray]:
        """How much less each tree loses than the last one, the root alone, and the standard error of this difference.

        Both per unit of weight, shape (S,); row by row, so that what all trees get wrong does not count.
        """
        last = self.sums[:, :, -1:]
        less = last[:, 0] - self.sums[:, 0]
        once = last[:, 1] - self.sums[:, 1]
        square = self.sums[:, 2] - 2.0 * self.sums[:, 3] + last[:, 2]
        return less.sum(axis=0) / self.weight, np.sqrt(self._spread(less, once, square)) / self.weight

    def _spread(self, total: np.ndarray, once: np.ndarray, square: np.ndarray) -> np.ndarray:
        """Sum of weight^2 * (loss - what is expected of its stratum)^2 over the rows, shape (S,)."""
        if self.fixed:
            weights = self.mass[:, :1]
            center = np.divide(total, weights, out=np.zeros_like(total), where=weights > 0)
        else:
            center = total.sum(axis=0) / self.weight * self.scale[:, None]
        return np.maximum((square - 2.0 * center * once + center**2 * self.mass[:, 1:]).sum(axis=0), 0.0)
