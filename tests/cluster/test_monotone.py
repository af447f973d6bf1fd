"""Orders of predictions on workers: the model of memory, byte for byte; interactions are refused."""

from __future__ import annotations

import numpy as np
import pytest

from boxwood import ParameterError
from boxwood.algorithms import REGISTRY
from boxwood.algorithms.fitting.cluster_learning import Cluster, fit_cluster
from boxwood.model.tree_model import TreeModel
from cluster.in_process import InProcess
from cluster.tables import SETTINGS, in_memory, roles, table

FRAME = table()


def on_workers(**settings) -> TreeModel:
    """The fit of the pieces of the table."""
    pieces = [FRAME.iloc[part] for part in np.array_split(np.arange(len(FRAME)), 5)]
    given = ("regression", SETTINGS | settings, Cluster(InProcess(2), rows=60))
    return fit_cluster(REGISTRY["cart"], pieces, roles("menge"), *given)


def test_workers_grow_the_tree_of_memory_in_order():
    order = {"x": 1, "z": 1, "size": -1}
    found = on_workers(monotonic_cst=order)
    assert found.tree.monotonic[1].any()
    assert found.to_bytes() == in_memory(FRAME, "menge", monotonic_cst=order)


def test_interactions_are_refused():
    with pytest.raises(ParameterError, match="interaction_cst needs the rows in memory"):
        on_workers(interaction_cst="pairwise")
