"""A Dask cluster of two processes gives the model of memory, byte for byte, and outlives losses and interrupts."""

from __future__ import annotations

import concurrent.futures
import os
import signal
import subprocess
import sys
import threading
import time
import types

import numpy as np
import pandas as pd
import pytest

import boxwood
from boxwood.algorithms import REGISTRY
from boxwood.algorithms.fitting.cluster_learning import Cluster, fit_cluster
from boxwood.errors import BoxwoodError, ClusterError, ParameterError, ParameterTypeError
from boxwood.growing.cluster.dask import DaskWorkers, connected
from boxwood.growing.cluster.pool import Job
from boxwood.growing.parts.layout import Roles
from boxwood.growing.shards.messages import request_from_bytes
from cluster.tables import SETTINGS, TARGETS, in_memory, roles, table
from cluster.worker_states import held_here

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")
dd = pytest.importorskip("dask.dataframe")

FRAME = table()


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    options = {"dashboard_address": ":0", "local_directory": str(tmp_path_factory.mktemp("workers"))}
    # A worker that dies twice within this time is never started again, and the tests kill often.
    patience = dask.config.set({"distributed.deploy.lost-worker-timeout": "1 hour"})
    with (
        patience,
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, **options) as cluster,
        distributed.Client(cluster) as found,
    ):
        yield found


def fitted(source, client, target="種類", weight=None, rows=150, **settings) -> bytes:
    task = dict(TARGETS)[target]
    cluster = Cluster(client, rows=rows, patience=20)
    given = SETTINGS | settings
    return fit_cluster(REGISTRY["cart"], source, roles(target, weight), task, given, cluster).to_bytes()


def held(client) -> list:
    """What the workers still hold for any fit."""
    return client.run(held_here)


@pytest.mark.sample(1)
@pytest.mark.parametrize(("target", "weight"), [("種類", "w"), ("menge", None)])
@pytest.mark.parametrize("n", [1, 2, 7])
def test_two_processes_give_the_model_of_memory(client, target, weight, n):
    assert fitted(dd.from_pandas(FRAME, npartitions=n), client, target, weight) == in_memory(FRAME, target, weight)
    assert set(held(client).values()) == {0}


@pytest.mark.long
def test_folds_on_two_processes_give_the_model_of_memory(client):
    small, settings = FRAME.iloc[:200], {"pruning": "cv-1se", "max_depth": 3}
    found = fitted(dd.from_pandas(small, npartitions=3), client, "種類", "w", **settings)
    assert found == in_memory(small, "種類", "w", **settings)


def test_parquet_files_are_read_by_the_workers(client, tmp_path):
    plain = FRAME.assign(size=FRAME["size"].astype(str))
    plain.iloc[:250].to_parquet(tmp_path / "a.parquet")
    plain.iloc[250:].to_parquet(tmp_path / "b.parquet")
    assert fitted(str(tmp_path / "*.parquet"), client, "menge", "w") == in_memory(plain, "menge", "w")


def phase_of(job) -> str:
    """The verb, or the question when a worker is sent one."""
    return request_from_bytes(job.message)[0] if job.verb == "request" else job.verb


class Killer(DaskWorkers):
    """Kills the process of one worker just before, or just after, the first jobs of a phase are handed out."""

    def __init__(self, client, phase: str, after: bool):
        super().__init__(client, patience=20)
        self._phase, self._after, self.killed = phase, after, False

    def run(self, session, jobs):
        if not self.killed and jobs and phase_of(jobs[0]) == self._phase:
            victim = jobs[0].worker or next(iter(self._client.nthreads()))
            pid = self._client.run(os.getpid, workers=[victim])[victim]
            timer = threading.Timer(0.05 if self._after else 0.0, os.kill, (pid, signal.SIGKILL))
            timer.start()
            if not self._after:
                timer.join()
            self.killed = True
        yield from super().run(session, jobs)


@pytest.mark.long
@pytest.mark.parametrize(
    ("phase", "after"),
    [
        ("read", True),
        ("survey", False),
        ("weigh", True),
        ("tables", True),
        ("values", False),
        ("update", False),
        ("rows", True),
    ],
)
def test_a_killed_worker_changes_nothing(client, phase, after):
    killer = Killer(client, phase, after)
    assert fitted(dd.from_pandas(FRAME, npartitions=4), killer, "menge", "w") == in_memory(FRAME, "menge", "w")
    assert killer.killed
    client.wait_for_workers(2)


def test_an_interrupt_leaves_nothing_running(client):
    class Interrupted(DaskWorkers):
        def run(self, session, jobs):
            for job, reply in super().run(session, jobs):
                if job.verb == "request":
                    raise KeyboardInterrupt
                yield job, reply

    with pytest.raises(KeyboardInterrupt):
        fitted(dd.from_pandas(FRAME, npartitions=4), Interrupted(client))
    while any(client.processing().values()):
        time.sleep(0.1)
    assert set(held(client).values()) == {0}


def test_errors_of_workers_come_as_they_are(client):
    broken = FRAME.assign(menge=np.where(np.arange(len(FRAME)) == 400, np.nan, FRAME["menge"]))
    with pytest.raises(BoxwoodError, match="partition 1"):
        fitted(dd.from_pandas(broken, npartitions=2), client, "menge")
    assert set(held(client).values()) == {0}


def test_a_cluster_without_workers_is_one_clear_error():
    with (
        distributed.LocalCluster(n_workers=0, processes=False, dashboard_address=":0") as cluster,
        distributed.Client(cluster) as found,
        pytest.raises(ClusterError, match="no Dask worker"),
    ):
        DaskWorkers(found, patience=0.5)


def test_only_a_client_is_a_client():
    with pytest.raises(ParameterTypeError, match=r"distributed\.Client"):
        DaskWorkers("tcp://127.0.0.1:8786")


def test_the_estimator_learns_and_predicts_lazily(client):
    frame = dd.from_pandas(FRAME, npartitions=3)
    model = boxwood.CARTClassifier(**SETTINGS).fit_stream(
        frame, "種類", sample_weight="w", drop=["menge"], client=client
    )
    assert model.model_.to_bytes() == in_memory(FRAME, "種類", "w")
    X = FRAME.drop(columns=["種類", "menge", "w"])
    lazy = dd.from_pandas(X, npartitions=3)
    for request in ("predict", "predict_proba", "apply"):
        found, expected = getattr(model, request)(lazy), getattr(model, request)(X)
        assert type(found).__module__.startswith("dask")
        assert (found.compute().index == X.index).all()
        assert np.array_equal(found.compute().to_numpy(), expected)
        assert found._meta.shape == found.compute().iloc[:0].shape
    with pytest.raises(ParameterError, match="cache is not available on a cluster"):
        model.fit_stream(frame, "種類", cache="folder", client=client)


def test_chaid_gives_the_model_of_memory(client):
    model = boxwood.CHAIDRegressor(min_samples_split=40, min_samples_leaf=10, exhaustive=True)
    X = FRAME.drop(columns=["種類", "menge", "w"])
    expected = model.fit(X, FRAME["menge"], sample_weight=FRAME["w"]).model_
    frame = dd.from_pandas(FRAME.drop(columns="種類"), npartitions=3)
    found = model.fit_stream(frame, "menge", sample_weight="w", client=client, memory="64MB").model_
    assert (found.tree.log_p[~found.tree.is_leaf] == expected.tree.log_p[~expected.tree.is_leaf]).all()
    assert found.tree.splits.breaks.tolist() == expected.tree.splits.breaks.tolist()
    cluster = Cluster(client, rows=100, patience=20)
    settings = {"min_samples_split": 40, "min_samples_leaf": 10, "exhaustive": True}
    by_question = fit_cluster(REGISTRY["chaid"], frame, Roles("menge", "w"), "regression", settings, cluster)
    assert by_question.to_bytes() == found.to_bytes()


def test_the_command_line_learns_on_a_cluster(client, tmp_path):
    from click.testing import CliRunner

    from boxwood.cli.commands import boxwood as command

    FRAME.drop(columns=["size", "menge", "w"]).to_parquet(tmp_path / "a.parquet")
    data, out = str(tmp_path / "a.parquet"), str(tmp_path / "a.box")
    engine = client.scheduler.address.replace("tcp://", "dask://")
    common = ["fit", data, "--target", "種類", "--max-depth", "3", "--quiet", "-o"]
    done = CliRunner().invoke(command, [*common, out, "--engine", engine], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    CliRunner().invoke(command, [*common, f"{out}2", "--memory", "1GB"], catch_exceptions=False)
    assert (tmp_path / "a.box").read_bytes() == (tmp_path / "a.box2").read_bytes()
    wrong = CliRunner().invoke(command, [*common, out, "--engine", "spark://x:1"])
    assert wrong.exit_code == 2
    assert "dask://host:8786" in wrong.output


def test_text_files_are_cut_and_read_by_the_workers(client, tmp_path):
    from click.testing import CliRunner

    from boxwood.cli.commands import boxwood as command

    plain = FRAME.drop(columns=["menge", "w"])
    for i in range(2):
        plain.iloc[300 * i : 300 * (i + 1)].to_csv(tmp_path / f"{i}.csv", index=False)
    common = ["fit", *(str(tmp_path / f"{i}.csv") for i in range(2)), "--target", "種類", "--quiet", "-o"]
    engine = client.scheduler.address.replace("tcp://", "dask://")
    for name, options in (("a", ["--engine", engine]), ("b", ["--memory", "1GB"])):
        done = CliRunner().invoke(command, [*common, str(tmp_path / name), *options], catch_exceptions=False)
        assert done.exit_code == 0, done.output
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


@pytest.mark.long
@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_control_c_on_the_command_line_leaves_nothing(client, tmp_path):
    rng = np.random.default_rng(0)
    data = pd.DataFrame(rng.normal(size=(200_000, 20)).astype(np.float32), columns=[f"x{j}" for j in range(20)])
    data["y"] = rng.random(len(data)) < 0.5
    data.to_parquet(tmp_path / "d.parquet", row_group_size=50_000)
    engine = client.scheduler.address.replace("tcp://", "dask://")
    words = ["fit", str(tmp_path / "d.parquet"), "--target", "y", "--engine", engine, "--memory", "32MB"]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-m", "boxwood", *words, "-o", str(tmp_path / "m.box")]
    fit = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment)
    while not any(held(client).values()):
        assert fit.poll() is None, fit.communicate()[1]
        time.sleep(0.02)
    fit.send_signal(signal.SIGINT)
    rest = fit.communicate()[1]
    assert fit.returncode == 130, rest
    assert "Interrupted" in rest
    while any(client.processing().values()) or any(held(client).values()):
        time.sleep(0.1)  # until the workers have let go; a worker that never does keeps this test from ending
    assert not (tmp_path / "m.box").exists()


class Silent:
    """A client whose scheduler sends nothing at first, as one that is too busy, and then who is there."""

    status = "running"

    def __init__(self, silences: int, workers: tuple[str, ...]):
        self._silences, self._workers = silences, workers

    def nthreads(self) -> dict:
        self._silences -= 1
        if self._silences >= 0:
            raise OSError("timed out")
        return dict.fromkeys(self._workers, 1)


class Watch:
    """A reply that does not come."""

    def cancel(self, force: bool = False) -> None:
        pass


@pytest.mark.parametrize(("here", "given_up"), [(("tcp://a",), []), (("tcp://b",), ["tcp://a"]), ((), ["tcp://a"])])
def test_a_worker_is_given_up_when_the_scheduler_reports_it_and_not_before(here, given_up):
    workers = object.__new__(DaskWorkers)
    workers._client, workers._patience, workers._missed = Silent(2, here), 20.0, None
    watch, job = Watch(), Job("request", (0,), b"", "tcp://a")
    waiting = {watch: (job, watch)}
    for _ in range(2):
        assert list(workers._given_up(waiting)) == []
    assert [job.worker for job, _ in workers._given_up(waiting)] == given_up


def test_a_reply_that_was_lost_is_requested_again(client):
    class Unlucky(DaskWorkers):
        """Loses the first reply to every job, as a comm that timed out does."""

        def __init__(self, client):
            super().__init__(client)
            self.jobs, self.lost = set(), set()

        def _submitted(self, session, jobs):
            waiting = super()._submitted(session, jobs)
            self.lost |= {watch for watch, (job, _) in waiting.items() if job not in self.jobs}
            self.jobs |= set(jobs)
            return waiting

        def _result(self, watch):
            found = super()._result(watch)
            return None if watch in self.lost else found

    workers = Unlucky(client)
    assert fitted(dd.from_pandas(FRAME, npartitions=9), workers, "menge", "w") == in_memory(FRAME, "menge", "w")
    assert len(workers.lost) > 20
    assert set(held(client).values()) == {0}


def test_a_job_that_kills_workers_is_not_requested_again(client):
    workers, killed = DaskWorkers(client), concurrent.futures.Future()
    job = Job("read", (0,), b"")
    assert workers._may_reply(job)
    killed.set_exception(distributed.KilledWorker("讀", types.SimpleNamespace(address="tcp://a"), 3))
    assert workers._result(killed) is None
    assert not workers._may_reply(job)


def test_the_message_of_dask_about_a_lost_reply_is_kept(client):
    workers, lost = DaskWorkers(client), concurrent.futures.Future()
    lost.set_exception(OSError("Timed out"))
    assert workers._result(lost) is None
    assert workers.why_lost == "OSError: Timed out"


def test_no_scheduler_is_one_clear_error():
    with pytest.raises(ClusterError, match="no Dask scheduler answers"), connected("tcp://127.0.0.1:9", patience=0.5):
        pass
