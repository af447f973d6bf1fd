"""An evaluation by groups of rows, whose scores and leaves are compared with the rows of the fit."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np

from ..data.columns.columns import Columns
from ..evaluation.evaluation import Evaluation
from ..evaluation.grouping import Grouping
from ..evaluation.groups import TrainingLeaves
from ..tree.descend import route_shares
from .protocol import Model


def grouped(found: Evaluation, model: Model, by: Iterable[Grouping], read: Callable[[], Columns]) -> Evaluation:
    """The evaluation with ``groups``.

    Parameters
    ----------
    found : Evaluation
    model : Model
    by : Groupings of the given rows
    read : callable
        () -> the given rows as the model reads them.
    """
    by = tuple(by)
    return replace(found, by=by, training=_training_leaves(model, read)) if by else found


def _training_leaves(model: Model, read: Callable[[], Columns]) -> TrainingLeaves | None:
    """Where the rows of the fit ended; None for a model that is not a tree."""
    tree = model.tree
    if tree is None:
        return None
    parts = route_shares(tree, read(), model.settings.get("unseen", "missing"))
    weight = np.where(tree.is_leaf, tree.row_weight, 0.0)
    score = tree.probability if model.labels else tree.value
    return TrainingLeaves(weight, float(tree.effective_rows[0]), score, parts)
