"""The side of a worker: it holds pieces of the data as shards, and answers messages about them with messages.

Nothing here knows which engine carries the messages. What a worker holds can be made again anywhere from the piece's
source, the order (how parts become final) and the tree so far.
"""

from __future__ import annotations

import shutil
import tempfile
import threading
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
from ..parts.layout import Layout
from ..parts.survey import Survey
from ..sharded.engine import LocalEngine
from ..sharded.messages import from_message, question_from_bytes, to_message, tree_from_bytes
from ..sharded.shard import Shard
from .summaries import layout_from_json, order_from_bytes, survey_to_bytes, weighed_to_json, weighting_from_bytes


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


@dataclass(eq=False)
class _Held:
    """One piece: drafted, then final, then in shards."""

    finisher: Finisher
    folder: str
    kind: str = ""
    has_missing: bool = False
    shards: list[Shard] | None = None


@dataclass(eq=False)
class _Session:
    """What this process holds for one fit."""

    folder: str
    held: dict[int, _Held] = field(default_factory=dict)
    stopped: bool = False


_sessions: dict[str, _Session] = {}
_over: set[str] = set()
_lock = threading.Lock()


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
        here = [i for i in ids if i in known.held]
        gone = [i for i in ids if i not in known.held]
        said = _VERBS[verb](known, [known.held[i] for i in here], message, place) if here else {}
        answer = said.pop("answer", None)
        return _reply(place, {"missing": gone, "here": here, **said}, answer)
    except BoxwoodError as error:
        return _reply(place, {"error": [type(error).__name__, str(error)]})


def stop(session: str) -> None:
    """Let running work of a fit end soon, and remove what is held for it; returns at once."""
    with _lock:
        _over.add(session)
        known = _sessions.pop(session, None)
    if known is not None:
        known.stopped = True
        shutil.rmtree(known.folder, ignore_errors=True)


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
        if name not in _sessions:
            folder = tempfile.mkdtemp(prefix="boxwood-", dir=place.folder)
            known = _sessions[name] = _Session(folder)
            weakref.finalize(known, shutil.rmtree, folder, ignore_errors=True)
        return _sessions[name]


def _check(known: _Session) -> None:
    if known.stopped:
        raise ClusterError("this fit was stopped.")


def _draft(known: _Session, number: int, message: bytes, frame) -> int:
    """Read a piece, survey it and keep it in provisional numbers; the number of rows it has."""
    plain, _ = from_message(message, "piece")
    layout = layout_from_json(plain["layout"])
    folder = tempfile.mkdtemp(prefix=f"piece-{number}-", dir=known.folder)
    draft = Draft(layout, folder, plain["part_rows"])
    for batch in _batches(plain, layout, frame):
        _check(known)
        draft.add(replace(batch, order=(number, batch.order[1]), place=f"{plain['place']}: {batch.place}"))
    draft.flush()
    known.held[number] = _Held(Finisher(draft.survey, draft.parts), folder)
    return draft.survey.rows


def _batches(plain: dict, layout: Layout, frame):
    rows = plain["batch_rows"]
    if plain["groups"] is not None:
        return Piece(plain["path"], tuple(plain["groups"])).batches(layout.columns, rows).read(layout.columns)
    return Batches(frame, rows=rows).read(layout.columns) if len(frame) else iter(())


def _survey(known: _Session, held: list[_Held], message: bytes, place: Place) -> dict:
    total = Survey.of(held[0].finisher.survey.layout)
    for each in held:
        total.merge(each.finisher.survey)
    return {"answer": {"survey": np.frombuffer(survey_to_bytes(total), dtype=np.uint8)}}


def _weigh(known: _Session, held: list[_Held], message: bytes, place: Place) -> dict:
    """What is known of the weights, or whether all are multiples of some units."""
    weighting, labels, units = weighting_from_bytes(message)
    finishers = [each.finisher for each in held]
    if units:
        found = [f.multiples(weighting, labels, units) for f in finishers]
        return {"fits": [all(answers) for answers in zip(*found, strict=True)]}
    total = merged(f.weighed(weighting, labels) for f in finishers)
    return {} if total is None else {"weighed": weighed_to_json(total)}


def _finish(known: _Session, held: list[_Held], message: bytes, place: Place) -> dict:
    """Final numbers and shards of all pieces; each is made final once."""
    order = order_from_bytes(message)
    for each in held:
        _check(known)
        if each.shards is None:
            finisher, plan = each.finisher, order.plan
            if plan.weighting.of_class is not None or finisher.survey.layout.weight is not None:
                finisher.weighed(plan.weighting, plan.labels)
            each.has_missing = finisher.finish(plan)
            cache = Cache(each.folder, plan, tuple(finisher.parts), each.has_missing, {"target": ""}, ())
            each.kind = order.response.kind
            each.shards = [Shard(part, order.response, place.threads) for part in cache.opened()]
    rows = sum(part.n for each in held for part in each.finisher.parts)
    return {"has_missing": any(each.has_missing for each in held), "rows": rows}


def _send(known: _Session, held: list[_Held], message: bytes, place: Place) -> dict:
    tree = tree_from_bytes(message)
    for shard in _shards(known, held):
        shard.send(tree)
    return {}


def _ask(known: _Session, held: list[_Held], message: bytes, place: Place) -> dict:
    question, asked = question_from_bytes(message)
    shards = list(_shards(known, held))
    if not shards:
        return {}
    if question != "rows":
        return {"answer": LocalEngine(_shards_checked(known, shards), held[0].kind).ask(question, asked)}
    found = [shard.answer("rows", asked) for shard in _shards_checked(known, shards)]
    return {"answer": {name: np.concatenate([each[name] for each in found]) for name in found[0]}}


def _shards(known: _Session, held: list[_Held]):
    for each in held:
        if each.shards is None:
            raise ClusterError("a piece was asked before it was final; this is an error of boxwood, please report it.")
        for shard in each.shards:
            _check(known)
            yield shard


class _Checked:
    """A shard that answers while its fit goes on."""

    def __init__(self, known: _Session, shard: Shard):
        self._known, self._shard = known, shard

    def answer(self, question: str, asked: dict) -> dict:
        _check(self._known)
        return self._shard.answer(question, asked)


def _shards_checked(known: _Session, shards: list[Shard]) -> list[_Checked]:
    return [_Checked(known, shard) for shard in shards]


_VERBS = {"survey": _survey, "weigh": _weigh, "finish": _finish, "send": _send, "ask": _ask}
