"""Learning from the same Parquet files out of core on one machine, and on a Dask cluster of it: seconds and messages.

    python -m benchmarks.cluster --rows 5000000 --memory 1GB

Each way is a process of its own; both must give the same model. The data are those of benchmarks/stream.py.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager

from .stream import DEPTH, write


class Counted:
    """What goes to the workers and comes back, by verb."""

    def __init__(self):
        self.rounds, self.down, self.up, self.largest = 0, 0, 0, 0

    def of(self, workers):
        """The same workers, watched."""
        run = workers.run

        def watched(session, jobs):
            self.rounds += 1
            self.down += sum(len(job.message) for job in jobs)
            for job, reply in run(session, jobs):
                size = 0 if reply is None else len(reply)
                self.up, self.largest = self.up + size, max(self.largest, size)
                yield job, reply

        workers.run = watched
        return workers


@contextmanager
def cluster(workers: int, threads: int, processes: bool):
    """A Dask client of workers on this machine."""
    from distributed import Client, LocalCluster

    options = {"threads_per_worker": threads, "processes": processes, "dashboard_address": ":0"}
    with LocalCluster(n_workers=workers, **options) as made, Client(made) as client:
        yield client


def measure(way: str, paths: list[str], given: argparse.Namespace) -> dict:
    """One fit in this process."""
    from boxwood import CARTClassifier

    model = CARTClassifier(max_depth=DEPTH, pruning=None, n_jobs=given.workers, verbose=given.verbose)
    counted, began = Counted(), time.perf_counter()
    if way == "local":
        model.fit_stream(paths, "y", memory=given.memory)
        seconds = time.perf_counter() - began
    else:
        from boxwood.sources.cluster.dask import DaskWorkers

        with cluster(given.workers, 1, way == "dask") as client:
            began = time.perf_counter()
            model.fit_stream(paths, "y", memory=given.memory, client=counted.of(DaskWorkers(client)))
            seconds = time.perf_counter() - began
    digest = hashlib.sha256(model.model_.to_bytes()).hexdigest()[:16]
    found = {"way": way, "seconds": seconds, "model": digest, "nodes": model.tree_.n_nodes}
    return found | {name: getattr(counted, name) for name in ("rounds", "down", "up", "largest")}


def main() -> None:
    """Generate, measure each way, print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=5_000_000)
    parser.add_argument("--memory", default="1GB", help="what the driver may use")
    parser.add_argument("--workers", type=int, default=2, help="workers of one thread; threads of the local fit")
    parser.add_argument("--ways", default="local,dask", help="of local, dask (processes), dask-threads")
    parser.add_argument("--folder", help="where to put the data; default: a temporary folder")
    parser.add_argument("--verbose", type=int, default=0)
    parser.add_argument("--way", help=argparse.SUPPRESS)
    parser.add_argument("paths", nargs="*", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.way:
        print(json.dumps(measure(given.way, given.paths, given)))
        return
    with tempfile.TemporaryDirectory(dir=given.folder) as folder:
        paths = write(folder, given.rows)
        for way in given.ways.split(","):
            words = ["--way", way, "--memory", given.memory, "--workers", str(given.workers)]
            words += ["--verbose", str(given.verbose)]
            command = [sys.executable, "-m", "benchmarks.cluster", *words, *paths]
            found = json.loads(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout)
            print(
                f"{way}: {given.rows} rows, {found['seconds']:.1f} s, {found['nodes']} nodes, model {found['model']}; "
                f"{found['rounds']} rounds, {found['down'] / 1e6:.1f} MB down, {found['up'] / 1e6:.1f} MB up, largest "
                f"reply {found['largest'] / 1e6:.1f} MB",
                flush=True,
            )


if __name__ == "__main__":
    main()
