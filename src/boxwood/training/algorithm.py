"""An algorithm: its parameters, its recipe, and the way from data to a fitted model that all algorithms share."""

from __future__ import annotations

import logging
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .._version import __version__
from ..data.columns import Columns
from ..data.schema import Schema
from ..data.weights import check_lengths
from ..errors import PruningWarning
from ..sources.criterion import measure_of
from ..sources.recipe import Recipe
from ..statistics.response import Response
from ..views.readable import readable
from .cross_validation import Growth, prune
from .learning_set import LearningSet, learning_set, usable_threads
from .model import KEEPS_ALL, TreeModel, cut
from .parameters import Parameter, checked
from .pruner import CostComplexity
from .settings import plain
from .target import Target

log = logging.getLogger("boxwood")


@dataclass(frozen=True)
class Algorithm:
    """A tree algorithm of the registry.

    Attributes
    ----------
    name : str
        Name in the registry, on the command line and in model files.
    title : str
        One line for people.
    parameters : dict of str to tuple of Parameter
        Task ("classification", "regression") -> its parameters.
    recipe : callable
        (settings, schema, n rows) -> Recipe: the four choices.
    target : callable
        (y, settings, weight, exposure, name, task) -> Target: reads the response.
    pruner : callable
        settings -> CostComplexity, or None to keep the full tree.
    """

    name: str
    title: str
    parameters: dict[str, tuple[Parameter, ...]]
    recipe: Callable[[dict, Schema, int], Recipe]
    target: Callable[..., Target]
    pruner: Callable[[dict], CostComplexity | None]

    @property
    def tasks(self) -> tuple[str, ...]:
        """What it can do."""
        return tuple(self.parameters)

    def fit(self, columns: Columns, y, *, task: str, settings: dict | None = None, weight=None, exposure=None,
            response_name: str = "y") -> TreeModel:  # fmt: skip
        """Fit a model.

        Parameters
        ----------
        columns : Columns
            Learned from X by :func:`boxwood.data.frame.learn_columns`.
        y : array-like of shape (n,)
        task : {"classification", "regression"}
        settings : dict
            Parameters that differ from their defaults.
        weight, exposure : array-like of shape (n,), optional
        response_name : str

        Returns
        -------
        TreeModel

        Raises
        ------
        ParameterError, DataError
        """
        settings = checked(self.parameters[task], settings or {})
        target = self.target(y, settings, weight=weight, exposure=exposure, name=response_name, task=task)
        return self.fit_target(columns, target, task, settings)

    def fit_target(self, columns: Columns, target: Target, task: str, settings: dict) -> TreeModel:
        """Fit a model to a response that has been read, with settings that have been checked."""
        check_lengths(columns.n, len(target.y))
        if settings["missing"] == "error":
            columns.refuse_missing()
        began = time.perf_counter()
        learning = learning_set(columns, target, usable_threads(settings["n_jobs"]))
        recipe = self.recipe(settings, columns.schema, learning.n)
        growth = Growth(recipe, self._made_by(settings, recipe, learning.response), settings.get("max_leaf_nodes"))
        full = growth.tree(learning)
        if log.isEnabledFor(logging.INFO):  # the depth is not worked out for nobody
            log.info("grown: %d nodes, depth %d, %.3f s", full.n_nodes, full.max_depth, time.perf_counter() - began)
        return self._pruned(learning, growth, full, task, settings)

    def _made_by(self, settings: dict, recipe: Recipe, response: Response) -> dict:
        measure = measure_of(recipe.criterion, response.kind)
        made_by = {"algorithm": self.name, "measure": measure, "version": __version__}
        return made_by | {"missing": recipe.missing.policy, "parameters": plain(settings)}

    def _pruned(self, learning: LearningSet, growth: Growth, full, task: str, settings: dict) -> TreeModel:
        stored = full.made_by["parameters"]
        pruner = self.pruner(settings)
        alpha = settings.get("ccp_alpha", 0.0)
        if pruner is None or alpha > 0.0:
            model = TreeModel(self.name, task, stored, full, None, KEEPS_ALL, readable(full), threads=learning.threads)
            return model.prune(alpha) if alpha > 0.0 else model
        found = prune(learning, growth, full, pruner, settings["random_state"])
        for note in found.notes:
            warnings.warn(note, PruningWarning, stacklevel=5)
        alpha = KEEPS_ALL if found.notes else found.alpha
        held_out = None
        if found.losses is not None:
            held_out = np.column_stack((found.losses.mean(), found.losses.standard_error()))
        return TreeModel(
            self.name, task, stored, full, found.path, alpha, cut(full, found.path, alpha), held_out, found.confusion,
            found.notes, learning.threads,
        )  # fmt: skip
