"""The terms of MARS as features for other estimators."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from sklearn.base import TransformerMixin

from ..mars.words import term_names
from .mars_estimator import MARSEstimator


class MARSTransformer(TransformerMixin, MARSEstimator):
    """The hinges that MARS finds, as new features: each row becomes the values of the chosen terms.

    Parameters
    ----------
    max_degree : int
        Most features that a term may multiply; 1 = a sum of curves of single features.
    max_terms : int or None
        Slots for terms in the forward pass; None = min(200, max(20, 2 columns)) + 1.
    penalty : float or None
        Price of a knot in GCV; None = 2, or 3 with products; -1 = knots are free.
    thresh : float
        The forward pass ends when R2 rises by less, or is as close to 1; 0 = it goes on.
    minspan, endspan : int
        Rows between knots, and rows without a knot at the ends; 0 = by the number of rows and columns; minspan=-k = k
        knots a column.
    adjust_endspan : float
        How much wider the ends are for products.
    fast_k, fast_beta : int, float
        Fast MARS: how many parents a step asks (0 = all), and how fast the others come back.
    new_variable_penalty : float
        Handicap of features not in the model yet: their gain is divided by 1 + this.
    auto_linear : bool
        A linear term may take the place of a pair of hinges.
    linear_features : list of names or positions, or None
        Features that enter linearly only.
    monotone : dict or None
        Feature -> 1 (never falling) or -1 (never rising); such a feature is in no products.
    allowed : list of groups of features, function or None
        Features that may interact: those of one group, or where ``f(degree, feature, others)`` says so; None = all.
    backward : {"exchange", "plain", "exhaustive", "cv", "none"}
        How terms are taken away: as earth does; one by one; all subsets; the size by cross-validation; not at all.
    max_kept : int or None
        Most terms to keep.
    cv_folds : int or None
        Folds whose rows left out give ``predict_interval`` and the size of backward="cv" (there 10 by default).
    nominal : {"indicators", "grouped"}
        Indicators of single levels, or of the first 1, 2, ... levels in order of the mean response.
    missing : {"error", "indicator"}
        Refuse missing values, or fill them with the mean and give them a column of their own.
    unseen : {"first", "error"}
        A level that training did not have counts as the first level (where levels are grouped as the one of the lowest
        mean, where they are ordered as the mean place, and also as missing where missing values have a column), or is
        refused.
    compat : {"earth"} or None
        Number parents as earth 5.3 does, with its bounds, ties and row order.
    categorical_features : "from_dtype", None, or list of names, of positions or of booleans
        Columns to read as nominal; by default those of strings, categories and booleans.
    random_state : int, RandomState, Generator or None
        Other numbers draw other folds; nothing else is random.
    n_jobs : int or None
        Threads; None and -1 = all cores. The result never depends on it.
    verbose : int
        1 shows on stderr what is being done.

    Attributes
    ----------
    model_ : MARSModel
        Terms, coefficients, subsets, settings; what ``save`` writes.
    n_features_in_ : int
        Number of columns p of X.
    feature_names_in_ : object array of shape (p,)
        Column names of X, when it had names.
    feature_importances_ : float64 array of shape (p,)
        Share of each feature in the fall of GCV.

    Raises
    ------
    ParameterError, ParameterTypeError
        By ``fit``, when a parameter is out of range or of a wrong type.

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

    def __init__(
        self, *, max_degree=1, max_terms=None, penalty=None, thresh=0.001, minspan=0, endspan=0, adjust_endspan=2.0,
        fast_k=20, fast_beta=1.0, new_variable_penalty=0.0, auto_linear=True, linear_features=None, monotone=None,
        allowed=None, backward="exchange", max_kept=None, cv_folds=None, nominal="indicators", missing="error",
        unseen="first", compat=None, categorical_features="from_dtype", random_state=None, n_jobs=None, verbose=0,
    ):  # fmt: skip
        self.max_degree = max_degree
        self.max_terms = max_terms
        self.penalty = penalty
        self.thresh = thresh
        self.minspan = minspan
        self.endspan = endspan
        self.adjust_endspan = adjust_endspan
        self.fast_k = fast_k
        self.fast_beta = fast_beta
        self.new_variable_penalty = new_variable_penalty
        self.auto_linear = auto_linear
        self.linear_features = linear_features
        self.monotone = monotone
        self.allowed = allowed
        self.backward = backward
        self.max_kept = max_kept
        self.cv_folds = cv_folds
        self.nominal = nominal
        self.missing = missing
        self.unseen = unseen
        self.compat = compat
        self.categorical_features = categorical_features
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(self, X, y, sample_weight=None):
        """Find terms that explain y.

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

    def transform(self, X) -> np.ndarray:
        """The chosen terms but the constant, at every row.

        Parameters
        ----------
        X : table of shape (n, p)

        Returns
        -------
        float64, shape (n, M - 1)

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

    def get_feature_names_out(self, input_features=None) -> np.ndarray:
        """Names of the terms.

        Parameters
        ----------
        input_features : None or names of the columns of X
            Only there because scikit-learn passes it; must be the names of fit.

        Returns
        -------
        object array of shape (M - 1,)

        Raises
        ------
        ValueError
            ``input_features`` are other names.

        Examples
        --------
        >>> from boxwood import MARSTransformer
        >>> model = MARSTransformer().fit({"x": [0.0, 1, 2, 3, 4, 5, 6, 7]}, [0, 1, 2, 3, 4, 5, 6, 7])
        >>> model.get_feature_names_out().tolist()
        ['x']
        """
        model = self._fitted()
        if input_features is not None and list(input_features) != list(model.schema.names):
            raise ValueError(f"input_features is not equal to feature_names_in_: {list(model.schema.names)}")
        return np.array(term_names(model.design, model.kept)[1:], dtype=object)

    def __sklearn_tags__(self):
        """y is needed; several responses at once are welcome."""
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.target_tags.multi_output = True
        return tags
