"""The Ray adapter: each worker is an actor, which holds its pieces and does one job at a time."""

from __future__ import annotations

import itertools
import logging
import time
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from ..._messages import remedy
from ..._version import __version__
from ...data.streams.distributed_frames import is_ray_dataset
from ...errors import ClusterError, NotAvailableError
from .pool import Job, Workers
from .worker import WorkerInfo, stop, work

log = logging.getLogger("boxwood")
#: Seconds between two checks for an interrupt.
_INTERVAL = 0.5


class RayWorkers(Workers):
    """Workers that are actors of the Ray cluster this process is connected to; a context manager that ends them.

    They read the blocks of a Ray data set where they lie in Ray's object store, or Parquet and CSV files under paths
    that driver and actors see. They need boxwood installed.

    Parameters
    ----------
    n : int, optional
        Number of actors; None = as many as the CPUs of the cluster allow.
    threads : int
        Threads of each actor.
    patience : float
        Seconds to wait for an actor when there is none.

    Raises
    ------
    NotAvailableError
        Ray is not installed here.
    ClusterError
        This process is not connected to Ray, no actor starts, or actors cannot run this version of boxwood.
    """

    def __init__(self, n: int | None = None, threads: int = 1, patience: float = 60.0):
        self._ray, self._threads, self._patience = _need_ray(), threads, patience
        if not self._ray.is_initialized():
            raise ClusterError(
                "this process is not connected to Ray; ", remedy("call ray.init(), or ray.init(address)."),
            )  # fmt: skip
        n = max(1, int(self._ray.cluster_resources().get("CPU", 1)) // threads) if n is None else n
        self._number = itertools.count()
        self._starting: dict = {}
        self._actors: dict[str, tuple] = {}
        self._memory: dict[str, int] = {}
        for _ in range(n):
            self._start()
        try:
            self._await_actors(n)
        except BaseException:
            self.leave()
            raise

    def __enter__(self) -> RayWorkers:
        return self

    def __exit__(self, *_closed) -> None:
        self.leave()

    def leave(self) -> None:
        """End all actors."""
        for actor, *_ in [*self._actors.values(), *((actor,) for _, actor in self._starting.values())]:
            self._ray.kill(actor)
        self._actors, self._starting = {}, {}

    def run(self, session: str, jobs: list[Job]) -> Iterator[tuple[Job, bytes | None]]:
        """Have all jobs done at once; each with its reply as they come, None when its actor was lost."""
        free, pending = deque(job for job in jobs if job.worker is None), {}
        for job in jobs:
            if job.worker in self._actors:
                pending[self._sent(session, job, job.worker)] = job, job.worker
            elif job.worker is not None:
                yield job, None
        while free or pending:
            self._admit(0.0)
            busy = {name for _, name in pending.values()}
            for name in [name for name in self._actors if name not in busy][: len(free)]:
                job = free.popleft()
                pending[self._sent(session, job, name)] = job, name
            if not pending:
                self._await_actors(1)
                continue
            done, _ = self._ray.wait(list(pending), num_returns=1, timeout=_INTERVAL)
            for each in done:
                job, name = pending.pop(each)
                yield job, self._reply(each, name)

    def close(self, session: str) -> None:
        """Stop what runs for this session in any actor, and remove its state."""
        stops = [actor.stop.remote(session) for actor, _ in self._actors.values()]
        if stops:
            self._ray.wait(stops, num_returns=len(stops), timeout=2 * _INTERVAL)  # a lost actor does not reply

    def columns(self, source) -> list[str] | None:
        """Names of the columns of a Ray data set."""
        return list(source.columns()) if is_ray_dataset(source) else None

    def frames(self, source, columns: list[str]) -> list:
        """The blocks of a Ray data set: references, which the actors follow."""
        return source.select_columns(columns).to_arrow_refs()

    def _sent(self, session: str, job: Job, name: str):
        """A reference to the reply to a job that was sent to an actor."""
        actor, node = self._actors[name]
        on_node = Counter(node for _, node in self._actors.values())[node]
        place = WorkerInfo(name, None, self._threads, self._memory.get(node, 0) // on_node)
        return actor.work.remote(session, job.verb, list(job.ids), job.message, place, job.frame)

    def _reply(self, reference, name: str) -> memoryview | None:
        """A reply, or None when the actor or its reply is lost, by Ray; a lost actor is replaced."""
        exceptions = self._ray.exceptions
        try:
            return memoryview(self._ray.get(reference))
        except (exceptions.RayActorError, exceptions.ObjectLostError, exceptions.OutOfMemoryError) as error:
            self.why_lost = f"{type(error).__name__}: {str(error).splitlines()[0]}"
            log.info("a reply did not come: %s", self.why_lost)
            if name in self._actors:
                self._ray.kill(self._actors.pop(name)[0])
                self._start()
            return None

    def _start(self) -> None:
        """Start an actor.

        Ray places it where a CPU is free, and does not reserve it: the tasks that make the blocks of a data set need
        CPUs too.
        """
        options = {"max_concurrency": 2, "scheduling_strategy": "SPREAD"}  # a stop is heard while a job is done
        actor = self._ray.remote(_Actor).options(**options).remote()
        self._starting[actor.describe.remote()] = f"actor {next(self._number)}", actor

    def _await_actors(self, n: int) -> None:
        """Wait until so many actors are there; fewer will do when that takes too long."""
        end = time.monotonic() + self._patience
        while len(self._actors) < n and self._starting and time.monotonic() < end:
            self._admit(_INTERVAL)
        if not self._actors:
            raise ClusterError(
                f"no Ray actor has been there for {self._patience:g} seconds{self.why_lost and f' ({self.why_lost})'}; "
                "look into Ray's logs (the actors may lack memory or CPUs), and fit again."
            )

    def _admit(self, timeout: float) -> None:
        """Let actors work that have started."""
        if not self._starting:
            return
        done, _ = self._ray.wait(list(self._starting), num_returns=1, timeout=timeout)
        for each in done:
            name, actor = self._starting.pop(each)
            try:
                version, node = self._ray.get(each)
            except self._ray.exceptions.RayError as error:
                raise ClusterError(
                    f"the actors cannot run boxwood ({error}); ", remedy(f"install boxwood {__version__} there."),
                ) from error  # fmt: skip
            if version != __version__:
                raise ClusterError(
                    f"{name} has boxwood {version}, the driver {__version__}; ", remedy("install the same version."),
                )  # fmt: skip
            self._actors[name] = actor, node
        if done:
            self._memory = {n["NodeID"]: int(n["Resources"].get("memory", 0)) for n in self._ray.nodes()}


class _Actor:
    """What Ray runs in a process of its own."""

    def describe(self) -> tuple[str, str]:
        """The version of boxwood here, and the node."""
        return __version__, _need_ray().get_runtime_context().get_node_id()

    def work(self, session: str, verb: str, ids: list[int], message: bytes, place: WorkerInfo, frame) -> np.ndarray:
        """The reply as an array of bytes, which Ray carries without copies."""
        return np.frombuffer(work(session, verb, ids, message, place, frame), dtype=np.uint8)

    def stop(self, session: str) -> None:
        """See :func:`.worker.stop`."""
        stop(session)


@contextmanager
def connected(address: str | None, patience: float = 60.0) -> Iterator[RayWorkers]:
    """Workers of the Ray cluster at an address such as ray://host:10001.

    None = the cluster this process is connected to, that of the environment variable RAY_ADDRESS, one that runs on this
    machine, or a new one on this machine.

    Raises
    ------
    NotAvailableError
        Ray is not installed here.
    ClusterError
        No Ray replies there.
    """
    ray = _need_ray()
    ours = not ray.is_initialized()
    try:
        if ours:
            ray.init(address, log_to_driver=False, logging_level=logging.ERROR)
    except (ConnectionError, ValueError, RuntimeError) as error:
        raise ClusterError(f"no Ray answers at {address} ({error}); check host and port, and that it runs.") from error
    try:
        with RayWorkers(patience=patience) as workers:
            yield workers
    finally:
        if ours:
            ray.shutdown()


def _need_ray():
    """The package."""
    try:
        import ray
    except ImportError as error:
        raise NotAvailableError(
            "fitting on a Ray cluster needs Ray; ", remedy("install it with: pip install ray."),
        ) from error  # fmt: skip
    return ray
