"""Tree estimators by task: classes with probabilities, and numbers."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from sklearn.base import ClassifierMixin, RegressorMixin

from .tree_estimator import TreeEstimator


class TreeClassifier(ClassifierMixin, TreeEstimator):
    """Base of the estimators whose response is a class."""

    _task: ClassVar[str] = "classification"

    def fit(self, X, y, sample_weight=None):
        """Grow a tree, and prune it as ``pruning`` says.

        Parameters
        ----------
        X : table of shape (n, p)
            numpy array, pandas, polars or pyarrow data frame, list of rows, or dictionary of columns; it is never
            changed. Strings, categories and booleans are nominal features, missing values need no preparation.
        y : column of n labels
            Strings, booleans or whole numbers.
        sample_weight : column of n numbers, optional
            Weights of 0 or more; a weight of 3 is the row three times, except for limits that count rows.

        Returns
        -------
        self

        Raises
        ------
        ParameterError, ParameterTypeError
            A parameter is out of range; the message names it and what is allowed.
        DataError, DataTypeError
            Data that cannot be used; the message names column, row and value. An earlier model stays.
        """
        return self._fit(X, y, sample_weight)

    @property
    def classes_(self) -> np.ndarray:
        """Class labels in sorted order, shape (K,)."""
        return self._fitted().tree.classes

    @property
    def n_classes_(self) -> int:
        """Number of classes K."""
        return len(self._fitted().labels)

    def predict_proba(self, X) -> np.ndarray:
        """Probability of each class.

        Parameters
        ----------
        X : table of shape (n, p)
            Any container, with the columns of fit in the same order.

        Returns
        -------
        float64, shape (n, K)
            Shares of weight in the leaf, adjusted by ``priors``; columns in the order of ``classes_``; rows add to 1.

        Raises
        ------
        NotFittedError, DataError, DataTypeError
            As for ``predict``.
        """
        model, node = self._land(X)
        return model.tree.probability[node]

    def predict_log_proba(self, X) -> np.ndarray:
        """Natural logarithm of the probability of each class, float64, shape (n, K); -inf for probability 0.

        Parameters
        ----------
        X : table of shape (n, p)

        Raises
        ------
        NotFittedError, DataError, DataTypeError
            As for ``predict``.
        """
        model, node = self._land(X)
        with np.errstate(divide="ignore"):
            return np.log(model.tree.probability[node])


class TreeRegressor(RegressorMixin, TreeEstimator):
    """Base of the estimators whose response is a number."""

    _task: ClassVar[str] = "regression"

    def fit(self, X, y, sample_weight=None, exposure=None):
        """Grow a tree, and prune it as ``pruning`` says.

        Parameters
        ----------
        X : table of shape (n, p)
            numpy array, pandas, polars or pyarrow data frame, list of rows, or dictionary of columns; it is never
            changed. Strings, categories and booleans are nominal features, missing values need no preparation.
        y : column of n finite numbers
            A quantity; with ``criterion="poisson"`` the number of events, 0 or more.
        sample_weight : column of n numbers, optional
            Weights of 0 or more; a weight of 3 is the row three times, except for limits that count rows.
        exposure : column of n positive numbers, optional
            With ``criterion="poisson"``: time, area or persons under observation in each row, in any unit; 1 by
            default. Predictions are events per unit of exposure.

        Returns
        -------
        self

        Raises
        ------
        ParameterError, ParameterTypeError
            A parameter is out of range; the message names it and what is allowed.
        DataError, DataTypeError
            Data that cannot be used; the message names column, row and value. An earlier model stays.
        """
        return self._fit(X, y, sample_weight, exposure)

    def __sklearn_tags__(self):
        """Counts of events cannot be negative."""
        tags = super().__sklearn_tags__()
        tags.target_tags.positive_only = self.criterion == "poisson"
        return tags
