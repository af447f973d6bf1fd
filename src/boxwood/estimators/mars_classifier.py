"""MARS for classes, as a scikit-learn estimator."""

from __future__ import annotations

from typing import ClassVar, Self

import numpy as np
from sklearn.base import ClassifierMixin

from .._typing import ColumnLike, TableLike
from .class_labels import ClassLabels
from .declared import declared
from .evaluating import ScoreMixin
from .mars_estimator import MARSEstimator


@declared
class MARSClassifier(ClassLabels, ScoreMixin, ClassifierMixin, MARSEstimator):
    """MARS for classification: terms found by least squares on class indicators, probabilities by logistic regression.

    Attributes
    ----------
    model_ : MARSModel
        Terms, coefficients, subsets and settings, as written by ``save``.
    classes_ : array of shape (K,)
        Class labels in sorted order.
    n_features_in_ : int
        Number of columns p of X.
    feature_names_in_ : object array of shape (p,)
        Column names of X, if it had names.
    feature_importances_ : float64 array of shape (p,)
        Normalised decrease in GCV by each feature.

    Raises
    ------
    ParameterError, ParameterTypeError
        By ``fit``, if a parameter is out of range or has the wrong type.

    References
    ----------
    Friedman: Multivariate Adaptive Regression Splines, Annals of Statistics 19, 1991. Friedman: Fast MARS, 1993.

    Examples
    --------
    >>> from boxwood import MARSClassifier, datasets
    >>> X = datasets.load("titanic")
    >>> y = X.pop("survived")
    >>> round(MARSClassifier(missing="indicator", max_terms=9).fit(X, y).score(X, y), 2)
    0.8
    """

    _task: ClassVar[str] = "classification"

    def fit(self, X: TableLike, y: ColumnLike, sample_weight: ColumnLike | None = None) -> Self:
        """Fit a model.

        Parameters
        ----------
        X : table of shape (n, p)
            Any container; strings, categories and booleans are nominal features.
        y : column of n labels
        sample_weight : column of n numbers, optional

        Returns
        -------
        self

        Raises
        ------
        ParameterError, ParameterTypeError, DataError, DataTypeError
            A parameter is out of range, or the data cannot be used. A previously fitted model is kept.

        Examples
        --------
        >>> from boxwood import MARSClassifier
        >>> MARSClassifier().fit([[1.0], [2.0], [3.0], [4.0]], ["甲", "乙", "甲", "乙"]).classes_.tolist()
        ['乙', '甲']
        """
        return self._fit(X, y, sample_weight)

    def predict(self, X: TableLike) -> np.ndarray:
        """The most probable class of each row.

        Parameters
        ----------
        X : table of shape (n, p)

        Returns
        -------
        array of shape (n,)

        Raises
        ------
        NotFittedError, DataError, DataTypeError

        Examples
        --------
        >>> from boxwood import MARSClassifier
        >>> model = MARSClassifier(penalty=0).fit([[i] for i in range(16)], list("aaaaabaabbabbbbb"))
        >>> model.predict([[0.5], [14.5]]).tolist()
        ['a', 'b']
        """
        return self._fitted().predict(self._read(X))

    def predict_proba(self, X: TableLike) -> np.ndarray:
        """Probability of each class.

        Parameters
        ----------
        X : table of shape (n, p)

        Returns
        -------
        float64, shape (n, K)
            Columns in the order of ``classes_``; each row sums to 1.

        Raises
        ------
        NotFittedError, DataError, DataTypeError

        Examples
        --------
        >>> from boxwood import MARSClassifier
        >>> MARSClassifier().fit([[i] for i in range(8)], list("aaababbb")).predict_proba([[3.5]]).round(3).tolist()
        [[0.5, 0.5]]
        """
        return self._fitted().predict_proba(self._read(X))
