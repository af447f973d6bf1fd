"""The Spark adapter: each task connects to the driver, holds its pieces and replies until it is released.

A Spark task cannot get two requests, so the workers of a fit are the tasks of one job that stays (as in Spark's barrier
jobs for other learners), and messages go over sockets of their own.
"""

from __future__ import annotations

import hmac
import itertools
import queue
import secrets
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial

import numpy as np

from ...errors import ClusterError
from ..shards.messages import from_message, to_message
from .pool import Job, Workers
from .worker import WorkerInfo, stop, work

_LENGTH = struct.Struct("<Q")
_TOKEN_SIZE = 32
#: Seconds between two checks for an interrupt.
_INTERVAL = 0.5


class SparkWorkers(Workers):
    """Workers that are tasks of a Spark session; a context manager that lets them go at its end.

    They read Parquet files under paths that driver and executors see, and need boxwood installed.

    Parameters
    ----------
    spark : pyspark.sql.SparkSession
    n : int
        Number of tasks; the session must be able to run so many at once.
    patience : float
        Seconds to wait for a task when there is none.
    """

    def __init__(self, spark, n: int, patience: float = 60.0):
        host = spark.conf.get("spark.driver.host")
        self._server = socket.create_server((host, 0))
        self._token, self._patience = secrets.token_bytes(_TOKEN_SIZE), patience
        self._peers: dict[str, _Peer] = {}
        self._n, self._next = n, itertools.count()
        serve = partial(_serve, self._server.getsockname()[:2], self._token)
        tasks = spark.sparkContext.parallelize(range(n), n)
        threading.Thread(target=self._accept, daemon=True).start()
        threading.Thread(target=lambda: _quietly(tasks.foreachPartition, serve), daemon=True).start()

    def __enter__(self) -> SparkWorkers:
        return self

    def __exit__(self, *_closed) -> None:
        with suppress(OSError):
            self._server.shutdown(socket.SHUT_RDWR)  # wakes who waits for the next task
        self._server.close()
        for peer in list(self._peers.values()):
            peer.leave()

    def run(self, session: str, jobs: list[Job]) -> Iterator[tuple[Job, bytes | None]]:
        """Have all jobs done at once; each with its reply as they come, None when its task was lost."""
        replies: queue.Queue = queue.Queue()
        pending: dict[int, str] = {}
        for i, job in enumerate(jobs):
            pending[i] = name = job.worker or self._any()
            peer = self._peers.get(name)
            if peer is not None:
                peer.request(session, job, lambda reply, i=i: replies.put((i, reply)))
        while pending:
            try:
                i, reply = replies.get(timeout=_INTERVAL)
            except queue.Empty:
                for i in [i for i, name in pending.items() if name not in self._peers]:
                    replies.put((i, None))
                continue
            if pending.pop(i, None) is not None:
                yield jobs[i], reply

    def close(self, session: str) -> None:
        """Stop what runs for this session in any task, and remove its state."""
        for peer in list(self._peers.values()):
            peer.send(to_message("stop", {"session": session}))

    def _any(self) -> str:
        """The next task in turn; waits for all of them at first, and for one later."""
        end = time.monotonic() + self._patience
        while len(self._peers) < self._n and time.monotonic() < end:
            time.sleep(_INTERVAL / 10)
        names = sorted(self._peers)
        if not names:
            raise ClusterError(
                f"no Spark task has been there for {self._patience:g} seconds; look into Spark's log (boxwood must be "
                "installed on the executors), and fit again."
            )
        self._n = len(names)
        return names[next(self._next) % len(names)]

    def _accept(self) -> None:
        for number in itertools.count():
            try:
                link, _ = self._server.accept()
            except OSError:
                return  # the workers were let go
            with suppress(OSError):
                if not hmac.compare_digest(_read(link, _TOKEN_SIZE), self._token):
                    link.close()
                    continue
                name = f"task {number}"
                _write(link, name.encode())
                self._peers[name] = _Peer(link, lambda name=name: self._peers.pop(name, None))


class _Peer:
    """A connected task, and the jobs that wait for its replies."""

    def __init__(self, link: socket.socket, closed):
        link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # requests are short, and each waits for its reply
        self._link, self._closed = link, closed
        self._lock, self._waiting, self._number = threading.Lock(), {}, itertools.count()
        threading.Thread(target=self._listen, daemon=True).start()

    def request(self, session: str, job: Job, on_reply: Callable[[bytes | None], None]) -> None:
        """Send a job; ``on_reply`` is called with its reply, or with None."""
        number = next(self._number)
        self._waiting[number] = on_reply
        plain = {"number": number, "session": session, "verb": job.verb, "ids": list(job.ids)}
        body = np.frombuffer(job.message, dtype=np.uint8)
        if not self.send(to_message("job", plain, {"message": body})):
            on_reply(None)

    def send(self, data: bytes) -> bool:
        """Whether a message could be sent."""
        try:
            with self._lock:
                _write(self._link, data)
        except OSError:
            return False
        return True

    def leave(self) -> None:
        """Close the connection, which ends the task."""
        with suppress(OSError):
            self._link.shutdown(socket.SHUT_RDWR)

    def _listen(self) -> None:
        with suppress(OSError, ClusterError):
            while True:
                plain, arrays = from_message(_frame(self._link), "done")
                self._waiting.pop(plain["number"])(arrays["reply"].tobytes())
        self._closed()
        self._link.close()
        while self._waiting:
            self._waiting.popitem()[1](None)


def _serve(address: tuple[str, int], token: bytes, _rows) -> None:
    """A task: connect, do jobs one after the other, and heed a stop in between."""
    with socket.create_connection(address) as link, ThreadPoolExecutor(1) as pool:
        link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        link.sendall(token)
        place, lock, sessions = WorkerInfo(_frame(link).decode()), threading.Lock(), set()
        with suppress(OSError):
            while True:
                data = _frame(link)
                if b'"kind":"stop"' in data[:400]:
                    stop(_own(from_message(data, "stop")[0]["session"], place))
                    continue
                plain, arrays = from_message(data, "job")
                sessions.add(_own(plain["session"], place))
                pool.submit(_do, plain, arrays["message"].tobytes(), (link, lock, place))
        for session in sessions:
            stop(session)


def _do(plain: dict, message: bytes, where: tuple) -> None:
    link, lock, place = where
    try:
        reply = work(_own(plain["session"], place), plain["verb"], plain["ids"], message, place)
    except Exception as error:  # noqa: BLE001 the driver must hear of it, whatever it is
        text = f"{place.name} failed: {type(error).__name__}: {error}"
        reply = to_message("reply", {"error": ["ClusterError", text]})
    with suppress(OSError), lock:
        _write(link, to_message("done", {"number": plain["number"]}, {"reply": np.frombuffer(reply, dtype=np.uint8)}))


def _own(session: str, place: WorkerInfo) -> str:
    """The session's name in this task: a process may be lent to one task after another."""
    return f"{session} {place.name}"


def _quietly(function, *given) -> None:
    """Spark logs its failures itself; the driver sees that the tasks have ended."""
    with suppress(Exception):
        function(*given)


def _write(link: socket.socket, data: bytes) -> None:
    link.sendall(_LENGTH.pack(len(data)))
    link.sendall(data)


def _frame(link: socket.socket) -> bytes:
    return _read(link, _LENGTH.unpack(_read(link, _LENGTH.size))[0])


def _read(link: socket.socket, size: int) -> bytes:
    """Exactly so many bytes; ConnectionError when the other side has closed."""
    data = bytearray(size)
    view, at = memoryview(data), 0
    while at < size:
        got = link.recv_into(view[at:])
        if not got:
            raise ConnectionError("the other side has closed the connection")
        at += got
    return bytes(data)
