"""Where shards live: an engine asks all of them and adds up what they say."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial, reduce
from typing import Any, Protocol

import numpy as np

from ...tree.tree import Tree
from .shard import Shard
from .shares import Shares
from .sums import added
from .view import EVERYTHING, View


class Engine(Protocol):
    """Shards of one data set, wherever they live."""

    def send(self, tree: Tree | None, shares: Shares | None = None, view: View = EVERYTHING) -> None:
        """Every row goes to its node in the tree so far; None: a tree begins, and all are at its root.

        With ``shares`` a row of unknown value goes down every branch with its share.
        """

    def ask(self, question: str, asked: dict) -> dict[str, np.ndarray]:
        """The answers of all shards to a question (:meth:`.Shard.answer`), added up."""

    def rows(self, asked: dict) -> Iterator[dict[str, np.ndarray]]:
        """The answers of all shards to "rows", one after the other."""


#: Questions whose answers are lists that grow.
LISTS = frozenset({"values", "lands", "distinct", "keys", "apart", "inside"})


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
    """Shards of this process, some of them at work at a time.

    Parameters
    ----------
    shards : iterable of Shard
    kind : {"classes", "mean", "rate"}
        Of the response.
    threads : int
        Shards that are at work at a time.
    """

    def __init__(self, shards: Iterable[Shard], kind: str, threads: int = 1):
        self._shards, self._kind, self._threads = list(shards), kind, threads

    def send(self, tree: Tree | None, shares: Shares | None = None, view: View = EVERYTHING) -> None:
        """Every row goes to its node in the tree so far; None: a tree begins, and all are at its root."""
        for _ in self._each(lambda shard: shard.send(tree, shares, view)):
            pass

    def ask(self, question: str, asked: dict) -> dict[str, np.ndarray]:
        """The answers of all shards to a question (:meth:`.Shard.answer`), added up."""
        merge = partial(added, question, self._kind)
        answers = self._each(lambda shard: shard.answer(question, asked))
        return in_pairs(merge, answers) if question in LISTS else reduce(merge, answers)

    def rows(self, asked: dict) -> Iterator[dict[str, np.ndarray]]:
        """The answers of all shards to "rows", one after the other."""
        yield from self._each(lambda shard: shard.answer("rows", asked))

    def _each(self, work: Callable[[Shard], Any]) -> Iterator[Any]:
        """What the shards answer, in order; few answers wait at a time, since each may be large."""
        if self._threads == 1 or len(self._shards) == 1:
            yield from map(work, self._shards)
            return
        waiting: deque[Future] = deque()
        with ThreadPoolExecutor(self._threads) as pool:
            try:
                for shard in self._shards:
                    waiting.append(pool.submit(work, shard))
                    if len(waiting) > self._threads:
                        yield waiting.popleft().result()
                while waiting:
                    yield waiting.popleft().result()
            finally:
                pool.shutdown(cancel_futures=True)


class ViewedEngine:
    """An engine whose shards look at their rows in one way.

    Parameters
    ----------
    engine : Engine
    view : View
    """

    def __init__(self, engine: Engine, view: View):
        self._engine, self._view = engine, view
        self._asked = {"view": view.to_array()}

    def send(self, tree: Tree | None, shares: Shares | None = None, view: View = EVERYTHING) -> None:
        """Every row goes to its node in the tree so far, as this engine sees it."""
        self._engine.send(tree, shares, self._view)

    def ask(self, question: str, asked: dict) -> dict[str, np.ndarray]:
        """The answers of all shards to a question, added up."""
        return self._engine.ask(question, asked | self._asked)

    def rows(self, asked: dict) -> Iterator[dict[str, np.ndarray]]:
        """The answers of all shards to "rows", one after the other."""
        return self._engine.rows(asked | self._asked)
