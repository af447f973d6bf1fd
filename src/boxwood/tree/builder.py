"""Builds a tree from levels of nodes, as a growing loop produces them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..data.columns.schema import Schema
from ..statistics.responses.response import Response
from .split import LevelSplits, SplitTable, offsets
from .tree import STAYS, Tree


class Builder:
    """Collects levels, the root's first, and freezes them into a Tree.

    Nodes of a level are in order of parent and branch, so levels one after the other are the tree's own order.

    Parameters
    ----------
    schema : Schema
    response : Response
    """

    def __init__(self, schema: Schema, response: Response):
        self.schema, self.response = schema, response
        self._moments: list[np.ndarray] = []
        self._rows: list[np.ndarray] = []
        self._found: list[LevelSplits] = []

    def add(self, moments: np.ndarray, rows: np.ndarray, found: LevelSplits) -> None:
        """Add one level.

        Parameters
        ----------
        moments : float64, shape (L, M)
        rows : int64, shape (L,)
        found : LevelSplits
            Of the same L nodes; feature -1 makes a node a leaf, whatever else is given.
        """
        self._moments.append(moments)
        self._rows.append(rows)
        self._found.append(found)

    def freeze(self, made_by: dict) -> Tree:
        """The tree of all levels added."""
        found = self._found
        splits = join_splits([f.splits for f in found])
        missing = np.concatenate([f.missing for f in found])
        is_split = splits.feature >= 0
        n_children = branch_counts(splits, missing)
        parent = np.repeat(np.arange(len(splits)), n_children)
        first_child = 1 + np.cumsum(n_children) - n_children
        surrogate_start, kept = _of_split_nodes([f.surrogate_start for f in found], is_split)
        competitor_start, ranked = _of_split_nodes([f.competitor_start for f in found], is_split)
        return Tree(
            schema=self.schema,
            response=self.response,
            parent=np.concatenate([[-1], parent]).astype(np.int32),
            first_child=np.where(is_split, first_child, -1).astype(np.int32),
            n_children=n_children,
            splits=splits,
            missing=np.where(is_split, missing, STAYS).astype(np.int32),
            heuristic=np.concatenate([f.heuristic for f in found]).astype(bool) & is_split,
            moments=np.concatenate(self._moments),
            rows=np.concatenate(self._rows).astype(np.int64),
            score=np.where(is_split, np.concatenate([f.score for f in found]), np.nan),
            surrogate_start=surrogate_start,
            surrogates=join_splits([f.surrogates for f in found]).take(kept),
            agreement=np.concatenate([f.agreement for f in found])[kept],
            adjusted=np.concatenate([f.adjusted for f in found])[kept],
            competitor_start=competitor_start,
            competitors=join_splits([f.competitors for f in found]).take(ranked),
            competitor_score=np.concatenate([f.competitor_score for f in found])[ranked],
            made_by=made_by,
            log_p=None
            if found[0].log_p is None
            else np.where(is_split, np.concatenate([f.log_p for f in found]), np.nan),
        )


def branch_counts(splits: SplitTable, missing: np.ndarray) -> np.ndarray:
    """Branches of each split, shape (S,), int32: as many as its index and its missing branch name; 0 at leaves.

    Parameters
    ----------
    splits : SplitTable of S rows
    missing : int32, shape (S,)
        As in Tree.missing.
    """
    top = missing.astype(np.int64)
    np.maximum.at(top, np.repeat(np.arange(len(splits)), np.diff(splits.index_start)), splits.index)
    return np.where(splits.feature >= 0, top + 1, 0).astype(np.int32)


def join_splits(tables: Sequence[SplitTable]) -> SplitTable:
    """The rows of several tables, one after the other."""
    return SplitTable(
        np.concatenate([t.feature for t in tables]).astype(np.int32),
        _join_starts([t.breaks_start for t in tables]),
        np.concatenate([t.breaks for t in tables]),
        np.concatenate([t.breaks_low for t in tables]),
        np.concatenate([t.n_positions for t in tables]).astype(np.int32),
        _join_starts([t.index_start for t in tables]),
        np.concatenate([t.position for t in tables]).astype(np.int32),
        np.concatenate([t.index for t in tables]).astype(np.int32),
    )


def _join_starts(starts: Sequence[np.ndarray]) -> np.ndarray:
    """Offsets of ragged lists that are put one after the other."""
    return offsets(np.concatenate([np.diff(s) for s in starts]))


def _of_split_nodes(starts: Sequence[np.ndarray], is_split: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Offsets and old positions of the entries of split nodes, in a ragged list over all nodes."""
    sizes = np.concatenate([np.diff(s) for s in starts])
    kept = np.flatnonzero(np.repeat(is_split, sizes))
    return offsets(np.where(is_split, sizes, 0)), kept
