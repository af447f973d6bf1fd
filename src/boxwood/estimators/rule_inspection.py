"""Views of fitted rules: text, table, classes."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._typing import TableLike
from ..algorithms.rules import OrderedRule, RuleModel, RuleSet
from ..data.columns.columns import Columns
from ..data.frames.frame import read_columns
from .class_labels import ClassLabels
from .model_exporting import ModelExporting
from .notices import warn_unseen
from .response import refuse_infinite


class RuleInspection(ClassLabels, ModelExporting):
    """The methods of C45Rules that read ``model_``, which holds the result of the fit."""

    model_: RuleModel

    def _read(self, X: TableLike) -> Columns:
        model = self._fitted()
        columns = read_columns(X, model.schema, estimator=type(self).__name__)
        if model.settings["missing"] == "error":
            refuse_infinite(columns)
        warn_unseen(columns, model.settings["unseen"])
        return columns

    def apply(self, X: TableLike) -> np.ndarray:
        """Number of the rule that decides for each row, int64, shape (n,); -1 if none applies.

        Parameters
        ----------
        X : table of shape (n, p)

        Raises
        ------
        NotFittedError, DataError, DataTypeError
            As for ``predict``.

        Examples
        --------
        >>> from boxwood import C45Rules
        >>> model = C45Rules(min_branch_weight=1).fit({"天气": ["晴", "雨", "晴", "雨"] * 3}, ["去", "不去"] * 6)
        >>> model.apply({"天气": ["雨", "晴", None]}).tolist()
        [0, 1, -1]
        """
        columns = self._read(X)
        return self.model_.fired(columns)

    def to_text(self) -> str:
        """The rules as text, in order of evaluation.

        Returns
        -------
        str

        Raises
        ------
        NotFittedError
            The estimator is not fitted.

        Examples
        --------
        >>> from boxwood import C45Rules
        >>> model = C45Rules(min_branch_weight=1).fit({"天气": ["晴", "雨", "晴", "雨"] * 3}, ["去", "不去"] * 6)
        >>> print(model.to_text())
        rule 0: 不去 (0.794 expected, 6 of 6 rows)
            天气 = 雨
        rule 1: 去 (0.794 expected, 6 of 6 rows)
            天气 = 晴
        otherwise: 不去
        """
        return self._fitted().rule_set.to_text()

    def to_frame(self) -> Any:
        """The rules as a data frame with rule, class, conditions, weight, errors and accuracy.

        Returns
        -------
        pandas.DataFrame
            One row for each rule, in order of evaluation.

        Raises
        ------
        NotFittedError
            The estimator is not fitted.

        Examples
        --------
        >>> from boxwood import C45Rules
        >>> model = C45Rules(min_branch_weight=1).fit({"天气": ["晴", "雨", "晴", "雨"] * 3}, ["去", "不去"] * 6)
        >>> model.to_frame()[["conditions", "class", "weight"]].values.tolist()
        [['天气 = 雨', '不去', 6.0], ['天气 = 晴', '去', 6.0]]
        """
        import pandas

        found = self._fitted().rule_set
        words = [" and ".join(found.words_of(rule)) for rule in found.rules]
        return pandas.DataFrame({
            "conditions": words,
            "class": [rule.label for rule in found.rules],
            "weight": [rule.weight for rule in found.rules],
            "errors": [rule.errors for rule in found.rules],
            "accuracy": [rule.accuracy for rule in found.rules],
        })  # fmt: skip

    @property
    def rules_(self) -> tuple[OrderedRule, ...]:
        """The rules in order of evaluation.

        Examples
        --------
        >>> from boxwood import C45Rules
        >>> model = C45Rules(min_branch_weight=1).fit({"天气": ["晴", "雨", "晴", "雨"] * 3}, ["去", "不去"] * 6)
        >>> [(rule.label, rule.weight, rule.errors) for rule in model.rules_]
        [('不去', 6.0, 0.0), ('去', 6.0, 0.0)]
        """
        return self.rule_set_.rules

    @property
    def rule_set_(self) -> RuleSet:
        """The rules with the default class.

        Examples
        --------
        >>> from boxwood import C45Rules
        >>> C45Rules().fit([[1], [2], [3]], ["a", "b", "b"]).rule_set_.rest
        (1.0, 2.0)
        """
        return self._fitted().rule_set

    @property
    def default_class_(self) -> Any:
        """The class predicted if no rule applies.

        Examples
        --------
        >>> from boxwood import C45Rules
        >>> C45Rules().fit([[1], [2], [3]], ["a", "b", "b"]).default_class_
        'b'
        """
        return self.classes_[self.rule_set_.default].item()
