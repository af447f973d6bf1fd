"""Where shards live: an engine asks all of them and adds up what they say."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial, reduce
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
        """The answers of all shards to a question but "rows", added up; see :class:`.Shard`."""

    def rows(self, asked: dict) -> Iterator[dict[str, np.ndarray]]:
        """The answers of all shards to "rows", one after the other."""


def in_pairs(merge: Callable, answers: Iterable[dict]) -> dict:
    """Answers merged so that each takes part in few merges: lists that grow are not walked again for every shard."""
    waiting: list[tuple[int, dict]] = []  # answers of falling numbers of shards, each a power of two
    for answer in answers:
        shards = 1
        while waiting and waiting[-1][0] == shards:
            answer, shards = merge(waiting.pop()[1], answer), 2 * shards
        waiting.append((shards, answer))
    return reduce(merge, (answer for _, answer in waiting))


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
        """The answers of all shards to a question but "rows", added up; see :class:`.Shard`."""
        merge = partial(added, question, self._kind)
        answers = (shard.answer(question, asked) for shard in self._shards)
        return in_pairs(merge, answers) if question == "values" else reduce(merge, answers)

    def rows(self, asked: dict) -> Iterator[dict[str, np.ndarray]]:
        """The answers of all shards to "rows", one after the other."""
        for shard in self._shards:
            yield shard.answer("rows", asked)
