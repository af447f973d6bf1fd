"""Explanations of predictions, for whatever holds a tree: rules, paths, Shapley values, counterfactuals, reasons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .._typing import TableLike
from ..data.frames.one_row import is_row, one_row
from ..views.constraints import Constraints
from ..views.counterfactual import Counterfactuals
from ..views.explanation import Explanation
from ..views.reasons import ReasonCodes, ReasonOptions
from ..views.rules import Rules, rules_of
from ..views.shapley import ShapValues
from ..views.target import target_of
from .certificate_mixin import CertificateMixin


class ExplainingMixin(CertificateMixin):
    """The methods that explain the predictions of a tree."""

    def rules(self, level: float = 0.95) -> Rules:
        """One rule for each leaf, with merged conditions, prediction, number of rows, interval and lift.

        Parameters
        ----------
        level : float
            Confidence level of the intervals, between 0 and 1.

        Returns
        -------
        Rules
            Print it, index it, or use ``to_frame()``; ``gains(target_class)`` returns the gains table, which only a
            tree of one response has.

        Raises
        ------
        NotFittedError
            The estimator is not fitted.
        ParameterError
            The level is out of range.

        Examples
        --------
        >>> from boxwood import CARTClassifier
        >>> X = {"age": [20, 30, 40, 50, 60, 70], "city": ["京都", "Ulm", "Ulm", "Ulm", "京都", "京都"]}
        >>> model = CARTClassifier(pruning=None, max_surrogates=1).fit(X, ["no", "no", "no", "yes", "yes", "yes"])
        >>> print(model.rules())
        If age is at most 45, then y is no.
          probability 1.000 (95 % interval 0.439 to 1.000), 3 rows, 50.0 % of all, lift 2.000
          Missing values of age lead here only if a surrogate decides so.
        If age is above 45, then y is yes.
          probability 1.000 (95 % interval 0.439 to 1.000), 3 rows, 50.0 % of all, lift 2.000
          Missing values of age lead here only if a surrogate decides so.
        Both leaves hold fewer than 7 rows.
        >>> model.rules().gains("yes").to_frame("dict", cumulative=False)["index"]
        [200.0, 0.0]
        """
        return rules_of(self._used().tree, level)

    def explain(self, X: TableLike, level: float = 0.95, *, unseen: str | None = None) -> Explanation:
        """Explain predictions by the path of each row through the tree, step by step.

        Each step shows the node, its prediction, the value of the tested feature and the change in the prediction. If
        the value is missing or did not occur in training, the step also shows how the row was routed: by a surrogate,
        by the branch of missing values, in fractions, or not at all. The contributions of a row sum to the difference
        between its prediction and that of the root.

        Parameters
        ----------
        X : table of shape (n, p)
        level : float
            Confidence level of the intervals in square brackets, between 0 and 1.
        unseen : {"missing", "majority", "stay", "error"}, optional
            As for ``predict``.

        Returns
        -------
        Explanation
            One entry for each row: print it, or use ``to_frame()``, ``count()``, ``[row].steps`` and
            ``[row].contributions``.

        Raises
        ------
        NotFittedError, DataError, DataTypeError
            As for ``predict``.
        ParameterError
            The level is out of range.

        Examples
        --------
        >>> from boxwood import CARTClassifier
        >>> X = {"age": [20, 30, 50, 60], "city": ["Ulm", "Ulm", "京都", "京都"]}
        >>> model = CARTClassifier(pruning=None, max_surrogates=1).fit(X, ["no", "no", "yes", "yes"])
        >>> why = model.explain({"age": [25, None], "city": ["Ulm", "京都"]})
        >>> print(why[0])
        row 0: y = no (probability 1.000)
        node 0 (4 rows): no 0.500 [0.150, 0.850]; age = 25 → age <= 40 (+0.500)
          node 1 (2 rows): no 1.000 [0.342, 1.000]
        >>> why[1].steps[0].decided
        'age is missing; surrogate 1 (agrees in 1.000): city = 京都'
        >>> why[1].contributions
        {'age': array([-0.5,  0.5])}
        """
        used, columns = self._read(X, unseen)
        return used.explain(columns, level)

    def shap_values(
        self, X: TableLike, background: TableLike | None = None, *, unseen: str | None = None
    ) -> ShapValues:
        """Shapley values: how much each feature moves a prediction away from the mean prediction.

        The prediction is each class probability, the mean or the rate. It equals the sum of the values of a row and of
        ``base_values``. If a value is missing, the effect of a surrogate or of fractional weights is credited to the
        feature that the node tests.

        Parameters
        ----------
        X : table of shape (n, p)
        background : table of shape (b, p), optional
            Rows that replace unknown features (interventional values); a hundred rows are sufficient. Without them,
            branches are weighted by their training weight (path-dependent values).
        unseen : {"missing", "majority", "stay", "error"}, optional
            As for ``predict``.

        Returns
        -------
        ShapValues
            ``values`` of shape (n, p, K) for classes, otherwise (n, p); ``base_values``; ``to_frame()``,
            ``to_text(row)``.

        Raises
        ------
        NotFittedError, DataError, DataTypeError
            As for ``predict``.

        References
        ----------
        Lundberg, Erion, Lee: Consistent individualized feature attribution for tree ensembles, 2018.

        Examples
        --------
        >>> from boxwood import CARTClassifier
        >>> X = {"age": [20, 30, 50, 60], "city": ["Ulm", "京都", "Ulm", "京都"]}
        >>> model = CARTClassifier(pruning=None).fit(X, ["no", "no", "no", "yes"])
        >>> model.shap_values({"age": [70], "city": ["京都"]}).values[0, :, 1].round(9).tolist()
        [0.75, 0.0]
        >>> model.shap_values({"age": [70], "city": ["Ulm"]}, X).values[0, :, 1].round(9).tolist()
        [0.75, 0.0]
        """
        used, columns = self._read(X, unseen)
        return used.shap_values(columns, None if background is None else self._read(background)[1])

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
        unseen: str | None = None,
    ) -> Counterfactuals:
        """The smallest changes to a row that lead to a different prediction.

        The search is exact: for every leaf it finds the nearest point in the region of the leaf, feature by feature.
        The results are consistent with ``predict``. Features that are not tested on the path do not change. A missing
        value stays missing if the path accepts missing values; otherwise it is replaced by a value.

        Parameters
        ----------
        X : dict, list of p values, or table of one row
        target_class : label, optional
            The desired class; default: any class other than the predicted one.
        target_range : pair (low, high), optional
            For regression: the desired range of the mean or rate; None means no limit.
        immutable : list of str
            Features that must not change.
        allowed : dict, optional
            Feature -> its allowed changes: a pair (low, high), both allowed, None for no limit; "increase" or
            "decrease" (numbers and ordinal levels); a list of levels.
        scale : dict, or table of shape (m, p), optional
            For each numeric feature, the change that counts as distance 1, or rows whose standard deviations define it.
            Default: the distance between the lowest and the highest threshold of the feature in the tree.
        by : {"changes", "distance"}
            Sort by the number of changes and then by distance, or by distance first. Distances: 1 for another nominal
            level; for an ordinal level, the number of steps divided by the maximum; for a number, the change divided by
            its scale.
        rounded : bool
            Suggest round numbers if they add at most a hundredth of the scale; False returns the nearest number.
        n : int
            Number of counterfactuals, at least 1.
        unseen : {"missing", "majority", "stay", "error"}, optional
            As for ``predict``.

        Returns
        -------
        Counterfactuals
            The smallest first; empty if no allowed change leads to the desired prediction.

        Raises
        ------
        NotFittedError, DataError, DataTypeError
            As for ``predict``; also if X does not have exactly one row.
        ParameterError, ParameterTypeError
            An invalid target, feature, level, range or scale; the message names it.

        Examples
        --------
        >>> from boxwood import CARTRegressor
        >>> X = {"area": [30, 40, 60, 90], "floor": ["low", "low", "high", "high"]}
        >>> model = CARTRegressor(pruning=None).fit(X, [300, 380, 600, 800])
        >>> print(model.counterfactual({"area": 35, "floor": "low"}, target_range=(500, None), n=2))
        y = 300. For y >= 500:
          1. area: 35 → 51 (1 change, distance 0.400): 600
          2. area: 35 → 76 (1 change, distance 1.025): 800
        """
        used, columns = self._read(one_row(X, self._used().tree.schema.names), unseen)
        if scale is not None and not is_row(scale):
            scale = self._read(scale)[1]
        target = target_of(used.tree.response).given(target_class, target_range)
        return used.counterfactual(columns, target, Constraints(immutable, allowed, scale, by, rounded, n))

    def reason_codes(
        self,
        X: TableLike,
        target_class: Any = None,
        *,
        n: int = 4,
        codes: Any = None,
        by: str = "contributions",
        direction: str = "down",
        unseen: str | None = None,
    ) -> ReasonCodes:
        """The features that lowered each prediction the most, with your codes and texts.

        Parameters
        ----------
        X : table of shape (n, p)
        target_class : label, optional
            The desired class; required for classification.
        n : int
            Maximum number of reasons per row; four is usual under United States credit law.
        codes : dict, optional
            Feature -> its text, or a pair (code, text).
        by : {"contributions", "shap"}
            Contributions as in ``explain`` (the sum of the changes in the prediction at the nodes that test the
            feature), or Shapley values, which also take the other branches into account.
        direction : {"down", "up"}
            Report features that lowered the prediction, or those that raised it.
        unseen : {"missing", "majority", "stay", "error"}, optional
            As for ``predict``.

        Returns
        -------
        ReasonCodes
            One tuple of reasons per row; print it, or use ``to_frame()``.

        Raises
        ------
        NotFittedError, DataError, DataTypeError
            As for ``predict``.
        ParameterError, ParameterTypeError
            An invalid class, feature, number or choice; the message names it.

        Examples
        --------
        >>> from boxwood import CARTClassifier
        >>> X = {"income": [20, 25, 60, 70], "debts": [1, 0, 0, 3]}
        >>> model = CARTClassifier(pruning=None).fit(X, ["refused", "refused", "granted", "granted"])
        >>> print(model.reason_codes({"income": [22], "debts": [0]}, "granted", codes={"income": ("R1", "Low income")}))
        row 0: probability of y = granted lowered by
          1. [R1] Low income (-0.500)
        """
        used, columns = self._read(X, unseen)
        return used.reason_codes(columns, ReasonOptions(target_class, n, codes, by, direction))
