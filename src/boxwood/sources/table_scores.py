"""How a criterion judges the ways to part a node by one feature, and which of them it takes."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..growing.gain import Gain
from ..growing.impurity_decrease import ImpurityDecrease
from ..growing.in_order import InOrder
from ..growing.recipe import Recipe
from ..growing.scored import Scored
from .reference_search import TIE, better
from .table_criteria import DECREASE, bits, scores_of
from .table_trials import Trials

#: Weights this close to a limit keep it (SPECS 0.8).
SLIGHT = 1e-9

#: Least weight on each side of a cut: this share of the known weight a class, but no more than MOST (SPECS 4.4).
SHARE, MOST = 0.10, 25.0


@dataclass(frozen=True, eq=False)
class Question:
    """A feature at a node: the ways to part it and what they are judged by.

    Attributes
    ----------
    trials : Trials
    children : float64, shape (C, B, M)
        Moments of the branches; a branch of missing values stands last where the policy gives them one.
    parent : float64, shape (M,)
        Moments of the samples that the children share.
    weight : float64, shape (C, B)
        Of the branches.
    node : float64, shape (M,)
        Moments of all samples of the node, also of those that have no branch.
    total : float
        Weight of all samples of the node.
    """

    trials: Trials
    children: np.ndarray
    parent: np.ndarray
    weight: np.ndarray
    node: np.ndarray
    total: float

    @property
    def known(self) -> float:
        """Weight of the samples that have a branch."""
        return float(self.weight[0].sum())


@dataclass(frozen=True, eq=False)
class Answer:
    """The way a criterion takes.

    Attributes
    ----------
    way : int
        Number of the trial.
    value : float
        A gain less its charge, a decrease per unit of weight, or a person's own score: what is told of the split.
    compared : float
        What features are ranked by, in a unit in which rounding is about 1e-16.
    intrinsic : float
        Intrinsic value in bits, the unknown group included; NaN where the criterion does not ask.
    """

    way: int
    value: float
    compared: float
    intrinsic: float = np.nan


def judge(recipe: Recipe, question: Question) -> Answer | None:
    """The best admissible way, the first of equal ones; None when there is none."""
    trials = question.trials
    least = recipe.termination.min_samples_leaf
    sized = ((trials.rows == 0) | (trials.rows >= least)).all(axis=1)
    usable = sized & ((question.weight > 0).sum(axis=1) >= 2)
    criterion = recipe.criterion
    if isinstance(criterion, (Gain, InOrder)):
        return _by_gain(recipe, question, usable)
    usable &= (question.weight >= recipe.termination.min_branch_weight - SLIGHT).sum(axis=1) >= 2
    if not usable.any():
        return None
    if isinstance(criterion, Scored):
        scores, scale = scores_of(criterion, question.children, question.parent), 1.0
        tie = np.max(np.abs(scores), initial=0.0, where=usable & ~np.isnan(scores))
    else:
        decrease = DECREASE[criterion.measure](question.children, question.parent)
        scores, scale, tie = decrease * (question.known / question.total), _impurity(criterion, question), 1.0
    way = first_best(np.where(usable, scores / scale, np.nan), float(tie))
    return None if way is None else Answer(way, float(scores[way]), float(scores[way] / scale))


def _impurity(criterion: ImpurityDecrease, question: Question) -> float:
    """Impurity of the node per unit of weight for numbers, whose unit is anybody's; 1 for classes."""
    node = question.node
    if criterion.measure == "variance":
        return float(node[2] / node[0])
    if criterion.measure == "poisson":
        logs = node[2] * math.log(node[2] / node[1]) if node[2] > 0 else 0.0
        return float(2.0 * (node[3] - logs) / node[0])
    return 1.0


def _by_gain(recipe: Recipe, question: Question, usable: np.ndarray) -> Answer | None:
    """The way of largest gain less its charge; its intrinsic value (SPECS 4.2, 4.4)."""
    m, weight = recipe.termination.min_branch_weight, question.weight
    usable = usable & ((weight >= m - SLIGHT).sum(axis=1) >= 2)
    cut = question.trials.kind == "cut"
    if cut:
        usable &= _large_enough(m, question)
    if not usable.any():
        return None
    gain = np.maximum(bits(question.parent) - bits(question.children).sum(axis=1), 0.0) / question.total
    if cut and isinstance(recipe.criterion, Gain) and recipe.criterion.charge:
        gain = gain - np.log2(np.count_nonzero(usable)) / question.total
    way = first_best(np.where(usable, gain, np.nan))
    if cut and not better(float(gain[way]), 0.0):
        return None
    return Answer(way, float(gain[way]), float(gain[way]), intrinsic_value(weight[way], question.total))


def _large_enough(m: float, question: Question) -> np.ndarray:
    """Cuts with enough known weight on both sides (SPECS 4.4); a minimum of 0 allows every cut."""
    if m == 0.0:
        return np.ones(len(question.weight), dtype=bool)
    sides = question.weight[:, :2]
    known = float(sides[0].sum())
    least = max(m, min(SHARE * known / question.parent.size, MOST))
    return (sides >= least - SLIGHT).all(axis=1) & (known >= 2 * m - SLIGHT)


def intrinsic_value(weight: np.ndarray, total: float) -> float:
    """Entropy in bits of the branches' weights, shape (B,), the weight that has no branch being one more group."""
    groups = np.append(weight, max(total - float(weight.sum()), 0.0))
    return float(bits(groups)) / total


def first_best(scores: np.ndarray, least: float = 1.0) -> int | None:
    """The scan of SPECS 0.2: the first score stands until a later one is better by more than rounding; NaN = none.

    Rounding is 1e-12 of the best, or of ``least`` where that is more.
    """
    known = np.flatnonzero(~np.isnan(scores))
    if not len(known):
        return None
    values = scores[known]
    top = np.maximum.accumulate(values)
    # Only a score above all before it can replace the incumbent.
    records = np.flatnonzero(values[1:] > top[:-1]) + 1
    best = 0
    for i in records.tolist():
        if values[i] > values[best] + TIE * max(least, abs(values[best])):
            best = i
    return int(known[best])


def ordering_is_exact(recipe: Recipe, classes: int) -> bool:
    """Whether the best two sets of levels are neighbours in the order of the response."""
    concave = isinstance(recipe.criterion, (ImpurityDecrease, Gain, InOrder))
    return concave and classes <= 2
