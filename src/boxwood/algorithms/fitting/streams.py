"""Fits a tree algorithm to a stream of batches: the same model as from the same rows in memory."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..._messages import Column, Setting, remedy
from ...data.columns.levels import LevelCodes
from ...data.files.opened import AS_FOUND, Form
from ...data.streams.batches import is_read_once
from ...errors import DataError, MissingValueError, ParameterError
from ...growing.parts.cache import is_cache
from ...growing.parts.finishing import PartsPlan
from ...growing.parts.folders import new_folder
from ...growing.parts.layout import Roles
from ...learning.learning_set import usable_threads
from ...learning.parameters import checked
from ...model.settings import restored
from ...model.tree_model import TreeModel
from ...statistics.responses.response import Response
from .algorithm import Algorithm
from .encoding import Budget, encoded
from .gathered import gathered, memory_needed
from .memory_size import memory_size
from .parts_learning import PartsLearning
from .raising_in_shards import RaisingError, raising_problem


@dataclass(frozen=True)
class How:
    """How a stream is learned from; none of it changes the model.

    Attributes
    ----------
    memory : str or int
        What the fit may use, about: a text such as "2GB", or bytes.
    cache : str or None
        Folder in which the code cache stays; None = it is temporary.
    rows : int or None
        Rows of a batch and of a part; None = as many as the memory allows.
    form : Form
        The encoding and layout of text files.
    """

    memory: str | int = "2GB"
    cache: str | None = None
    rows: int | None = None
    form: Form = AS_FOUND

    def means(self, settings: dict) -> Budget:
        """Memory and threads, checked.

        Raises
        ------
        ParameterError, ParameterTypeError
        """
        return Budget(memory_size(self.memory), usable_threads(settings.get("n_jobs")), self.rows, self.form)


_AS_USUAL = How()


def fit_stream(
    algorithm: Algorithm, source, roles: Roles, task: str, settings: dict, how: How = _AS_USUAL
) -> TreeModel:
    """Fit a model to data that need not fit into memory; the same model as from the same rows in memory.

    An algorithm that does not learn from parts, and pruning that needs all rows, get them in memory if there is room.

    Parameters
    ----------
    algorithm : Algorithm, or another of the registry
    source : path, list of paths, frames, callable ... or folder of a code cache (:class:`.Batches`)
    roles : Roles
    task : {"classification", "regression"}
    settings : dict
        Parameters that differ from their defaults.
    how : How

    Raises
    ------
    ParameterError
        A setting needs the rows themselves, or a parameter is out of range.
    FileError, DataError, DataTypeError
        See :func:`boxwood.algorithms.fitting.encoding.encoded`.
    """
    settings = checked(algorithm.parameters[task], settings)
    means = how.means(settings)
    if not algorithm.streams:
        if how.cache is not None:
            raise ParameterError(
                Setting("cache"), f" is for algorithms that learn from parts, and {algorithm.name} needs all rows in "
                "memory; ", remedy("leave it out."),
            )  # fmt: skip
        return fit_gathered(algorithm, source, roles, task, settings, means)
    refuse_what_needs_rows(algorithm, settings)
    with encoded(source, roles, task, settings, means, how.cache) as made, new_folder(None) as folder:
        refuse_missing(made.facts, settings)
        settings |= _as_made(algorithm, made.facts["made_with"], settings)
        problem = raising_problem(settings, made.has_missing) if raising(algorithm, settings) else None
        if problem is None:
            response = response_of_parts(algorithm, made.plan, (made.response.name, task), settings)
            return algorithm.fit_parts(PartsLearning(made, response, means, folder), task, settings)
        if how.cache is not None or is_cache(source):
            raise RaisingError(problem)
        if is_read_once(source):
            raise RaisingError(problem, " Or give a function that makes the iterator, so that it can be read again.")
        refuse_small_memory(problem, made.facts["rows"], len(made.plan.schema), means)
    return fit_gathered(algorithm, source, roles, task, settings, means)


def refuse_small_memory(problem: str, rows: int, features: int, means: Budget) -> None:
    """Refuse to gather all rows, as a problem of rows in parts requires, where memory is too small for them.

    Raises
    ------
    RaisingError
    """
    needed = memory_needed(rows, features)
    if needed > means.memory:
        raise RaisingError(
            problem, " Or set ", Setting("memory"), f" to {needed / 1e6:,.0f}MB, so that all rows are read into it."
        )


def fit_gathered(algorithm, source, roles: Roles, task: str, settings: dict, means: Budget) -> TreeModel:
    """Fit to all rows of a source, which this process reads into memory."""
    rows = gathered(source, roles, task, settings, means)
    refuse_missing({"missing": [], "infinite": rows.infinite}, settings)
    return algorithm.fit(
        rows.columns, rows.y, task=task, settings=settings, weight=rows.weight, exposure=rows.exposure,
        response_name=roles.target,
    )  # fmt: skip


def response_of_parts(algorithm: Algorithm, plan: PartsPlan, of: tuple[str, str], settings: dict) -> Response:
    """The response as an algorithm reads it, from one row of each class; what rows weigh is in the plan.

    Parameters
    ----------
    algorithm : Algorithm
    plan : PartsPlan
    of : (str, str)
        Name of the response, and the task.
    settings : dict
        Checked settings.

    Raises
    ------
    ParameterError
        Settings name classes, or have numbers of classes, that do not fit.
    """
    (name, task), k = of, len(plan.labels)
    y = LevelCodes(np.arange(k), plan.labels) if k else [1.0, 1.0]
    read = algorithm.target(y, settings | {"class_weight": None}, weight=None, exposure=None, name=name, task=task)
    if not plan.labels:
        return read.response
    response = replace(read.response, class_weights=plan.weighting.class_weights)
    return response.with_priors(read.priors, lambda: np.array(plan.masses))


def refuse_what_needs_rows(algorithm: Algorithm, settings: dict) -> None:
    """Refuse settings that need the rows themselves.

    Raises
    ------
    ParameterError
    """
    pruner = algorithm.active_pruner(settings)
    if raising(algorithm, settings) and isinstance(pruner.confidence, tuple):
        raise ParameterError(
            "a confidence is chosen by folds, whose trees are pruned without raising where rows are in parts; ",
            remedy("name one confidence, or choose ", Setting("raising", False), "."),
        )  # fmt: skip
    folds = getattr(pruner, "folds", None)
    if folds is not None and not isinstance(folds, (int, np.integer)):
        raise ParameterError(
            Setting("folds"), " must be a number of folds: rows of a stream have no place of their own to be listed "
            "by.",
        )  # fmt: skip


def raising(algorithm: Algorithm, settings: dict) -> bool:
    """Whether checked settings request pruning with subtree raising."""
    return getattr(algorithm.active_pruner(settings), "raising", False)


def _as_made(algorithm: Algorithm, made_with: dict, settings: dict) -> dict:
    """Settings that equal those of the cache, whether they were repeated or not."""
    if made_with["max_bins"] is not None and "max_bins" not in settings:
        raise DataError(
            f"the code cache holds columns cut into at most {made_with['max_bins']} bins, and {algorithm.name} learns "
            "from exact values; ",
            remedy("make another cache without ", Setting("max_bins"), ", with: boxwood encode."),
        )  # fmt: skip
    as_made = {name: made_with[name] for name in ("categorical_features", "max_bins") if name in settings}
    as_made |= restored({name: made_with.get(name) for name in ("missing_values", "numeric_features", "date_formats")})
    return as_made | {"missing_target": made_with.get("missing_target") or "error"}


def refuse_missing(facts: dict, settings: dict) -> None:
    """The policy missing='error': ``facts`` names the columns with "missing" and with "infinite" values."""
    if settings.get("missing") != "error":
        return
    for names, what in (
        (facts["missing"], "a missing value (NaN)"),
        (facts["infinite"], "an infinite value"),
    ):
        for name in names:
            raise MissingValueError(
                Column(name, "column"), f" has {what} and ", Setting("missing", "error"), " does not allow it; ",
                remedy("impute it, or choose another policy for missing values."),
            )  # fmt: skip
