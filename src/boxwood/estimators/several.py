"""What estimators of trees have of several responses: their number, labels and evaluations."""

from __future__ import annotations

from typing import Any, Self

from .._typing import TableLike
from ..data.frames.several_targets import columns_of_fit
from ..evaluation.several import SeveralEvaluations
from ..model.one_response import model_of_response
from ..model.response_mixin import ResponseMixin
from .fitted import FittedTree


class SeveralResponses(ResponseMixin, FittedTree):
    """What is about y of several columns."""

    @property
    def n_outputs_(self) -> int:
        """Number of columns of y in fit.

        Examples
        --------
        >>> from boxwood import CARTRegressor
        >>> CARTRegressor(pruning=None).fit([[1], [2], [3]], {"身長": [1, 1, 5], "weight": [9, 9, 4]}).n_outputs_
        2
        """
        return max(len(self._fitted().tree.response.responses), 1)

    def _alone(self, response: int | str) -> Self:
        model = model_of_response(self._fitted(), response)
        found = object.__new__(type(self))
        vars(found).update(vars(self) | {"response_weights": None, "model_": model})
        return found


def labels_of_each(estimator: Any) -> Any:
    """The class labels of each of several responses."""
    return [estimator.of_response(r).classes_ for r in range(estimator.n_outputs_)]


def evaluations_of_each(estimator: Any, X: TableLike, y: Any, given: dict[str, Any]) -> Any:
    """The evaluation of each response, by the arguments of ``evaluate``."""
    names = [one.name for one in estimator.model_.responses]
    columns = columns_of_fit(y, names)
    return SeveralEvaluations({name: estimator.of_response(name).evaluate(X, columns[name], **given) for name in names})
