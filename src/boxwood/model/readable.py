"""The Tree for users: print it, convert it to a table, draw it, export it, and predict with it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np

from .._typing import BinaryFormat, ColumnLike, TableLike
from ..data.columns.columns import Columns
from ..data.frames.frame import read_columns
from ..exports.export import export, given_options, verify
from ..exports.plan import ExportPlan
from ..exports.verify import Verdict
from ..tree.descend import answer, nodes_passed
from ..tree.lazy_arrays import as_kind
from ..tree.tree import Tree
from ..views.table import to_frame
from ..views.text import to_text
from .conversion_mixin import ConversionMixin
from .explorer_mixin import ExplorerMixin
from .plotting_mixin import PlottingMixin, notebook_html
from .regions_mixin import RegionsMixin


@dataclass(frozen=True, eq=False, repr=False)
class ReadableTree(ConversionMixin, ExplorerMixin, PlottingMixin, RegionsMixin):
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

    def apply(self, X: TableLike, *, unseen: str = "missing") -> np.ndarray:
        """The number of the node in which each row ends, int64, shape (n,).

        It is a leaf, an inner node at which the row stays, or for a divided row the node with the largest share (the
        lowest number if shares are equal); its prediction averages over all its leaves.

        Parameters
        ----------
        X : Columns, or table of shape (n, p)
            Any container with the columns of the fit.
        unseen : {"missing", "majority", "stay", "error"}
            How a row is routed that has a level that did not occur in training: as if the value were missing, by the
            branch with the largest weight, or it stays at the node; "error" raises UnseenLevelError.

        Raises
        ------
        ParameterError, DataError, DataTypeError
            There is no such policy, or the data do not match the tree.
        """
        return answer(self, "node", self._columns(X), unseen)

    def _columns(self, X: TableLike) -> Columns:
        """X in columns that fit the tree."""
        return X if isinstance(X, Columns) else read_columns(X, self.schema, "this tree", match="name")

    def _convertible(self, X: TableLike | None = None) -> tuple[Tree, Any]:
        return self, None if X is None else self._columns(X)

    def _drawn(self, X: TableLike | None = None, y: ColumnLike | None = None) -> tuple[Tree, Any, Any, str]:
        return self, X, y, "missing"

    def _regions_of(self, X: TableLike, y: ColumnLike | None) -> tuple[Tree, Any, Any, str]:
        return self._drawn(X, y)

    def predict(self, X: TableLike, *, unseen: str = "missing") -> np.ndarray:
        """The predicted label, mean or rate of each row, shape (n,); parameters and errors as in :meth:`apply`."""
        return answer(self, "label", self._columns(X), unseen)

    @overload
    def export(
        self, format: BinaryFormat, path: str | os.PathLike[str] | None = None, *, unseen: str = "missing",
        refuse_missing: bool = False, dialect: str | None = None, table: str | Sequence[str] | None = None,
        key: str | Sequence[str] | None = None, prefix: str | None = None, cases: int | None = None,
        missing: str | None = None, levels: str | None = None,
    ) -> bytes: ...  # fmt: skip
    @overload
    def export(
        self, format: str | None = None, path: str | os.PathLike[str] | None = None, *, unseen: str = "missing",
        refuse_missing: bool = False, dialect: str | None = None, table: str | Sequence[str] | None = None,
        key: str | Sequence[str] | None = None, prefix: str | None = None, cases: int | None = None,
        missing: str | None = None, levels: str | None = None,
    ) -> str | Any: ...  # fmt: skip
    def export(
        self, format: str | None = None, path: str | os.PathLike[str] | None = None, *, unseen: str = "missing",
        refuse_missing: bool = False, dialect: str | None = None, table: str | Sequence[str] | None = None,
        key: str | Sequence[str] | None = None, prefix: str | None = None, cases: int | None = None,
        missing: str | None = None, levels: str | None = None,
    ) -> str | bytes:  # fmt: skip
        """Export the tree to another language or format, with the same predictions; see docs/exports.md.

        Parameters
        ----------
        format : str, optional
            One of the formats of docs/exports.md. Default: from the suffix of ``path``.
        path : str or path object, optional
            A file to write in addition.
        unseen : {"missing", "majority", "stay", "error"}
            As in :meth:`apply`. With "error", the export raises an error for such levels, too.
        refuse_missing : bool
            Whether the export raises an error if a feature that the tree tests is missing.
        dialect, table, key, prefix, cases, missing, levels
            Options of some formats, as for ``export`` of an estimator.

        Returns
        -------
        str or bytes
            The export. It ignores features that the tree does not test.

        Raises
        ------
        ParameterError, ParameterTypeError
            There is no such format or option, or the format cannot represent the tree; the message gives the reason.
        FileError
            The file cannot be written.

        Examples
        --------
        >>> from boxwood import CARTClassifier
        >>> tree = CARTClassifier(pruning=None).fit({"age": [20, 30, 50]}, ["no", "no", "yes"]).tree_
        >>> program = {}
        >>> exec(tree.export("python"), program)
        >>> program["predict"]({"age": 41})
        'yes'
        """
        options = given_options(
            dialect=dialect, table=table, key=key, prefix=prefix, cases=cases, missing=missing, levels=levels
        )
        return export(ExportPlan(self, unseen, refuse_missing), format, path, **options)

    def verify_export(
        self, format: str, X: TableLike, content: str | bytes | None = None, *, unseen: str = "missing",
        refuse_missing: bool = False, dialect: str | None = None, table: str | Sequence[str] | None = None,
        key: str | Sequence[str] | None = None, prefix: str | None = None, cases: int | None = None,
        missing: str | None = None, levels: str | None = None,
    ) -> Verdict:  # fmt: skip
        """Run an export on rows with its own engine and compare every prediction with ``predict``.

        The engine is given the values as they stand in the table, and rows made to test the edges beside them.

        Parameters
        ----------
        format : str
        X : Columns, or table of shape (n, p)
        content : str or bytes, optional
            The result of :meth:`export` with the same parameters; default: a new export.
        unseen, refuse_missing, dialect, table, key, prefix, cases, missing, levels
            As in :meth:`export`.

        Returns
        -------
        Verdict
            True if all predictions agree: print it, or use ``rows``, ``mismatches`` and ``examples``.

        Raises
        ------
        ParameterError, DataError, DataTypeError
            The format cannot be run, it cannot represent the tree, or the data do not match the tree.
        NotAvailableError
            The engine is not installed; the message says what to install.

        Examples
        --------
        >>> from boxwood import CARTRegressor
        >>> tree = CARTRegressor(pruning=None).fit({"age": [20, 30, 50]}, [0, 1, 5]).tree_
        >>> verdict = tree.verify_export("python", {"age": [20.0, 25.0, None]})
        >>> verdict.rows, verdict.mismatches
        (3, 0)
        """
        options = given_options(
            dialect=dialect, table=table, key=key, prefix=prefix, cases=cases, missing=missing, levels=levels
        )
        return verify(ExportPlan(self, unseen, refuse_missing), X, format, content, **options)

    def decision_path(self, X: TableLike, *, unseen: str = "missing") -> tuple[np.ndarray, np.ndarray]:
        """The nodes on the path of each row, from the root on, as the index arrays of a sparse matrix.

        Row i passes the nodes ``indices[indptr[i]:indptr[i + 1]]``, with all of it or with a part. Parameters and
        errors are as in :meth:`apply`.
        """
        return nodes_passed(self, self._columns(X), unseen)


def readable(tree: Tree) -> ReadableTree:
    """The same tree with these methods; the arrays are shared."""
    if isinstance(tree, ReadableTree):
        return tree
    return as_kind(tree, ReadableTree)
