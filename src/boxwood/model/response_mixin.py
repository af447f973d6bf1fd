"""The method by which trees and estimators give one of several responses."""

from __future__ import annotations

from typing import Self

from ..tree.one_response import of_response
from .applied_tree import HoldsTree


class ResponseMixin(HoldsTree):
    """The method that takes one of several responses."""

    def of_response(self, response: int | str) -> Self:
        """Take one of several responses: the same tree, which predicts it alone.

        Everything that a tree of one response has, it has too: exports, explanations, evaluations, pictures. The scores
        of its splits are decreases of its own impurity; competing splits are left out.

        Parameters
        ----------
        response : str or int
            Name of a column of y, or its position.

        Returns
        -------
        estimator or tree
            As this one.

        Raises
        ------
        NotFittedError
            The estimator is not fitted.
        ParameterError
            There is no such response.

        Examples
        --------
        >>> from boxwood import CARTRegressor
        >>> model = CARTRegressor(pruning=None).fit([[1], [2], [3]], {"身長": [1, 1, 5], "weight": [9, 9, 4]})
        >>> model.predict([[0], [9]]).tolist(), model.of_response("weight").predict([[0], [9]]).tolist()
        ([[1.0, 9.0], [5.0, 4.0]], [9.0, 4.0])
        """
        return self._alone(response)

    def _alone(self, response: int | str) -> Self:
        return of_response(self, response)
