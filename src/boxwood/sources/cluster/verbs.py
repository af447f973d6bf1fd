"""What a worker answers about the pieces it holds, verb by verb."""

from __future__ import annotations

from functools import partial, reduce

import numpy as np

from ...errors import ClusterError
from ..parts.bin_counts import added
from ..parts.cache import Cache
from ..parts.finishing import merged
from ..parts.joining import joined
from ..parts.survey import Survey
from ..sharded.engine import LocalEngine
from ..sharded.kept import Keeper
from ..sharded.messages import question_from_bytes, tree_from_bytes
from ..sharded.shard import Shard
from .held import Group, Held, Place, Session
from .summaries import (
    Order,
    look_from_bytes,
    order_from_bytes,
    survey_to_bytes,
    weighed_to_json,
    weighting_from_bytes,
)


def _survey(known: Session, held: dict[int, Held], message: bytes, place: Place) -> dict:
    surveys = [each.finisher.survey for each in held.values()]
    total = Survey.of(surveys[0].layout)
    for each in surveys:
        total.merge(each)
    return {"answer": {"survey": np.frombuffer(survey_to_bytes(total), dtype=np.uint8)}}


def _weigh(known: Session, held: dict[int, Held], message: bytes, place: Place) -> dict:
    """What is known of the weights, or whether all are multiples of some units."""
    weighting, labels, units = weighting_from_bytes(message)
    finishers = [each.finisher for each in held.values()]
    if units:
        found = [f.multiples(weighting, labels, units) for f in finishers]
        return {"fits": [all(answers) for answers in zip(*found, strict=True)]}
    total = merged(f.weighed(weighting, labels) for f in finishers)
    return {} if total is None else {"weighed": weighed_to_json(total)}


def _look(known: Session, held: dict[int, Held], message: bytes, place: Place) -> dict:
    """What these pieces tell of where columns are cut into bins."""
    question, *asked = look_from_bytes(message)
    answers = []
    for each in held.values():
        known.check()
        found = each.finisher.look(question, *asked)
        answers += [] if found is None else [found]
    return {"answer": reduce(partial(added, question), answers)} if answers else {}


def _finish(known: Session, held: dict[int, Held], message: bytes, place: Place) -> dict:
    """Final numbers and shards of all pieces; each is made final once."""
    fresh = {i: each for i, each in held.items() if each.group is None}
    if fresh:
        group = _grouped(known, fresh, order_from_bytes(message), place)
        for each in fresh.values():
            each.group = group
    groups = _groups(held)
    return {"has_missing": any(g.has_missing for g in groups), "rows": sum(g.rows for g in groups)}


def _grouped(known: Session, held: dict[int, Held], order: Order, place: Place) -> Group:
    plan, has_missing, parts = order.plan, False, []
    for each in held.values():
        known.check()
        finisher = each.finisher
        if plan.weighting.of_class is not None or finisher.survey.layout.weight is not None:
            finisher.weighed(plan.weighting, plan.labels)
        has_missing |= finisher.finish(plan)
        parts += finisher.parts
    first = next(iter(held.values()))
    parts = joined(parts, first.part_rows)
    cache = Cache(first.folder, plan, tuple(parts), has_missing, {"target": ""}, ())
    opened = zip(parts, cache.opened(), strict=True)
    shards = [Shard(part, order.response, place.threads, Keeper(file.path)) for file, part in opened]
    return Group(frozenset(held), shards, order.response.kind, has_missing, cache.n)


def _send(known: Session, held: dict[int, Held], message: bytes, place: Place) -> dict:
    tree, shares, view = tree_from_bytes(message)
    for group in _groups(held):
        for shard in group.shards:
            known.check()
            shard.send(tree, shares, view)
    return {}


def _ask(known: Session, held: dict[int, Held], message: bytes, place: Place) -> dict:
    question, asked = question_from_bytes(message)
    groups = _groups(held)
    shards = [_Checked(known, shard) for group in groups for shard in group.shards]
    if not shards:
        return {}
    if question != "rows":
        return {"answer": LocalEngine(shards, groups[0].kind).ask(question, asked)}
    found = [shard.answer("rows", asked) for shard in shards]
    return {"answer": {f"{i}.{name}": array for i, each in enumerate(found) for name, array in each.items()}}


def _groups(held: dict[int, Held]) -> list[Group]:
    if any(each.group is None for each in held.values()):
        raise ClusterError("a piece was asked before it was final; this is an error of boxwood, please report it.")
    return list({id(each.group): each.group for each in held.values()}.values())


class _Checked:
    """A shard that answers while its fit goes on."""

    def __init__(self, known: Session, shard: Shard):
        self._known, self._shard = known, shard

    def answer(self, question: str, asked: dict) -> dict:
        """See :meth:`.Shard.answer`."""
        self._known.check()
        return self._shard.answer(question, asked)


#: Verb -> (what is held, pieces meant, message, place) -> what the reply says; "answer": its arrays.
VERBS = {"survey": _survey, "weigh": _weigh, "look": _look, "finish": _finish, "send": _send, "ask": _ask}
