"""An algorithm: its parameters, its recipe, and the steps from data to a fitted model that all algorithms share."""

from __future__ import annotations

import logging
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from ..._fast_record import record
from ..._version import __version__
from ...data.columns.columns import Columns
from ...data.columns.identifiers import blank_identifiers
from ...data.columns.schema import Schema
from ...data.frames.weights import check_lengths
from ...errors import BoxwoodError, PruningWarning, level_outside
from ...growing.recipe import Recipe
from ...learning.class_settings import settings_of_classes
from ...learning.learning_set import LearningSet, learning_set, usable_threads
from ...learning.parameters import checked
from ...learning.target import Target
from ...model.explorer.contents import GivenRivals, GivenRows
from ...model.readable import readable
from ...model.settings import as_balanced, plain, plain_pruner, restored
from ...model.splits.explain_split import GrownFrom, split_of_node
from ...model.splits.rivals import rivals_of, without_unseen
from ...model.tree_model import TreeModel
from ...pruning.growth import Growth
from ...pruning.pruners.cost_complexity import for_response
from ...pruning.pruners.evidence import KEEPS_ALL, Evidence, Pruned, Pruner
from ...pruning.resampling import resampling
from ...statistics.responses.response import Response
from ...tree.tree import Tree
from ...views.candidates import SplitExplanation
from .declaration import Declaration
from .forced_splits import forced_splits
from .growing_below import check_rows_of_fit, for_recipe, grow_below, note_of, refuse_edited, with_tree
from .identifiers import warn_of_row_number, without_identifiers
from .leaves import on_a_single_leaf, smoothing_of
from .parts_learning import PartsLearning

log = logging.getLogger("boxwood")


@dataclass(frozen=True)
class Algorithm(Declaration):
    """A tree algorithm of the registry.

    Attributes
    ----------
    recipe : callable
        (settings, schema, n rows) -> Recipe: the four choices.
    target : callable
        (y, settings, weight, exposure, name, task) -> Target: reads the response.
    pruner : callable
        settings -> pruner, or None to keep the full tree.
    finishing : callable, optional
        settings -> what is done to every grown tree before it is pruned (Tree -> Tree), or None.
    leaves : callable, optional
        (response, settings) -> Response: what leaves predict, where these are not the response's own values.
    leaf_models : callable, optional
        (model, learning set, target, settings) -> model: fits what the leaves predict if that is not a constant.
    streams : bool
        Whether it also learns from data in parts.
    """

    recipe: Callable[[dict, Schema, int], Recipe]
    target: Callable[..., Target]
    pruner: Callable[[dict], Pruner | None]
    finishing: Callable[[dict], Callable[[Tree], Tree] | None] | None = None
    leaves: Callable[[Response, dict], Response] | None = None
    leaf_models: Callable[[TreeModel, LearningSet, Target, dict], TreeModel] | None = None
    streams: bool = False

    def check(self, settings: dict) -> None:
        """Raise ParameterError for settings of which no pruner can be made."""
        self.pruner(settings)

    def fit(self, columns: Columns, y, *, task: str, settings: dict | None = None, weight=None, exposure=None,
            response_name: str = "y") -> TreeModel:  # fmt: skip
        """Fit a model.

        Parameters
        ----------
        columns : Columns
            Learned from X by :func:`boxwood.data.frames.frame.learn_columns`.
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
        settings = settings_of_classes(settings, target.response, lambda: np.bincount(target.y))
        columns = without_identifiers(columns, settings)
        if settings.get("missing") == "error":
            columns.refuse_missing()
        learning = learning_set(columns, target, usable_threads(settings.get("n_jobs")), settings.get("max_bins"))
        model = self._grown_model(learning, task, settings)
        warn_of_row_number(columns, model.tree, settings)
        return model if self.leaf_models is None else self.leaf_models(model, learning, target, settings)

    def _grown_model(self, learning: LearningSet | PartsLearning, task: str, settings: dict) -> TreeModel:
        """The model: grown, and pruned by the settings."""
        alpha, response = settings.get("ccp_alpha", 0.0), learning.response
        pruner = for_response(self.active_pruner(settings), response)
        recipe = self._recipe(settings, learning)
        growth = self._growth(settings, recipe, response, pruner)
        evidence, notes = _evidence(learning, growth, pruner, settings)
        full = readable(evidence.tree)
        model = record(
            TreeModel, algorithm=self.name, task=task, settings=full.made_by["parameters"], full_tree=full, family=None,
            alpha=KEEPS_ALL, tree=full, threads=learning.threads, notes=on_a_single_leaf(full, recipe),
        )  # fmt: skip
        if pruner is None:
            return model.prune(alpha) if alpha > 0.0 else model.in_order()
        pruned = Pruned(full, alpha=KEEPS_ALL, notes=notes) if notes else pruner.prune(evidence)
        for sentence in pruned.notes:
            warnings.warn(sentence, PruningWarning, stacklevel=level_outside())
        remarks = pruned.remarks or on_a_single_leaf(full, recipe)
        for sentence in remarks:
            log.info(sentence)
        return model.with_pruned(replace(pruned, remarks=remarks), plain_pruner(pruner))

    def active_pruner(self, settings: dict) -> Pruner | None:
        """The pruner; none where ``ccp_alpha`` takes its place, but a wrong one is refused there too."""
        pruner = self.pruner(settings)
        return pruner if settings.get("ccp_alpha", 0.0) == 0.0 else None

    def fit_parts(self, learning: PartsLearning, task: str, settings: dict) -> TreeModel:
        """Fit a model to rows in parts, with settings that have been checked."""
        settings = settings_of_classes(settings, learning.response, lambda: np.array(learning.plan.class_rows))
        if self.leaves is not None:
            learning = replace(learning, response=self.leaves(learning.response, settings))
        return self._grown_model(learning, task, settings)

    def explain_split(self, model: TreeModel, node: int, columns: Columns, y, *, settings: dict | None = None,
                      weight=None, exposure=None, branches: str = "split") -> SplitExplanation:  # fmt: skip
        """Every candidate feature of a node of a model, with its numbers, its rank and why it won or lost.

        Parameters
        ----------
        model : TreeModel
            Fitted by this algorithm.
        node : int
            Of ``model.tree``.
        columns : Columns
            X of the fit, read with the model's schema.
        y : array-like of shape (n,)
            Of the fit; weight and exposure too.
        settings : dict, optional
            Of the fit; by default as the model remembers them.
        weight, exposure : array-like of shape (n,), optional
        branches : {"split", "values"}

        Raises
        ------
        ParameterError, DataError
            See :func:`boxwood.model.splits.explain_split.split_of_node`.
        """
        model.tree.response.need_one("explain_split")
        growth, grown_from = self._of_fit(model, columns, y, settings, weight, exposure)
        return split_of_node(model.tree, growth.recipe, grown_from, node, branches)

    def grow_below(self, model: TreeModel, node: int, columns: Columns, y, *, split: str | None = None,
                   settings: dict | None = None, weight=None, exposure=None,
               recipe: tuple[Algorithm, dict] | None = None) -> TreeModel:  # fmt: skip
        """A model in whose tree everything below one node is grown anew, from the rows of the fit.

        Parameters
        ----------
        model : TreeModel
            Fitted by this algorithm; its rows are given as to :meth:`explain_split`.
        node : int
            Of ``model.tree``.
        split : str, optional
            The condition by which the node is split first.
        settings : dict, optional
            Those of the fit; by default as the model remembers them.
        recipe : (Algorithm, dict), optional
            By which the nodes below are grown, with its settings; by default as the fit grew them.

        Raises
        ------
        ParameterError, DataError
        """
        refuse_edited(model)
        growth, grown_from = self._of_fit(model, columns, y, settings, weight, exposure)
        algorithm, chosen = (self, settings) if recipe is None else recipe
        if recipe is not None:
            growth, other = algorithm._of_fit(model, columns, y, chosen, weight, exposure)
            grown_from = for_recipe(grown_from, other)
        tree = grow_below(model.tree, growth, grown_from, node, split)
        return with_tree(model, readable(tree), note_of(node, split, algorithm.name))

    def _of_fit(
        self, model: TreeModel, columns: Columns, y, settings: dict | None, weight, exposure
    ) -> tuple[Growth, GrownFrom]:
        """How the tree of a model was grown, and from which rows."""
        response, settings = model.tree.response, restored(model.settings) if settings is None else settings
        settings = as_balanced(checked(self.parameters[model.task], settings), model)
        sample = self.target(y, settings, weight=weight, exposure=exposure, name=response.name, task=model.task)
        check_rows_of_fit(columns, sample, response)
        columns = blank_identifiers(columns, model.schema)
        learning = learning_set(columns, sample, model.threads, settings.get("max_bins"))
        pruner = self.active_pruner(settings)
        keep = rows_kept(learning, pruner, settings)
        recipe = self._recipe(settings, learning)
        missing = recipe.missing
        grown_from = GrownFrom(learning, keep, not missing.stays_in_growth if missing.predicts_by_rows else None)
        return self._growth(settings, recipe, learning.response, pruner), grown_from

    def rivals(self, model: TreeModel, rows: GivenRows | None) -> GivenRivals | None:
        """The best splits of all features for rows that reach the nodes of a model that kept no competing splits.

        None where the tree keeps its own or predicts several responses, no rows with a response are given, or its
        settings cannot be used again.
        """
        tree = model.tree if model.alpha is None else model.full_tree
        if rows is None or rows.y is None or len(tree.competitors) or model.responses:
            return None
        settings, response = restored(model.settings), tree.response
        y, exposure = response.split(rows.y)
        try:
            settings = checked(self.parameters[model.task], settings)
            target = self.target(
                y, settings, weight=rows.weight, exposure=exposure, name=response.name, task=model.task
            )
            learning = learning_set(without_unseen(rows.columns), target, model.threads, settings.get("max_bins"))
            return rivals_of(tree, self._recipe(settings, learning), learning)
        except BoxwoodError:
            return None

    def _growth(self, settings: dict, recipe: Recipe, response: Response, pruner: Pruner | None) -> Growth:
        """How the trees of a fit are grown."""
        return record(
            Growth, recipe=recipe, made_by=self._made_by(settings, recipe, response),
            finishing=None if self.finishing is None else self.finishing(settings),
            smoothing=smoothing_of(settings, pruner), forced=forced_splits(settings.get("forced_splits")),
        )  # fmt: skip

    def _recipe(self, settings: dict, learning: LearningSet) -> Recipe:
        """The recipe for a learning set."""
        recipe = self.recipe(settings, learning.schema, learning.n).for_response(learning.response.kind)
        cuts = settings.get("cuts", "exact")
        if cuts == "exact" or (cuts == "auto" and settings.get("compat") is not None) or recipe.criterion.data_cuts:
            return recipe
        return replace(recipe, short_cuts=tuple(feature.type.rounds_cuts for feature in learning.schema))

    def _made_by(self, settings: dict, recipe: Recipe, response: Response) -> dict:
        measure = recipe.criterion.importance_measure(response.kind)
        made_by = {"algorithm": self.name, "measure": measure, "version": __version__}
        return made_by | {"missing": recipe.missing.policy, "parameters": plain(settings)}


def rows_kept(learning: LearningSet, pruner: Pruner | None, settings: dict):
    """The rows that stay when a pruner holds some out before growth; None when it needs none or cannot have any."""
    share = None if pruner is None else pruner.holdout
    return None if share is None else resampling(learning).holdout(share, settings.get("random_state"))


def _evidence(
    learning: LearningSet, growth: Growth, pruner: Pruner | None, settings: dict
) -> tuple[Evidence, tuple[str, ...]]:
    """The full tree with what a pruner may look at, and why nothing can be held out, if so."""
    salt, share, notes = settings.get("random_state"), None if pruner is None else pruner.holdout, ()
    keep = None if share is None else rows_kept(learning, pruner, settings)
    if share is not None and keep is None:
        notes = (f"too few rows to hold out a share of {share:g} of them: the tree is not pruned.",)
    began = time.perf_counter()
    full = learning.with_weight_squares(growth.ordered_tree(learning, keep), keep)
    if log.isEnabledFor(logging.INFO):  # the depth is computed only if it is shown
        log.info("grown: %d nodes, depth %d, %.3f s", full.n_nodes, full.max_depth, time.perf_counter() - began)
    validation = None
    if keep is not None:
        validation = resampling(learning).left_out(keep).sample(settings.get("unseen", "missing"))
    evidence = record(
        Evidence, tree=full, learning=learning, keep=keep, growth=growth, validation=validation, salt=salt
    )
    return evidence, notes
