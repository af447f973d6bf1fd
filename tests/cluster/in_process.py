"""Workers of this process, which can be lost at any job: the shortest engine there is."""

from __future__ import annotations

from collections.abc import Iterator

from boxwood.growing.cluster.pool import Job, Workers
from boxwood.growing.cluster.worker import WorkerInfo, stop, work


class InProcess(Workers):
    """So many workers, one after the other; ``losses``: numbers of pinned jobs at which the worker is lost for good;
    ``memory``: bytes that each may use."""

    def __init__(self, n: int = 2, losses: tuple[tuple[str, int], ...] = (), memory: int = 0):
        self._names = [f"worker {i}" for i in range(n)]
        self._made, self._turn = n, 0
        self._losses, self._count, self._memory = set(losses), {}, memory
        self.jobs: list[Job] = []

    def run(self, session: str, jobs: list[Job]) -> Iterator[tuple[Job, bytes | None]]:
        for job in jobs:
            self.jobs.append(job)
            name = job.worker or self._names[self._turn % len(self._names)]
            self._turn += job.worker is None
            number = self._count[job.verb] = self._count.get(job.verb, -1) + 1
            if (job.verb, number) in self._losses:
                self._lose(session, name)
            if name not in self._names:
                yield job, None
                continue
            frame = job.frame() if callable(job.frame) else job.frame
            place = WorkerInfo(name, memory=self._memory)
            yield job, work(f"{session} {name}", job.verb, list(job.ids), job.message, place, frame)

    def _lose(self, session: str, name: str) -> None:
        """A worker ends with all it holds, and a new one comes."""
        stop(f"{session} {name}")
        if name in self._names:
            self._names[self._names.index(name)] = f"worker {self._made}"
            self._made += 1

    def close(self, session: str) -> None:
        for i in range(self._made):
            stop(f"{session} worker {i}")

    def columns(self, source) -> list[str] | None:
        return list(source[0].columns) if isinstance(source, list) and hasattr(source[0], "columns") else None

    def frames(self, source, columns: list[str]) -> list:
        return [frame[columns] for frame in source]
