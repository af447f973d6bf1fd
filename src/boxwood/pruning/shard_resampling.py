"""Rows of shards held out to evaluate trees: drawn like those in memory; shards reply with their leaves."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..errors import RowsLostError
from ..growing.memory.binned import in_bins
from ..growing.shards.drawing import Drawing, Labelled
from ..growing.shards.engine import Engine, ViewedEngine
from ..growing.shards.row_hashes import RowHashes
from ..growing.shards.source import Whole
from ..growing.shards.view import EVERYTHING, View
from ..learning.folds import enough_for_folds, enough_for_holdout
from ..statistics.places import FoldDraw, HoldoutDraw
from ..tree.descend import UNSEEN_POLICIES
from ..tree.tree import Tree
from ..tree.weight_squares import with_weight_squares
from .held_out import open_below_cuts
from .validation import HeldOutRows

log = logging.getLogger("boxwood")


@dataclass(frozen=True)
class Without:
    """The rows of shards but for those of one label.

    Attributes
    ----------
    label : int
    rows : int
        That stay.
    share : float
        Of the weight.
    """

    label: int
    rows: int
    share: float


@dataclass(frozen=True, eq=False)
class _LeftOut:
    """The rows of one label.

    Attributes
    ----------
    resampling : InShards
    keep : Without
    rank_cuts, open_below : bool
        As for :class:`boxwood.pruning.held_out.LeftOut`.
    unseen : str
        What to do with levels that the tree has not seen.
    """

    resampling: InShards
    keep: Without
    rank_cuts: bool = False
    open_below: bool = False
    unseen: str = "missing"

    def sample(self, unseen: str = "missing") -> _LeftOut:
        """The same rows for trees of all kinds."""
        return replace(self, rank_cuts=False, open_below=False, unseen=unseen)

    def ends(self, tree: Tree) -> HeldOutRows:
        """Where the rows end in a tree."""
        view = View(self.rank_cuts, self.keep.label)
        found = self.resampling.about(open_below_cuts(tree) if self.open_below else tree, "leaves", view, self.unseen)
        y = np.column_stack((found["y"], found["events"])) if "events" in found else found["y"]
        weight = tree.response.row_weights(found["weight"], y)
        return HeldOutRows(found["node"], y, weight, found.get("count"))


class InShards:
    """Rows of shards; a choice of rows is a :class:`Without`.

    Parameters
    ----------
    engine : Engine
    whole : Whole
    at_once : int
        Values or hashes that may be brought together at a time.
    """

    #: Trees are evaluated one after the other: each question goes to all rows.
    threads = 1

    def __init__(self, engine: Engine, whole: Whole, at_once: int):
        self.engine, self._whole, self._at_once = engine, whole, at_once
        self._cuts: tuple | None = None
        self._drawn: Callable[[], Labelled] | None = None

    def folds(self, folds: int, salt: int | None) -> list[Without] | None:
        """See :class:`boxwood.pruning.resampling.Resampling`."""
        if not enough_for_folds(self._whole.scaling.n, folds):
            return None
        return self._choices(FoldDraw(int(folds)), int(folds), salt)

    def holdout(self, share: float, salt: int | None) -> Without | None:
        """See :class:`boxwood.pruning.resampling.Resampling`."""
        if not enough_for_holdout(self._whole.scaling.n, share):
            return None
        stay = self._choices(HoldoutDraw(share), 2, salt)[1]
        return stay if 0 < stay.rows < self._whole.scaling.n else None

    def share(self, keep: Without) -> float:
        """See :class:`boxwood.pruning.resampling.Resampling`."""
        return keep.share

    def left_out(self, keep: Without, rank_cuts: bool = False, open_below: bool = False) -> _LeftOut:
        """See :class:`boxwood.pruning.resampling.Resampling`."""
        return _LeftOut(self, keep, rank_cuts, open_below)

    def seen(self, keep: Without, by_rank: bool) -> tuple[Engine, Whole]:
        """What a source needs to grow a tree from the rows that stay."""
        whole = self._whole
        scaling = replace(whole.scaling, n=keep.rows)
        engine = ViewedEngine(self.engine, View(by_rank, keep.label))
        if by_rank:  # ranks of bins stay such
            return engine, replace(whole, cuts=self._cuts, scaling=scaling, thresholds={})
        return engine, replace(whole, scaling=scaling)

    def with_weight_squares(self, tree: Tree, keep: Without | None) -> Tree:
        """A tree grown from these rows or those that stay, with the sums of their squared weights in each node."""
        if not self._whole.weighted:
            return tree
        view = EVERYTHING if keep is None else View(without=keep.label)
        return with_weight_squares(tree, self.about(tree, "squares", view)["sums"], self._whole.scaling.unit)

    def about(self, tree: Tree, request: str, view: View, unseen: str = "missing") -> dict:
        """The reply to a request about where rows end in a tree."""
        inside = in_bins(tree, self.thresholds) if self.thresholds and not view.by_rank else tree
        arguments = {"tree": inside, "view": view.to_array(), "unseen": np.array(UNSEEN_POLICIES.index(unseen))}
        return self.again(lambda: self.engine.request(request, arguments))

    @property
    def thresholds(self) -> dict[int, np.ndarray]:
        """Behind each bin of the features whose values are numbers of bins."""
        return self._whole.thresholds

    def again(self, work: Callable) -> Any:
        """The result of some work; if rows were lost meanwhile, it is prepared and done again."""
        while True:
            try:
                return work()
            except RowsLostError:
                log.info("rows were read again: folds are prepared again")
                self.prepare()

    def _choices(self, draw: FoldDraw | HoldoutDraw, labels: int, salt: int | None) -> list[Without]:
        if self._cuts is None:
            self.prepare()
        drawing = Drawing(self.engine, max(1, len(self._whole.response.labels)), salt)
        self._drawn = lambda: drawing.assign(draw, labels)
        found = self.again(self._drawn)
        n, weight = int(found.rows.sum()), int(found.weight.sum())
        counts = zip(found.rows.tolist(), found.weight.tolist(), strict=True)
        return [Without(label, n - rows, (weight - w) / weight) for label, (rows, w) in enumerate(counts)]

    def prepare(self) -> None:
        """Have shards make ranks and hashes, and draw what was drawn."""
        hashes = RowHashes(self.engine, self._whole, self._at_once)
        while True:
            try:
                self.engine.update(None)  # a tree so far may lean on what is made now
                self._cuts = hashes.make()
                if self._drawn is not None:
                    self._drawn()
                return
            except RowsLostError:  # the pool counts the losses, and gives up after some
                log.info("rows were read again: folds are prepared again")
