"""Explanations of a fitted estimator: the path of each row, and the arithmetic behind each split."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from .._typing import ColumnLike, TableLike
from ..algorithms import REGISTRY
from ..errors import ParameterError
from ..explain.explain_split import split_remembered
from ..model.records import unloaded_in
from ..model.settings import restored
from ..tree.descend import Routing
from ..views.candidates import SplitExplanation
from ..views.explanation import Explanation
from .fitted import FittedTree
from .response import flat

if TYPE_CHECKING:
    from ..explorer.page import Page


class Explaining(FittedTree):
    """The methods of a tree estimator that explain predictions and splits."""

    def explain(self, X: TableLike, level: float = 0.95) -> Explanation:
        """The path of each row down the tree, step by step.

        Each step shows the node and its prediction, the value tested there, whether it was missing or a level not seen,
        what decided then (a surrogate, the branch of missing values, fractions, or the row stays), and how the step
        changed the prediction. The contributions of a row add up to its prediction less that of the root.

        Parameters
        ----------
        X : table of shape (n, p)
        level : float
            Confidence level of the intervals in square brackets, between 0 and 1.

        Returns
        -------
        Explanation
            One entry a row; print it, or use ``to_frame()``, ``count()``, ``[row].steps`` and ``[row].contributions``.

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
        """Where rows end and which missing or unseen values they met, without the steps: fast for many rows.

        Parameters
        ----------
        X : table of shape (n, p)

        Returns
        -------
        Routing
            ``count()`` gives the number of rows that met a missing value or a level not seen in training, for which a
            surrogate decided, that had to stay at an inner node, or that a node shared out.

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
        """One HTML file: a report to read and print, and an explorer: what if, pruning, search, rules, leaves.

        It needs no server and no network. In a notebook it shows itself. No row of X is in the file, only counts,
        quantiles and losses.

        Parameters
        ----------
        X : table of shape (n, p), optional
            Rows to count at each node, and for the ticks of sliders.
        y : column of n values, optional
            Their response, for the true values at each node and a curve of losses on these rows.
        path : str or path object, optional
            Where to write the file.
        sample_weight, exposure : column of n numbers, optional
        target_class : label, optional
            The class that AUC, lift and gains are about; the second of two by default.

        Returns
        -------
        Page
            ``html`` is the whole file; ``save(path)`` writes it.

        Raises
        ------
        NotFittedError
            There is no model yet.
        ParameterError
            y without X, or a selected tree that is too large for a page.
        DataError, DataTypeError, FileError
            Data that do not fit the model; a file that cannot be written.

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
        """Every candidate feature of a node: its measures, its best split, its rank, and why it won or lost.

        Parameters
        ----------
        X : table of shape (n, p), optional
            As given to ``fit``. Without X and y, only the split and the stored runners-up are shown.
        y : column of n values, optional
        node : int
            Number of a node of ``tree_``; a leaf shows the splits that were not taken, and why.
        sample_weight, exposure : column of n numbers, optional
            As given to ``fit``.
        branches : {"split", "values"}
            The branches that are measured: those that the algorithm would make of each feature, or one per value of a
            nominal or ordinal feature, as in textbook tables.

        Returns
        -------
        SplitExplanation
            ``to_frame()`` gives one row per feature; ``to_text()``, ``to_latex()`` and ``to_html()`` write the
            arithmetic out, for all features or for one.

        Raises
        ------
        NotFittedError
            There is no model yet.
        ParameterError
            There is no such node, or it is an empty leaf.
        DataError, DataTypeError
            X and y are not those of the fit.

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
        _, columns = self._read(X)
        settings = {
            name: value if unloaded_in(value) is None else getattr(self, name)
            for name, value in restored(model.settings).items()
        }
        return self._declared.explain_split(
            model, node, columns, flat(y), settings=settings, weight=sample_weight, exposure=exposure, branches=branches
        )
