"""Which tree of a sequence to select: by held-out rows, or by cross-validation with the trees of folds."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, Protocol

import numpy as np

from ..._messages import Setting, remedy
from ...errors import ParameterError
from ...growing.progress import ended
from ...tree.side_by_side import side_by_side
from ...tree.tree import Tree
from ..losses import OF_PROBABILITIES, HeldOutLosses, checked_loss, other_loss
from ..nested import Ends, confusions_in_families, losses_in_families
from ..resampling import HeldOut, resampling
from ..selection import choose
from ..validation import HeldOutRows
from .enough_rows import EnoughRows
from .evidence import CandidateSequence, Evidence, Pruned
from .parallel import in_parallel
from .remarks import has_few_rows, remarks_on_size

log = logging.getLogger("boxwood")

#: So many cells of a learning set may be behind the trees of folds that are in memory together.
_CELLS_AT_ONCE = 4_000_000


class Family(Protocol):
    """Trees made from one tree, from large to small; :class:`boxwood.pruning.nested.NestedFamily` is one."""

    values: np.ndarray
    n_leaves: np.ndarray
    risks: np.ndarray

    def cut(self, row: int) -> Tree:
        """The tree of a row."""

    def losses(self, points: np.ndarray, ends: Ends, losses: tuple, weights_count: bool) -> list[HeldOutLosses]:
        """Held-out rows in the trees at some values of the parameter, by each of some losses."""

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
    loss : str, optional
        By which held-out rows choose (``Response.losses``); None = the loss of what is predicted.
    rpart : bool
        Trees of folds are grown and evaluated as rpart does.
    min_risk : float
        No tree of the family looks below a node of no more risk by the criterion than this.
    enough : int or None
        Folds that are drawn are evaluated until they hold enough rows, at least about so many; None = all.
    """

    family: Family
    of_fold: Callable[[Tree, float, HeldOut], tuple[Family, np.ndarray]]
    rule: str
    folds: Any
    loss: str | None = None
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
    remarks : tuple of str
        Why the tree is a single leaf, or what another loss would choose.
    """

    row: int
    held_out: np.ndarray | None = None
    confusion: np.ndarray | None = None
    judged_by: str | None = None
    notes: tuple[str, ...] = ()
    folds: tuple[int, int] | None = None
    remarks: tuple[str, ...] = ()

    def pruned(self, family: Family, parameter: str) -> Pruned:
        """The result for a family that is not the weakest-link family; without a judgement nothing is pruned."""
        tree = family.tree if self.notes else family.cut(self.row)
        sequence = CandidateSequence(parameter, family.values, family.n_leaves, family.risks, self.row, self.held_out)
        return Pruned(
            tree, sequence=sequence, confusion=self.confusion, judged_by=self.judged_by, notes=self.notes,
            folds=self.folds, remarks=self.remarks,
        )  # fmt: skip


def chosen(candidates: Candidates, evidence: Evidence) -> Choice:
    """The row of the full tree's family that held-out rows, or folds, find best.

    Raises
    ------
    ParameterError
        There are neither rows to validate with nor the means to grow the trees of folds.
    """
    family = candidates.family
    if evidence.validation is not None:
        ends = _once(evidence.validation.ends)
        losses = family.losses(family.values, ends, _compared(candidates, evidence.tree), candidates.rpart)
        row = _row(candidates, losses[0], evidence.tree)
        confusion = evidence.tree.response.confusion(lambda: family.confusions(ends)(float(family.values[row])))
        remarks = _remarks(candidates, losses, row, evidence.tree)
        return Choice(row, _table(losses[0]), confusion, "validation", remarks=remarks)
    if candidates.folds is None:
        return Choice(0)
    if evidence.growth is None:
        raise ParameterError(
            Setting("folds"), " can only be grown while fitting: ",
            remedy("give this pruner to ", Setting("pruning"), "= at fit, or give rows to validate with (X and y) to "
            "prune()."),
        )  # fmt: skip
    return _by_folds(candidates, evidence)


def _by_folds(candidates: Candidates, evidence: Evidence) -> Choice:
    """The row that the trees of folds find best."""
    learning, resampled = evidence.learning, resampling(evidence.learning)
    keeps = resampled.folds(candidates.folds, evidence.salt)
    if keeps is None:
        note = f"too few rows for {candidates.folds}-fold cross-validation: the tree is not pruned."
        return Choice(0, notes=(note,))
    min_risk = candidates.min_risk and candidates.min_risk * min(map(resampled.share, keeps))
    growth = evidence.growth.of_folds(learning, not candidates.rpart, min_risk)

    def evaluation(keeps: list, trees: list[Tree]) -> _Evaluation:
        cases = []
        for keep, tree in zip(keeps, side_by_side(trees), strict=True):
            rows = resampled.left_out(keep, growth.recipe.rank_cuts, candidates.rpart)
            cases.append((*candidates.of_fold(tree, resampled.share(keep), rows), _once(rows.ends)))
        losses = losses_in_families(cases, names, candidates.rpart)
        confusions = response.confusion(lambda: confusions_in_families(cases))
        return _Evaluation([points for _, points, _ in cases], losses, confusions, [tree.n_leaves for tree in trees])

    response, names = evidence.tree.response, _compared(candidates, evidence.tree)
    stops = candidates.enough is not None and np.ndim(candidates.folds) == 0
    rule = EnoughRows(candidates.enough, learning.n) if stops else None
    needed = len(keeps) if rule is None else rule.first_folds(len(keeps))
    evaluations: list[_Evaluation] = []
    done, total = 0, None
    at_once = resampled.threads
    if not log.isEnabledFor(logging.INFO):  # whoever watches sees each fold
        at_once = max(at_once, _CELLS_AT_ONCE // max(learning.n * len(learning.schema), 1))
    while done < needed:
        some = keeps[done : min(needed, done + at_once)]
        groups = _groups(some, growth.trees(learning, some), resampled.threads)
        found = in_parallel(evaluation, groups, resampled.threads)
        evaluations += found
        for losses, n_leaves in chain(*(zip(one.losses, one.n_leaves, strict=True) for one in found)):
            done += 1
            ended("fold", len(keeps), "fold %d of %d: %d leaves", done, len(keeps), n_leaves)
            total = losses if total is None else [a + b for a, b in zip(total, losses, strict=True)]
        if done == needed:
            row = _row(candidates, total[0], evidence.tree)
            needed = needed if rule is None else rule.folds(len(keeps), total[0].spread(row))
    confusion = response.confusion(
        lambda: sum(chain(*(one.confusions([float(points[row]) for points in one.points]) for one in evaluations)))
    )
    remarks = _remarks(candidates, total, row, evidence.tree)
    return Choice(row, _table(total[0]), confusion, "folds", (), (done, len(keeps)), remarks)


@dataclass(frozen=True, eq=False)
class _Evaluation:
    """The losses on the held-out rows of the trees of some folds, which are not kept."""

    points: list[np.ndarray]
    losses: list[list[HeldOutLosses]]
    confusions: Callable[[list[float]], Iterable[np.ndarray]] | None
    n_leaves: list[int]


def _groups(keeps: list, trees: list[Tree], threads: int) -> list[tuple[list, list[Tree]]]:
    """The trees of some folds with the rows they grew from, in a group for each thread; nothing else keeps them."""
    size = -(-len(trees) // threads)
    return [(keeps[i : i + size], trees[i : i + size]) for i in range(0, len(trees), size)]


def _once(ends: Ends) -> Ends:
    """The same, but the rows go down each tree once."""
    known: dict[int, tuple[Tree, HeldOutRows]] = {}

    def remembered(tree: Tree) -> HeldOutRows:
        if id(tree) not in known:
            known[id(tree)] = tree, ends(tree)
        return known[id(tree)][1]

    return remembered


def _compared(candidates: Candidates, tree: Tree) -> tuple[str, ...]:
    """The loss that chooses, and another one whose choice is worth knowing."""
    loss = checked_loss(candidates.loss, tree.response)
    other = None if candidates.rpart else other_loss(loss, tree.response)
    return (loss,) if other is None else (loss, other)


def _row(candidates: Candidates, losses: HeldOutLosses, tree: Tree) -> int:
    """The row that held-out rows choose by a loss."""
    rule, last = candidates.rule, len(candidates.family.n_leaves) - 1
    if rule == "none":
        return 0
    mean = losses.mean()
    row = choose(np.arange(len(mean)), mean, losses.standard_error(), rule)
    if candidates.loss in OF_PROBABILITIES and row < last and has_few_rows(tree):
        less, error = losses.above_last()
        return row if less[row] > error[row] else last
    return row


def _remarks(candidates: Candidates, losses: list[HeldOutLosses], row: int, tree: Tree) -> tuple[str, ...]:
    """Sentences on the size that was chosen."""
    n_leaves, names = candidates.family.n_leaves, _compared(candidates, tree)
    if candidates.rule == "none" or n_leaves[0] == 1:
        return ()
    rows = [_row(replace(candidates, loss=name), held, tree) for name, held in zip(names[1:], losses[1:], strict=True)]
    sizes = [int(n_leaves[at]) for at in (row, *rows)]
    return remarks_on_size(dict(zip(names, sizes, strict=True)), has_few_rows(tree))


def _table(losses: HeldOutLosses) -> np.ndarray:
    return np.column_stack((losses.mean(), losses.standard_error()))
