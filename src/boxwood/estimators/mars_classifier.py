"""MARS for classes, as a scikit-learn estimator."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import ClassifierMixin

from .._typing import ColumnLike, TableLike
from .evaluating import ScoreMixin
from .mars_estimator import MARSEstimator


class MARSClassifier(ScoreMixin, ClassifierMixin, MARSEstimator):
    """MARS for classification: terms found by least squares on class indicators, probabilities by logistic regression.

    Parameters
    ----------
    logistic : bool, default=True
        Fit probabilities by logistic regression on the selected terms; with more than two classes, one regression for
        each class. False fits them by least squares and clips them to [0, 1].
    target_class : label or None, default=None
        Class of interest, stored in the model (docs/evaluation.md). None: the rarer of two classes.
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

    def __init__(
        self, *, logistic: bool = True, target_class: Any = None, max_degree: int = 1, max_terms: int | None = None,
        penalty: float | None = None, thresh: float = 0.001, minspan: int = 0, endspan: int = 0,
        adjust_endspan: float = 2.0, fast_k: int = 20, fast_beta: float = 1.0, new_variable_penalty: float = 0.0,
        auto_linear: bool = True, linear_features: Any = None, monotone: Any = None, allowed: Any = None,
        backward: str = "exchange", max_kept: int | None = None, cv_folds: int | None = None,
        nominal: str = "indicators", missing: str = "error", unseen: str = "first", compat: str | None = None,
        categorical_features: Any = "from_dtype", numeric_features: Any = None, date_formats: Any = None,
        missing_values: Any = None, missing_target: str = "error", random_state: Any = None, n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:  # fmt: skip
        self.logistic = logistic
        self.target_class = target_class
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

    @property
    def classes_(self) -> np.ndarray:
        """Class labels in sorted order, shape (K,).

        Examples
        --------
        >>> from boxwood import MARSClassifier
        >>> MARSClassifier().fit([[1.0], [2.0], [3.0], [4.0]], [True, False, True, False]).classes_.tolist()
        [False, True]
        """
        return self._fitted().label_array

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

    def predict_log_proba(self, X: TableLike) -> np.ndarray:
        """Natural logarithm of the probability of each class; -inf where it is 0.

        Parameters
        ----------
        X : table of shape (n, p)

        Returns
        -------
        float64 array of shape (n, K)

        Raises
        ------
        NotFittedError, DataError, DataTypeError

        Examples
        --------
        >>> from boxwood import MARSClassifier
        >>> MARSClassifier().fit([[i] for i in range(8)], list("aaababbb")).predict_log_proba([[3.5]]).round(2).tolist()
        [[-0.69, -0.69]]
        """
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))
