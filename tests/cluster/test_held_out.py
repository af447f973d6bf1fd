"""Pruning with rows held out on workers: the model of memory, also when workers are lost meanwhile."""

from __future__ import annotations

import numpy as np
import pytest

from boxwood import CostComplexity
from boxwood.algorithms.cart import CART
from boxwood.algorithms.fitting.cluster_learning import Cluster, fit_cluster
from boxwood.data.frames.frame import learn_columns
from boxwood.growing.parts.layout import Roles
from boxwood.pruners import ReducedError
from cluster.in_process import InProcess
from cluster.tables import in_memory, table
from cluster.test_pool import fitted, pieces

FRAME = table(240)
FOLDS = {"pruning": CostComplexity(folds=3), "max_depth": 3}


@pytest.mark.sample(2)
@pytest.mark.parametrize(("target", "weight"), [("種類", "w"), ("menge", None)])
@pytest.mark.parametrize(("n", "workers"), [(1, 1), (7, 3)])
@pytest.mark.parametrize("settings", [FOLDS, {"pruning": ReducedError()}], ids=["folds", "holdout"])
def test_any_pieces_on_any_workers_give_the_model_of_memory(settings, n, workers, target, weight):
    found = fitted(pieces(FRAME, n), InProcess(workers), target, weight, **settings)
    assert found == in_memory(FRAME, target, weight, **settings)


def test_rates_with_exposure():
    frame = FRAME.assign(n=np.random.default_rng(1).poisson(np.exp(FRAME["menge"] / 3).clip(0, 20)))
    frame["t"] = np.random.default_rng(2).choice([0.5, 1.25, 3.0], len(frame))
    frame = frame.drop(columns=["種類", "menge"])
    settings = {"criterion": "poisson", "pruning": CostComplexity(folds=3), "max_depth": 3, "shrink": 1.0}
    roles = Roles("n", "w", exposure="t")
    found = fit_cluster(CART, pieces(frame, 3), roles, "regression", settings, Cluster(InProcess(2), rows=50))
    X = learn_columns(frame.drop(columns=["n", "t", "w"]))
    given = {"weight": frame["w"].to_numpy(), "exposure": frame["t"].to_numpy(), "response_name": "n"}
    assert found.to_bytes() == CART.fit(X, frame["n"], task="regression", settings=settings, **given).to_bytes()


@pytest.fixture(scope="module")
def counts() -> tuple[bytes, int, int]:
    """The model of memory, and how many requests and updates a fit without losses takes."""
    workers = InProcess(2)
    model = fitted(pieces(FRAME, 4), workers, "menge", "w", **FOLDS)
    assert model == in_memory(FRAME, "menge", "w", **FOLDS)
    verbs = [job.verb for job in workers.jobs]
    return model, verbs.count("request"), verbs.count("update")


@pytest.mark.long
@pytest.mark.parametrize("at", np.linspace(0.02, 0.98, 9).round(2).tolist())
def test_a_worker_lost_at_any_moment_changes_nothing(at, counts):
    model, requests, updates = counts
    losses = (("request", int(at * requests)), ("update", int((1 - at) * updates)))
    workers = InProcess(2, losses)
    assert fitted(pieces(FRAME, 4), workers, "menge", "w", **FOLDS) == model
    assert [job.verb for job in workers.jobs].count("read") > 4
