"""The Tree for users: print it, convert it to a table, draw it, export it, and predict with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .._typing import TableLike
from ..data.columns.columns import Columns
from ..data.frames.frame import read_columns
from ..tree.lazy_arrays import as_kind
from ..tree.tree import Tree
from ..views.table import to_frame
from ..views.text import to_text
from .applied_tree import AppliedTree, TreeAlone
from .conversion_mixin import ConversionMixin
from .explaining_mixin import ExplainingMixin
from .explorer_mixin import ExplorerMixin
from .exporting_mixin import ExportingMixin
from .letter_mixin import LetterMixin
from .plotting_mixin import PlottingMixin, notebook_html
from .predicting_mixin import ProbabilityMixin
from .regions_mixin import RegionsMixin
from .response_mixin import ResponseMixin


@dataclass(frozen=True, eq=False, repr=False)
class ReadableTree(
    ConversionMixin,
    ExplainingMixin,
    ExplorerMixin,
    ExportingMixin,
    LetterMixin,
    PlottingMixin,
    ProbabilityMixin,
    RegionsMixin,
    ResponseMixin,
    Tree,
):
    """A fitted tree, such as ``model.tree_``: print it, or use its methods for tables, pictures, exports, predictions.

    ``help(boxwood.Tree)`` describes its arrays. Methods that take X find its columns by name.

    Examples
    --------
    >>> from boxwood import CARTClassifier
    >>> tree = CARTClassifier(pruning=None).fit([[1.0], [2.0], [3.0]], ["no", "no", "yes"]).tree_
    >>> print(tree)
    Decision tree (cart) for y: 3 nodes, 2 leaves, depth 1
    all rows (3 rows, no 0.667)
    ├─ x0 <= 2.5 or missing → no 1.000 [0.342 to 1.000] (2 rows)
    └─ x0 > 2.5 → yes 1.000 [0.207 to 1.000] (1 row)
    [ ] 95 % interval: both leaves hold fewer than 7 rows
    >>> tree.apply([[0.0], [9.0]]).tolist()
    [1, 2]
    """

    def _used(self, unseen: str | None = None) -> AppliedTree:
        return TreeAlone(self).under(unseen)

    def _read(self, X: TableLike, unseen: str | None = None, match: str | None = None) -> tuple[AppliedTree, Any]:
        columns = X if isinstance(X, Columns) else read_columns(X, self.schema, "this tree", match="name")
        return self._used(unseen), columns

    def __str__(self) -> str:
        return to_text(self)

    def _repr_html_(self) -> str:
        """The picture that a notebook shows."""
        return notebook_html(self)

    def to_text(self, max_lines: int | None = 30, max_depth: int | None = None, width: int | None = 100) -> str:
        """The tree as text, one line per node; see :func:`boxwood.views.text.to_text`.

        Parameters
        ----------
        max_lines, max_depth, width : int or None
            Maximum number of lines, maximum depth, and columns of the terminal; None for no limit.
        """
        return to_text(self, max_lines, max_depth, width)

    def to_frame(self, backend: str | None = None) -> Any:
        """The tree as a data frame, one row per node.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow", "dict"}, optional
            Default: the first of pandas, polars and pyarrow that is installed.
        """
        return to_frame(self, backend)


def readable(tree: Tree) -> ReadableTree:
    """The same tree with these methods; the arrays are shared."""
    if isinstance(tree, ReadableTree):
        return tree
    return as_kind(tree, ReadableTree)
