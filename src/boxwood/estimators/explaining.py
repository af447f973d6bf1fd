"""Explanations of a fitted estimator: the arithmetic behind each split, and the page of its model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .._typing import ColumnLike, TableLike
from ..algorithms import REGISTRY
from ..data.frames.alignment import check_aligned
from ..errors import ParameterError
from ..model.explaining_mixin import ExplainingMixin
from ..model.explorer_mixin import ExplorerMixin
from ..model.letter_mixin import LetterMixin
from ..model.splits.explain_split import split_remembered
from ..views.candidates import SplitExplanation
from .fitted import FittedTree
from .response import flat

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
