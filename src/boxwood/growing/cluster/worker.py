"""The worker: holds pieces of the data as shards and replies to messages about them.

Nothing here depends on the engine that carries the messages. A worker's state can be made again anywhere from the
piece's source, the order (how parts become final) and the tree so far.
"""

from __future__ import annotations

import tempfile
import threading
import time
import weakref
from contextlib import ExitStack
from dataclasses import replace

import numpy as np

from ... import errors
from ..._messages import Message
from ...data.files.opened import Form
from ...data.streams.batches import Batches
from ...data.streams.pieces import Piece, TextPiece, as_text, text_cuts, types_from_bytes, types_to_bytes
from ...data.streams.row_rules import RowRules
from ...errors import BoxwoodError, ClusterError, FileError
from ..parts.finishing import Finisher
from ..parts.folders import new_folder
from ..parts.layout import Layout
from ..parts.provisional_parts import ProvisionalParts
from ..shards.messages import from_message, to_message
from .allocator import hand_back, keep_what_is_freed
from .summaries import layout_from_json, rules_from_json
from .verbs import VERBS
from .worker_state import PieceState, Session, WorkerInfo

_sessions: dict[str, Session] = {}
_over: set[str] = set()
_lock = threading.Lock()
#: Seconds without a message after which a fit is dropped when another begins: its driver has ended. If it has not, its
#: pieces are made again.
SILENCE = 3600.0


def work(fit: str, verb: str, ids: list[int], message: bytes, worker: WorkerInfo, frame=None) -> bytes:
    """Carry out a message and reply with a message.

    Parameters
    ----------
    fit : str
        Name of the fit.
    verb : {"cut", "read", "survey", "weigh", "bin_counts", "finish", "update", "request"}
    ids : list of int
        The pieces that are meant.
    message : bytes
    worker : WorkerInfo
    frame : data frame, optional
        The rows of a piece to read, when they do not come from a file.

    Returns
    -------
    bytes
        A reply: the pieces that are missing here, what went wrong if so, and the result for all other pieces.
    """
    try:
        session = _session(fit, worker)
        if verb == "cut":
            return _reply(worker, *_cut(message))
        if verb == "read":
            return _reply(worker, {"rows": _read(session, ids[0], message, (worker, frame))})
        here = _whole(session, ids)
        missing = [i for i in ids if i not in here]
        found = VERBS[verb](session, here, message, worker) if here else {}
        reply = found.pop("reply", None)
        return _reply(worker, {"missing": missing, "here": list(here), **found}, reply)
    except BoxwoodError as error:
        return _reply(worker, {"error": [type(error).__name__, error.message.as_json()]})
    except OSError as error:  # the disk of this worker, not the connection to it
        return _reply(worker, {"error": ["ClusterError", [f"{worker.name} cannot go on: {error}"]]})


def stop(fit: str) -> None:
    """Let running work of a fit end soon, and remove its state; returns at once."""
    with _lock:
        _over.add(fit)
        session = _sessions.pop(fit, None)
    if session is not None:
        session.remove()
        if not _sessions:
            hand_back()


def error_of(plain: dict) -> BoxwoodError | None:
    """The error in a reply, if any."""
    if "error" not in plain:
        return None
    name, parts = plain["error"]
    return getattr(errors, name, ClusterError)(Message.from_json(parts))


def _reply(worker: WorkerInfo, plain: dict, arrays: dict | None = None) -> bytes:
    return to_message("reply", {"worker": worker.name, **plain, "has_arrays": arrays is not None}, arrays)


def _session(name: str, worker: WorkerInfo) -> Session:
    with _lock:
        if name in _over:
            raise ClusterError("this fit was stopped.")
        now = time.monotonic()
        if name not in _sessions:
            for silent in [other for other, session in _sessions.items() if now - session.last_contact > SILENCE]:
                _sessions.pop(silent).remove()
            until_the_end = ExitStack()
            try:
                folder = until_the_end.enter_context(new_folder(None, worker.folder))
            except FileError as error:  # names no worker
                raise ClusterError(f"{worker.name} cannot store its pieces of the data: {error.__cause__}.") from error
            session = _sessions[name] = Session(folder, until_the_end.close)
            keep_what_is_freed()
            weakref.finalize(session, until_the_end.close)
        _sessions[name].last_contact = now
        return _sessions[name]


def _cut(message: bytes) -> tuple[dict, dict]:
    """Where the pieces of a CSV file begin and end, and the types of its columns."""
    plain, _ = from_message(message, "file")
    found = text_cuts(plain["path"], plain["size"], plain["rows"], Form(**plain["form"]))
    facts = {"spans": found.spans, "has_totals": found.has_totals, "decimals": found.decimals}
    return facts, {"types": np.frombuffer(types_to_bytes(found.types), dtype=np.uint8)}


def _read(session: Session, number: int, message: bytes, given: tuple) -> int:
    """Read a piece, survey it and store it in provisional numbers; the number of its rows."""
    worker, frame = given
    plain, arrays = from_message(message, "piece")
    layout = layout_from_json(plain["layout"])
    folder = tempfile.mkdtemp(prefix=f"piece-{number}-", dir=session.folder)
    with ProvisionalParts(layout, folder, plain["part_rows"], max(0, session.free_memory(worker))) as parts:
        samples = [column.sample for column in parts.survey.columns]
        for sample, limit in zip(samples, session.limits, strict=False):
            sample.limit = limit
        for batch in _batches(plain, arrays, layout, frame):
            session.check()
            parts.add(replace(batch, order=(number, batch.order[1]), place=Message(f"{plain['place']}: ", batch.place)))
    session.limits = [sample.limit for sample in samples]
    session.pieces[number] = PieceState(Finisher(parts.survey, parts.parts), folder, plain["part_rows"])
    return parts.survey.rows


def _batches(plain: dict, arrays: dict, layout: Layout, frame):
    rows, rules = plain["batch_rows"], rules_from_json(plain["rules"])
    if plain["where"] is None and not len(frame):
        return iter(())
    batches = Batches(frame, rows=rows) if plain["where"] is None else _piece(plain, arrays, layout, rules)
    batches.rules = rules
    return batches.read(layout.columns)


def _piece(plain: dict, arrays: dict, layout: Layout, rules: RowRules) -> Batches:
    """The batches of a part of a file."""
    path, where, partition = plain["path"], tuple(plain["where"]), plain["partition"]
    if "types" in arrays:
        types = types_from_bytes(arrays["types"].tobytes()) | as_text(rules.texts)
        piece = TextPiece(path, where, types, partition, Form(**plain["form"]))
    else:
        piece = Piece(path, where, partition)
    return piece.batches(layout.columns, plain["batch_rows"])


def _whole(session: Session, ids: list[int]) -> dict[int, PieceState]:
    """The pieces that are here, but for those of a group of which some pieces went to other workers."""
    named, here = set(ids), session.pieces
    return {i: here[i] for i in ids if i in here and (here[i].group is None or here[i].group.ids <= named)}
