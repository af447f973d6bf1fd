"""Fits a tree algorithm to data on a cluster: the same model as from the same rows in memory."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property

from ...data.columns.kind_warnings import warn_of_decimals
from ...data.columns.schema import Schema
from ...data.files.opened import AS_FOUND, Form
from ...data.streams.distributed_frames import is_ray_dataset
from ...data.streams.row_rules import RowRules
from ...errors import WeightError
from ...growing.cluster.dask import DaskWorkers
from ...growing.cluster.engine import PoolEngine, PoolFinisher
from ...growing.cluster.pool import PieceSource, WorkerPool, Workers
from ...growing.cluster.ray import RayWorkers
from ...growing.cluster.summaries import Order
from ...growing.parts.finishing import PartsPlan, plan_of
from ...growing.parts.layout import Layout, Roles
from ...growing.recipe import Recipe
from ...growing.shards.source import ShardedSource
from ...growing.shards.whole import Whole
from ...learning.learning_set import NO_PRODUCT, NO_WEIGHT, usable_threads
from ...learning.parameters import checked
from ...model.tree_model import TreeModel
from ...pruning.raiser import raiser
from ...pruning.shard_resampling import InShards, Without
from ...statistics.responses.response import Response
from ...tree.tree import Tree
from .algorithm import Algorithm
from .cluster_pieces import ClusterPiece, doubtful_decimals, piece_sources, pieces_for
from .cluster_rules import declared_forms, refuse_rules, rules_for_workers, with_found_forms
from .encoding import Budget, class_factors_of, counts_missing, roles_for, schema_of
from .memory_size import memory_size
from .parts_learning import OF_VALUE
from .raising_in_shards import raised_in_shards, raising_problem
from .streams import (
    How,
    fit_gathered,
    fit_stream,
    raising,
    refuse_missing,
    refuse_small_memory,
    refuse_what_needs_rows,
    response_of_parts,
)

log = logging.getLogger("boxwood")


@dataclass(frozen=True, eq=False)
class ClusterLearning:
    """What a tree is learned from, when its rows are at workers.

    Attributes
    ----------
    pool : WorkerPool
    plan : PartsPlan
    response : Response
    n : int
        Number of rows of positive weight.
    has_missing : bool
    means : Budget
        Of the driver.
    gaps : list of bool
        Whether any value of each feature is missing.
    """

    pool: WorkerPool
    plan: PartsPlan
    response: Response
    n: int
    has_missing: bool
    means: Budget
    gaps: list[bool]

    @property
    def schema(self) -> Schema:
        """The features."""
        return self.plan.schema

    @property
    def threads(self) -> int:
        """Threads of the driver that may be used."""
        return self.means.threads

    @cached_property
    def shards(self) -> tuple[PoolEngine, Whole]:
        """The rows as shards, and what is known of all of them."""
        plan, kind = self.plan, self.response.kind
        scaling = plan.scaling(kind, self.n)
        whole = Whole(plan.schema, plan.cuts, self.response, scaling, not plan.weights.ones, plan.thresholds)
        return PoolEngine(self.pool, kind, self.means.reply_bytes), whole

    @cached_property
    def resampling(self) -> InShards:
        """How rows are held out."""
        return InShards(*self.shards, self.means.rows or max(1, self.means.memory // OF_VALUE))

    def with_weight_squares(self, tree: Tree, keep: Without | None = None) -> Tree:
        """A tree grown from these rows or those that stay, with the sums of their squared weights in each node."""
        return self.resampling.with_weight_squares(tree, keep)

    def source(self, recipe: Recipe, keep: Without | None = None) -> ShardedSource:
        """A source that can grow by a recipe, over all rows or those that stay."""
        seen = self.shards if keep is None else self.resampling.seen(keep, recipe.rank_cuts)
        return ShardedSource(*seen, self._capacity, self.threads)

    @property
    def _capacity(self) -> int:
        """Rows that the driver may hold at a time: values as they come and as doubles, codes, places in lists."""
        return self.means.rows or max(1, self.means.memory // (32 * (len(self.schema) + 2)))


raiser.register(ClusterLearning, raised_in_shards)


@dataclass(frozen=True, eq=False)
class Cluster:
    """Where to learn.

    Attributes
    ----------
    client : distributed.Client, Workers or None
        None = actors for this fit, to a Ray data set.
    memory : str or int
        What the driver may use, about.
    rows : int, optional
        Rows that the driver may hold and rows of a part, instead of as many as the memory allows.
    patience : float
        Seconds to wait for a worker when there is none.
    form : Form
        The layout of text files.
    """

    client: object
    memory: str | int = "2GB"
    rows: int | None = None
    patience: float = 30.0
    form: Form = AS_FOUND

    @contextmanager
    def workers(self, source) -> Iterator[Workers]:
        """The workers that read a source; see :class:`boxwood.growing.cluster.dask.DaskWorkers` for the errors."""
        if self.client is None and is_ray_dataset(source):
            with RayWorkers(patience=self.patience) as made:
                yield made
        else:
            yield self.client if isinstance(self.client, Workers) else DaskWorkers(self.client, self.patience)


def fit_cluster(algorithm: Algorithm, source, roles: Roles, task: str, settings: dict, cluster: Cluster) -> TreeModel:
    """Fit a model to data that workers read and hold; the same model as from the same rows in memory.

    For an algorithm that does not learn from parts, and pruning that needs all rows, this process reads all rows, if
    ``cluster.memory`` is enough.

    Parameters
    ----------
    algorithm : Algorithm, or another of the registry
    source : Dask data frame, Ray data set, or path or list of paths of Parquet or CSV files that all workers see
    roles : Roles
    task : {"classification", "regression"}
    settings : dict
        Parameters that differ from their defaults.
    cluster : Cluster

    Raises
    ------
    ParameterError
        A setting needs the rows themselves, or a parameter is out of range.
    ClusterError
        Workers were lost, more often than they could be replaced.
    FileError, DataError, DataTypeError
        The data cannot be read.
    """
    if not algorithm.streams:
        return fit_stream(
            algorithm, source, roles, task, settings, How(cluster.memory, None, cluster.rows, cluster.form)
        )
    settings = checked(algorithm.parameters[task], settings)
    refuse_what_needs_rows(algorithm, settings)
    refuse_rules(settings)
    means = Budget(memory_size(cluster.memory), usable_threads(settings.get("n_jobs")), cluster.rows, cluster.form)
    roles = roles_for(roles, settings)
    with cluster.workers(source) as workers:
        layout, pieces = pieces_for(workers, source, roles, task, means)
        rules = rules_for_workers(layout, roles, task, settings)
        with _reading(workers, pieces, layout, means, rules) as finisher:
            learning = _learning(finisher, algorithm, layout, settings, means)
            problem = raising_problem(settings, learning.has_missing) if raising(algorithm, settings) else None
            if problem is None:
                return algorithm.fit_parts(learning, task, settings)
            refuse_small_memory(problem, finisher.survey.rows, len(learning.schema), means)
        return fit_gathered(algorithm, source, roles, task, settings, means)


@contextmanager
def _reading(
    workers: Workers, pieces: list[ClusterPiece], layout: Layout, means: Budget, rules: RowRules
) -> Iterator[PoolFinisher]:
    """All pieces read and surveyed; once more where texts turn out to have a form."""
    first = declared_forms(rules)
    warn_of_decimals({name: found for name, found in doubtful_decimals(pieces).items() if rules.is_free(name)})
    with _pool(workers, piece_sources(pieces, layout, means, first)) as pool:
        finisher = _read(pool)
        rules = with_found_forms(rules, finisher.survey.columns)
        if rules == first:
            yield finisher
            return
    with _pool(workers, piece_sources(pieces, layout, means, rules)) as pool:
        yield _read(pool)


@contextmanager
def _pool(workers: Workers, sources: list[PieceSource]) -> Iterator[WorkerPool]:
    """Workers that stop and forget when the fit ends, however it ends."""
    pool = WorkerPool(workers, sources)
    try:
        yield pool
    finally:
        pool.close()


def _read(pool: WorkerPool) -> PoolFinisher:
    """Have all pieces read and surveyed."""
    began = time.perf_counter()
    pool.read()
    finisher = PoolFinisher(pool)
    log.info("surveyed: %d rows in %.1f s", finisher.survey.rows, time.perf_counter() - began)
    return finisher


def _learning(
    finisher: PoolFinisher, algorithm: Algorithm, layout: Layout, settings: dict, means: Budget
) -> ClusterLearning:
    """Have all pieces put into final numbers."""
    survey, began = finisher.survey, time.perf_counter()
    if not survey.kept:
        raise WeightError(NO_WEIGHT)
    schema = schema_of(survey, settings)
    missing = [c.name for c, f in zip(survey.columns, schema, strict=True) if counts_missing(c, f)]
    infinite = [column.name for column in survey.columns if column.infinite]
    refuse_missing({"missing": missing, "infinite": infinite}, settings)
    of_class, max_bins = class_factors_of(survey, settings), settings.get("max_bins")
    plan = plan_of(finisher, schema, of_class, max_bins)
    response = response_of_parts(algorithm, plan, (layout.target, layout.task), settings)
    has_missing, n = finisher.finish(Order(plan, response))
    if not n:
        raise WeightError(NO_PRODUCT)
    log.info("encoded: %d rows in %.1f s", survey.rows, time.perf_counter() - began)
    return ClusterLearning(finisher.pool, plan, response, n, has_missing, means, [f.name in missing for f in schema])
