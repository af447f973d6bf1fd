"""Explanations of a fitted estimator: the path of each row, and the arithmetic behind each split."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from .._typing import ColumnLike, TableLike
from ..algorithms import REGISTRY
from ..data.frames.alignment import check_aligned
from ..errors import ParameterError
from ..model.splits.explain_split import split_remembered
from ..tree.descend import Routing
from ..views.candidates import SplitExplanation
from ..views.explanation import Explanation
from .fitted import FittedTree
from .response import flat

if TYPE_CHECKING:
    from ..model.explorer.page import Page


class Explaining(FittedTree):
    """The methods of a tree estimator that explain predictions and splits."""

    def explain(self, X: TableLike, level: float = 0.95) -> Explanation:
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
        model, columns = self._read(X)
        return model.explain(columns, level)

    def routing(self, X: TableLike) -> Routing:
        """The last node of each row, and how missing and unseen values were routed. Faster than ``explain``.

        Parameters
        ----------
        X : table of shape (n, p)

        Returns
        -------
        Routing
            ``count()`` returns the number of rows with a missing value or an unseen level on their path, and the
            numbers of rows that were routed by a surrogate, stopped at an internal node, or were divided among
            branches.

        Raises
        ------
        NotFittedError, DataError, DataTypeError
            As for ``predict``.

        Examples
        --------
        >>> from boxwood import CARTClassifier
        >>> model = CARTClassifier(pruning=None).fit({"age": [20, 30, 50]}, ["no", "no", "yes"])
        >>> model.routing({"age": [None, 60, None]}).count()
        {'missing': 2, 'unseen': 0, 'surrogate': 0, 'stayed': 0, 'shared': 0}
        """
        model, columns = self._read(X)
        return model.route(columns)

    def explore(
        self,
        X: TableLike | None = None,
        y: ColumnLike | None = None,
        path: str | os.PathLike[str] | None = None,
        *,
        sample_weight: ColumnLike | None = None,
        exposure: ColumnLike | None = None,
        target_class: Any = None,
    ) -> Page:
        """Create an HTML page with a report and an interactive explorer (what-if, pruning, search, rules, leaves).

        The page needs neither a server nor a network, and a notebook displays it. It contains counts, quantiles and
        losses, but no rows of X.

        Parameters
        ----------
        X : table of shape (n, p), optional
            Rows to count at each node, also used for the ticks of the sliders.
        y : column of n values, optional
            Their target values, shown at each node and used for a curve of losses on these rows.
        path : str or path object, optional
            Where to write the file.
        sample_weight, exposure : column of n numbers, optional
        target_class : label, optional
            The class for AUC, lift and gains; default: the class of interest of the model.

        Returns
        -------
        Page
            ``html`` is the whole file; ``save(path)`` writes it.

        Raises
        ------
        NotFittedError
            The estimator is not fitted.
        ParameterError
            y is given without X, or the selected tree is too large for a page.
        DataError, DataTypeError, FileError
            The data do not match the model, or the file cannot be written.

        Examples
        --------
        >>> from boxwood import CARTRegressor
        >>> X, y = {"age": [20, 30, 50], "city": ["Ulm", "京都", "京都"]}, [1.0, 2.0, 4.0]
        >>> page = CARTRegressor(pruning=None).fit(X, y).explore(X, y)
        >>> page, "京都" in page.html
        (<Page: save(path) writes it>, True)
        """
        from ..model.explorer_page import given_to_show, page_of_model, refuse_for
        from ..model.summary import ReportOptions

        model, columns = self._fitted(), None
        model.need_constant_leaves("explore")
        if X is not None:
            model, columns = self._read(X)
            refuse_for(model, columns)
        check_aligned(X=X, y=y, sample_weight=sample_weight, exposure=exposure)
        given = None if y is None else flat(y)
        rows = given_to_show(model.tree.response, columns, given, sample_weight, exposure)
        rivals = self._declared.rivals(model, rows) if self._algorithm in REGISTRY else None
        page = page_of_model(model, rows, ReportOptions(target_class=target_class), rivals)
        if path is not None:
            page.save(path)
        return page

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
