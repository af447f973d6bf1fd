"""Learning from the same Parquet files: out of core on one machine, with Dask, Spark and Ray, and by Spark MLlib.

    python -m benchmarks.cluster --rows 5000000 --memory 1GB --methods local,dask,ray,spark,mllib

Each is a process of its own; all of ours must give the same model. MLlib's DecisionTreeClassifier cuts each column
into bins first (32, its default), so its model is another one; its time is that of assembling the vectors and of the
fit. Starting Dask, Ray or Spark is not counted. The data are those of benchmarks/stream.py.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
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


@contextmanager
def spark_session(workers: int):
    """A Spark session of this machine with so many threads and room for the data."""
    from pyspark.sql import SparkSession

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # the workers' Python is this one
    settings = {"spark.driver.memory": "10g", "spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false"}
    builder = SparkSession.builder.master(f"local[{workers}]")
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    try:
        yield session
    finally:
        session.stop()


def measure_mllib(paths: list[str], given: argparse.Namespace) -> dict:
    """One fit by Spark MLlib in this process: the peer."""
    with spark_session(given.workers) as spark:
        from pyspark.ml.classification import DecisionTreeClassifier
        from pyspark.ml.feature import VectorAssembler

        spark.read.parquet(*paths).count()  # Spark has read a file before: its classes are loaded
        began = time.perf_counter()
        rows = spark.read.parquet(*paths)
        features = [name for name in rows.columns if name != "y"]
        ready = VectorAssembler(inputCols=features, outputCol="features").transform(rows)
        tree = DecisionTreeClassifier(labelCol="y", featuresCol="features", maxDepth=given.depth, maxBins=given.bins)
        model = tree.fit(ready)
        seconds = time.perf_counter() - began
        return {"method": "mllib", "seconds": seconds, "model": f"{given.bins} bins", "nodes": model.numNodes}


def measure(method: str, paths: list[str], given: argparse.Namespace) -> dict:
    """One fit in this process."""
    from boxwood import CARTClassifier

    model = CARTClassifier(
        max_depth=given.depth, pruning=None, max_surrogates=0, n_jobs=given.workers, verbose=given.verbose
    )
    counted, began = Counted(), time.perf_counter()
    if method == "local":
        model.fit_stream(paths, "y", memory=given.memory)
        seconds = time.perf_counter() - began
    elif method == "spark":
        from boxwood.growing.cluster.spark import SparkWorkers

        with spark_session(given.workers) as spark, SparkWorkers(spark, given.workers) as workers:
            began = time.perf_counter()
            model.fit_stream(paths, "y", memory=given.memory, client=counted.of(workers))
            seconds = time.perf_counter() - began
    elif method == "ray":
        from boxwood.growing.cluster.ray import connected

        with connected(None) as workers:
            began = time.perf_counter()
            model.fit_stream(paths, "y", memory=given.memory, client=counted.of(workers))
            seconds = time.perf_counter() - began
    else:
        from boxwood.growing.cluster.dask import DaskWorkers

        with cluster(given.workers, 1, method == "dask") as client:
            began = time.perf_counter()
            model.fit_stream(paths, "y", memory=given.memory, client=counted.of(DaskWorkers(client)))
            seconds = time.perf_counter() - began
    digest = hashlib.sha256(model.model_.to_bytes()).hexdigest()[:16]
    found = {"method": method, "seconds": seconds, "model": digest, "nodes": model.tree_.n_nodes}
    return found | {name: getattr(counted, name) for name in ("rounds", "down", "up", "largest")}


def summary(found: dict, rows: int) -> str:
    """A line for people."""
    line = f"{found['method']}: {rows} rows, {found['seconds']:.1f} s, {found['nodes']} nodes, model {found['model']}"
    if not found.get("rounds"):
        return line
    sizes = {name: found[name] / 1e6 for name in ("down", "up", "largest")}
    down, up, largest = (f"{size:.1f} MB" for size in sizes.values())
    return f"{line}; {found['rounds']} rounds, {down} down, {up} up, largest reply {largest}"


def main() -> None:
    """Generate, measure each method, print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=5_000_000)
    parser.add_argument("--memory", default="1GB", help="what the driver may use")
    parser.add_argument("--workers", type=int, default=2, help="workers of one thread; threads of the local fit")
    parser.add_argument(
        "--methods", default="local,dask", help="of local, dask (processes), dask-threads, ray, spark, mllib"
    )
    parser.add_argument("--depth", type=int, default=DEPTH)
    parser.add_argument("--bins", type=int, default=32, help="maxBins of MLlib")
    parser.add_argument("--folder", help="where to put the data; default: a temporary folder")
    parser.add_argument("--verbose", type=int, default=0)
    parser.add_argument("--method", help=argparse.SUPPRESS)
    parser.add_argument("paths", nargs="*", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.method:
        print(
            json.dumps(
                measure_mllib(given.paths, given)
                if given.method == "mllib"
                else measure(given.method, given.paths, given)
            )
        )
        return
    with tempfile.TemporaryDirectory(dir=given.folder) as folder:
        paths = write(folder, given.rows)
        for method in given.methods.split(","):
            words = ["--method", method, "--memory", given.memory, "--workers", str(given.workers)]
            words += ["--verbose", str(given.verbose), "--bins", str(given.bins), "--depth", str(given.depth)]
            command = [sys.executable, "-m", "benchmarks.cluster", *words, *paths]
            out = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
            print(summary(json.loads(out.strip().splitlines()[-1]), given.rows), flush=True)


if __name__ == "__main__":
    main()
