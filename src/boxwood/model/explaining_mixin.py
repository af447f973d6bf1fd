"""Rules, explanations, Shapley values, counterfactuals and reason codes of a tree without a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .._typing import TableLike
from ..data.columns import Columns
from ..data.frame import read_columns
from ..data.one_row import is_row, one_row
from ..tree.descend import route
from ..tree.tree import Tree
from ..views.constraints import Constraints
from ..views.counterfactual import Counterfactuals
from ..views.counterfactual_search import counterfactuals
from ..views.explanation import Explanation, explain_rows
from ..views.reasons import ReasonCodes, ReasonOptions
from ..views.reasons import reason_codes as codes_of
from ..views.rules import Rules, rules_of
from ..views.shapley import ShapValues, shapley_values
from ..views.target import one_target


class ExplainingMixin(Tree):
    """The explaining methods of a readable tree; estimators do the same by the policies of their model.

    Examples
    --------
    >>> from boxwood import CARTClassifier
    >>> X = {"age": [20, 30, 50, 60], "city": ["Ulm", "京都", "Ulm", "京都"]}
    >>> tree = CARTClassifier(pruning=None).fit(X, ["no", "no", "no", "yes"]).tree_
    >>> print(tree.counterfactual({"age": 50, "city": "Ulm"}, "yes"))
    y = no (probability 1.000). For y = yes:
      1. age: 50 → 56 (1 change, distance 0.109): yes, probability 1.000
    """

    def _columns(self, X: TableLike) -> Columns:
        """X in columns that fit the tree."""
        return X if isinstance(X, Columns) else read_columns(X, self.schema, estimator="this tree")

    def rules(self, level: float = 0.95) -> Rules:
        """One rule for each leaf, as text and numbers; see :class:`boxwood.views.rules.Rules`.

        Parameters
        ----------
        level : float
            Confidence level of the intervals, between 0 and 1.
        """
        return rules_of(self, level)

    def predict_proba(self, X: TableLike, *, unseen: str = "missing") -> np.ndarray:
        """Class probabilities of each row, shape (n, K).

        Parameters
        ----------
        X : Columns, or table of shape (n, p)
        unseen : {"missing", "majority", "stay", "error"}

        Raises
        ------
        ParameterError
            The tree predicts a number, or the policy is unknown.
        DataError, DataTypeError
            Data that do not fit the tree.
        """
        return route(self, self._columns(X), unseen).probability(self)

    def explain(self, X: TableLike, level: float = 0.95, *, unseen: str = "missing") -> Explanation:
        """The path of each row down the tree; see :func:`boxwood.views.explanation.explain_rows`.

        Parameters
        ----------
        X : Columns, or table of shape (n, p)
        unseen : {"missing", "majority", "stay"}
        level : float
            Confidence level of the intervals, between 0 and 1.
        """
        return explain_rows(self, self._columns(X), unseen, level)

    def shap_values(self, X: TableLike, background: TableLike | None = None, *, unseen: str = "missing") -> ShapValues:
        """Shapley values of rows; see :func:`boxwood.views.shapley.shapley_values`.

        Parameters
        ----------
        X : Columns, or table of shape (n, p)
        background : the same, optional
            Rows that say what is usual; without it the weights of training do.
        unseen : {"missing", "majority", "stay"}

        Raises
        ------
        DataError, DataTypeError
            Data that do not fit the tree.
        """
        return shapley_values(self, self._columns(X), None if background is None else self._columns(background), unseen)

    def counterfactual(
        self,
        X: TableLike,
        target_class: Any = None,
        *,
        target_range: tuple[float | None, float | None] | None = None,
        immutable: Sequence[str] = (),
        allowed: Mapping[str, Any] | None = None,
        scale: Any = None,
        by: str = "changes",
        rounded: bool = True,
        n: int = 1,
    ) -> Counterfactuals:
        """The smallest changes of a row that lead to another answer, levels not seen in training counting as missing.

        Parameters
        ----------
        X : dict, list of p values, or table of one row
        target_class, target_range, immutable, allowed, scale, by, rounded, n
            As for ``counterfactual`` of an estimator.
        """
        if scale is not None and not is_row(scale):
            scale = self._columns(scale)
        constraints = Constraints(immutable, allowed, scale, by, rounded, n)
        target = one_target(self, target_class, target_range)
        return counterfactuals(self, self._columns(one_row(X, self.schema.names)), target, constraints)

    def reason_codes(
        self,
        X: TableLike,
        target_class: Any = None,
        *,
        unseen: str = "missing",
        n: int = 4,
        codes: Any = None,
        by: str = "contributions",
        direction: str = "down",
    ) -> ReasonCodes:
        """The features that lowered (or raised) each prediction most.

        Parameters
        ----------
        X : Columns, or table of shape (n, p)
        target_class : label, optional
            The desired class; needed where the tree predicts classes.
        unseen : {"missing", "majority", "stay"}
        n, codes, by, direction
            As for ``reason_codes`` of an estimator.
        """
        return codes_of(self, self._columns(X), ReasonOptions(target_class, n, codes, by, direction), unseen)
