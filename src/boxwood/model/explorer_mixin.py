"""The explorer of whatever holds a tree, one HTML file."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from .._messages import Setting, remedy
from .._typing import ColumnLike, TableLike
from ..data.frames.alignment import check_aligned
from ..errors import ParameterError
from .applied_tree import AppliedTree, HoldsTree

if TYPE_CHECKING:
    from .explorer.contents import GivenRows
    from .explorer.page import Page
    from .summary import ReportOptions


class ExplorerMixin(HoldsTree):
    """The method that writes a tree as a page."""

    def _page(self, used: AppliedTree, rows: GivenRows | None, options: ReportOptions) -> Page:
        """The page of a tree on its own."""
        from .explorer_page import page_of_tree

        return page_of_tree(used.tree, rows, used.policies["unseen"], options)

    def explore(
        self,
        X: TableLike | None = None,
        y: ColumnLike | None = None,
        path: str | os.PathLike[str] | None = None,
        *,
        sample_weight: ColumnLike | None = None,
        exposure: ColumnLike | None = None,
        target_class: Any = None,
        unseen: str | None = None,
        by: Any = None,
    ) -> Page:
        """Create an HTML page with a report and an interactive explorer (what-if, pruning, search, rules, leaves).

        The page needs neither a server nor a network, and a notebook displays it. It contains counts, quantiles and
        losses, but no rows of X.

        Parameters
        ----------
        X : table of shape (n, p), optional
            Rows to count at each node, also used for the ticks of the sliders.
        y : column of n values, optional
            Their target values, shown at each node and used for a curve of losses on these rows. Of several responses,
            a table with a column of each.
        path : str or path object, optional
            Where to write the file.
        sample_weight, exposure : column of n numbers, optional
        target_class : label, optional
            The class for AUC, lift and gains; default: the class of interest of the model.
        unseen : {"missing", "majority", "stay", "error"}, optional
            As for ``predict``.
        by : str, column of n values or dict of columns, optional
            Groups of rows that the report compares, as for ``evaluate``.

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
        >>> X, y = {"age": [20, 30, 50], "城市": ["Ulm", "Bonn", "Bonn"]}, [1.0, 2.0, 4.0]
        >>> page = CARTRegressor(pruning=None).fit(X, y).explore(X, y)
        >>> page, "城市" in page.html
        (<Page: save(path) writes it>, True)
        """
        from .explorer_page import given_to_show
        from .grouped import groups_by
        from .summary import ReportOptions

        used, columns = self._used(unseen), None
        used.need_constant_leaves("explore")
        if X is not None:
            used, columns = self._read(X, unseen)
            used.refuse(columns)
        check_aligned(X=X, y=y, sample_weight=sample_weight, exposure=exposure, by=by)
        if by is not None and y is None:
            raise ParameterError(Setting("by"), " compares evaluated rows; ", remedy("give X and y too"), ".")
        rows = given_to_show(used.tree.response, columns, self._response(y), sample_weight, exposure)
        groups = () if by is None else tuple(groups_by(by, X, used.tree.schema))
        page = self._page(used, rows, ReportOptions(target_class=target_class, by=groups))
        if path is not None:
            page.save(path)
        return page
