"""The engine of shards: sends requests to all of them and adds up their replies."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from functools import partial, reduce
from typing import Any, Protocol

import numpy as np

from ..._free_memory import trim_heap
from ..._threads import Threads
from ...tree.tree import Tree
from .shard import Shard
from .shares import Shares
from .sums import added
from .view import EVERYTHING, View


class Engine(Protocol):
    """Shards of one data set, wherever they live.

    Attributes
    ----------
    reply_bytes : int
        Approximate size of the replies to request: smaller replies take more requests.
    """

    reply_bytes: int

    def update(self, tree: Tree | None, shares: Shares | None = None, view: View = EVERYTHING) -> None:
        """Every row goes to its node in the tree so far; None: a tree begins, and all are at its root.

        With ``shares`` a row of unknown value goes down every branch with its share.
        """

    def request(self, name: str, arguments: dict) -> dict[str, np.ndarray]:
        """The replies of all shards to a request (:meth:`.Shard.reply`), added up."""

    def rows(self, arguments: dict) -> Iterator[dict[str, np.ndarray]]:
        """The replies of all shards to "rows", one after the other."""


#: Requests whose replies are lists that grow.
LISTS = frozenset({"values", "leaves", "distinct", "hashes", "inside"})


def in_pairs(merge: Callable, replies: Iterable[dict]) -> dict:
    """Replies merged so that each takes part in few merges: lists that grow are not walked again for every shard."""
    waiting: list[tuple[int, dict]] = []  # replies of falling numbers of shards, each a power of two
    for reply in replies:
        shards = 1
        while waiting and waiting[-1][0] == shards:
            reply, shards = merge(waiting.pop()[1], reply), 2 * shards
        waiting.append((shards, reply))
    return reduce(merge, (reply for _, reply in waiting))


class LocalEngine:
    """Shards of this process, some of them at work at a time.

    Parameters
    ----------
    shards : iterable of Shard
    kind : {"classes", "mean", "rate"}
        Of the response.
    threads : int
        Shards that are at work at a time.
    reply_bytes : int
        See :class:`Engine`.
    """

    def __init__(self, shards: Iterable[Shard], kind: str, threads: int = 1, reply_bytes: int = 1 << 28):
        self._shards, self._kind, self._threads, self.reply_bytes = list(shards), kind, threads, reply_bytes

    def update(self, tree: Tree | None, shares: Shares | None = None, view: View = EVERYTHING) -> None:
        """Every row goes to its node in the tree so far; None: a tree begins, and all are at its root."""
        for _ in self._each(lambda shard: shard.update(tree, shares, view)):
            pass

    def request(self, name: str, arguments: dict) -> dict[str, np.ndarray]:
        """The replies of all shards to a request (:meth:`.Shard.reply`), added up."""
        merge = partial(added, name, self._kind)
        replies = self._each(lambda shard: shard.reply(name, arguments))
        if name not in LISTS:
            return reduce(merge, replies)
        reply = in_pairs(merge, replies)
        del replies  # with the last list, which was merged
        trim_heap()
        return reply

    def rows(self, arguments: dict) -> Iterator[dict[str, np.ndarray]]:
        """The replies of all shards to "rows", one after the other."""
        yield from self._each(lambda shard: shard.reply("rows", arguments))

    def _each(self, work: Callable[[Shard], Any]) -> Iterator[Any]:
        """The replies of the shards, in order; few wait at a time, since each may be large."""
        if self._threads == 1 or len(self._shards) == 1:
            yield from map(work, self._shards)
            return
        waiting: deque[Future] = deque()
        with Threads(self._threads) as pool:
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
    """An engine whose shards present their rows in one view.

    Parameters
    ----------
    engine : Engine
    view : View
    """

    def __init__(self, engine: Engine, view: View):
        self._engine, self._view, self.reply_bytes = engine, view, engine.reply_bytes
        self._arguments = {"view": view.to_array()}

    def update(self, tree: Tree | None, shares: Shares | None = None, view: View = EVERYTHING) -> None:
        """Every row goes to its node in the tree so far, as this engine sees it."""
        self._engine.update(tree, shares, self._view)

    def request(self, name: str, arguments: dict) -> dict[str, np.ndarray]:
        """The replies of all shards to a request, added up."""
        return self._engine.request(name, arguments | self._arguments)

    def rows(self, arguments: dict) -> Iterator[dict[str, np.ndarray]]:
        """The replies of all shards to "rows", one after the other."""
        return self._engine.rows(arguments | self._arguments)
