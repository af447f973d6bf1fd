"""C4.5rules for classes, as a scikit-learn estimator."""

from __future__ import annotations

from typing import ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

from .._typing import ColumnLike, TableLike
from ..algorithms.c45_rules import RULES
from ..data.streams.distributed_frames import is_dask_frame
from .callbacks import CallbackSupportMixin, fit_task, with_callbacks
from .declared import declared
from .evaluating import Evaluating, ScoreMixin
from .notices import log_shown
from .response import name_of, refuse_infinite
from .rule_inspection import RuleInspection
from .streaming import Streaming
from .training_rows import training_rows


@declared
class C45Rules(CallbackSupportMixin, RuleInspection, Evaluating, Streaming, ScoreMixin, ClassifierMixin, BaseEstimator):
    """Rules as in C4.5rules: the paths of an unpruned C4.5 tree, simplified, selected and ordered.

    Each leaf of the tree gives a rule. Conditions are dropped if this does not increase the estimated error rate. For
    each class, the subset of rules with the shortest description length is kept. Classes whose rules cause fewer false
    positives come first, and rules that increase the number of errors are removed. The first rule that applies decides;
    if none applies, the default class is predicted. A condition on a missing value does not hold.

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
