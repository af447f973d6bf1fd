"""The terms of MARS as features for other estimators."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import TransformerMixin

from .._messages import Setting
from .._typing import ColumnLike, TableLike
from ..errors import ParameterError
from ..mars.words import term_names
from .declared import declared
from .mars_estimator import MARSEstimator


@declared
class MARSTransformer(TransformerMixin, MARSEstimator):
    """Transform features to MARS terms: each row becomes the values of the selected terms.

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

    Examples
    --------
    >>> from boxwood import MARSTransformer
    >>> x = [0.0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]
    >>> y = [0.0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6]
    >>> model = MARSTransformer(minspan=1, endspan=1).fit({"x": x}, y)
    >>> model.transform({"x": [2.0, 7.5]}).tolist(), model.get_feature_names_out().tolist()
    ([[0.0], [2.5]], ['h(x-5)'])
    """

    _task: ClassVar[str] = "regression"

    def fit(self, X: TableLike, y: ColumnLike, sample_weight: ColumnLike | None = None) -> Self:
        """Find the terms that predict y.

        Parameters
        ----------
        X : table of shape (n, p)
        y : column of n numbers, or several columns
        sample_weight : column of n numbers, optional

        Returns
        -------
        self

        Raises
        ------
        ParameterError, ParameterTypeError, DataError, DataTypeError

        Examples
        --------
        >>> from boxwood import MARSTransformer
        >>> MARSTransformer().fit([[1.0], [2.0], [3.0], [4.0]], [1, 2, 3, 4]).transform([[2.5]]).shape[0]
        1
        """
        return self._fit(X, y, sample_weight)

    def transform(self, X: TableLike) -> np.ndarray:
        """The values of the selected terms, without the constant, for each row.

        Parameters
        ----------
        X : table of shape (n, p)

        Returns
        -------
        float64, shape (n, M - 1)
            M is the number of selected terms, the constant included.

        Raises
        ------
        NotFittedError, DataError, DataTypeError

        Examples
        --------
        >>> from boxwood import MARSTransformer
        >>> model = MARSTransformer().fit({"x": [0.0, 1, 2, 3, 4, 5, 6, 7]}, [0, 1, 2, 3, 4, 5, 6, 7])
        >>> model.transform({"x": [9.0]}).tolist()
        [[9.0]]
        """
        model = self._fitted()
        return np.ascontiguousarray(model.basis(self._read(X))[:, 1:])

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Names of the selected terms without the constant, in the order of the columns of ``transform``.

        Parameters
        ----------
        input_features : None or names of the columns of X
            Accepted for compatibility with scikit-learn; must equal the names of fit.

        Returns
        -------
        object array of shape (M - 1,)

        Raises
        ------
        ValueError
            ``input_features`` differs from the names of fit.

        Examples
        --------
        >>> from boxwood import MARSTransformer
        >>> model = MARSTransformer().fit({"x": [0.0, 1, 2, 3, 4, 5, 6, 7]}, [0, 1, 2, 3, 4, 5, 6, 7])
        >>> model.get_feature_names_out().tolist()
        ['x']
        """
        model = self._fitted()
        if input_features is not None and list(input_features) != list(model.schema.names):
            names = list(model.schema.names)
            raise ParameterError(Setting("input_features"), f" is not equal to feature_names_in_: {names}")
        return np.array(term_names(model.design, model.kept)[1:], dtype=object)

    def __sklearn_tags__(self) -> Any:
        """y is needed; several responses at once are welcome."""
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.target_tags.multi_output = True
        return tags
