"""Rows with a known response that are passed to a fitted model: validation rows, or its training rows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..data.columns.columns import Columns
from ..data.frames.weights import check_lengths
from ..learning.labelled_rows import target_of, truth_of
from ..learning.learning_set import LearningSet, learning_set
from ..learning.target import Target
from ..pruning.held_out import LabelledSample
from ..pruning.pruners.evidence import Pruner
from .tree_model import TreeModel


def given_rows(
    model: TreeModel, pruner: Pruner, columns: Columns, y, weight=None, exposure=None
) -> LabelledSample | LearningSet:
    """Rows as the pruner requires them.

    Parameters
    ----------
    model : TreeModel
    pruner : Pruner
    columns : Columns
        Read with the model's schema.
    y : array-like of shape (n,)
    weight, exposure : array-like of shape (n,), optional
        Weights of validation rows count as they are given; those of the rows of the fit are weighted as in the fit, by
        class.

    Raises
    ------
    ResponseError, WeightError, ParameterError
    """
    target = target_of(model.tree.response, y, weight, exposure)
    check_lengths(columns.n, len(target.y))
    if pruner.rows == "learning":
        return learning_set(columns, _weighted_as_fitted(target), model.threads)
    weights = np.ones(columns.n) if target.weight is None else target.weight
    truth = truth_of(target)
    return LabelledSample(columns, truth, weights, model.settings.get("unseen", "missing"), model.threads)


def _weighted_as_fitted(target: Target) -> Target:
    """The rows of the fit with the class weights of the fit."""
    of_class = target.response.class_weights
    if not of_class:
        return target
    weight = np.asarray(of_class)[target.y]
    return replace(target, weight=weight if target.weight is None else weight * target.weight)
