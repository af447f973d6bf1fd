"""Where shards live: an engine asks all of them and adds up what they say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol

import numpy as np

from ...tree.tree import Tree
from .shard import Shard
from .sums import added


class Engine(Protocol):
    """Shards of one data set, wherever they live."""

    def send(self, tree: Tree | None) -> None:
        """Every row goes to its node in the tree so far; None: a tree begins, and all are at its root."""

    def ask(self, question: str, asked: dict) -> dict[str, np.ndarray]:
        """The answers of all shards to "facts", "tables", "values" or "floors", added up."""

    def rows(self, asked: dict) -> Iterator[dict[str, np.ndarray]]:
        """The answers of all shards to "rows", one after the other."""


class LocalEngine:
    """Shards of this process, asked one after the other.

    Parameters
    ----------
    shards : iterable of Shard
    kind : {"classes", "mean", "rate"}
        Of the response.
    """

    def __init__(self, shards: Iterable[Shard], kind: str):
        self._shards, self._kind = list(shards), kind

    def send(self, tree: Tree | None) -> None:
        """Every row goes to its node in the tree so far; None: a tree begins, and all are at its root."""
        for shard in self._shards:
            shard.send(tree)

    def ask(self, question: str, asked: dict) -> dict[str, np.ndarray]:
        """The answers of all shards to "facts", "tables", "values" or "floors", added up."""
        total = self._shards[0].answer(question, asked)
        for shard in self._shards[1:]:
            total = added(question, self._kind, total, shard.answer(question, asked))
        return total

    def rows(self, asked: dict) -> Iterator[dict[str, np.ndarray]]:
        """The answers of all shards to "rows", one after the other."""
        for shard in self._shards:
            yield shard.answer("rows", asked)
