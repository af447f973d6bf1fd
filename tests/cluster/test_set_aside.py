"""Pruning with rows set aside on workers: the model of memory, also when workers are lost on the way."""

from __future__ import annotations

import numpy as np
import pytest

from boxwood import CostComplexity
from boxwood.pruners import ReducedError
from cluster.in_process import InProcess
from cluster.tables import in_memory, table
from cluster.test_crew import fitted, pieces

FRAME = table(240)
FOLDS = {"pruning": CostComplexity(folds=3), "max_depth": 3}


@pytest.mark.parametrize(("target", "weight"), [("種類", "w"), ("menge", None)])
@pytest.mark.parametrize(("n", "workers"), [(1, 1), (7, 3)])
@pytest.mark.parametrize("settings", [FOLDS, {"pruning": ReducedError()}], ids=["folds", "holdout"])
def test_any_pieces_on_any_workers_give_the_model_of_memory(settings, n, workers, target, weight):
    found = fitted(pieces(FRAME, n), InProcess(workers), target, weight, **settings)
    assert found == in_memory(FRAME, target, weight, **settings)


@pytest.fixture(scope="module")
def asked() -> tuple[bytes, int, int]:
    """The model of memory, and how many questions and sendings a fit without losses takes."""
    workers = InProcess(2)
    model = fitted(pieces(FRAME, 4), workers, "menge", "w", **FOLDS)
    assert model == in_memory(FRAME, "menge", "w", **FOLDS)
    verbs = [job.verb for job in workers.jobs]
    return model, verbs.count("ask"), verbs.count("send")


@pytest.mark.parametrize("at", np.linspace(0.02, 0.98, 9).round(2).tolist())
def test_a_worker_lost_at_any_moment_changes_nothing(at, asked):
    model, asks, sends = asked
    losses = (("ask", int(at * asks)), ("send", int((1 - at) * sends)))
    workers = InProcess(2, losses)
    assert fitted(pieces(FRAME, 4), workers, "menge", "w", **FOLDS) == model
    assert [job.verb for job in workers.jobs].count("draft") > 4
