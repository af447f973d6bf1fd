"""What the methods of a fitted tree estimator share: its model, and rows as the model reads them."""

from __future__ import annotations

from typing import Any

from .._typing import ColumnLike, TableLike
from ..data.frames.repeated import read_repeated
from ..model.applied_tree import HoldsTree
from ..model.records import unloaded_in
from ..model.settings import restored
from ..model.tree_model import TreeModel
from .model_estimator import ModelEstimator
from .response import flat, refuse_infinite


class FittedTree(ModelEstimator, HoldsTree):
    """Holds ``model_``, the result of a fit; the mixins of a tree estimator are derived from this class."""

    model_: TreeModel

    def _used(self, unseen: str | None = None) -> TreeModel:
        """The model; ``unseen`` is a policy in place of its own."""
        return self._fitted().under(unseen)

    def _read(self, X: TableLike, unseen: str | None = None, match: str | None = None) -> tuple[TreeModel, Any]:
        """The same, and rows as it reads them."""
        model = self._used(unseen)
        columns = read_repeated(X, model.schema, type(self).__name__, match)
        if model.settings.get("missing") == "error":
            refuse_infinite(columns)
        return model, columns

    def _response(self, y: ColumnLike | None) -> ColumnLike | None:
        return None if y is None else flat(y)

    def _settings_of_fit(self, model: TreeModel) -> dict[str, Any]:
        """The settings by which the model was fitted; what a file could not hold is taken from the estimator."""
        return {
            name: value if unloaded_in(value) is None else getattr(self, name)
            for name, value in restored(model.settings).items()
        }
