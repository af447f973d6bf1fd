"""The option --engine: fits on the workers of a cluster."""

from __future__ import annotations

import re

import click

from ..fitting.algorithm import Algorithm
from ..fitting.cluster_learning import Cluster, fit_cluster
from ..model.tree_model import TreeModel
from ..sources.cluster.dask import connected
from ..sources.parts.layout import Roles

_ADDRESS = re.compile(r"dask://([^/\s]+:\d+)/?")


def fit_on(engine: str, algorithm: Algorithm, source, roles: Roles, task: str, settings: dict, memory) -> TreeModel:
    """Fit a model on the cluster at an address such as dask://host:port."""
    found = _ADDRESS.fullmatch(engine)
    if found is None:
        raise click.UsageError(f"--engine must be an address such as dask://host:8786; got {engine!r}")
    with connected(f"tcp://{found[1]}") as client:
        return fit_cluster(algorithm, source, roles, task, settings, Cluster(client, memory))
