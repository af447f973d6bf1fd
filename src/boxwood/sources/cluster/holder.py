"""The side of a worker: it holds pieces of the data as shards, and answers messages about them with messages.

Nothing here knows which engine carries the messages. What a worker holds can be made again anywhere from the piece's
source, the order (how parts become final) and the tree so far.
"""

from __future__ import annotations

import shutil
import tempfile
import threading
import time
import weakref
from dataclasses import dataclass, field, replace

import numpy as np

from ... import errors
from ...data.batches import Batches
from ...data.pieces import Piece
from ...errors import BoxwoodError, ClusterError
from ..parts.cache import Cache
from ..parts.draft import Draft
from ..parts.finishing import Finisher, merged
from ..parts.joining import joined
from ..parts.layout import Layout
from ..parts.survey import Survey
from ..sharded.engine import LocalEngine
from ..sharded.kept import Keeper
from ..sharded.messages import from_message, question_from_bytes, to_message, tree_from_bytes
from ..sharded.shard import Shard
from .summaries import (
    Order,
    layout_from_json,
    order_from_bytes,
    survey_to_bytes,
    weighed_to_json,
    weighting_from_bytes,
)


@dataclass(frozen=True)
class Place:
    """What the engine grants a worker.

    Attributes
    ----------
    name : str
        Of the worker.
    folder : str or None
        Where files may lie; None = the system's folder for temporary files.
    threads : int
    """

    name: str
    folder: str | None = None
    threads: int = 1


@dataclass(frozen=True, eq=False)
class _Group:
    """Pieces that became final together, as shards; they are asked together or not at all."""

    ids: frozenset[int]
    shards: list[Shard]
    kind: str
    has_missing: bool
    rows: int


@dataclass(eq=False)
class _Held:
    """One piece: drafted, then in a group."""

    finisher: Finisher
    folder: str
    part_rows: int
    group: _Group | None = None


@dataclass(eq=False)
class _Session:
    """What this process holds for one fit."""

    folder: str
    held: dict[int, _Held] = field(default_factory=dict)
    stopped: bool = False
    spoken: float = 0.0

    def remove(self) -> None:
        """End what runs, and remove the files."""
        self.stopped = True
        shutil.rmtree(self.folder, ignore_errors=True)


_sessions: dict[str, _Session] = {}
_over: set[str] = set()
_lock = threading.Lock()
#: Seconds after which a fit that has not been spoken of is dropped when another begins: its driver is gone. A driver
#: that is not gone has its pieces made again.
SILENCE = 3600.0


def work(session: str, verb: str, ids: list[int], message: bytes, place: Place, frame=None) -> bytes:
    """Do what a message asks, and answer with a message.

    Parameters
    ----------
    session : str
        Name of the fit.
    verb : {"draft", "survey", "weigh", "finish", "send", "ask"}
    ids : list of int
        The pieces that are meant.
    message : bytes
    place : Place
    frame : data frame, optional
        The rows of a piece that is drafted, when they do not come from a file.

    Returns
    -------
    bytes
        A reply: the pieces that are missing here, what went wrong if so, and the answer for all other pieces.
    """
    try:
        known = _session(session, place)
        if verb == "draft":
            return _reply(place, {"drafted": _draft(known, ids[0], message, frame)})
        here = _whole(known, ids)
        gone = [i for i in ids if i not in here]
        said = _VERBS[verb](known, here, message, place) if here else {}
        answer = said.pop("answer", None)
        return _reply(place, {"missing": gone, "here": list(here), **said}, answer)
    except BoxwoodError as error:
        return _reply(place, {"error": [type(error).__name__, str(error)]})
    except OSError as error:  # the disk of this worker, not the connection to it
        return _reply(place, {"error": ["ClusterError", f"{place.name} cannot go on: {error}"]})


def stop(session: str) -> None:
    """Let running work of a fit end soon, and remove what is held for it; returns at once."""
    with _lock:
        _over.add(session)
        known = _sessions.pop(session, None)
    if known is not None:
        known.remove()


def error_of(plain: dict) -> BoxwoodError | None:
    """The error that a reply tells of, if any."""
    if "error" not in plain:
        return None
    name, text = plain["error"]
    return getattr(errors, name, ClusterError)(text)


def _reply(place: Place, plain: dict, arrays: dict | None = None) -> bytes:
    return to_message("reply", {"worker": place.name, **plain, "answered": arrays is not None}, arrays)


def _session(name: str, place: Place) -> _Session:
    with _lock:
        if name in _over:
            raise ClusterError("this fit was stopped.")
        now = time.monotonic()
        if name not in _sessions:
            for silent in [other for other, known in _sessions.items() if now - known.spoken > SILENCE]:
                _sessions.pop(silent).remove()
            folder = tempfile.mkdtemp(prefix="boxwood-", dir=place.folder)
            known = _sessions[name] = _Session(folder)
            weakref.finalize(known, shutil.rmtree, folder, ignore_errors=True)
        _sessions[name].spoken = now
        return _sessions[name]


def _check(known: _Session) -> None:
    if known.stopped:
        raise ClusterError("this fit was stopped.")


def _draft(known: _Session, number: int, message: bytes, frame) -> int:
    """Read a piece, survey it and keep it in provisional numbers; the number of rows it has."""
    plain, _ = from_message(message, "piece")
    layout = layout_from_json(plain["layout"])
    folder = tempfile.mkdtemp(prefix=f"piece-{number}-", dir=known.folder)
    with Draft(layout, folder, plain["part_rows"]) as draft:
        for batch in _batches(plain, layout, frame):
            _check(known)
            draft.add(replace(batch, order=(number, batch.order[1]), place=f"{plain['place']}: {batch.place}"))
    known.held[number] = _Held(Finisher(draft.survey, draft.parts), folder, plain["part_rows"])
    return draft.survey.rows


def _batches(plain: dict, layout: Layout, frame):
    rows = plain["batch_rows"]
    if plain["groups"] is not None:
        return Piece(plain["path"], tuple(plain["groups"])).batches(layout.columns, rows).read(layout.columns)
    return Batches(frame, rows=rows).read(layout.columns) if len(frame) else iter(())


def _whole(known: _Session, ids: list[int]) -> dict[int, _Held]:
    """The pieces that are here, but for those of a group of which some pieces went to other workers."""
    asked, held = set(ids), known.held
    return {i: held[i] for i in ids if i in held and (held[i].group is None or held[i].group.ids <= asked)}


def _survey(known: _Session, held: dict[int, _Held], message: bytes, place: Place) -> dict:
    surveys = [each.finisher.survey for each in held.values()]
    total = Survey.of(surveys[0].layout)
    for each in surveys:
        total.merge(each)
    return {"answer": {"survey": np.frombuffer(survey_to_bytes(total), dtype=np.uint8)}}


def _weigh(known: _Session, held: dict[int, _Held], message: bytes, place: Place) -> dict:
    """What is known of the weights, or whether all are multiples of some units."""
    weighting, labels, units = weighting_from_bytes(message)
    finishers = [each.finisher for each in held.values()]
    if units:
        found = [f.multiples(weighting, labels, units) for f in finishers]
        return {"fits": [all(answers) for answers in zip(*found, strict=True)]}
    total = merged(f.weighed(weighting, labels) for f in finishers)
    return {} if total is None else {"weighed": weighed_to_json(total)}


def _finish(known: _Session, held: dict[int, _Held], message: bytes, place: Place) -> dict:
    """Final numbers and shards of all pieces; each is made final once."""
    fresh = {i: each for i, each in held.items() if each.group is None}
    if fresh:
        group = _grouped(known, fresh, order_from_bytes(message), place)
        for each in fresh.values():
            each.group = group
    groups = _groups(held)
    return {"has_missing": any(g.has_missing for g in groups), "rows": sum(g.rows for g in groups)}


def _grouped(known: _Session, held: dict[int, _Held], order: Order, place: Place) -> _Group:
    plan, has_missing, parts = order.plan, False, []
    for each in held.values():
        _check(known)
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
    return _Group(frozenset(held), shards, order.response.kind, has_missing, cache.n)


def _send(known: _Session, held: dict[int, _Held], message: bytes, place: Place) -> dict:
    tree, shares, view = tree_from_bytes(message)
    for group in _groups(held):
        for shard in group.shards:
            _check(known)
            shard.send(tree, shares, view)
    return {}


def _ask(known: _Session, held: dict[int, _Held], message: bytes, place: Place) -> dict:
    question, asked = question_from_bytes(message)
    groups = _groups(held)
    shards = [_Checked(known, shard) for group in groups for shard in group.shards]
    if not shards:
        return {}
    if question != "rows":
        return {"answer": LocalEngine(shards, groups[0].kind).ask(question, asked)}
    found = [shard.answer("rows", asked) for shard in shards]
    return {"answer": {name: np.concatenate([each[name] for each in found]) for name in found[0]}}


def _groups(held: dict[int, _Held]) -> list[_Group]:
    if any(each.group is None for each in held.values()):
        raise ClusterError("a piece was asked before it was final; this is an error of boxwood, please report it.")
    return list({id(each.group): each.group for each in held.values()}.values())


class _Checked:
    """A shard that answers while its fit goes on."""

    def __init__(self, known: _Session, shard: Shard):
        self._known, self._shard = known, shard

    def answer(self, question: str, asked: dict) -> dict:
        """See :meth:`.Shard.answer`."""
        _check(self._known)
        return self._shard.answer(question, asked)


_VERBS = {"survey": _survey, "weigh": _weigh, "finish": _finish, "send": _send, "ask": _ask}
