"""The driver: which worker has which piece, and the messages that a new worker of a piece must get."""

from __future__ import annotations

import logging
import secrets
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from ...errors import ClusterError
from ..shards.messages import from_message
from .worker import error_of

log = logging.getLogger("boxwood")
#: So often a piece may lose its worker before the fit gives up.
MOST_LOSSES = 5


@dataclass(frozen=True, eq=False)
class Job:
    """Something one worker is to do (:func:`boxwood.growing.cluster.worker.work`).

    Attributes
    ----------
    verb : str
    ids : tuple of int
        The pieces meant.
    message : bytes
    worker : str or None
        Who must do it; None = whoever comes first.
    frame : object
        What the engine turns into the rows of a piece on the worker, if anything.
    """

    verb: str
    ids: tuple[int, ...]
    message: bytes
    worker: str | None = None
    frame: object = None


class Workers(ABC):
    """What an engine must do: carry jobs to workers and bring back replies; docs/scale.md shows how to write one.

    Attributes
    ----------
    why_lost : str
        Why the last reply did not come, in the engine's words; "" = unknown.
    """

    why_lost: str = ""

    @abstractmethod
    def run(self, session: str, jobs: list[Job]) -> Iterator[tuple[Job, bytes | None]]:
        """Have all jobs done at once; each with its reply as they come, None when its worker was lost.

        A job is done by calling :func:`boxwood.growing.cluster.worker.work` in a process that lives on.

        Raises
        ------
        ClusterError
            No worker is left, or the cluster does not reply.
        """

    @abstractmethod
    def close(self, session: str) -> None:
        """Stop what runs for this session on any worker, and remove its state (:func:`.worker.stop`)."""

    def columns(self, source) -> list[str] | None:
        """Names of the columns of a data frame of this engine; None when the source is none."""
        return None

    def frames(self, source, columns: list[str]) -> list:
        """Its pieces with these columns, each something that a job may carry as its ``frame``."""
        raise NotImplementedError(
            f"{type(self).__name__} reads data frames and needs a method frames() that gives their pieces."
        )


@dataclass(frozen=True, eq=False)
class Reply:
    """What a worker replied about some pieces."""

    plain: dict
    arrays: dict[str, np.ndarray] | None


@dataclass(frozen=True, eq=False)
class PieceSource:
    """A piece of the data: how a worker reads it."""

    message: bytes
    frame: object = None


def cut_files(workers: Workers, files: list[bytes]) -> list[Reply]:
    """Replies of workers about text files that are to be cut into pieces, each file read by one of them.

    Parameters
    ----------
    workers : Workers
    files : list of bytes
        A message of kind "file" for each.
    """
    session, replies, losses = secrets.token_hex(8), {}, 0
    try:
        while len(replies) < len(files):
            jobs = [Job("cut", (i,), message) for i, message in enumerate(files) if i not in replies]
            for job, found in workers.run(session, jobs):
                if found is not None:
                    replies[job.ids[0]] = _reply_of(found)
                    log.info("scanned: file %d of %d", len(replies), len(files))
            losses += len(replies) < len(files)
            _refuse_losses(losses, workers.why_lost)
    finally:
        workers.close(session)
    return [replies[i] for i in range(len(files))]


class WorkerPool:
    """The workers of one fit.

    Parameters
    ----------
    workers : Workers
    sources : list of PieceSource
        Piece i is ``sources[i]``.
    """

    def __init__(self, workers: Workers, sources: list[PieceSource]):
        self._workers, self._sources = workers, sources
        self._session = secrets.token_hex(8)
        self._home: dict[int, str] = {}
        self._broadcasts: dict[str, bytes] = {}
        self._losses = 0

    @property
    def homes(self) -> dict[int, str]:
        """Piece -> worker that has it."""
        return dict(self._home)

    def read(self) -> None:
        """Have all pieces read, each by some worker."""
        self._assign(range(len(self._sources)))

    def broadcast(self, verb: str, message: bytes) -> list[Reply]:
        """Send all workers a message that changes their state; a worker that takes over a piece gets it too."""
        self._broadcasts[verb] = message
        return self.request(verb, message)

    def request(self, verb: str, message: bytes) -> list[Reply]:
        """The replies of all workers, which together are about every piece once."""
        return list(self.replies(verb, message))

    def replies(self, verb: str, message: bytes) -> Iterator[Reply]:
        """The same, as they come."""
        todo = list(range(len(self._sources)))
        while todo:
            lost: list[int] = []
            for job, found in self._workers.run(self._session, self._jobs(verb, message, todo)):
                reply = None if found is None else _reply_of(found)
                lost += job.ids if reply is None else reply.plain["missing"]
                if reply is not None and reply.plain["here"]:
                    yield reply
            todo = sorted(lost)
            if todo:
                self._replace(todo)

    def close(self) -> None:
        """Stop everything; nothing stays on the workers."""
        self._workers.close(self._session)

    def _jobs(self, verb: str, message: bytes, ids: Iterable[int]) -> list[Job]:
        of_worker: dict[str, list[int]] = {}
        for i in ids:
            of_worker.setdefault(self._home[i], []).append(i)
        return [Job(verb, tuple(here), message, worker) for worker, here in of_worker.items()]

    def _replace(self, ids: list[int]) -> None:
        """Make pieces again whose workers were lost."""
        self._count(True)
        log.info("a worker was lost: %d of %d pieces are made again", len(ids), len(self._sources))
        self._assign(ids)

    def _assign(self, ids: Iterable[int]) -> None:
        """Have pieces read, and send their workers all earlier broadcasts."""
        todo = list(ids)
        while todo:
            fresh, lost = self._read_pieces(todo)
            for verb, message in self._broadcasts.items():
                jobs = self._jobs(verb, message, fresh)
                for job, found in self._workers.run(self._session, jobs):
                    missing = job.ids if found is None else _reply_of(found).plain["missing"]
                    lost += missing
                    fresh = [i for i in fresh if i not in missing]
            todo = sorted(lost)
            self._count(bool(todo))

    def _count(self, lost: bool) -> None:
        self._losses += lost
        _refuse_losses(self._losses, self._workers.why_lost)

    def _read_pieces(self, ids: list[int]) -> tuple[list[int], list[int]]:
        fresh, lost, n = [], [], len(self._sources)
        jobs = [Job("read", (i,), self._sources[i].message, None, self._sources[i].frame) for i in ids]
        for job, found in self._workers.run(self._session, jobs):
            if found is None:
                lost += job.ids
                continue
            self._home[job.ids[0]] = _reply_of(found).plain["worker"]
            fresh += job.ids
            log.info("read: piece %d of %d", len(fresh), n if len(ids) == n else len(ids))
        return fresh, lost


def _refuse_losses(losses: int, why: str) -> None:
    if losses > MOST_LOSSES:
        raise ClusterError(
            f"workers were lost {losses} times in one fit{f' (the last time: {why})' if why else ''}; look into their "
            "logs (they may lack memory) and start again."
        )


def _reply_of(data: bytes) -> Reply:
    plain, arrays = from_message(data, "reply")
    error = error_of(plain)
    if error is not None:
        raise error
    return Reply(plain, arrays if plain["has_arrays"] else None)
