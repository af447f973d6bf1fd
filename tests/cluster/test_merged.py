"""CHAID on workers: the model of memory, byte for byte, whoever is lost at whatever question."""

from __future__ import annotations

import numpy as np
import pytest

from boxwood.algorithms import REGISTRY
from boxwood.algorithms.fitting.cluster_learning import Cluster, fit_cluster
from boxwood.data.frames.frame import learn_columns
from boxwood.errors import ParameterError
from boxwood.growing.parts import coarse_cuts
from boxwood.growing.shards.messages import request_from_bytes
from cluster.in_process import InProcess
from cluster.tables import TARGETS, roles, table

CHAID, FRAME = REGISTRY["chaid"], table()
SMALL = {"min_samples_split": 20, "min_samples_leaf": 0.01, "max_depth": None}


def fitted(workers, target: str, weight: str | None, rows: int = 60, **settings) -> bytes:
    pieces = [FRAME.iloc[part] for part in np.array_split(np.arange(len(FRAME)), 5)]
    task, cluster = dict(TARGETS)[target], Cluster(workers, rows=rows)
    return fit_cluster(CHAID, pieces, roles(target, weight), task, SMALL | settings, cluster).to_bytes()


def in_memory(target: str, weight: str | None, **settings) -> bytes:
    columns = learn_columns(FRAME.drop(columns=[*(name for name, _ in TARGETS), "w"]))
    w = None if weight is None else FRAME[weight].to_numpy()
    given = {"task": dict(TARGETS)[target], "settings": SMALL | settings, "weight": w, "response_name": target}
    return CHAID.fit(columns, FRAME[target], **given).to_bytes()


@pytest.mark.parametrize(
    "settings",
    [{}, {"exhaustive": True, "weights": "case", "n_bins": 25}, {"split_merged": True, "n_bins": 3}],
    ids=str,
)
@pytest.mark.parametrize(("target", "weight"), [(t, w) for t, _ in TARGETS for w in (None, "w")])
def test_workers_grow_the_tree_of_memory(target, weight, settings, monkeypatch):
    monkeypatch.setattr(coarse_cuts, "CUTS", 15)  # so that boundaries of bins fall inside coarse ones
    workers = InProcess(2)
    assert fitted(workers, target, weight, **settings) == in_memory(target, weight, **settings)
    arguments = [request_from_bytes(job.message)[0] for job in workers.jobs if job.verb == "request"]
    squares = {"squares"} if weight else set()
    assert set(arguments) == {"stats", "spans", "values", "categories", "rows"} | squares


def test_ordered_classes():
    settings = {"ordinal_target": [3, 1, 2], "missing": "floating"}
    assert fitted(InProcess(2), "種類", "w", **settings) == in_memory("種類", "w", **settings)
    with pytest.raises(ParameterError, match="ordinal_target must give 3 different scores"):
        fitted(InProcess(2), "種類", "w", ordinal_target=[1, 2])


@pytest.mark.parametrize("number", range(0, 12, 2))
def test_a_worker_lost_at_any_question_changes_nothing(number):
    workers = InProcess(2, (("request", number),))
    assert fitted(workers, "menge", "w") == in_memory("menge", "w")
    assert [job.verb for job in workers.jobs].count("read") > 5
