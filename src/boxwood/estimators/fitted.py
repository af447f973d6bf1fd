"""What the methods of a fitted tree estimator share: its model, and rows as the model reads them."""

from __future__ import annotations

from typing import Any

from sklearn.utils.validation import check_is_fitted

from .._typing import TableLike
from ..data.columns.columns import Columns
from ..data.frames.frame import read_columns
from ..model.records import unloaded_in
from ..model.settings import restored
from ..model.tree_model import TreeModel
from .declared import Declared
from .response import refuse_infinite


class FittedTree(Declared):
    """Holds ``model_``, the result of a fit; the mixins of a tree estimator are derived from this class."""

    model_: TreeModel

    def __sklearn_is_fitted__(self) -> bool:
        """Whether there is a model."""
        return "model_" in vars(self)

    def _fitted(self) -> TreeModel:
        """The model, or scikit-learn's NotFittedError."""
        if "model_" not in vars(self):
            check_is_fitted(self)
        return self.model_

    def _read(self, X: TableLike) -> tuple[TreeModel, Columns]:
        """The model, and rows as it reads them."""
        model = self._fitted()
        columns = read_columns(X, model.schema, estimator=type(self).__name__)
        if model.settings.get("missing") == "error":
            refuse_infinite(columns)
        return model, columns

    def _settings_of_fit(self, model: TreeModel) -> dict[str, Any]:
        """The settings by which the model was fitted; what a file could not hold is taken from the estimator."""
        return {
            name: value if unloaded_in(value) is None else getattr(self, name)
            for name, value in restored(model.settings).items()
        }
