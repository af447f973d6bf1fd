"""Dask carries the messages: one task a worker and question, pinned to it; the whole adapter is this file."""

from __future__ import annotations

import asyncio
import concurrent.futures
import secrets
import time
from collections.abc import Iterator

from ..._version import __version__
from ...errors import ClusterError, NotAvailableError, ParameterTypeError
from .crew import Job
from .holder import Place, stop, work

#: Seconds between two looks at who is still there.
_LOOK = 0.5
#: Dask warns of graphs above 10 MB; tables that are asked for may be larger, and that is meant.
_GRAPH = {"distributed.admin.large-graph-warning-threshold": "1GB"}


class DaskWorkers:
    """The workers behind a Dask client.

    Parameters
    ----------
    client : distributed.Client
        A synchronous one.
    patience : float
        Seconds to wait for a worker when there is none, or for a scheduler that does not answer.

    Raises
    ------
    NotAvailableError
        Dask is not installed here.
    ParameterTypeError
        It is no synchronous client.
    ClusterError
        There are no workers, or they cannot run this version of boxwood.
    """

    def __init__(self, client, patience: float = 30.0):
        try:
            from distributed import Client
        except ImportError as error:
            raise NotAvailableError("a cluster needs Dask; install it with: pip install 'boxwood[dask]'.") from error
        if not isinstance(client, Client) or client.asynchronous:
            raise ParameterTypeError(
                f"client must be a distributed.Client that is not asynchronous; got {type(client).__name__}."
            )
        self._client, self._patience = client, patience
        self._session = secrets.token_hex(8)
        self._missed: float | None = None
        self._check_versions()

    def run(self, jobs: list[Job]) -> Iterator[tuple[Job, bytes | None]]:
        """Have all jobs done at once; each with its reply as they come, None when its worker was lost."""
        waiting = self._submitted(jobs)
        try:
            while waiting:
                done, _ = concurrent.futures.wait(waiting, _LOOK, concurrent.futures.FIRST_COMPLETED)
                for each in done:
                    job, _ = waiting.pop(each)
                    yield job, self._result(each)
                if not done:
                    yield from self._given_up(waiting)
        finally:
            for each, (_, future) in waiting.items():
                each.cancel()
                future.cancel(force=True)

    def close(self) -> None:
        """Stop what runs for this fit on any worker, and remove what is held for it."""
        from distributed.core import Status

        if self._client.status == "running" or getattr(self._client, "status", None) == Status.running:
            self._client.run(stop, self._session, on_error="ignore")

    def _submitted(self, jobs: list[Job]) -> dict:
        """Watch on each reply -> its job and its Dask future."""
        import dask

        with dask.config.set(_GRAPH):
            pinned = [job for job in jobs if job.worker is not None]
            futures = [
                self._client.submit(
                    _on_worker, self._session, job.verb, list(job.ids), job.message, None,
                    workers=[job.worker], allow_other_workers=False, pure=False, priority=10, retries=0,
                )
                for job in pinned
            ]  # fmt: skip
            free = [job for job in jobs if job.worker is None]
            tasks = [
                dask.delayed(_on_worker, pure=False)(self._session, job.verb, list(job.ids), job.message, job.frame)
                for job in free
            ]
            futures += self._client.compute(tasks) if tasks else []
        return {self._watch(future): (job, future) for job, future in zip(pinned + free, futures, strict=True)}

    def _watch(self, future) -> concurrent.futures.Future:
        gathering = self._client.gather(future, asynchronous=True)
        return asyncio.run_coroutine_threadsafe(gathering, self._client.loop.asyncio_loop)

    def _result(self, watch: concurrent.futures.Future) -> bytes | None:
        """A reply, or None when Dask says that the worker or its result is gone."""
        from distributed import KilledWorker

        try:
            return watch.result()
        except (KilledWorker, concurrent.futures.CancelledError, asyncio.CancelledError, OSError):
            return None

    def _given_up(self, waiting: dict) -> Iterator[tuple[Job, None]]:
        """Jobs of workers that are gone."""
        alive = self._alive()
        for each, (job, future) in list(waiting.items()):
            if job.worker is not None and job.worker not in alive:
                del waiting[each]
                each.cancel()
                future.cancel(force=True)
                yield job, None

    def _alive(self) -> set[str]:
        """Addresses of the workers that are there; raises when there are none for too long."""
        try:
            alive = set(self._client.nthreads()) if self._client.status == "running" else set()
        except OSError:
            alive = set()
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
        self._client.wait_for_workers(1, timeout=self._patience)
        try:
            found = self._client.run(_version)
        except Exception as error:  # whatever a worker without boxwood raises
            raise ClusterError(
                f"the workers cannot run boxwood ({type(error).__name__}: {error}); install boxwood {__version__} "
                "there."
            ) from error
        for worker, version in found.items():
            if version != __version__:
                raise ClusterError(
                    f"worker {worker} has boxwood {version}, the driver {__version__}; install the same version."
                )


def partitions(frame) -> list:
    """The partitions of a Dask data frame, one lazy frame each."""
    return frame.to_delayed(optimize_graph=True)


def is_dask_frame(data) -> bool:
    """Whether data are a Dask data frame."""
    return type(data).__module__.startswith("dask") and hasattr(data, "to_delayed")


def _version() -> str:
    return __version__


def _on_worker(session: str, verb: str, ids: list[int], message: bytes, frame) -> bytes:
    from distributed import get_worker

    worker = get_worker()
    return work(
        session, verb, ids, message, Place(worker.address, worker.local_directory, worker.state.nthreads), frame
    )
