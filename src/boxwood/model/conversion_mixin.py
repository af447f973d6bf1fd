"""A tree as an object of another library, and rows as the matrix that those take."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._typing import TableLike
from ..exports.bridges import to_codes
from ..exports.plan import ExportPlan
from ..exports.shap_bridge import to_shap
from ..exports.treelite_bridge import to_treelite
from .applied_tree import HoldsTree


class ConversionMixin(HoldsTree):
    """The conversions of a tree to objects of treelite and shap."""

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
        used, columns = self._read(X)
        return to_codes(ExportPlan(used.tree, unseen), columns, levels, missing)

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
        return to_treelite(ExportPlan(self._used().tree, unseen), missing)

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
        return to_shap(self._used().tree, missing)
