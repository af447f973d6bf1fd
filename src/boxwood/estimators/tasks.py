"""Tree estimators by task: classes with probabilities, and numbers."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import ClassifierMixin, RegressorMixin

from .._typing import ColumnLike, TableLike
from ..model.predicting_mixin import ProbabilityMixin
from .class_labels import ClassLabels
from .evaluating import ScoreMixin
from .several import labels_of_each
from .tree_estimator import TreeEstimator


class ClassEstimator(ClassLabels, ScoreMixin, ClassifierMixin, TreeEstimator, ProbabilityMixin):
    """Base of the estimators whose response is a class."""

    _task: ClassVar[str] = "classification"

    def fit(self, X: TableLike, y: ColumnLike, sample_weight: ColumnLike | None = None) -> Self:
        """Grow a tree and prune it as set by ``pruning``.

        Parameters
        ----------
        X : table of shape (n, p)
            A numpy array, a pandas, polars or pyarrow data frame, a list of rows, or a dictionary of columns; it is not
            modified. Strings, categories and booleans are nominal features. Missing values need no preparation. A Dask
            data frame, with Dask series beside it, is trained on as by ``fit_stream``.
        y : column of n labels
            Strings, booleans or whole numbers.
        sample_weight : column of n numbers, optional
            Weights of at least 0. All sums are weighted: a weight of 3 has the same effect as three copies of the row.
            The limits ``min_samples_split``, ``min_samples_leaf`` and ``min_samples_level``, the two rows that a
            surrogate needs on each side, and folds count rows regardless of weight. Rows of weight 0 are omitted.

        Returns
        -------
        self

        Raises
        ------
        ParameterError, ParameterTypeError
            A parameter is out of range; the message gives the allowed values.
        DataError, DataTypeError
            The data cannot be used; the message names the column, row and value. A previously fitted model is kept.

        Examples
        --------
        >>> from boxwood import CARTClassifier
        >>> X = {"age": [20, 30, 40, 50], "city": ["京都", "Ulm", "Ulm", "京都"]}
        >>> model = CARTClassifier(pruning=None).fit(X, ["no", "no", "yes", "yes"], sample_weight=[1, 1, 2, 1])
        >>> model.tree_.weight.tolist(), model.tree_.rows.tolist()
        ([5.0, 2.0, 3.0], [4, 2, 2])
        """
        return self._fit(X, y, sample_weight)

    @property
    def classes_(self) -> np.ndarray:
        """Class labels in sorted order, shape (K,); for several columns of y, a list of such arrays.

        Examples
        --------
        >>> from boxwood import CARTClassifier
        >>> CARTClassifier(pruning=None).fit([[1], [2], [3]], ["好", "bad", "好"]).classes_.tolist()
        ['bad', '好']
        """
        return super().classes_ if self.n_outputs_ == 1 else labels_of_each(self)

    @property
    def n_classes_(self) -> Any:
        """Number of classes K; for several columns of y, a list of them.

        Examples
        --------
        >>> from boxwood import CARTClassifier
        >>> CARTClassifier(pruning=None).fit([[1], [2], [3]], [True, False, True]).n_classes_
        2
        """
        labels = self.classes_
        return list(map(len, labels)) if isinstance(labels, list) else len(labels)


class NumberEstimator(ScoreMixin, RegressorMixin, TreeEstimator):
    """Base of the estimators whose response is a number."""

    _task: ClassVar[str] = "regression"

    def fit(
        self, X: TableLike, y: ColumnLike, sample_weight: ColumnLike | None = None, exposure: ColumnLike | None = None
    ) -> Self:
        """Grow a tree and prune it as set by ``pruning``.

        Parameters
        ----------
        X : table of shape (n, p)
            A numpy array, a pandas, polars or pyarrow data frame, a list of rows, or a dictionary of columns; it is not
            modified. Strings, categories and booleans are nominal features. Missing values need no preparation. A Dask
            data frame, with Dask series beside it, is trained on as by ``fit_stream``.
        y : column of n finite numbers
            With ``criterion="poisson"``, the number of events, at least 0.
        sample_weight : column of n numbers, optional
            Weights of at least 0. All sums are weighted: a weight of 3 has the same effect as three copies of the row.
            The limits ``min_samples_split``, ``min_samples_leaf`` and ``min_samples_level``, the two rows that a
            surrogate needs on each side, and folds count rows regardless of weight. Rows of weight 0 are omitted.
        exposure : column of n positive numbers, optional
            With ``criterion="poisson"``, the exposure of each row, such as time, area or number of persons, in any
            unit; 1 by default. Predictions are events per unit of exposure.

        Returns
        -------
        self

        Raises
        ------
        ParameterError, ParameterTypeError
            A parameter is out of range; the message gives the allowed values.
        DataError, DataTypeError
            The data cannot be used; the message names the column, row and value. A previously fitted model is kept.

        Examples
        --------
        Claims in 2, 1, 4 and 1 years, by age:

        >>> from boxwood import CARTRegressor
        >>> model = CARTRegressor(criterion="poisson", pruning=None, max_depth=1)
        >>> model.fit({"age": [20, 25, 50, 60]}, [4, 2, 2, 0], exposure=[2, 1, 4, 1])
        CARTRegressor(criterion='poisson', max_depth=1, pruning=None)
        >>> model.predict({"age": [22, 55]}).tolist()
        [2.0, 0.4]
        """
        return self._fit(X, y, sample_weight, exposure)

    def __sklearn_tags__(self) -> Any:
        """Counts of events cannot be negative."""
        tags = super().__sklearn_tags__()
        tags.target_tags.positive_only = getattr(self, "criterion", None) == "poisson"
        return tags
