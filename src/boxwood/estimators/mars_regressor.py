"""MARS for numbers, as a scikit-learn estimator."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import RegressorMixin

from .._messages import must_be
from .._typing import ColumnLike, TableLike
from ..errors import ParameterError
from .declared import declared
from .evaluating import ScoreMixin
from .mars_estimator import MARSEstimator


@declared
class MARSRegressor(ScoreMixin, RegressorMixin, MARSEstimator):
    """Multivariate adaptive regression splines: a sum of hinge functions and their products, pruned by GCV.

    Attributes
    ----------
    model_ : MARSModel
        Terms, coefficients, subsets and settings, as written by ``save``.
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
    >>> from boxwood import MARSRegressor
    >>> x = [0.0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]
    >>> y = [0.0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6]
    >>> model = MARSRegressor(minspan=1, endspan=1).fit({"x": x}, y)
    >>> model.predict({"x": [2.0, 7.5]}).round(6).tolist()
    [0.0, 2.5]
    """

    _task: ClassVar[str] = "regression"

    def fit(self, X: TableLike, y: ColumnLike, sample_weight: ColumnLike | None = None) -> Self:
        """Fit a model.

        Parameters
        ----------
        X : table of shape (n, p)
            Any container; strings, categories and booleans are nominal features.
        y : column of n numbers, or several columns
            Several responses share the terms; each has its own coefficients.
        sample_weight : column of n numbers, optional
            Weights of the squared errors, at least 0.

        Returns
        -------
        self

        Raises
        ------
        ParameterError, ParameterTypeError
            A parameter is out of range.
        DataError, DataTypeError
            The data cannot be used. A previously fitted model is kept.

        Examples
        --------
        >>> from boxwood import MARSRegressor
        >>> MARSRegressor().fit([[1.0], [2.0], [3.0], [4.0]], [[1, 4], [2, 3], [3, 2], [4, 1]]).predict([[2.5]]).shape
        (1, 2)
        """
        return self._fit(X, y, sample_weight)

    def predict(self, X: TableLike) -> np.ndarray:
        """Predict each row.

        Parameters
        ----------
        X : table of shape (n, p)

        Returns
        -------
        float64, shape (n,), or (n, K) for several responses

        Raises
        ------
        NotFittedError, DataError, DataTypeError

        Examples
        --------
        >>> from boxwood import MARSRegressor
        >>> model = MARSRegressor().fit({"x": [0.0, 1, 2, 3, 4, 5, 6, 7]}, [0, 1, 2, 3, 4, 5, 6, 7])
        >>> model.predict({"x": [8.0]}).round(6).tolist()
        [8.0]
        """
        return self._fitted().predict(self._read(X))

    def predict_interval(self, X: TableLike, level: float = 0.9) -> np.ndarray:
        """Interval that contains a new value with probability ``level``, from quantiles of held-out residuals.

        Parameters
        ----------
        X : table of shape (n, p)
        level : float
            Between 0 and 1.

        Returns
        -------
        float64, shape (n, 2), or (n, K, 2) for several responses
            Lower and upper bounds, in units of y. The width is the same for all rows.

        Raises
        ------
        NotAvailableError
            The model was fitted without ``cv_folds``.
        ParameterError
            ``level`` is out of range.

        Examples
        --------
        >>> import numpy as np
        >>> from boxwood import MARSRegressor
        >>> x = np.linspace(0.0, 1.0, 60)
        >>> model = MARSRegressor(cv_folds=5).fit(x[:, None], x + np.sin(1000.0 * x) / 10.0)
        >>> low, high = model.predict_interval([[0.5]], level=0.8)[0]
        >>> bool(0.3 < low < 0.5 < high < 0.7)
        True
        """
        if isinstance(level, bool) or not isinstance(level, (int, float, np.floating)) or not 0.0 < level < 1.0:
            raise ParameterError(must_be("level", "a number between 0 and 1", level))
        return self._fitted().interval(self._read(X), float(level))

    def __sklearn_tags__(self) -> Any:
        """Several responses at once are welcome."""
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags
