"""The sockets of the Spark adapter, with threads in the place of Spark's tasks: also when a connection is lost."""

from __future__ import annotations

import threading
import time

import pytest

from boxwood.algorithms import REGISTRY
from boxwood.algorithms.fitting.cluster_learning import Cluster, fit_cluster
from boxwood.errors import ClusterError
from boxwood.growing.cluster import worker
from boxwood.growing.cluster.spark import SparkWorkers
from cluster.tables import SETTINGS, in_memory, roles, table

FRAME = table()


class Threads:
    """What the adapter needs of a Spark session: a task that ends is started again, as Spark does."""

    def __init__(self):
        self.conf = {"spark.driver.host": "127.0.0.1"}
        self.sparkContext = self

    def parallelize(self, _numbers, n):
        self.n = n
        return self

    def foreachPartition(self, serve):  # noqa: N802 Spark's name
        def task():
            while True:
                try:
                    serve(iter(()))
                except OSError:
                    return

        for _ in range(self.n):
            threading.Thread(target=task, daemon=True).start()


class Breaking(SparkWorkers):
    """Breaks the connection to a worker when it is first arguments."""

    broken = False

    def run(self, session, jobs):
        if jobs and jobs[0].verb == "request" and not self.broken:
            self.broken = True
            self._peers[jobs[0].worker].leave()
        yield from super().run(session, jobs)


@pytest.fixture
def folder(tmp_path):
    plain = FRAME.assign(size=FRAME["size"].astype(str))
    plain.iloc[:250].to_parquet(tmp_path / "a.parquet")
    plain.iloc[250:].to_parquet(tmp_path / "b.parquet")
    return str(tmp_path), in_memory(plain, "種類", "w")


@pytest.mark.parametrize("kind", [SparkWorkers, Breaking])
def test_tasks_give_the_model_of_memory(folder, kind):
    path, expected = folder
    with kind(Threads(), 2, patience=5) as workers:
        for _ in range(2):
            cluster = Cluster(workers, rows=150)
            found = fit_cluster(REGISTRY["cart"], path, roles("種類", "w"), "classification", SETTINGS, cluster)
            assert found.to_bytes() == expected
        while worker._sessions:  # until every session has ended; one that never does keeps this test from ending
            time.sleep(0.05)


def test_without_tasks_there_is_one_clear_error(folder):
    class Nobody(Threads):
        def foreachPartition(self, serve):  # noqa: N802
            raise RuntimeError("no room")

    given = REGISTRY["cart"], folder[0], roles("種類"), "classification", SETTINGS
    with SparkWorkers(Nobody(), 2, patience=0.3) as workers, pytest.raises(ClusterError, match="no Spark task"):
        fit_cluster(*given, Cluster(workers))
