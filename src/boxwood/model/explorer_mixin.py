"""The method of a tree that writes the explorer, one HTML file."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from .._typing import ColumnLike, TableLike
from ..data.frames.alignment import check_aligned
from ..errors import check_one_of
from ..tree.plan import UNSEEN_POLICIES
from .explaining_mixin import ExplainingMixin

if TYPE_CHECKING:
    from .explorer.page import Page


class ExplorerMixin(ExplainingMixin):
    """The part of a readable tree that writes itself as a page."""

    def explore(
        self,
        X: TableLike | None = None,
        y: ColumnLike | None = None,
        path: str | os.PathLike[str] | None = None,
        *,
        sample_weight: ColumnLike | None = None,
        exposure: ColumnLike | None = None,
        unseen: str = "missing",
    ) -> Page:
        """Create an HTML page with a report and an interactive explorer (what-if, pruning, search, rules, leaves).

        The page needs neither a server nor a network, and a notebook displays it. It contains counts, quantiles and
        losses, but no rows of X.

        Parameters
        ----------
        X : Columns, or table of shape (n, p), optional
            Rows to count at each node, also used for the ticks of the sliders.
        y : column of n values, optional
            Their target values, shown at each node and used for a curve of losses on these rows.
        path : str or path object, optional
            Where to write the file.
        sample_weight, exposure : column of n numbers, optional
        unseen : {"missing", "majority", "stay", "error"}
            What is done with levels not seen in training.

        Returns
        -------
        Page
            ``html`` is the whole file; ``save(path)`` writes it.

        Raises
        ------
        ParameterError
            Unknown policy, y without X, or a tree too large for a page.
        DataError, DataTypeError, FileError
            Data that do not fit the tree; a file that cannot be written.

        Examples
        --------
        >>> from boxwood import CARTClassifier, datasets
        >>> iris = datasets.load("iris")
        >>> y = iris.pop("species")
        >>> page = CARTClassifier(pruning=None).fit(iris, y).tree_.explore(iris, y)
        >>> len(page.html) < 200_000
        True
        """
        from .explorer_page import given_to_show, page_of_tree

        check_one_of("unseen", unseen, UNSEEN_POLICIES)
        check_aligned(X=X, y=y, sample_weight=sample_weight, exposure=exposure)
        columns = None if X is None else self._columns(X)
        page = page_of_tree(self, given_to_show(self.response, columns, y, sample_weight, exposure), unseen)
        if path is not None:
            page.save(path)
        return page
