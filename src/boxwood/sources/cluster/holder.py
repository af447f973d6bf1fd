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
from dataclasses import replace

import numpy as np

from ... import errors
from ...data.batches import Batches
from ...data.pieces import Piece, TextPiece, text_cuts, types_from_bytes, types_to_bytes
from ...errors import BoxwoodError, ClusterError
from ..parts.draft import Draft
from ..parts.finishing import Finisher
from ..parts.layout import Layout
from ..sharded.messages import from_message, to_message
from .allocator import hand_back, keep_what_is_freed
from .held import Held, Place, Session
from .summaries import layout_from_json
from .verbs import VERBS

_sessions: dict[str, Session] = {}
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
    verb : {"cut", "draft", "survey", "weigh", "look", "finish", "send", "ask"}
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
        if verb == "cut":
            return _reply(place, *_cut(message))
        if verb == "draft":
            return _reply(place, {"drafted": _draft(known, ids[0], message, (place, frame))})
        here = _whole(known, ids)
        gone = [i for i in ids if i not in here]
        said = VERBS[verb](known, here, message, place) if here else {}
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
        if not _sessions:
            hand_back()


def error_of(plain: dict) -> BoxwoodError | None:
    """The error that a reply tells of, if any."""
    if "error" not in plain:
        return None
    name, text = plain["error"]
    return getattr(errors, name, ClusterError)(text)


def _reply(place: Place, plain: dict, arrays: dict | None = None) -> bytes:
    return to_message("reply", {"worker": place.name, **plain, "answered": arrays is not None}, arrays)


def _session(name: str, place: Place) -> Session:
    with _lock:
        if name in _over:
            raise ClusterError("this fit was stopped.")
        now = time.monotonic()
        if name not in _sessions:
            for silent in [other for other, known in _sessions.items() if now - known.spoken > SILENCE]:
                _sessions.pop(silent).remove()
            folder = tempfile.mkdtemp(prefix="boxwood-", dir=place.folder)
            known = _sessions[name] = Session(folder)
            keep_what_is_freed()
            weakref.finalize(known, shutil.rmtree, folder, ignore_errors=True)
        _sessions[name].spoken = now
        return _sessions[name]


def _cut(message: bytes) -> tuple[dict, dict]:
    """Where the pieces of a CSV file begin and end, and the types of its columns."""
    plain, _ = from_message(message, "file")
    types, spans = text_cuts(plain["path"], plain["size"], plain["rows"])
    return {"spans": spans}, {"types": np.frombuffer(types_to_bytes(types), dtype=np.uint8)}


def _draft(known: Session, number: int, message: bytes, given: tuple) -> int:
    """Read a piece, survey it and keep it in provisional numbers, where there is room; the number of rows it has."""
    place, frame = given
    plain, arrays = from_message(message, "piece")
    layout = layout_from_json(plain["layout"])
    folder = tempfile.mkdtemp(prefix=f"piece-{number}-", dir=known.folder)
    with Draft(layout, folder, plain["part_rows"], max(0, known.room(place))) as draft:
        samples = [column.sample for column in draft.survey.columns]
        for sample, limit in zip(samples, known.limits, strict=False):
            sample.limit = limit
        for batch in _batches(plain, arrays, layout, frame):
            known.check()
            draft.add(replace(batch, order=(number, batch.order[1]), place=f"{plain['place']}: {batch.place}"))
    known.limits = [sample.limit for sample in samples]
    known.held[number] = Held(Finisher(draft.survey, draft.parts), folder, plain["part_rows"])
    return draft.survey.rows


def _batches(plain: dict, arrays: dict, layout: Layout, frame):
    rows = plain["batch_rows"]
    if "types" in arrays:
        text = TextPiece(plain["path"], tuple(plain["where"]), types_from_bytes(arrays["types"].tobytes()))
        return text.batches(layout.columns, rows).read(layout.columns)
    if plain["where"] is not None:
        return Piece(plain["path"], tuple(plain["where"])).batches(layout.columns, rows).read(layout.columns)
    return Batches(frame, rows=rows).read(layout.columns) if len(frame) else iter(())


def _whole(known: Session, ids: list[int]) -> dict[int, Held]:
    """The pieces that are here, but for those of a group of which some pieces went to other workers."""
    asked, held = set(ids), known.held
    return {i: held[i] for i in ids if i in held and (held[i].group is None or held[i].group.ids <= asked)}
