"""The rows that a model was fitted to, for an editing session."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...data.columns.columns import Columns
from ...data.frames.weights import check_lengths
from ...learning.labelled_rows import target_of
from ...model.settings import restored
from ...model.tree_model import TreeModel
from .. import REGISTRY
from .figures import KnownRows


@dataclass(frozen=True, eq=False)
class RowsOfFit:
    """The rows that a model was fitted to.

    Attributes
    ----------
    columns : Columns
        Read with the model's schema.
    y : array-like of shape (n,)
    weight, exposure : array-like of shape (n,) or None
    settings : dict or None
        Those of the fit; None = as the model remembers them.
    """

    columns: Columns
    y: Any
    weight: Any = None
    exposure: Any = None
    settings: dict | None = None

    def taken(self, model: TreeModel, which: np.ndarray) -> RowsOfFit:
        """Some of the rows."""
        target = target_of(model.tree.response, self.y, self.weight, self.exposure)
        y = model.tree.response.labelled(target.y, np.array(model.labels, dtype=object))[which]
        weight, exposure = (None if v is None else v[which] for v in (target.weight, target.exposure))
        return replace(self, columns=self.columns.take(which), y=y, weight=weight, exposure=exposure)

    def fitted(self, model: TreeModel) -> TreeModel:
        """A model like another, fitted to these rows."""
        settings = restored(model.settings) if self.settings is None else self.settings
        return REGISTRY[model.algorithm].fit(
            self.columns, self.y, task=model.task, settings=settings, weight=self.weight, exposure=self.exposure,
            response_name=model.response_name,
        )  # fmt: skip

    def known(self, model: TreeModel) -> KnownRows:
        """The same, by which trees are evaluated."""
        target = target_of(model.tree.response, self.y, self.weight, self.exposure)
        check_lengths(self.columns.n, len(target.y))
        return KnownRows(self.columns, target)
