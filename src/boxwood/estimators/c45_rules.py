"""C4.5rules for classes, as a scikit-learn estimator."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

from .._typing import ColumnLike, TableLike
from ..algorithms.c45_rules import PARAMETERS, RULES
from ..learning.parameters import checked
from .callbacks import CallbackSupportMixin, fit_task, with_callbacks
from .evaluating import Evaluating, ScoreMixin
from .notices import log_shown
from .response import name_of, refuse_infinite
from .rule_inspection import RuleInspection
from .training_rows import training_rows


class C45Rules(CallbackSupportMixin, RuleInspection, Evaluating, ScoreMixin, ClassifierMixin, BaseEstimator):
    """Rules as in C4.5rules: the paths of an unpruned C4.5 tree, simplified, selected and ordered.

    Every leaf of the tree gives a rule. Conditions are dropped if that does not raise the estimated error rate. For
    each class, the rules that describe the training rows in the fewest bits are kept. Classes whose rules cause fewer
    false alarms come first, and rules that cost more than they gain are removed. The first rule that holds decides; if
    none holds, the default class is predicted. A condition on a missing value does not hold.

    Parameters
    ----------
    criterion : {"gain_ratio", "gain"}, default="gain_ratio"
        How features are ranked:

        - "gain_ratio": by gain / intrinsic value, among the features of at least average gain.
        - "gain": by gain (option -g); "entropy" and "information_gain" are other names.

    min_branch_weight : float, default=2.0
        Weight that at least two branches of a split need: C4.5's m. It counts weights, not rows.
    max_depth : int or None, default=None
        Largest depth of the tree; the root is at depth 0. None sets no limit.
    group_levels : bool, default=False
        Group the levels of a nominal feature before it is scored (option -s). Such a feature can be tested again below.
    cut_charge : bool, default=True
        Subtract log2(number of possible cuts) / weight from the gain of a cut, as release 8 does.
    data_cuts : bool, default=True
        Cut at the largest value of the data that is not above the midpoint between two values. False cuts at the
        midpoint.
    confidence : float, default=0.25
        The confidence CF from 1e-300 to 0.5: the smaller, the more conditions and rules are dropped.
    theory_weight : float, default=0.5
        Weight of the bits that describe the rules against the bits of their exceptions; 0 makes rules free.
    missing : {"error", "fractional"}, default="fractional"
        How missing values are treated:

        - "fractional": a row is shared among the branches while the tree grows, and satisfies no condition on the
          missing value.
        - "error": raise MissingValueError.

    unseen : {"missing", "error"}, default="missing"
        How a level that did not occur in training is treated:

        - "missing": it satisfies no condition.
        - "error": raise UnseenLevelError.

    class_weight : dict, "balanced" or None, default=None
        Factor by which the weights of each class are multiplied. "balanced" gives all classes the same total weight.
    compat : {"c45", "j48"} or None, default=None
        Reproduce another program where it deviates:

        - "c45": release 8. Values nearer than 1e-5 are one; its table of deviates, its 0.67 rule, the last of equally
          large branches, and the certainty of empty leaves are used.
        - "j48": Weka's J48. Values nearer than 1e-5 are one, ratios must exceed 1e-6, and a cut needs as many rows as
          twice the weight that each side needs.

    identifiers : {"auto", "ignore", "use"}, default="auto"
        How to treat columns that name rows: those with a different level in nearly every row, or with a running number
        (docs/identifiers.md):

        - "ignore": they serve neither as split nor as surrogate, and the folds do not depend on them. A KindWarning
          names them.
        - "use": they are features like all others.
        - "auto": "use" with ``compat``, and "ignore" without.

    categorical_features : "from_dtype", "all", None, or list of names, of positions or of booleans
        Columns to read as nominal. "from_dtype" takes columns of strings, categories and booleans.
    numeric_features : list of names or None, default=None
        Columns of text to read as numbers, such as numbers with leading zeros in a text file (docs/tables.md).
    date_formats : dict of column -> str, or None, default=None
        Columns of text to read as dates or times, each with its format, such as ``{"opened": "%d/%m/%Y"}`` as in
        ``datetime.strptime``, or "iso" (docs/dates.md). Columns of dates and datetimes need none.
    missing_values : str, number, list of these, dict of column -> such a list, or None, default=None
        Codes that stand for a missing value, such as ``["?", -999]``, in X and y; a dict gives codes to single columns.
        The model remembers them and reads other data in the same way. A column of strings in which only numbers are
        left becomes numeric (docs/tables.md).
    missing_target : {"error", "drop"}, default="error"
        How to treat rows whose response is missing:

        - "error": raise ResponseError, which says how many there are.
        - "drop": leave them out, as if they had not been given.

    n_jobs : int or None, default=None
        Number of threads. None and -1 use all cores. The result never depends on it.
    verbose : int, default=0
        1 reports progress on stderr.

    Attributes
    ----------
    rules_ : tuple of Rule
        In the order of asking.
    rule_set_ : RuleSet
        The rules with the default class.
    model_ : RuleModel
        All of it: rules and settings; what ``save`` writes.
    default_class_ : label
        The class predicted where no rule holds.
    classes_ : array of shape (K,)
        Class labels in sorted order.
    n_features_in_ : int
        Number of columns p of X.
    feature_names_in_ : object array of shape (p,)
        Column names of X, when it had names.

    Raises
    ------
    ParameterError, ParameterTypeError
        By ``fit``, when a parameter is out of range or of a wrong type.

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
        missing_target: str = "error", n_jobs: int | None = None, verbose: int = 0,
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

    @with_callbacks
    def fit(self, X: TableLike, y: ColumnLike, sample_weight: ColumnLike | None = None) -> Self:
        """Grow a tree and take its rules.

        Parameters
        ----------
        X : table of shape (n, p)
            Any container, as for :class:`boxwood.C45Classifier`; missing values need no preparation.
        y : column of n labels
            Strings, booleans or whole numbers.
        sample_weight : column of n numbers, optional
            Weights of 0 or more; a weight of 3 is the row three times.

        Returns
        -------
        self

        Raises
        ------
        ParameterError, ParameterTypeError
            A parameter is out of range; the message names it and what is allowed.
        DataError, DataTypeError
            Data that cannot be used; the message names column, row and value.

        Examples
        --------
        >>> from boxwood import C45Rules
        >>> model = C45Rules(min_branch_weight=1).fit({"天气": ["晴", "雨", "晴", "雨"] * 3}, ["去", "不去"] * 6)
        >>> [rule.label for rule in model.rules_]
        ['不去', '去']
        """
        settings = checked(PARAMETERS, {p.name: getattr(self, p.name) for p in PARAMETERS})
        with fit_task(self, X, y, sample_weight), log_shown(settings["verbose"]):
            rows = training_rows(X, y, settings, "classification", sample_weight)
            if settings["missing"] == "error":
                refuse_infinite(rows.columns)
            self.model_ = RULES.fit(
                rows.columns, rows.y, settings=settings, weight=rows.weight, response_name=name_of(y)
            )
        return self

    def predict(self, X: TableLike) -> np.ndarray:
        """The class of the first rule that holds for each row, or the default class.

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
            There are no rules yet.
        DataError, DataTypeError
            Data that do not fit the rules.

        Examples
        --------
        >>> from boxwood import C45Rules
        >>> model = C45Rules(min_branch_weight=1).fit({"天气": ["晴", "雨", "晴", "雨"] * 3}, ["去", "不去"] * 6)
        >>> model.predict({"天气": ["雨", "晴"]}).tolist()
        ['不去', '去']
        """
        columns = self._read(X)
        return self.model_.predict(columns)

    def predict_proba(self, X: TableLike) -> np.ndarray:
        """Shares of the classes among the training rows for which all conditions of the deciding rule hold.

        The accuracy of the rule is estimated from the same counts; rows that an earlier rule takes are among them.
        Where no rule holds they are the shares among the training rows that no rule covers, or among all rows if there
        are none. A rule may predict a class that is rare on the whole and is not the most frequent one here.

        Parameters
        ----------
        X : table of shape (n, p)

        Returns
        -------
        ndarray of shape (n, K)
            One column per class of ``classes_``; rows add to 1.

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
        columns = self._read(X)
        return self.model_.predict_proba(columns)

    def __sklearn_tags__(self) -> Any:
        """Missing values, unless ``missing="error"``, categories, strings and sparse data are welcome."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.missing != "error"
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.input_tags.sparse = True
        return tags
