"""Rules, explanations, Shapley values, counterfactuals and reason codes of a tree without a model."""

from __future__ import annotations

import numpy as np

from ..data.one_row import is_row, one_row
from ..tree.descend import route
from ..views.constraints import Constraints
from ..views.counterfactual import Counterfactuals
from ..views.counterfactual_search import counterfactuals
from ..views.explanation import Explanation, explain_rows
from ..views.reasons import ReasonCodes, ReasonOptions
from ..views.reasons import reason_codes as codes_of
from ..views.rules import Rules, rules_of
from ..views.shapley import ShapValues, shapley_values


class ExplainingMixin:
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

    def rules(self, level: float = 0.95) -> Rules:
        """One rule for each leaf, in words and numbers; see :class:`boxwood.views.rules.Rules`.

        Parameters
        ----------
        level : float
            Confidence level of the intervals, between 0 and 1.
        """
        return rules_of(self, level)

    def predict_proba(self, X, unseen: str = "missing") -> np.ndarray:
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

    def explain(self, X, unseen: str = "missing", level: float = 0.95) -> Explanation:
        """The path of each row down the tree; see :func:`boxwood.views.explanation.explain_rows`.

        Parameters
        ----------
        X : Columns, or table of shape (n, p)
        unseen : {"missing", "majority", "stay"}
        level : float
            Confidence level of the intervals, between 0 and 1.
        """
        return explain_rows(self, self._columns(X), unseen, level)

    def shap_values(self, X, background=None, unseen: str = "missing") -> ShapValues:
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

    def counterfactual(self, x, target=None, **constraints) -> Counterfactuals:
        """The smallest changes of a row that lead to another answer, levels not seen in training counting as missing.

        Parameters
        ----------
        x : dict, list of p values, or table of one row
        target : label, or pair (low, high), or None
            See :func:`boxwood.views.target.read_target`.
        **constraints
            Fields of :class:`boxwood.views.constraints.Constraints`: immutable, allowed, scale, by, rounded, n.
        """
        if constraints.get("scale") is not None and not is_row(constraints["scale"]):
            constraints["scale"] = self._columns(constraints["scale"])
        return counterfactuals(self, self._columns(one_row(x, self.schema.names)), target, Constraints(**constraints))

    def reason_codes(self, X, target=None, unseen: str = "missing", **asked) -> ReasonCodes:
        """The features that pulled each answer down (or up) most.

        Parameters
        ----------
        X : Columns, or table of shape (n, p)
        target : label, optional
            The class that was hoped for; needed where the tree predicts classes.
        unseen : {"missing", "majority", "stay"}
        **asked
            Fields of :class:`boxwood.views.reasons.Asked`: n, codes, by, direction.
        """
        return codes_of(self, self._columns(X), ReasonOptions(target, **asked), unseen)
