"""The Dask adapter: one task per worker and request, pinned to the worker."""

from __future__ import annotations

import asyncio
import concurrent.futures
import logging
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import numpy as np

from ..._messages import Setting, remedy
from ..._version import __version__
from ...data.streams.distributed_frames import is_dask_frame
from ...errors import ClusterError, NotAvailableError, ParameterTypeError
from .pool import Job, Workers
from .worker import WorkerInfo, stop, work

log = logging.getLogger("boxwood")
#: Seconds between two checks of which workers are still there.
_INTERVAL = 0.5
#: So often the same is arguments, when replies get lost although a worker is there.
_TRIES = 3
#: Dask warns of graphs above 10 MB; requested tables may be larger, and that is meant.
_GRAPH = {"distributed.admin.large-graph-warning-threshold": "1GB"}


class DaskWorkers(Workers):
    """The workers behind a Dask client.

    Parameters
    ----------
    client : distributed.Client
        A synchronous one.
    patience : float
        Seconds to wait for a worker when there is none, or for a scheduler that does not reply.

    Raises
    ------
    NotAvailableError
        Dask is not installed here.
    ParameterTypeError
        It is not a synchronous client.
    ClusterError
        There are no workers, or they cannot run this version of boxwood.
    """

    def __init__(self, client, patience: float = 30.0):
        if not isinstance(client, _need_dask().Client) or client.asynchronous:
            raise ParameterTypeError(
                Setting("client"), " must be a distributed.Client that is not asynchronous; got "
                f"{type(client).__name__}.",
            )  # fmt: skip
        self._client, self._patience = client, patience
        self._missed: float | None = None
        self._kills = False
        self._check_versions()

    def run(self, session: str, jobs: list[Job]) -> Iterator[tuple[Job, bytes | None]]:
        """Have all jobs done at once; each with its reply as they come, None when its worker was lost."""
        waiting, tries = self._submitted(session, jobs), Counter()
        try:
            while waiting:
                done, _ = concurrent.futures.wait(waiting, _INTERVAL, concurrent.futures.FIRST_COMPLETED)
                for each in done:
                    job, _ = waiting.pop(each)
                    reply = self._result(each)
                    tries[job] += 1
                    if reply is None and tries[job] < _TRIES and self._may_reply(job):
                        waiting |= self._submitted(
                            session, [job]
                        )  # a job that is sent twice gives the same reply twice
                    else:
                        yield job, reply
                if not done:
                    yield from self._given_up(waiting)
        finally:
            self._cancel(list(waiting.values()))

    def close(self, session: str) -> None:
        """Stop what runs for this session on any worker, and remove its state."""
        if self._client.status == "running":
            self._client.run(stop, session, on_error="ignore")

    def columns(self, source) -> list[str] | None:
        """Names of the columns of a Dask data frame."""
        return list(source.columns) if is_dask_frame(source) else None

    def frames(self, source, columns: list[str]) -> list:
        """The partitions of a Dask data frame, each still to be computed."""
        return source[columns].to_delayed()

    def _submitted(self, session: str, jobs: list[Job]) -> dict:
        """Watch on each reply -> its job and its Dask future."""
        import dask

        with dask.config.set(_GRAPH):
            pinned = [job for job in jobs if job.worker is not None]
            futures = [
                self._client.submit(
                    _on_worker, session, job.verb, list(job.ids), job.message, None,
                    workers=[job.worker], allow_other_workers=False, pure=False, priority=10, retries=0,
                )
                for job in pinned
            ]  # fmt: skip
            free = [job for job in jobs if job.worker is None]
            tasks = [
                dask.delayed(_on_worker, pure=False)(session, job.verb, list(job.ids), job.message, job.frame)
                for job in free
            ]
            futures += self._client.compute(tasks) if tasks else []
        return {self._watch(future): (job, future) for job, future in zip(pinned + free, futures, strict=True)}

    def _watch(self, future) -> concurrent.futures.Future:
        gathering = self._client.gather(future, direct=True, asynchronous=True)
        return asyncio.run_coroutine_threadsafe(gathering, self._client.loop.asyncio_loop)

    def _result(self, watch: concurrent.futures.Future) -> memoryview | None:
        """A reply, or None when the worker or its result is lost, by Dask."""
        from distributed import KilledWorker

        try:
            return memoryview(watch.result())
        except (KilledWorker, concurrent.futures.CancelledError, asyncio.CancelledError, OSError) as error:
            self.why_lost = f"{type(error).__name__}: {error}"
            self._kills = isinstance(error, KilledWorker)
            log.info("a reply did not come: %s", self.why_lost)
            return None

    def _may_reply(self, job: Job) -> bool:
        """Whether somebody who can do the job is still there, so that only its reply was lost, and it kills nobody."""
        alive = self._alive() or ()
        return bool(alive) and not self._kills if job.worker is None else job.worker in alive

    def _given_up(self, waiting: dict) -> Iterator[tuple[Job, None]]:
        """Jobs of lost workers; none while the scheduler does not reply."""
        alive = self._alive()
        if alive is None:
            return
        for each, (job, _) in list(waiting.items()):
            if job.worker is not None and job.worker not in alive:
                self._cancel([waiting.pop(each)])
                yield job, None

    def _cancel(self, given: list[tuple]) -> None:
        """Cancel jobs; the watch on each ends by itself.

        A watch that is cancelled before its future leaves a task in Dask's client whose exception nobody retrieves.
        """
        for _, future in given:
            future.cancel(force=True)

    def _alive(self) -> set[str] | None:
        """Addresses of the workers that are there, None = no reply of the scheduler; raises after too long."""
        try:
            alive = set(self._client.nthreads()) if self._client.status == "running" else None
        except OSError:
            alive = None
        if alive:
            self._missed = None
            return alive
        self._missed = self._missed or time.monotonic()
        if time.monotonic() - self._missed > self._patience:
            raise ClusterError(
                f"no Dask worker has been there for {self._patience:g} seconds; look into the logs of the workers "
                "(they may lack memory), start some, and fit again."
            )
        return alive

    def _check_versions(self) -> None:
        while not self._alive():
            time.sleep(_INTERVAL / 5)
        try:
            found = self._client.run(_version)
        except Exception as error:  # whatever a worker without boxwood raises
            raise ClusterError(
                f"the workers cannot run boxwood ({type(error).__name__}: {error}); ",
                remedy(f"install boxwood {__version__} there."),
            ) from error  # fmt: skip
        for worker, version in found.items():
            if version != __version__:
                raise ClusterError(
                    f"worker {worker} has boxwood {version}, the driver {__version__}; ",
                    remedy("install the same version."),
                )  # fmt: skip


def default_client(source: object) -> object:
    """The client that Dask computes with by default, when the source is a Dask data frame; None if there is none."""
    if not is_dask_frame(source) or "distributed" not in sys.modules:
        return None
    with suppress(ValueError):  # there is no client
        return _need_dask().default_client()


@contextmanager
def connected(address: str, patience: float = 30.0) -> Iterator:
    """A client of the scheduler at an address such as tcp://host:8786.

    Raises
    ------
    NotAvailableError
        Dask is not installed here.
    ClusterError
        No scheduler replies there.
    """
    dask = _need_dask()
    try:
        client = dask.Client(address, timeout=patience)
    except (OSError, ValueError) as error:
        raise ClusterError(
            f"no Dask scheduler answers at {address} ({error}); check host and port, and that it runs."
        ) from error
    with client:
        yield client


def _need_dask():
    """The package distributed."""
    try:
        import distributed
    except ImportError as error:
        raise NotAvailableError(
            "fitting on a Dask cluster needs Dask; ",
            remedy("install it with: pip install 'dask[dataframe]' distributed."),
        ) from error  # fmt: skip
    return distributed


def _version() -> str:
    return __version__


def _on_worker(session: str, verb: str, ids: list[int], message: bytes, frame) -> np.ndarray:
    """The reply as an array of bytes, which Dask carries without copies."""
    from distributed import get_worker

    worker = get_worker()
    memory = worker.memory_manager.memory_limit or 0
    place = WorkerInfo(worker.address, worker.local_directory, worker.state.nthreads, memory)
    return np.frombuffer(work(session, verb, ids, message, place, frame), dtype=np.uint8)
