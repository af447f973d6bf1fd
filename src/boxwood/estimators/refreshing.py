"""New statistics for the nodes of a fitted estimator, and how they differ from those of the fit."""

from __future__ import annotations

from typing import Self

import numpy as np

from .._messages import must_be
from .._typing import ColumnLike, TableLike
from ..algorithms.editing.drifted import grown_where_drifted
from ..algorithms.editing.rows_of_fit import RowsOfFit
from ..algorithms.fitting.refreshing import node_drift, refreshed
from ..data.frames.alignment import check_aligned
from ..errors import ParameterTypeError
from ..evaluation.node_drift import NodeDrift
from .fitted import FittedTree
from .response import flat


class Refreshing(FittedTree):
    """The part of a tree estimator that compares and replaces the statistics of its nodes."""

    def refresh(
        self, X: TableLike, y: ColumnLike, sample_weight: ColumnLike | None = None, *,
        exposure: ColumnLike | None = None, grow: bool = False, level: float = 0.95,
    ) -> Self:  # fmt: skip
        """Replace the statistics of all nodes by those of new rows; the splits stay. This changes the model in place.

        Each leaf predicts from the rows that now come to it. Scores of splits, surrogates and competitors stay those of
        the fit, class weights too; pruned nodes and held-out losses are dropped. A node to which no row comes becomes
        an empty leaf, which predicts like its parent. With the rows of the fit, nothing changes. ``node_drift`` tells
        beforehand what has changed.

        Parameters
        ----------
        X : table of shape (n, p)
        y : column of n values
        sample_weight : column of n numbers, optional
        exposure : column of n positive numbers, optional
            Exposures, for models of rates.
        grow : bool
            Grow the leaves in which y has drifted by the recipe of the fit; each is an edit in the log ``edits_``.
        level : float
            Confidence level from which a leaf has drifted, between 0 and 1.

        Returns
        -------
        self

        Raises
        ------
        NotFittedError
            The estimator is not fitted.
        DataError, DataTypeError
            The rows do not match the model, or y has a class that the model does not know.

        Examples
        --------
        >>> from boxwood import CARTRegressor
        >>> model = CARTRegressor(pruning=None).fit([[1], [2], [8], [9]], [1, 1, 5, 5])
        >>> model.refresh([[1], [1], [7]], [2, 4, 5]).predict([[0], [9]]).tolist()
        [3.0, 5.0]
        """
        rows = self._new_rows(X, y, sample_weight, exposure)
        model = self._fitted()
        found = refreshed(self._declared, model, rows)
        if not isinstance(grow, (bool, np.bool_)):
            raise ParameterTypeError(must_be("grow", "True or False", grow))
        if grow:
            found = grown_where_drifted(model, found, rows, node_drift(self._declared, model, rows, level))
        self.model_ = found
        return self

    def node_drift(
        self, X: TableLike, y: ColumnLike, sample_weight: ColumnLike | None = None, *,
        exposure: ColumnLike | None = None, level: float = 0.95,
    ) -> NodeDrift:  # fmt: skip
        """Compare each node with new rows: the distribution of y with that at the fit, and the shares of the branches.

        Classes are compared by the chi-squared test, numbers by the F test, counts of events by the likelihood ratio;
        the shares of the branches by a chi-squared test. The p-values are adjusted for all these tests by Holm's
        method. The statistics of the fit are taken as they are: a tree that is too large fits its rows better than new
        ones, which looks like drift.

        Parameters
        ----------
        X : table of shape (n, p)
        y : column of n values
        sample_weight : column of n numbers, optional
        exposure : column of n positive numbers, optional
            Exposures, for models of rates.
        level : float
            Confidence level from which a node has drifted, between 0 and 1.

        Returns
        -------
        NodeDrift
            Print it, or use ``drifted``, ``shifted`` and ``to_frame()``.

        Raises
        ------
        NotFittedError
            The estimator is not fitted.
        ParameterError
            The level is out of range.
        DataError, DataTypeError
            As for ``refresh``.

        Examples
        --------
        >>> from boxwood import CARTClassifier
        >>> X = {"age": [20, 30, 60, 70] * 50}
        >>> model = CARTClassifier(pruning=None).fit(X, ["no", "no", "yes", "yes"] * 50)
        >>> drift = model.node_drift(X, ["no", "no", "yes", "no"] * 50)
        >>> drift.drifted.tolist(), drift.shifted.tolist()
        ([2, 0], [])
        >>> print("\\n".join(drift.to_text().splitlines()[1:]))
        - node 2, age > 45: yes 1.000 → 0.500, 100 rows, p 1.29e-15
        - node 0, all rows: no 0.500 → 0.750, 200 rows, p 7.25e-7
        """
        rows = self._new_rows(X, y, sample_weight, exposure)
        return node_drift(self._declared, self._fitted(), rows, level)

    def _new_rows(
        self, X: TableLike, y: ColumnLike, sample_weight: ColumnLike | None, exposure: ColumnLike | None
    ) -> RowsOfFit:
        check_aligned(X=X, y=y, sample_weight=sample_weight, exposure=exposure)
        model, columns = self._read(X)
        return RowsOfFit(columns, flat(y), sample_weight, exposure, self._settings_of_fit(model))
