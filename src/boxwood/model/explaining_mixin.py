"""Rules, explanations, Shapley values, counterfactuals and reason codes of a tree without a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .._typing import TableLike
from ..data.columns.columns import Columns
from ..data.frames.frame import read_columns
from ..data.frames.one_row import is_row, one_row
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
        """One rule for each leaf, with merged conditions, prediction, number of rows, interval and lift.

        Parameters
        ----------
        level : float
            Confidence level of the intervals, between 0 and 1.

        Returns
        -------
        Rules
            Print it, index it, or use ``to_frame()``; ``gains(target_class)`` returns the gains table.
        """
        return rules_of(self, level)

    def predict_proba(self, X: TableLike, *, unseen: str = "missing") -> np.ndarray:
        """The class probabilities of each row, float64, shape (n, K).

        Parameters
        ----------
        X : Columns, or table of shape (n, p)
        unseen : {"missing", "majority", "stay", "error"}

        Raises
        ------
        ParameterError
            This is a regression tree, or there is no such policy.
        DataError, DataTypeError
            The data do not match the tree.
        """
        return route(self, self._columns(X), unseen).probability(self)

    def explain(self, X: TableLike, level: float = 0.95, *, unseen: str = "missing") -> Explanation:
        """Explain predictions: the path of each row, and the change in the prediction at each step.

        Parameters
        ----------
        X : Columns, or table of shape (n, p)
        level : float
            Confidence level of the intervals, between 0 and 1.
        unseen : {"missing", "majority", "stay"}

        Returns
        -------
        Explanation
            Print it, index it by row, or use ``to_frame()``.
        """
        return explain_rows(self, self._columns(X), unseen, level)

    def shap_values(self, X: TableLike, background: TableLike | None = None, *, unseen: str = "missing") -> ShapValues:
        """Shapley values of each feature for each row (docs/explain.md).

        Parameters
        ----------
        X : Columns, or table of shape (n, p)
        background : table, optional
            Rows whose mean prediction is the reference; default: the training weights of the branches.
        unseen : {"missing", "majority", "stay"}

        Returns
        -------
        ShapValues

        Raises
        ------
        DataError, DataTypeError
            The data do not match the tree.
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
        """The smallest changes to a row that lead to a different prediction.

        A level that did not occur in training counts as a missing value.

        Parameters
        ----------
        X : dict, list of p values, or table of one row
        target_class, target_range, immutable, allowed, scale, by, rounded, n
            As for ``counterfactual`` of an estimator.

        Returns
        -------
        Counterfactuals
            The smallest first; empty if no allowed change leads to the desired prediction.
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
            The desired class; required for classification.
        unseen : {"missing", "majority", "stay"}
        n, codes, by, direction
            As for ``reason_codes`` of an estimator.

        Returns
        -------
        ReasonCodes
        """
        return codes_of(self, self._columns(X), ReasonOptions(target_class, n, codes, by, direction), unseen)
