"""Rows of a learning set held out to evaluate trees, in memory; :mod:`.shard_resampling` does it for shards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from .._messages import Setting
from ..errors import ParameterError
from ..learning.folds import content_folds, content_holdout
from ..learning.learning_set import LearningSet
from ..tree.tree import Tree
from .held_out import LeftOut
from .validation import HeldOutRows


class HeldOut(Protocol):
    """Rows that evaluate trees which were grown without them."""

    def ends(self, tree: Tree) -> HeldOutRows:
        """Where the rows end in a tree."""


class Resampling(Protocol):
    """How rows are held out; the mark of the rows that stay (``keep``) is what ``Growth`` takes."""

    threads: int

    def folds(self, folds, salt: int | None) -> list | None:
        """The rows that stay while each fold is left out; None when there are too few rows."""

    def holdout(self, share: float, salt: int | None) -> Any:
        """The rows that stay while a share of them is held out; None when there are too few rows."""

    def share(self, keep) -> float:
        """Share of the weight in the rows that stay."""

    def left_out(self, keep, rank_cuts: bool = False, open_below: bool = False):
        """The other rows: ``ends(tree)`` for trees of folds, ``sample(unseen)`` for all other trees."""


@dataclass(frozen=True, eq=False)
class InMemory:
    """Rows in memory; a choice of rows is a bool array of shape (n,).

    Attributes
    ----------
    learning : LearningSet
    """

    learning: LearningSet

    @property
    def threads(self) -> int:
        """So many trees may be evaluated side by side."""
        return self.learning.threads

    def folds(self, folds, salt: int | None) -> list[np.ndarray] | None:
        """See :class:`Resampling`.

        Raises
        ------
        ParameterError
            ``folds`` are the numbers of folds, and not one a row, or not at least two different ones.
        """
        if isinstance(folds, (int, np.integer)):
            fold = content_folds(self.learning, int(folds), salt)
        else:
            fold = self._given(folds)
        return None if fold is None else [fold != f for f in range(int(fold.max()) + 1)]

    def holdout(self, share: float, salt: int | None) -> np.ndarray | None:
        """See :class:`Resampling`."""
        held_out = content_holdout(self.learning, share, salt)
        return None if held_out is None else ~held_out

    def share(self, keep: np.ndarray) -> float:
        """See :class:`Resampling`."""
        weight = self.learning.exact.weight
        if weight is None:
            return float(np.count_nonzero(keep) / self.learning.n)
        return int(weight[keep].sum()) / int(weight.sum())

    def left_out(self, keep: np.ndarray, rank_cuts: bool = False, open_below: bool = False) -> LeftOut:
        """See :class:`Resampling`."""
        return LeftOut(self.learning, ~keep, rank_cuts, open_below)

    def _given(self, folds) -> np.ndarray:
        """The fold of each row of positive weight, from one number for each row that was given."""
        learning, given = self.learning, np.asarray(folds)
        if given.shape != (learning.n_given,):
            raise ParameterError(
                Setting("folds"), f" must hold one number for each of the {learning.n_given} rows; got shape "
                f"{given.shape}.",
            )  # fmt: skip
        if given.dtype.kind not in "iub":
            raise ParameterError(Setting("folds"), f" must hold whole numbers; got values of type {given.dtype}.")
        names, fold = np.unique(given[learning.rows], return_inverse=True)
        if len(names) < 2:
            raise ParameterError(Setting("folds"), f" must name at least 2 folds; all rows are in fold {names[0]}.")
        return fold.astype(np.int32)


def resampling(learning) -> Resampling:
    """How rows of a learning set are held out, wherever they live."""
    return InMemory(learning) if isinstance(learning, LearningSet) else learning.resampling
