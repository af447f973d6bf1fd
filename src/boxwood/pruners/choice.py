"""Which tree of a sequence to select: by held-out rows, or by cross-validation with the trees of folds."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, Protocol

import numpy as np

from ..errors import ParameterError, check_one_of
from ..growing.progress import ended
from ..learning.resampling import HeldOut, resampling
from ..pruning.nested import Ends
from ..pruning.selection import choose
from ..pruning.validation import HeldOutLosses, HeldOutRows
from ..statistics.response import CLASSES
from ..tree.tree import Tree
from .enough_rows import EnoughRows
from .evidence import CandidateSequence, Evidence, Pruned
from .parallel import in_parallel

log = logging.getLogger("boxwood")

RULES = ("min", "1se", "none")
#: So many cells of a learning set may be behind the trees of folds that are in memory together.
_CELLS_AT_ONCE = 4_000_000


class Family(Protocol):
    """Trees made from one tree, from large to small; :class:`boxwood.pruning.nested.NestedFamily` is one."""

    values: np.ndarray
    n_leaves: np.ndarray
    risks: np.ndarray

    def cut(self, row: int) -> Tree:
        """The tree of a row."""

    def losses(self, points: np.ndarray, ends: Ends) -> HeldOutLosses:
        """Losses of held-out rows in the trees at some values of the parameter."""

    def confusions(self, ends: Ends) -> Callable[[float], np.ndarray]:
        """Weights of held-out rows, actual by predicted class, in the tree at a value of the parameter."""


@dataclass(frozen=True, eq=False)
class Candidates:
    """The trees to choose from, and how.

    Attributes
    ----------
    family : Family
        Of the full tree.
    of_fold : callable
        (tree, share, rows) -> (Family, points): the family of the tree of a fold, grown without ``rows`` from this
        share of the weight, and its value of the parameter for each row of the full tree's family.
    rule : {"min", "1se", "none"}
    folds : int, array of shape (n,), or None
    rpart : bool
        Trees of folds are grown and asked as rpart does.
    min_risk : float
        No tree of the family looks below a node of no more risk by the criterion than this.
    enough : int or None
        Folds that are drawn are evaluated until they hold enough rows, at least about so many; None = all.
    """

    family: Family
    of_fold: Callable[[Tree, float, HeldOut], tuple[Family, np.ndarray]]
    rule: str
    folds: Any
    rpart: bool = False
    min_risk: float = 0.0
    enough: int | None = None


@dataclass(frozen=True, eq=False)
class Choice:
    """The row of a family that was chosen, and why.

    Attributes
    ----------
    row : int
    held_out : float64, shape (S, 2), or None
        Loss and its standard error of each tree, per unit of weight.
    confusion : float64, shape (K, K), or None
    judged_by : {"folds", "validation"} or None
    notes : tuple of str
        Why nothing was evaluated.
    folds : (int, int) or None
        How many folds were evaluated, of how many.
    """

    row: int
    held_out: np.ndarray | None = None
    confusion: np.ndarray | None = None
    judged_by: str | None = None
    notes: tuple[str, ...] = ()
    folds: tuple[int, int] | None = None

    def pruned(self, family: Family, parameter: str) -> Pruned:
        """The result for a family that is not the weakest-link family; without a judgement nothing is pruned."""
        tree = family.tree if self.notes else family.cut(self.row)
        sequence = CandidateSequence(parameter, family.values, family.n_leaves, family.risks, self.row, self.held_out)
        return Pruned(
            tree, sequence=sequence, confusion=self.confusion, judged_by=self.judged_by, notes=self.notes,
            folds=self.folds,
        )  # fmt: skip


def chosen(candidates: Candidates, evidence: Evidence) -> Choice:
    """The row of the full tree's family that held-out rows, or folds, find best.

    Raises
    ------
    ParameterError
        There are neither rows to validate with nor a way to grow the trees of folds.
    """
    family, rule = candidates.family, candidates.rule
    if evidence.validation is not None:
        ends = _once(evidence.validation.ends)
        losses = family.losses(family.values, ends)
        row = _row(rule, losses)
        has_classes = evidence.tree.response.kind == CLASSES
        confusion = family.confusions(ends)(float(family.values[row])) if has_classes else None
        return Choice(row, _table(losses), confusion, "validation")
    if candidates.folds is None:
        return Choice(0)
    if evidence.growth is None:
        raise ParameterError(
            "folds can only be grown while fitting: give this pruner to pruning= at fit, or give rows to validate "
            "with (X and y) to prune()."
        )
    return _by_folds(candidates, evidence)


def _by_folds(candidates: Candidates, evidence: Evidence) -> Choice:
    """The row that the trees of folds find best."""
    learning, resampled = evidence.learning, resampling(evidence.learning)
    keeps = resampled.folds(candidates.folds, evidence.salt)
    if keeps is None:
        note = f"too few rows for {candidates.folds}-fold cross-validation: the tree is not pruned."
        return Choice(0, notes=(note,))
    min_risk = candidates.min_risk * min(resampled.share(keep) for keep in keeps)
    growth = evidence.growth.of_folds(learning, not candidates.rpart, min_risk)

    def evaluation(keep: Any, tree: Tree) -> _Evaluation:
        rows = resampled.left_out(keep, growth.recipe.rank_cuts, candidates.rpart)
        own, points = candidates.of_fold(tree, resampled.share(keep), rows)
        ends = _once(rows.ends)
        confusions = own.confusions(ends) if has_classes else None
        return _Evaluation(points, own.losses(points, ends), confusions, tree.n_leaves)

    has_classes = evidence.tree.response.kind == CLASSES
    stops = candidates.enough is not None and np.ndim(candidates.folds) == 0
    rule = EnoughRows(candidates.enough, learning.n) if stops else None
    needed = len(keeps) if rule is None else rule.first_folds(len(keeps))
    evaluations: list[_Evaluation] = []
    total = None
    at_once = resampled.threads
    if not log.isEnabledFor(logging.INFO):  # whoever watches sees each fold
        at_once = max(at_once, _CELLS_AT_ONCE // max(learning.n * len(learning.schema), 1))
    while len(evaluations) < needed:
        some = keeps[len(evaluations) : min(needed, len(evaluations) + at_once)]
        grown = zip(some, growth.trees(learning, some), strict=True)
        for found in in_parallel(evaluation, list(grown), resampled.threads):
            evaluations.append(found)
            ended("fold", len(keeps), "fold %d of %d: %d leaves", len(evaluations), len(keeps), found.n_leaves)
            total = found.losses if total is None else total + found.losses
        if len(evaluations) == needed:
            row = _row(candidates.rule, total)
            needed = needed if rule is None else rule.folds(len(keeps), total.spread(row))
    confusion = None
    if has_classes:
        confusion = sum(found.confusions(float(found.points[row])) for found in evaluations)
    return Choice(row, _table(total), confusion, "folds", folds=(len(evaluations), len(keeps)))


@dataclass(frozen=True, eq=False)
class _Evaluation:
    """What the held-out rows say of the tree of a fold, which is not kept."""

    points: np.ndarray
    losses: HeldOutLosses
    confusions: Callable[[float], np.ndarray] | None
    n_leaves: int


def _once(ends: Ends) -> Ends:
    """The same, but the rows go down each tree once."""
    known: dict[int, tuple[Tree, HeldOutRows]] = {}

    def remembered(tree: Tree) -> HeldOutRows:
        if id(tree) not in known:
            known[id(tree)] = tree, ends(tree)
        return known[id(tree)][1]

    return remembered


def _row(rule: str, losses: HeldOutLosses) -> int:
    if rule == "none":
        return 0
    mean = losses.mean()
    return choose(np.arange(len(mean)), mean, losses.standard_error(), rule)


def _table(losses: HeldOutLosses) -> np.ndarray:
    return np.column_stack((losses.mean(), losses.standard_error()))


def check_choice(rule: str, folds: Any, holdout: float | None) -> None:
    """Check how a tree of a family is to be chosen.

    Raises
    ------
    ParameterError
        A value is out of range, or the rule lacks what it evaluates by.
    """
    check_one_of("rule", rule, RULES)
    if isinstance(folds, (str, dict, float, bool)):
        raise ParameterError(f"folds must be a whole number, one fold number per row, or None; got {folds!r}.")
    if isinstance(folds, (int, np.integer)) and folds < 2:
        raise ParameterError(f"folds must be at least 2; got {folds!r}.")
    check_holdout(holdout)
    if holdout is not None and folds is not None:
        raise ParameterError("give folds or holdout, not both: a tree is evaluated by folds or by the rows held out.")


def check_holdout(holdout: float | None) -> None:
    """Check the share of rows to hold out.

    Raises
    ------
    ParameterError
        It is not a number between 0 and 1.
    """
    if holdout is not None and (isinstance(holdout, bool) or not isinstance(holdout, float) or not 0 < holdout < 1):
        raise ParameterError(f"holdout must be None or a share of the rows between 0 and 1; got {holdout!r}.")


def drop_default_folds(pruner: Any, is_given: bool | None = None) -> None:
    """Take back the folds a pruner has by default, in its ``__post_init__``, when something else decides.

    That is a holdout, or (``is_given``) a value of the parameter itself; then nothing is evaluated. None = such a value
    is always there.

    Raises
    ------
    ParameterError
        A value is given, and folds or a holdout too; or neither.
    """
    default = next(f.default for f in fields(pruner) if f.name == "folds")
    if (pruner.holdout is not None or is_given) and pruner.folds is default:
        object.__setattr__(pruner, "folds", None)
    if is_given and (pruner.folds is not None or pruner.holdout is not None):
        raise ParameterError("folds and holdout choose among trees, but the tree to take is given; leave them out.")
    if is_given:
        object.__setattr__(pruner, "rule", "none")
    elif is_given is False and pruner.rule == "none":
        raise ParameterError(f"{type(pruner).__name__} with rule='none' needs the value to prune at; give it.")
