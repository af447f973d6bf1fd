"""Two actors of a local Ray give the model of memory, byte for byte, and outlive losses and interrupts."""

from __future__ import annotations

import os
import signal
import sys
import threading

import numpy as np
import pytest

import boxwood
from boxwood.algorithms import REGISTRY
from boxwood.algorithms.fitting.cluster_learning import Cluster, fit_cluster
from boxwood.errors import BoxwoodError, ClusterError, ParameterError
from boxwood.growing.cluster.ray import RayWorkers, connected
from cluster.tables import SETTINGS, TARGETS, in_memory, roles, table
from cluster.worker_states import process_id, sessions

ray = pytest.importorskip("ray", reason="ray is not installed")
data = pytest.importorskip("ray.data", reason="ray.data is not installed")

FRAME = table()
PLAIN = FRAME.assign(size=FRAME["size"].astype(str))


@pytest.fixture(scope="module", autouse=True)
def cluster():
    environment = {"RAY_AUTH_MODE": "disabled", "PYTHONPATH": os.pathsep.join(sys.path)}
    with pytest.MonkeyPatch.context() as patch:
        for name, value in environment.items():
            patch.setenv(name, value)
        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
        yield
        ray.shutdown()


@pytest.fixture(scope="module")
def workers(cluster):
    with RayWorkers(2) as found:
        yield found


def blocks(frame, n: int = 3):
    return data.from_pandas([frame.iloc[len(frame) * i // n : len(frame) * (i + 1) // n] for i in range(n)])


def fitted(source, workers, target="種類", weight=None, **settings) -> bytes:
    given = Cluster(workers, rows=150), SETTINGS | settings
    task = dict(TARGETS)[target]
    return fit_cluster(REGISTRY["cart"], source, roles(target, weight), task, given[1], given[0]).to_bytes()


def held(workers) -> list:
    """What the actors still hold for any fit."""
    found = ray.get([actor.__ray_call__.remote(sessions) for actor, _ in workers._actors.values()])
    return [session for each in found for session in each]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("target", "weight"), [("種類", "w"), ("menge", None)])
def test_blocks_of_a_data_set_give_the_model_of_memory(workers, target, weight):
    assert fitted(blocks(FRAME), workers, target, weight) == in_memory(FRAME, target, weight)
    assert held(workers) == []


@pytest.mark.filterwarnings("ignore")
def test_a_data_set_needs_no_client():
    model = boxwood.CARTClassifier(**SETTINGS).fit_stream(blocks(FRAME), "種類", sample_weight="w", drop=["menge"])
    assert model.model_.to_bytes() == in_memory(FRAME, "種類", "w")
    with pytest.raises(ParameterError, match="cache is not available on a cluster"):
        model.fit_stream(blocks(FRAME), "種類", cache="folder")


@pytest.mark.filterwarnings("ignore")
def test_what_needs_all_rows_reads_the_blocks_here(workers):
    X, outside = FRAME[[name for name in FRAME if name not in ("w", "menge", "種類")]], ["w", "menge"]
    expected = boxwood.C45Classifier().fit(X, FRAME["種類"]).model_.to_bytes()
    for client in (None, workers):
        found = boxwood.C45Classifier().fit_stream(blocks(FRAME), "種類", drop=outside, client=client)
        assert found.model_.to_bytes() == expected
    expected = boxwood.MARSRegressor(missing="indicator").fit(X, FRAME["menge"]).model_.to_bytes()
    found = boxwood.MARSRegressor(missing="indicator").fit_stream(blocks(FRAME), "menge", drop=["w", "種類"])
    assert found.model_.to_bytes() == expected


def test_files_are_read_by_the_actors(workers, tmp_path):
    PLAIN.iloc[:250].to_parquet(tmp_path / "a.parquet")
    PLAIN.iloc[250:].to_parquet(tmp_path / "b.parquet")
    assert fitted(str(tmp_path / "*.parquet"), workers, "menge", "w") == in_memory(PLAIN, "menge", "w")


class Killer(RayWorkers):
    """Kills the process of one actor before, or while, the first jobs of a verb are done."""

    def __init__(self, verb: str, after: bool):
        super().__init__(2)
        self._verb, self._after, self.killed = verb, after, False

    def run(self, session, jobs):
        if not self.killed and jobs and jobs[0].verb == self._verb:
            actor, _ = self._actors[jobs[0].worker or next(iter(self._actors))]
            pid = ray.get(actor.__ray_call__.remote(process_id))
            timer = threading.Timer(0.02 if self._after else 0.0, os.kill, (pid, signal.SIGKILL))
            timer.start()
            if not self._after:
                timer.join()
            self.killed = True
        yield from super().run(session, jobs)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("verb", "after"), [("read", True), ("request", False)])
def test_a_killed_actor_changes_nothing(verb, after):
    with Killer(verb, after) as killer:
        assert fitted(blocks(FRAME, 4), killer, "menge", "w") == in_memory(FRAME, "menge", "w")
        assert killer.killed
        assert "Actor" in killer.why_lost


@pytest.mark.filterwarnings("ignore")
def test_an_interrupt_leaves_nothing_in_the_actors(workers, monkeypatch):
    run = workers.run

    def interrupted(session, jobs):
        for job, reply in run(session, jobs):
            if job.verb == "request":
                raise KeyboardInterrupt
            yield job, reply

    monkeypatch.setattr(workers, "run", interrupted)
    with pytest.raises(KeyboardInterrupt):
        fitted(blocks(FRAME), workers)
    assert held(workers) == []


@pytest.mark.filterwarnings("ignore")
def test_errors_of_actors_come_as_they_are(workers):
    broken = FRAME.assign(menge=np.where(np.arange(len(FRAME)) == 400, np.nan, FRAME["menge"]))
    with pytest.raises(BoxwoodError, match="partition 1"):
        fitted(blocks(broken, 2), workers, "menge")
    assert held(workers) == []


def test_the_command_line_learns_on_ray(tmp_path):
    from click.testing import CliRunner

    from boxwood.cli.commands import boxwood as command

    PLAIN.drop(columns=["menge", "w"]).to_csv(tmp_path / "a.csv", index=False)
    common = ["fit", str(tmp_path / "a.csv"), "--target", "種類", "--max-depth", "3", "--quiet", "-o"]
    for name, options in (("a", ["--engine", "ray"]), ("b", ["--memory", "1GB"])):
        done = CliRunner().invoke(command, [*common, str(tmp_path / name), *options], catch_exceptions=False)
        assert done.exit_code == 0, done.output
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert ray.is_initialized()


def test_no_ray_is_one_clear_error(monkeypatch):
    monkeypatch.setattr(ray, "is_initialized", lambda: False)
    with pytest.raises(ClusterError, match=r"call ray\.init"):
        RayWorkers(1)

    def unreachable(*given, **options):
        raise ConnectionError("ray client connection timeout")

    monkeypatch.setattr(ray, "init", unreachable)
    with pytest.raises(ClusterError, match=r"no Ray answers at ray://127\.0\.0\.1:9"), connected("ray://127.0.0.1:9"):
        pass


def test_actors_that_cannot_run_boxwood_are_refused(monkeypatch):
    monkeypatch.setattr("boxwood.growing.cluster.ray.__version__", "0.0")
    with pytest.raises(ClusterError, match=r"actor \d has boxwood .*, the driver 0\.0"):
        RayWorkers(1)


def test_a_cluster_without_room_is_one_clear_error(monkeypatch):
    monkeypatch.setattr(RayWorkers, "_admit", lambda self, timeout: None)
    with pytest.raises(ClusterError, match=r"no Ray actor has been there for 0\.1 seconds"):
        RayWorkers(1, patience=0.1)


@pytest.mark.filterwarnings("ignore")
def test_c45_raises_branches_in_actors(workers):
    whole = FRAME.dropna().drop(columns=["w", "menge"])
    model = boxwood.C45Classifier(confidence=0.1)
    expected = model.fit(whole.drop(columns="種類"), whole["種類"]).model_.to_bytes()
    assert model.fit_stream(blocks(whole), "種類", client=workers).model_.to_bytes() == expected
