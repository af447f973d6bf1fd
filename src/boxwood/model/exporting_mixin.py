"""A tree in other languages and formats, for whatever holds one, and a check that the predictions agree."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, overload

from .._typing import BinaryFormat, TableLike
from ..exports.export import export, given_options, verify
from ..exports.sklearn_bridge import to_sklearn
from ..exports.verify import Verdict
from .applied_tree import HoldsTree


class ExportingMixin(HoldsTree):
    """The methods that write a tree for other programs."""

    @overload
    def export(
        self, format: BinaryFormat, path: str | os.PathLike[str] | None = None, *,
        dialect: str | None = None, table: str | Sequence[str] | None = None, key: str | Sequence[str] | None = None,
        prefix: str | None = None, cases: int | None = None, missing: str | None = None, levels: str | None = None,
        unseen: str | None = None, refuse_missing: bool | None = None,
    ) -> bytes: ...  # fmt: skip
    @overload
    def export(
        self, format: str | None = None, path: str | os.PathLike[str] | None = None, *,
        dialect: str | None = None, table: str | Sequence[str] | None = None, key: str | Sequence[str] | None = None,
        prefix: str | None = None, cases: int | None = None, missing: str | None = None, levels: str | None = None,
        unseen: str | None = None, refuse_missing: bool | None = None,
    ) -> str | Any: ...  # fmt: skip
    def export(
        self, format: str | None = None, path: str | os.PathLike[str] | None = None, *,
        dialect: str | None = None, table: str | Sequence[str] | None = None, key: str | Sequence[str] | None = None,
        prefix: str | None = None, cases: int | None = None, missing: str | None = None, levels: str | None = None,
        unseen: str | None = None, refuse_missing: bool | None = None,
    ) -> str | bytes:  # fmt: skip
        """Export the tree to another language or format, with the same predictions; see docs/exports.md.

        An estimator exports the selected tree. The export includes the policies for missing values and unseen levels:
        with ``missing="error"`` and ``unseen="error"``, it also raises an error. Features that the tree does not test
        are ignored.

        Parameters
        ----------
        format : str, optional
            One of "sql", "python", "c", "js", "r", "json", "dot", "xlsx", "pmml", "dmn", "onnx", "treelite" and
            "sklearn" (docs/exports.md and docs/exchange.md). Default: from the suffix of ``path``.
        path : str or path object, optional
            A file to write in addition.
        dialect : str, optional
            For "sql", the database: "duckdb" (the default), "sqlite", "postgres", "mysql", "sqlserver" (or "tsql"),
            "bigquery", "snowflake", "oracle", "databricks" (or "spark") or "clickhouse".
        table : str or list of str, optional
            For "sql", the table to read, "data" by default; for a table in a schema, a list of names.
        key : str or list of str, optional
            For "sql", the columns of the table to copy to the result; default: the features that the tree tests.
        prefix : str, optional
            For "c", the prefix of the function names.
        cases : int, optional
            For "xlsx", the number of input rows, 20 by default.
        missing, levels : str, optional
            For "sklearn", as in ``to_sklearn``; ``missing`` also for "treelite".
        unseen : {"missing", "majority", "stay", "error"}, optional
            As for ``predict``. With "error", the export raises an error for such levels, too.
        refuse_missing : bool, optional
            Whether the export raises an error if a feature that the tree tests is missing. Default: with
            ``missing="error"`` of the model; for a tree on its own, it does not.

        Returns
        -------
        str or bytes

        Raises
        ------
        NotFittedError
            The estimator is not fitted.
        ParameterError, ParameterTypeError
            There is no such format or option, or the format cannot represent the tree; the message gives the reason.
        FileError
            The file cannot be written.

        Examples
        --------
        >>> from boxwood import CARTClassifier
        >>> model = CARTClassifier(pruning=None).fit({"age": [20, 30, 50]}, ["no", "no", "yes"])
        >>> program = {}
        >>> exec(model.export("python"), program)
        >>> program["predict_proba"]({"age": 41})
        {'no': 0.0, 'yes': 1.0}
        """
        options = given_options(
            dialect=dialect, table=table, key=key, prefix=prefix, cases=cases, missing=missing, levels=levels
        )
        return export(self._used(unseen).export_plan(refuse_missing), format, path, **options)

    def verify_export(
        self, format: str, X: TableLike, content: str | bytes | None = None, *, dialect: str | None = None,
        table: str | Sequence[str] | None = None, key: str | Sequence[str] | None = None, prefix: str | None = None,
        cases: int | None = None, missing: str | None = None, levels: str | None = None,
        unseen: str | None = None, refuse_missing: bool | None = None,
    ) -> Verdict:  # fmt: skip
        """Run an export on rows with its own engine and compare every prediction with ``predict``.

        The engine is given the values as they are in the table, codes for missing values and texts of dates included,
        and rows made to test the edges beside them; see docs/exports.md.

        Parameters
        ----------
        format : str
        X : table of shape (n, p)
        content : str or bytes, optional
            The result of ``export`` with the same options; by default, the tree is exported again.
        dialect, table, key, prefix, cases, missing, levels, unseen, refuse_missing
            As in ``export``.

        Returns
        -------
        Verdict
            True if all predictions agree: print it, or use ``rows``, ``mismatches`` and ``examples``.

        Raises
        ------
        NotFittedError, DataError, DataTypeError
            As for ``predict``.
        ParameterError
            The format cannot be run, or cannot represent the tree.
        NotAvailableError
            The engine is not installed; the message names what to install.

        Examples
        --------
        >>> from boxwood import CARTRegressor
        >>> model = CARTRegressor(pruning=None).fit({"age": [20, 30, 50]}, [0, 1, 5])
        >>> verdict = model.verify_export("python", {"age": [20.0, 25.0, None]})
        >>> verdict.rows, verdict.mismatches
        (3, 0)
        """
        used = self._used(unseen)
        used.need_constant_leaves("verify_export")
        options = given_options(
            dialect=dialect, table=table, key=key, prefix=prefix, cases=cases, missing=missing, levels=levels
        )
        return verify(used.export_plan(refuse_missing), X, format, content, **options)

    def to_sklearn(self, missing: str = "as_tree", levels: str = "codes", *, unseen: str | None = None) -> Any:
        """Convert the tree to a fitted decision tree of scikit-learn.

        dtreeviz, supertree, m2cgen, treeinterpreter, ``shap.TreeExplainer`` and the pictures of scikit-learn work with
        it. Its input is X itself if all features are numbers without codes for missing values, otherwise the matrix of
        ``to_codes`` of the tree.
        ``predict``, ``predict_proba`` and, if each split has two branches, ``apply`` give the same results. Nodes with
        more than two branches become chains of tests. Impurities are those of the tree's measure, or Gini impurities if
        scikit-learn does not have it. scikit-learn rounds X to single precision: a number counts as equal to a
        threshold if both are rounded to the same number, and a warning is issued if that concerns training values.

        Parameters
        ----------
        missing : {"as_tree", "never"}
            "as_tree" routes missing values as the tree does; surrogates and fractional rows raise an error. "never"
            assumes that no row has missing values or levels that did not occur in training.
        levels : {"codes", "indicators"}
            "codes": levels are numbered, and the tree may test only for the first or the last ones. "indicators": the
            matrix has a column of 0 and 1 for each set of levels that the tree tests for; further sets of a feature
            come after all features.
        unseen : {"missing", "majority", "stay"}, optional
            As for ``predict``.

        Returns
        -------
        sklearn.tree.DecisionTreeClassifier or sklearn.tree.DecisionTreeRegressor

        Raises
        ------
        NotFittedError
            The estimator is not fitted.
        ParameterError
            scikit-learn cannot represent the tree; the message names the node or the column, and the remedy.

        Examples
        --------
        >>> from boxwood import CARTClassifier
        >>> from sklearn.tree import export_text
        >>> model = CARTClassifier(pruning=None, missing="majority").fit({"age": [20, 30, 50]}, ["no", "no", "yes"])
        >>> print(export_text(model.to_sklearn(), feature_names=["age"]))
        |--- age <= 40.00
        |   |--- class: no
        |--- age >  40.00
        |   |--- class: yes
        <BLANKLINE>
        >>> rows = {"town": ["Ulm", "Bonn", "Kiel", "Ulm"], "age": [3, 4, 5, 6]}
        >>> tree = CARTClassifier(pruning=None, missing="majority").fit(rows, ["a", "b", "b", "a"]).tree_
        >>> native = tree.to_sklearn(levels="indicators")
        >>> native.feature_names_in_.tolist(), native.tree_.threshold[:1].tolist()
        (['town in {Bonn, Kiel}', 'age'], [0.5])
        """
        used = self._used(unseen)
        used.need_constant_leaves("to_sklearn")
        return to_sklearn(used.export_plan(), missing, levels)
