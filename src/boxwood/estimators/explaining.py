"""Explanations of a fitted estimator: the arithmetic behind each split, and the page of its model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .._typing import ColumnLike, TableLike
from ..algorithms import REGISTRY
from ..data.frames.alignment import check_aligned
from ..errors import ParameterError
from ..evaluation.rule_profit import with_profit_of
from ..model.explaining_mixin import ExplainingMixin
from ..model.explorer_mixin import ExplorerMixin
from ..model.letter_mixin import LetterMixin
from ..model.splits.explain_split import split_remembered
from ..tree.descend import route_shares
from ..views.candidates import SplitExplanation
from ..views.rules import Rules
from .fitted import FittedTree
from .response import flat
from .training_rows import rows_with_response

if TYPE_CHECKING:
    from ..model.explorer.contents import GivenRows
    from ..model.explorer.page import Page
    from ..model.summary import ReportOptions


class Explaining(FittedTree, ExplainingMixin, LetterMixin, ExplorerMixin):
    """The methods of a tree estimator that explain predictions and splits."""

    def _page(self, used: Any, rows: GivenRows | None, options: ReportOptions) -> Page:
        """The page of the model, with competing splits where the algorithm can evaluate some."""
        from ..model.explorer_page import page_of_model

        rivals = self._declared.rivals(used, rows) if self._algorithm in REGISTRY else None
        return page_of_model(used, rows, options, rivals)

    def evaluate_rules(
        self,
        X: TableLike,
        y: ColumnLike,
        costs: Any = None,
        *,
        amount: ColumnLike | None = None,
        amount_costs: Any = None,
        target_class: Any = None,
        sample_weight: ColumnLike | None = None,
    ) -> Rules:
        """The rules with the profit of predicting a class in each, and in all, on rows whose class is known.

        The profit is what it saves to predict the class, compared with predicting it for no row. Of a row that is
        divided among leaves, each leaf has its share.

        Parameters
        ----------
        X : table of shape (n, p)
            Rows to evaluate, preferably held out.
        y : column of n values
            Their response. With ``missing_target="drop"``, rows without one are left out.
        costs : pair of numbers, optional
            Costs of a miss (false negative) and of a false alarm (false positive); default: 1 and 1.
        amount : column of n numbers, optional
            An amount of money of each row.
        amount_costs : pair of numbers, optional
            With ``amount``: what is added to both costs per unit of the amount; default: 1 and 0.
        target_class : label, optional
            Default: the class of interest of the model.
        sample_weight : column of n numbers, optional

        Returns
        -------
        Rules
            Print it, or use ``to_frame()``; ``gains()`` returns the gains table of these rows.

        Raises
        ------
        NotFittedError
            The estimator is not fitted.
        ParameterError
            There is no such class, the costs are invalid, or the model predicts numbers.
        DataError, DataTypeError
            As for ``evaluate``.

        Examples
        --------
        >>> from boxwood import CARTClassifier
        >>> model = CARTClassifier(pruning=None).fit({"age": [20, 30, 50, 60]}, ["no", "no", "yes", "yes"])
        >>> new = {"age": [25, 45, 70]}
        >>> rules = model.evaluate_rules(new, ["no", "yes", "no"], (0, 10), amount=[7, 80, 9], target_class="yes")
        >>> rules.to_records()["profit"]
        [-10.0, 70.0]
        """
        model, columns = self._read(X)
        model.tree.response.need_one("evaluate_rules")
        keep = rows_with_response(flat(y), model.settings)
        estimator: Any = self
        found = estimator.evaluate(X, y, sample_weight, target_class=target_class, amount=amount)
        columns = columns if keep is None else columns.take(np.flatnonzero(keep))
        parts = route_shares(model.tree, columns, model.unseen)
        return with_profit_of(self.rules(), found, parts, costs, amount_costs)

    def explain_split(
        self,
        X: TableLike | None = None,
        y: ColumnLike | None = None,
        node: int = 0,
        *,
        sample_weight: ColumnLike | None = None,
        exposure: ColumnLike | None = None,
        branches: str = "split",
    ) -> SplitExplanation:
        """Explain a split: measures, best split and rank of every candidate feature, and why it was chosen or not.

        Parameters
        ----------
        X : table of shape (n, p), optional
            As passed to ``fit``. Without X and y, only the split and the stored competing splits are shown.
        y : column of n values, optional
        node : int
            Number of a node of ``tree_``. For a leaf, the rejected splits are shown with the reasons.
        sample_weight, exposure : column of n numbers, optional
            As passed to ``fit``.
        branches : {"split", "values"}
            The branches that are evaluated: those of the best split of each feature, or one for each value of a nominal
            or ordinal feature, as in the tables of textbooks.

        Returns
        -------
        SplitExplanation
            ``to_frame()`` returns one row for each feature; ``to_text()``, ``to_latex()`` and ``to_html()`` show the
            arithmetic, for all features or for one.

        Raises
        ------
        NotFittedError
            The estimator is not fitted.
        ParameterError
            The node does not exist or is an empty leaf.
        DataError, DataTypeError
            X and y differ from the training data.

        Examples
        --------
        >>> from boxwood import CARTClassifier, datasets
        >>> loan = datasets.load("loan")
        >>> y = loan.pop("类别")
        >>> found = CARTClassifier(pruning=None).fit(loan, y).explain_split(loan, y, 0)
        >>> for candidate in found.candidates[:2]:
        ...     print(candidate.rank, candidate.feature, candidate.why, sep=" | ")
        1 | 有工作 | chosen: decrease of Gini impurity 0.2133 ties with 有房子; the first column is taken
        2 | 有房子 | decrease of Gini impurity 0.2133 is equal to that of 有工作; the earlier column is taken
        >>> print(found.to_text("信用", measures="error"))
        信用: 信用 = 一般 | 信用 in {好, 非常好}
                             否  是
        信用 = 一般           4   1
        信用 in {好, 非常好}  2   8
        error(D) = 1 - 9/15 = 0.400
        error(信用 = 一般) = 1 - 4/5 = 0.200
        error(信用 in {好, 非常好}) = 1 - 8/10 = 0.200
        error(D | 信用) = 5/15 · 0.200 + 10/15 · 0.200 = 0.200
        decrease = 0.400 - 0.200 = 0.200
        rank 4: decrease of Gini impurity 0.16 is below 0.2133 of 有工作
        """
        model = self._fitted()
        if X is None or y is None:
            if X is not None or y is not None or sample_weight is not None:
                raise ParameterError("explain_split needs X and y of the fit together, or neither of them.")
            return split_remembered(model.tree, node)
        check_aligned(X=X, y=y, sample_weight=sample_weight, exposure=exposure)
        _, columns = self._read(X)
        return self._declared.explain_split(
            model,
            node,
            columns,
            flat(y),
            settings=self._settings_of_fit(model),
            weight=sample_weight,
            exposure=exposure,
            branches=branches,
        )
