"""The option --engine: fits on the workers of a cluster."""

from __future__ import annotations

import re
from contextlib import AbstractContextManager

import click

from ..algorithms.fitting.algorithm import Algorithm
from ..algorithms.fitting.cluster_learning import Cluster, fit_cluster
from ..growing.cluster import dask, ray
from ..growing.parts.layout import Roles
from ..model.tree_model import TreeModel
from .tables import read_options

_ADDRESS = re.compile(r"(dask|ray)://([^/\s]+:\d+)/?|ray")


def fit_on(engine: str, algorithm: Algorithm, source, roles: Roles, task: str, settings: dict, memory) -> TreeModel:
    """Fit a model on the cluster at an address such as dask://host:port."""
    with _connected(engine) as client:
        return fit_cluster(algorithm, source, roles, task, settings, Cluster(client, memory, form=read_options().form))


def _connected(engine: str) -> AbstractContextManager:
    """What learns at an address; of Ray without one on the cluster that Ray finds, or on this machine."""
    found = _ADDRESS.fullmatch(engine)
    if found is None:
        raise click.UsageError(
            f"--engine must be an address such as dask://host:8786 or ray://host:10001, or ray; got {engine!r}"
        )
    if found[1] == "dask":
        return dask.connected(f"tcp://{found[2]}")
    return ray.connected(None if found[2] is None else f"ray://{found[2]}")
