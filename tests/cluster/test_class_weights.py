"""Class weights and weights of rows on workers: the model of memory, byte for byte, and the rows it came from."""

from __future__ import annotations

import numpy as np
import pytest

from boxwood.algorithms import REGISTRY
from boxwood.algorithms.fitting.cluster_learning import Cluster, fit_cluster
from boxwood.data.frames.frame import learn_columns
from cluster.in_process import InProcess
from cluster.tables import TARGETS, roles, table

FRAME = table()


@pytest.mark.parametrize("weight", [None, "w"])
@pytest.mark.parametrize(
    ("name", "settings"),
    [("cart", {"max_depth": 4}), ("cart", {"max_depth": 4, "max_bins": 10}), ("c45", {"missing": "majority"})],
)
def test_workers_keep_class_weights_apart_from_rows(name, settings, weight):
    settings = settings | {"class_weight": "balanced"}
    pieces = [FRAME.iloc[part] for part in np.array_split(np.arange(len(FRAME)), 5)]
    cluster = Cluster(InProcess(2), rows=60)
    found = fit_cluster(REGISTRY[name], pieces, roles("種類", weight), "classification", settings, cluster)
    columns = learn_columns(FRAME.drop(columns=[*(target for target, _ in TARGETS), "w"]))
    w = None if weight is None else FRAME[weight].to_numpy()
    given = {"task": "classification", "settings": settings, "weight": w, "response_name": "種類"}
    assert found.to_bytes() == REGISTRY[name].fit(columns, FRAME["種類"], **given).to_bytes()
    total = len(FRAME) if w is None else w.sum()
    assert np.isclose(found.tree.row_weight[0], total)
    assert (found.tree.weight_squares is None) == (w is None)
