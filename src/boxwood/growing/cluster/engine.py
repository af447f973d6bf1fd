"""A pool of workers as the engine of a sharded source, and as the finisher of its parts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial, reduce

import numpy as np

from ...errors import ClusterError
from ...tree.tree import Tree
from ..parts import bin_counts
from ..parts.finishing import Weighed, Weighting, merged
from ..parts.survey import Survey
from ..shards.messages import request_to_bytes, to_message, tree_to_bytes
from ..shards.shares import Shares
from ..shards.sums import added
from ..shards.view import EVERYTHING, View
from .pool import WorkerPool
from .summaries import (
    Order,
    bin_request_to_bytes,
    order_to_bytes,
    survey_from_bytes,
    weighed_from_json,
    weighting_to_bytes,
)

_EMPTY = to_message("nothing")


class PoolEngine:
    """Shards of workers.

    Parameters
    ----------
    pool : WorkerPool
        Has got the order by which its parts become final.
    kind : {"classes", "mean", "rate"}
        Of the response.
    reply_bytes : int
        See :class:`boxwood.growing.shards.engine.Engine`.
    """

    def __init__(self, pool: WorkerPool, kind: str, reply_bytes: int = 1 << 28):
        self._pool, self._kind, self.reply_bytes = pool, kind, reply_bytes

    def update(self, tree: Tree | None, shares: Shares | None = None, view: View = EVERYTHING) -> None:
        """Every row goes to its node in the tree so far; None: a tree begins, and all are at its root."""
        self._pool.broadcast("update", tree_to_bytes(tree, shares, view))

    def request(self, name: str, arguments: dict) -> dict[str, np.ndarray]:
        """The replies of all workers to a request (:meth:`.Shard.reply`), added up as they come."""
        replies = self._pool.replies("request", request_to_bytes(name, arguments))
        replies = (reply.arrays for reply in replies if reply.arrays is not None)
        return reduce(lambda one, other: added(name, self._kind, one, other), replies)

    def rows(self, arguments: dict) -> Iterator[dict[str, np.ndarray]]:
        """The replies of all shards to "rows", one after the other; in a worker's reply names begin with the shard."""
        for reply in self._pool.replies("request", request_to_bytes("rows", arguments)):
            of_shard: dict[str, dict[str, np.ndarray]] = {}
            for name, array in (reply.arrays or {}).items():
                shard, _, name = name.partition(".")
                of_shard.setdefault(shard, {})[name] = array
            yield from of_shard.values()


class PoolFinisher:
    """Puts the parts of all workers into final numbers (as :class:`boxwood.growing.parts.finishing.Finisher`).

    Parameters
    ----------
    pool : WorkerPool
        Has read all pieces.

    Attributes
    ----------
    pool : WorkerPool
    survey : Survey
        Of all rows.
    """

    def __init__(self, pool: WorkerPool):
        self.pool = pool
        self.survey: Survey | None = None
        for reply in pool.request("survey", _EMPTY):
            found = survey_from_bytes(reply.arrays["survey"].tobytes())
            if self.survey is None:
                self.survey = found
            else:
                self.survey.merge(found)

    def weighed(self, weighting: Weighting, labels: tuple) -> Weighed | None:
        """What is known of the weights of all rows; None when they have none."""
        replies = self.pool.request("weigh", weighting_to_bytes(weighting, labels))
        return merged(weighed_from_json(r.plain["weighed"]) for r in replies if "weighed" in r.plain)

    def multiples(self, weighting: Weighting, labels: tuple, units: Sequence[float]) -> list[bool]:
        """Whether all weights of all rows are whole multiples of each unit."""
        replies = self.pool.request("weigh", weighting_to_bytes(weighting, labels, list(units)))
        return [all(fits) for fits in zip(*(reply.plain["fits"] for reply in replies), strict=True)]

    def bin_counts(self, request: str, arguments: dict, weighting: Weighting, labels: tuple) -> dict:
        """Counts from all rows for where columns are cut into bins (:mod:`boxwood.growing.parts.bin_counts`)."""
        replies = self.pool.replies("bin_counts", bin_request_to_bytes(request, arguments, weighting, labels))
        replies = (reply.arrays for reply in replies if reply.arrays is not None)
        return reduce(partial(bin_counts.added, request), replies)

    def finish(self, order: Order) -> tuple[bool, int]:
        """Write the final numbers of all parts; whether any value is missing in them, and how many rows they have."""
        replies = self.pool.broadcast("finish", order_to_bytes(order))
        if not replies:
            raise ClusterError("no worker has any row.")
        return any(r.plain["has_missing"] for r in replies), sum(r.plain["rows"] for r in replies)
