"""What fitted rules show: the rules in words and as a table, classes, features."""

from __future__ import annotations

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ..training.rules import Rule, RuleSet


class RuleInspection:
    """The part of C45Rules that only looks at ``rule_set_``, where everything that was learned is."""

    def __sklearn_is_fitted__(self) -> bool:
        """Whether there are rules."""
        return "rule_set_" in vars(self)

    def _fitted(self) -> RuleSet:
        check_is_fitted(self)
        return self.rule_set_

    def to_text(self) -> str:
        """The rules in words, in the order of asking.

        Raises
        ------
        NotFittedError
            There are no rules yet.

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
        return self._fitted().to_text()

    def to_frame(self):
        """The rules as a pandas data frame: rule, class, conditions, weight, errors, accuracy.

        Raises
        ------
        NotFittedError
            There are no rules yet.

        Examples
        --------
        >>> from boxwood import C45Rules
        >>> model = C45Rules(min_branch_weight=1).fit({"天气": ["晴", "雨", "晴", "雨"] * 3}, ["去", "不去"] * 6)
        >>> model.to_frame()[["conditions", "class", "weight"]].values.tolist()
        [['天气 = 雨', '不去', 6.0], ['天气 = 晴', '去', 6.0]]
        """
        import pandas

        found = self._fitted()
        words = [" and ".join(c.text(found.schema[c.feature]) for c in rule.conditions) for rule in found.rules]
        return pandas.DataFrame({
            "conditions": words,
            "class": [rule.label for rule in found.rules],
            "weight": [rule.weight for rule in found.rules],
            "errors": [rule.errors for rule in found.rules],
            "accuracy": [rule.accuracy for rule in found.rules],
        })  # fmt: skip

    @property
    def rules_(self) -> tuple[Rule, ...]:
        """The rules in the order of asking.

        Examples
        --------
        >>> from boxwood import C45Rules
        >>> model = C45Rules(min_branch_weight=1).fit({"天气": ["晴", "雨", "晴", "雨"] * 3}, ["去", "不去"] * 6)
        >>> [(rule.label, rule.weight, rule.errors) for rule in model.rules_]
        [('不去', 6.0, 0.0), ('去', 6.0, 0.0)]
        """
        return self._fitted().rules

    @property
    def default_class_(self):
        """What is said where no rule holds.

        Examples
        --------
        >>> from boxwood import C45Rules
        >>> C45Rules().fit([[1], [2], [3]], ["a", "b", "b"]).default_class_
        'b'
        """
        return self.classes_[self.rule_set_.default].item()

    @property
    def classes_(self) -> np.ndarray:
        """Class labels in sorted order, shape (K,).

        Examples
        --------
        >>> from boxwood import C45Rules
        >>> C45Rules().fit([[1], [2], [3]], ["好", "bad", "好"]).classes_.tolist()
        ['bad', '好']
        """
        labels = self._fitted().labels
        return np.array(labels, dtype=np.str_ if any(isinstance(v, str) for v in labels) else None)

    @property
    def n_features_in_(self) -> int:
        """Number of columns of X at fit.

        Examples
        --------
        >>> from boxwood import C45Rules
        >>> C45Rules().fit([[1, 5], [2, 6]], [0, 1]).n_features_in_
        2
        """
        return len(self._fitted().schema)

    @property
    def feature_names_in_(self) -> np.ndarray:
        """Column names of X at fit, object, shape (p,); only there when X had names.

        Examples
        --------
        >>> from boxwood import C45Rules
        >>> C45Rules().fit({"面积": [1, 2], "city": ["a", "b"]}, [0, 1]).feature_names_in_.tolist()
        ['面积', 'city']
        """
        schema = self._fitted().schema
        if not schema.named:
            raise AttributeError("these rules have no feature_names_in_: X had no column names.")
        return np.array(schema.names, dtype=object)
