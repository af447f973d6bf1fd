"""MARS for numbers, as a scikit-learn estimator."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import RegressorMixin

from .._typing import ColumnLike, TableLike
from ..errors import ParameterError
from .evaluating import ScoreMixin
from .mars_estimator import MARSEstimator


class MARSRegressor(ScoreMixin, RegressorMixin, MARSEstimator):
    """Multivariate adaptive regression splines: a sum of hinge functions and their products, pruned by GCV.

    Parameters
    ----------
    max_degree : int, default=1
        Maximum number of features in a term. With 1, the model is a sum of functions of single features.
    max_terms : int or None, default=None
        Maximum number of terms in the forward pass. None means min(200, max(20, 2 * columns)) + 1 (docs/mars.md).
    penalty : float or None, default=None
        GCV penalty per knot. None = 2, or 3 with interactions, more beyond 20 columns (docs/mars.md); -1 = no penalty.
    thresh : float, default=0.001
        Stop the forward pass when R² increases by less than this or is this close to 1. 0 disables this rule.
    minspan : int, default=0
        Minimum number of rows between knots. 0 derives it from the numbers of rows and columns; -k places k knots in
        each column.
    endspan : int, default=0
        Number of rows at each end of a column in which no knot is placed. 0 derives it from the numbers of rows and
        columns.
    adjust_endspan : float, default=2.0
        Factor by which ``endspan`` is multiplied in interactions.
    fast_k : int, default=20
        Fast MARS: number of parent terms tried in a step. 0 tries all of them.
    fast_beta : float, default=1.0
        Fast MARS: how quickly the priority of a parent term increases while it is not tried.
    new_variable_penalty : float, default=0.0
        Penalty for features that are not yet in the model: their improvement is divided by 1 plus this value.
    auto_linear : bool, default=True
        Allow a linear term to replace a pair of hinges.
    linear_features : list of names or positions, or None, default=None
        Features that enter the model only linearly.
    monotone : dict or None, default=None
        Features with a monotone effect: feature -> 1 (never decreasing) or -1 (never increasing). They do not interact.
    allowed : list of groups of features, function or None, default=None
        Features that may interact: those within a group, or those for which ``f(degree, feature, others)`` returns
        True. None allows all interactions.
    backward : {"exchange", "plain", "exhaustive", "cv", "none"}, default="exchange"
        How terms are removed after the forward pass:

        - "exchange": as in R's earth.
        - "plain": one by one.
        - "exhaustive": by comparing all subsets.
        - "cv": down to the size that cross-validation selects.
        - "none": not at all.

    max_kept : int or None, default=None
        Maximum number of terms to keep. None sets no limit.
    cv_folds : int or None, default=None
        Number of cross-validation folds. The held-out rows determine the intervals of ``predict_interval`` and, with
        ``backward="cv"``, the number of terms; the default is then 10.
    nominal : {"indicators", "grouped"}, default="indicators"
        How nominal features are encoded:

        - "indicators": an indicator for each level.
        - "grouped": indicators of the first 1, 2, ... levels in the order of their mean response.

    missing : {"error", "indicator"}, default="error"
        How missing values are treated:

        - "error": raise MissingValueError.
        - "indicator": impute the mean and add an indicator column for missing values.

    unseen : {"first", "error"}, default="first"
        How a level that did not occur in training is treated:

        - "first": as the first level. If levels are grouped, it is the level with the lowest mean; if they are ordered,
          the mean position. If the feature has an indicator column for missing values, this is set as well.
        - "error": raise UnseenLevelError.

    compat : {"earth"} or None, default=None
        "earth" reproduces R's earth 5.3: its numbering of parents, bounds and ties, which depend on the order of rows.
    categorical_features : "from_dtype", None, or list of names, of positions or of booleans, default="from_dtype"
        Columns to treat as nominal. "from_dtype" selects the columns of strings, categories and booleans.
    numeric_features : list of names or None, default=None
        Columns of text to read as numbers, such as numbers with leading zeros in a text file (docs/tables.md).
    date_formats : dict of column -> str, or None, default=None
        Columns of text to read as dates or times, each with its format: "iso", or a format of ``datetime.strptime`` as
        in ``{"opened": "%d/%m/%Y"}`` (docs/dates.md). Columns of dates and datetimes need no format.
    missing_values : str, number, list of these, dict of column -> such a list, or None, default=None
        Codes that stand for a missing value in X and y, such as ``["?", -999]``; a dict gives the codes of single
        columns. The model stores them and applies them to new data. A column of strings becomes numeric if all
        remaining values are numbers (docs/tables.md).
    missing_target : {"error", "drop"}, default="error"
        How to treat rows in which y is missing:

        - "error": raise ResponseError; the message gives their number.
        - "drop": omit them.

    random_state : int, RandomState, Generator or None, default=None
        Seed of the cross-validation folds. Nothing else is random.
    n_jobs : int or None, default=None
        Number of threads. None and -1 use all cores. The result does not depend on it.
    verbose : int, default=0
        With 1, report progress on stderr.

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

    def __init__(
        self, *, max_degree: int = 1, max_terms: int | None = None, penalty: float | None = None, thresh: float = 0.001,
        minspan: int = 0, endspan: int = 0, adjust_endspan: float = 2.0, fast_k: int = 20, fast_beta: float = 1.0,
        new_variable_penalty: float = 0.0, auto_linear: bool = True, linear_features: Any = None, monotone: Any = None,
        allowed: Any = None, backward: str = "exchange", max_kept: int | None = None, cv_folds: int | None = None,
        nominal: str = "indicators", missing: str = "error", unseen: str = "first", compat: str | None = None,
        categorical_features: Any = "from_dtype", numeric_features: Any = None, date_formats: Any = None,
        missing_values: Any = None, missing_target: str = "error", random_state: Any = None, n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:  # fmt: skip
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
        self.numeric_features = numeric_features
        self.date_formats = date_formats
        self.missing_values = missing_values
        self.missing_target = missing_target
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

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
            raise ParameterError(f"level must be a number between 0 and 1; got {level!r}.")
        return self._fitted().interval(self._read(X), float(level))

    def __sklearn_tags__(self) -> Any:
        """Several responses at once are welcome."""
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags
