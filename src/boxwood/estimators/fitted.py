"""What the methods of a fitted tree estimator share: its model, and rows as the model reads them."""

from __future__ import annotations

from typing import Any, ClassVar, cast

from sklearn.utils.validation import check_is_fitted

from .._typing import TableLike
from ..algorithms import REGISTRY
from ..data.columns import Columns
from ..data.frame import read_columns
from ..fitting.algorithm import Algorithm
from ..learning.parameters import checked
from ..model.tree_model import TreeModel
from .response import as_salt, refuse_infinite


class FittedTree:
    """Holds ``model_``, the result of a fit; the mixins of a tree estimator are derived from this class."""

    model_: TreeModel
    _algorithm: ClassVar[str]
    _task: ClassVar[str]

    def __sklearn_is_fitted__(self) -> bool:
        """Whether there is a model."""
        return "model_" in vars(self)

    @property
    def _declared(self) -> Algorithm:
        """The algorithm by which a tree is grown."""
        return cast(Algorithm, REGISTRY[self._algorithm])

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

    def _settings(self, algorithm: Algorithm) -> dict[str, Any]:
        """The parameters, checked; a generator of random numbers is replaced by a number drawn from it."""
        given = getattr(self, "random_state", None)
        salt = None if given is None else as_salt(given)
        if salt is given:
            return algorithm.checkers[self._task].of(self)
        parameters = algorithm.parameters[self._task]
        return checked(parameters, {p.name: getattr(self, p.name) for p in parameters} | {"random_state": salt})
