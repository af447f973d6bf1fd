"""The requests that a worker handles, verb by verb."""

from __future__ import annotations

from functools import partial, reduce

import numpy as np

from ...errors import ClusterError
from ..parts.bin_counts import added
from ..parts.cache import Cache
from ..parts.finishing import merged
from ..parts.joining import joined
from ..parts.survey import Survey
from ..shards.array_store import ArrayStore
from ..shards.engine import LocalEngine
from ..shards.messages import request_from_bytes, tree_from_bytes
from ..shards.shard import Shard
from .summaries import (
    Order,
    bin_request_from_bytes,
    order_from_bytes,
    survey_to_bytes,
    weighed_to_json,
    weighting_from_bytes,
)
from .worker_state import PieceState, Session, ShardGroup, WorkerInfo


def _survey(session: Session, pieces: dict[int, PieceState], message: bytes, worker: WorkerInfo) -> dict:
    surveys = [each.finisher.survey for each in pieces.values()]
    total = Survey.of(surveys[0].layout)
    for each in surveys:
        total.merge(each)
    return {"reply": {"survey": np.frombuffer(survey_to_bytes(total), dtype=np.uint8)}}


def _weigh(session: Session, pieces: dict[int, PieceState], message: bytes, worker: WorkerInfo) -> dict:
    """What is known of the weights, or whether all are multiples of some units."""
    weighting, labels, units = weighting_from_bytes(message)
    finishers = [each.finisher for each in pieces.values()]
    if units:
        found = [f.multiples(weighting, labels, units) for f in finishers]
        return {"fits": [all(fits) for fits in zip(*found, strict=True)]}
    total = merged(f.weighed(weighting, labels) for f in finishers)
    return {} if total is None else {"weighed": weighed_to_json(total)}


def _bin_counts(session: Session, pieces: dict[int, PieceState], message: bytes, worker: WorkerInfo) -> dict:
    """Counts from these pieces for where columns are cut into bins."""
    request, *arguments = bin_request_from_bytes(message)
    replies = []
    for each in pieces.values():
        session.check()
        found = each.finisher.bin_counts(request, *arguments)
        replies += [] if found is None else [found]
    return {"reply": reduce(partial(added, request), replies)} if replies else {}


def _finish(session: Session, pieces: dict[int, PieceState], message: bytes, worker: WorkerInfo) -> dict:
    """Final numbers and shards of all pieces; each is made final once."""
    fresh = {i: each for i, each in pieces.items() if each.group is None}
    if fresh:
        group = _grouped(session, fresh, order_from_bytes(message), worker)
        for each in fresh.values():
            each.group = group
    groups = _groups(pieces)
    return {"has_missing": any(g.has_missing for g in groups), "rows": sum(g.rows for g in groups)}


def _grouped(session: Session, pieces: dict[int, PieceState], order: Order, worker: WorkerInfo) -> ShardGroup:
    plan, has_missing, parts = order.plan, False, []
    for each in pieces.values():
        session.check()
        finisher = each.finisher
        if plan.weighting.of_class is not None or finisher.survey.layout.weight is not None:
            finisher.weighed(plan.weighting, plan.labels)
        has_missing |= finisher.finish(plan)
        parts += finisher.parts
    first = next(iter(pieces.values()))
    parts = joined(parts, first.part_rows)
    cache = Cache(first.folder, plan, tuple(parts), has_missing, {"target": ""}, ())
    opened = zip(parts, cache.opened(), strict=True)
    shards = [Shard(part, order.response, worker.threads, ArrayStore(file.path)) for file, part in opened]
    return ShardGroup(frozenset(pieces), shards, order.response.kind, has_missing, cache.n)


def _update(session: Session, pieces: dict[int, PieceState], message: bytes, worker: WorkerInfo) -> dict:
    tree, shares, view = tree_from_bytes(message)
    for group in _groups(pieces):
        for shard in group.shards:
            session.check()
            shard.update(tree, shares, view)
    return {}


def _request(session: Session, pieces: dict[int, PieceState], message: bytes, worker: WorkerInfo) -> dict:
    request, arguments = request_from_bytes(message)
    groups = _groups(pieces)
    shards = [_Checked(session, shard) for group in groups for shard in group.shards]
    if not shards:
        return {}
    if request != "rows":
        return {"reply": LocalEngine(shards, groups[0].kind).request(request, arguments)}
    found = [shard.reply("rows", arguments) for shard in shards]
    return {"reply": {f"{i}.{name}": array for i, each in enumerate(found) for name, array in each.items()}}


def _groups(pieces: dict[int, PieceState]) -> list[ShardGroup]:
    if any(each.group is None for each in pieces.values()):
        raise ClusterError("a piece got a request before it was final; this is an error of boxwood, please report it.")
    return list({id(each.group): each.group for each in pieces.values()}.values())


class _Checked:
    """A shard that replies while its fit goes on."""

    def __init__(self, session: Session, shard: Shard):
        self._session, self._shard = session, shard

    def reply(self, request: str, arguments: dict) -> dict:
        """See :meth:`.Shard.reply`."""
        self._session.check()
        return self._shard.reply(request, arguments)


#: Verb -> (session, pieces meant, message, worker) -> the plain values of the reply; "reply": its arrays.
VERBS = {
    "survey": _survey,
    "weigh": _weigh,
    "bin_counts": _bin_counts,
    "finish": _finish,
    "update": _update,
    "request": _request,
}
