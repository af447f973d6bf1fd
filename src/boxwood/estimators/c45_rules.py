"""C4.5rules for classes, as a scikit-learn estimator."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

from .._typing import ColumnLike, TableLike
from ..algorithms.c45_rules import RULES
from ..data.streams.distributed_frames import is_dask_frame
from .callbacks import CallbackSupportMixin, fit_task, with_callbacks
from .evaluating import Evaluating, ScoreMixin
from .notices import log_shown
from .response import name_of, refuse_infinite
from .rule_inspection import RuleInspection
from .streaming import Streaming
from .training_rows import training_rows


class C45Rules(CallbackSupportMixin, RuleInspection, Evaluating, Streaming, ScoreMixin, ClassifierMixin, BaseEstimator):
    """Rules as in C4.5rules: the paths of an unpruned C4.5 tree, simplified, selected and ordered.

    Each leaf of the tree gives a rule. Conditions are dropped if this does not increase the estimated error rate. For
    each class, the subset of rules with the shortest description length is kept. Classes whose rules cause fewer false
    positives come first, and rules that increase the number of errors are removed. The first rule that applies decides;
    if none applies, the default class is predicted. A condition on a missing value does not hold.

    Parameters
    ----------
    criterion : {"gain_ratio", "gain"}, default="gain_ratio"
        How features are ranked:

        - "gain_ratio": by gain / intrinsic value, among the features with at least average gain.
        - "gain" (also called "entropy" or "information_gain"): by gain, as with C4.5's option -g.

    min_branch_weight : float, default=2.0
        Minimum weight in at least two branches of a split: C4.5's m. It is a sum of weights, not a number of rows.
    max_depth : int or None, default=None
        Maximum depth of the tree; the root is at depth 0. None sets no limit.
    group_levels : bool, default=False
        Group the levels of a nominal feature before it is scored (C4.5's option -s). Such a feature can be tested again
        further down.
    cut_charge : bool, default=True
        Subtract log2(number of possible thresholds) / weight from the gain of a numeric split, as in release 8.
    data_cuts : bool, default=True
        Use as threshold the largest value of the data that does not exceed the midpoint between two values. False uses
        the midpoint, rounded as far as it parts the values.
    confidence : float, default=0.25
        The confidence CF from 1e-300 to 0.5: the smaller, the more conditions and rules are dropped.
    theory_weight : float, default=0.5
        Weight of the description length of the rules against that of their exceptions. With 0, the length of the rules
        does not count.
    missing : {"error", "fractional"}, default="fractional"
        How missing values are treated:

        - "fractional": while the tree is grown, the row follows every branch with a fraction of its weight; in the
          rules, a missing value satisfies no condition.
        - "error": raise MissingValueError.

    unseen : {"missing", "error"}, default="missing"
        How a level that did not occur in training is treated:

        - "missing": it satisfies no condition.
        - "error": raise UnseenLevelError.

    class_weight : dict, "balanced" or None, default=None
        Factor by which the weights of each class are multiplied. "balanced" gives all classes the same total weight.
    compat : {"c45", "j48"} or None, default=None
        Reproduce another program:

        - "c45": release 8. Values closer than 1e-5 are merged. Pruning uses its table of normal deviates, its 0.67 rule
          and the last of equally large branches. Empty leaves predict with certainty.
        - "j48": Weka's J48. Values closer than 1e-5 are merged, gain ratios must exceed 1e-6, and a numeric split needs
          twice as many rows as the minimum weight of each side. Pruning uses the last of equally large branches.

    identifiers : {"auto", "ignore", "use"}, default="auto"
        How to treat columns that identify rows: those with a different level in nearly every row, or with consecutive
        numbers (docs/identifiers.md):

        - "ignore": do not use them in splits, in surrogates or for drawing folds. A KindWarning lists them.
        - "use": use them like any other feature.
        - "auto": "use" with ``compat``, otherwise "ignore".

    categorical_features : "from_dtype", "all", None, or list of names, of positions or of booleans
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

    n_jobs : int or None, default=None
        Number of threads. None and -1 use all cores. The result does not depend on it.
    verbose : int, default=0
        With 1, report progress on stderr.
    target_class : label or None, default=None
        Class of interest, stored in the model (docs/evaluation.md). None: the rarer of two classes.

    Attributes
    ----------
    rules_ : tuple of Rule
        In the order of evaluation.
    rule_set_ : RuleSet
        The rules with the default class.
    model_ : RuleModel
        The complete model (rules and settings), as written by ``save``.
    default_class_ : label
        The class predicted if no rule applies.
    classes_ : array of shape (K,)
        Class labels in sorted order.
    n_features_in_ : int
        Number of columns p of X.
    feature_names_in_ : object array of shape (p,)
        Column names of X, if it had names.

    Raises
    ------
    ParameterError, ParameterTypeError
        By ``fit``, if a parameter is out of range or has the wrong type.

    References
    ----------
    Quinlan: C4.5: Programs for Machine Learning, 1993, chapter 5.

    Examples
    --------
    >>> from boxwood import C45Rules, datasets
    >>> iris = datasets.load("iris")
    >>> y = iris.pop(datasets.describe("iris").target)
    >>> rules = C45Rules().fit(iris, y)
    >>> print(rules.to_text())
    rule 0: setosa (0.973 expected, 50 of 50 rows)
        petal_width <= 0.6
    rule 1: versicolor (0.947 expected, 47 of 48 rows)
        petal_length <= 4.9
        petal_width <= 1.7
        petal_width > 0.6
    rule 2: virginica (0.945 expected, 45 of 46 rows)
        petal_width > 1.7
    rule 3: virginica (0.918 expected, 44 of 46 rows)
        petal_length > 4.9
    otherwise: setosa
    >>> rules.predict(iris)[:2].tolist(), round(rules.score(iris, y), 3)
    (['setosa', 'setosa'], 0.973)
    """

    _algorithm: ClassVar[str] = "c45-rules"
    _task: ClassVar[str] = "classification"

    def __init__(
        self, *, criterion: str = "gain_ratio", min_branch_weight: float = 2.0, max_depth: int | None = None,
        group_levels: bool = False, cut_charge: bool = True, data_cuts: bool = True, confidence: float = 0.25,
        theory_weight: float = 0.5, missing: str = "fractional", unseen: str = "missing", class_weight: Any = None,
        compat: str | None = None, identifiers: str = "auto", categorical_features: Any = "from_dtype",
        numeric_features: Any = None, date_formats: Any = None, missing_values: Any = None,
        missing_target: str = "error", n_jobs: int | None = None, verbose: int = 0, target_class: Any = None,
    ) -> None:  # fmt: skip
        self.criterion = criterion
        self.min_branch_weight = min_branch_weight
        self.max_depth = max_depth
        self.group_levels = group_levels
        self.cut_charge = cut_charge
        self.data_cuts = data_cuts
        self.confidence = confidence
        self.theory_weight = theory_weight
        self.missing = missing
        self.unseen = unseen
        self.class_weight = class_weight
        self.compat = compat
        self.identifiers = identifiers
        self.categorical_features = categorical_features
        self.numeric_features = numeric_features
        self.date_formats = date_formats
        self.missing_values = missing_values
        self.missing_target = missing_target
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.target_class = target_class

    @with_callbacks
    def fit(self, X: TableLike, y: ColumnLike, sample_weight: ColumnLike | None = None) -> Self:
        """Grow a tree and derive rules from it.

        Parameters
        ----------
        X : table of shape (n, p)
            Any container, as for :class:`boxwood.C45Classifier`; missing values need no preparation.
        y : column of n labels
            Strings, booleans or whole numbers.
        sample_weight : column of n numbers, optional
            Weights of at least 0; a weight of 3 has the same effect as three copies of the row.

        Returns
        -------
        self

        Raises
        ------
        ParameterError, ParameterTypeError
            A parameter is out of range; the message gives the allowed values.
        DataError, DataTypeError
            The data cannot be used; the message names the column, row and value.

        Examples
        --------
        >>> from boxwood import C45Rules
        >>> model = C45Rules(min_branch_weight=1).fit({"天气": ["晴", "雨", "晴", "雨"] * 3}, ["去", "不去"] * 6)
        >>> [rule.label for rule in model.rules_]
        ['不去', '去']
        """
        if is_dask_frame(X):
            return self._fit_lazily(X, y, sample_weight=sample_weight)
        settings = self._settings(RULES)
        with fit_task(self, X, y, sample_weight), log_shown(settings["verbose"]):
            rows = training_rows(X, y, settings, "classification", sample_weight)
            if settings["missing"] == "error":
                refuse_infinite(rows.columns)
            self.model_ = RULES.fit(
                rows.columns, rows.y, settings=settings, weight=rows.weight, response_name=name_of(y)
            )
        return self

    def predict(self, X: TableLike) -> np.ndarray:
        """The class of the first rule that applies to each row, or the default class.

        Parameters
        ----------
        X : table of shape (n, p)

        Returns
        -------
        ndarray of shape (n,)
            Class labels.

        Raises
        ------
        NotFittedError
            The estimator is not fitted.
        DataError, DataTypeError
            The data do not match those of fit.

        Examples
        --------
        >>> from boxwood import C45Rules
        >>> model = C45Rules(min_branch_weight=1).fit({"天气": ["晴", "雨", "晴", "雨"] * 3}, ["去", "不去"] * 6)
        >>> model.predict({"天气": ["雨", "晴"]}).tolist()
        ['不去', '去']
        """
        return self._fitted().predict(self._read(X))

    def predict_proba(self, X: TableLike) -> np.ndarray:
        """Class proportions among the training rows for which all conditions of the deciding rule hold.

        These counts, which include rows covered by earlier rules, also give the estimated accuracy of the rule. If no
        rule applies, the proportions are those of the training rows that no rule covers, or of all rows if there are
        none. A rule can predict a class that is not the most frequent one among its rows.

        Parameters
        ----------
        X : table of shape (n, p)

        Returns
        -------
        ndarray of shape (n, K)
            One column for each class in ``classes_``; each row sums to 1.

        Raises
        ------
        NotFittedError, DataError, DataTypeError
            As for ``predict``.

        Examples
        --------
        >>> from boxwood import C45Rules, datasets
        >>> iris = datasets.load("iris")
        >>> y = iris.pop("species")
        >>> rules = C45Rules().fit(iris, y)
        >>> rules.predict_proba({name: [2.0] for name in iris}).round(3).tolist()
        [[0.0, 0.022, 0.978]]
        """
        return self._fitted().predict_proba(self._read(X))
