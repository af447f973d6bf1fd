"""The input of a pruner, and its result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np

from ...errors import ParameterError
from ...learning.learning_set import LearningSet
from ...tree.tree import Tree
from ..cost_complexity import CostComplexityPath
from ..growth import Growth
from ..held_out import LabelledSample

#: The alpha of a model that keeps its full tree, also the splits that gain nothing.
KEEPS_ALL = -1.0


@dataclass(frozen=True, eq=False)
class Evidence:
    """A full tree and what is known beside it.

    Attributes
    ----------
    tree : Tree
        The full tree.
    learning : LearningSet or None
        The rows of the fit; after the fit, rows given to a pruner that needs those the tree was grown from.
    keep : bool array of shape (n,), or None
        Rows of the learning set that the full tree was grown from; None = all.
    growth : Growth or None
        How to grow again; None after the fit.
    validation : LabelledSample or None
        Rows that the tree was not grown from: a share held out before growth, or rows given after the fit.
    salt : int or None
        Seed of the folds.
    """

    tree: Tree
    learning: LearningSet | None = None
    keep: np.ndarray | None = None
    growth: Growth | None = None
    validation: LabelledSample | None = None
    salt: int | None = None

    def needed_validation(self, pruner: str) -> LabelledSample:
        """The rows to validate with.

        Raises
        ------
        ParameterError
            There are none.
        """
        if self.validation is None:
            raise ParameterError(
                f"{pruner} needs rows that the tree was not grown from: set holdout= at fit, or give X and y "
                "to prune()."
            )
        return self.validation


@dataclass(frozen=True, eq=False)
class CandidateSequence:
    """The trees among which a pruner chose, from large to small.

    Attributes
    ----------
    parameter : str
        What the values are: "alpha", "threshold", "confidence", "step" ...
    values : float64, shape (S,)
    n_leaves : int64, shape (S,)
    risks : float64, shape (S,)
        Risk on the training set, in units of weight.
    row : int
        The selected tree.
    held_out : float64, shape (S, 2), or None
        Held-out loss and its standard error of each tree, per unit of weight.
    """

    parameter: str
    values: np.ndarray
    n_leaves: np.ndarray
    risks: np.ndarray
    row: int
    held_out: np.ndarray | None = None


@dataclass(frozen=True, eq=False)
class Pruned:
    """What pruning found.

    Attributes
    ----------
    tree : Tree
        The selected tree.
    family : CostComplexityPath or None
        The weakest-link family of the full tree, in units of weight, when the tree is a cut of it.
    alpha : float or None
        Where the family is cut, in the same units; None = the tree is no such cut.
    sequence : CandidateSequence or None
        The trees among which the pruner chose, when these are not the weakest-link family.
    held_out : float64, shape (S, 2), or None
        Held-out loss and its standard error for each row of the family.
    confusion : float64, shape (K, K), or None
        Weights of held-out rows, actual by predicted class, in the tree chosen.
    judged_by : {"folds", "validation"} or None
        Whose losses these are.
    notes : tuple of str
        Sentences for people.
    folds : (int, int) or None
        How many folds were evaluated, of how many.
    remarks : tuple of str
        Sentences for people who read the report, no warnings.
    """

    tree: Tree
    family: CostComplexityPath | None = None
    alpha: float | None = None
    sequence: CandidateSequence | None = None
    held_out: np.ndarray | None = None
    confusion: np.ndarray | None = None
    judged_by: str | None = None
    notes: tuple[str, ...] = ()
    folds: tuple[int, int] | None = None
    remarks: tuple[str, ...] = ()


class Pruner(Protocol):
    """What ``pruning=`` and ``prune()`` take: a frozen dataclass whose fields are plain values.

    Attributes
    ----------
    name : str
        In model files and on the command line.
    rows : {"validation", "learning"}
        What rows given to ``prune()`` after the fit are.
    holdout : float or None
        Share of the rows that is held out before the full tree is grown, to validate with.
    """

    name: ClassVar[str]
    rows: ClassVar[str]
    holdout: float | None

    def prune(self, evidence: Evidence) -> Pruned:
        """The full tree made smaller.

        Raises
        ------
        ParameterError
            The evidence lacks what this pruner needs, or the tree is of a kind that it cannot evaluate.
        """
