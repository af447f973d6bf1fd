"""The Tree for users: print it, convert it to a table, draw it, export it, and predict with it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np

from .._typing import BinaryFormat, ColumnLike, TableLike
from ..data.columns import Columns
from ..data.frame import read_columns
from ..exports.bridges import to_codes
from ..exports.export import export, given_options, verify
from ..exports.plan import ExportPlan
from ..exports.shap_bridge import to_shap
from ..exports.sklearn_bridge import to_sklearn
from ..exports.treelite_bridge import to_treelite
from ..exports.verify import Verdict
from ..tree.descend import answer, nodes_passed
from ..tree.lazy_arrays import as_kind
from ..tree.tree import Tree
from ..views.table import to_frame
from ..views.text import to_text
from .explorer_mixin import ExplorerMixin
from .plotting_mixin import PlottingMixin, notebook_html
from .regions_mixin import RegionsMixin


@dataclass(frozen=True, eq=False, repr=False)
class ReadableTree(ExplorerMixin, PlottingMixin, RegionsMixin):
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

        It is a leaf, an inner node at which the row stays, or for a divided row the node with the largest share.

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
        return verify(ExportPlan(self, unseen, refuse_missing), self._columns(X), format, content, **options)

    def to_codes(
        self, X: TableLike, *, unseen: str = "missing", missing: str = "as_tree", levels: str = "codes"
    ) -> np.ndarray:
        """Convert rows to the matrix that :meth:`to_treelite`, :meth:`to_shap` and :meth:`to_sklearn` require.

        Parameters
        ----------
        X : Columns, or table of shape (n, p)
        unseen : {"missing", "majority", "stay"}
            As for :meth:`to_treelite`.
        missing, levels : str
            As for :meth:`to_sklearn`. With "indicators", the columns are those of its ``feature_names_in_``.

        Returns
        -------
        float64, shape (n, p)
            Numbers are unchanged, levels are numbered from 0, and missing values are NaN. A level that did not occur in
            training is NaN, or the number of levels if ``unseen`` is not "missing".

        Raises
        ------
        ParameterError, DataError, DataTypeError
            There is no such choice, or the data do not match the tree.

        Examples
        --------
        >>> from boxwood import CARTClassifier
        >>> tree = CARTClassifier(pruning=None).fit({"town": ["Ulm", "Bonn"], "age": [3, 4]}, ["a", "b"]).tree_
        >>> tree.to_codes({"town": ["Ulm", "Wien"], "age": [8, None]}).tolist()
        [[1.0, 8.0], [nan, nan]]
        """
        return to_codes(ExportPlan(self, unseen), self._columns(X), levels, missing)

    def to_treelite(self, unseen: str = "missing", missing: str = "as_tree") -> Any:
        """Convert the tree to a ``treelite.Model`` in float64. Its input is the matrix of :meth:`to_codes`.

        It predicts class probabilities, or the number. Nodes with more than two branches become chains of tests.

        Parameters
        ----------
        unseen : {"missing", "majority", "stay"}
            As in :meth:`apply`.
        missing : {"as_tree", "never"}
            "as_tree" routes missing values as the tree does; surrogates and fractional rows raise an error. "never"
            assumes that no row has missing values or levels that did not occur in training.

        Raises
        ------
        ParameterError
            treelite cannot represent the tree; the message names the node and the remedy.
        NotAvailableError
            The package treelite is not installed.
        """
        return to_treelite(ExportPlan(self, unseen), missing)

    def to_sklearn(self, unseen: str = "missing", missing: str = "as_tree", levels: str = "codes") -> Any:
        """Convert the tree to a fitted decision tree of scikit-learn. Its input is the matrix of :meth:`to_codes`.

        ``predict``, ``predict_proba`` and, if each split has two branches, ``apply`` give the same results. Nodes with
        more than two branches become chains of tests. Impurities are those of the tree's measure, or Gini impurities if
        scikit-learn does not have it. scikit-learn rounds X to single precision: a number counts as equal to a
        threshold if both are rounded to the same number, and a warning is issued if that concerns training values.

        Parameters
        ----------
        unseen : {"missing", "majority", "stay"}
            As in :meth:`apply`.
        missing : {"as_tree", "never"}
            As in :meth:`to_treelite`.
        levels : {"codes", "indicators"}
            "codes": levels are numbered, and the tree may test only for the first or the last ones. "indicators": the
            matrix has a column of 0 and 1 for each set of levels that the tree tests for.

        Returns
        -------
        sklearn.tree.DecisionTreeClassifier or sklearn.tree.DecisionTreeRegressor

        Raises
        ------
        ParameterError
            scikit-learn cannot represent the tree; the message names the node or the column, and the remedy.

        Examples
        --------
        >>> from boxwood import CARTClassifier
        >>> rows = {"town": ["Ulm", "Bonn", "Kiel", "Ulm"], "age": [3, 4, 5, 6]}
        >>> tree = CARTClassifier(pruning=None, missing="majority").fit(rows, ["a", "b", "b", "a"]).tree_
        >>> native = tree.to_sklearn(levels="indicators")
        >>> native.feature_names_in_.tolist(), native.tree_.threshold[:1].tolist()
        (['town in {Bonn, Kiel}', 'age'], [0.5])
        """
        return to_sklearn(ExportPlan(self, unseen), missing, levels)

    def to_shap(self, missing: str = "as_tree") -> dict[str, Any]:
        """Convert the tree to the dictionary that ``shap.TreeExplainer`` accepts.

        Its input is the matrix of :meth:`to_codes`. If an empty branch has weight 0, shap requires background data. A
        set of levels that are neither the first nor the last ones raises an error; :meth:`shap_values` supports it.

        Parameters
        ----------
        missing : {"as_tree", "never"}
            As in :meth:`to_treelite`.

        Raises
        ------
        ParameterError
            shap cannot represent the tree; the message names the node or the column, and the remedy.

        Examples
        --------
        >>> from boxwood import CARTRegressor
        >>> tree = CARTRegressor(pruning=None).fit({"age": [20, 30, 50]}, [0, 0, 5]).tree_
        >>> part = tree.to_shap()["trees"][0]
        >>> part["thresholds"].tolist(), part["values"].ravel().round(3).tolist()
        ([40.0, 0.0, 0.0], [1.667, 0.0, 5.0])
        """
        return to_shap(self, missing)

    def decision_path(self, X: TableLike, *, unseen: str = "missing") -> tuple[np.ndarray, np.ndarray]:
        """The nodes on the path of each row, from the root on, as the index arrays of a sparse matrix.

        Row i passes the nodes ``indices[indptr[i]:indptr[i + 1]]``. Parameters and errors are as in :meth:`apply`.
        """
        return nodes_passed(self, self._columns(X), unseen)


def readable(tree: Tree) -> ReadableTree:
    """The same tree with these methods; the arrays are shared."""
    if isinstance(tree, ReadableTree):
        return tree
    return as_kind(tree, ReadableTree)
