"""Predictions as a table beside columns that are kept, for whatever holds a tree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .._typing import TableLike
from ..data.columns.columns import Columns
from ..data.frames.beside import beside
from ..data.frames.one_row import named_row
from ..views.score_columns import ScoreOptions
from .applied_tree import AppliedTree, HoldsTree


class ScoringMixin(HoldsTree):
    """The method that predicts a whole table."""

    def _notice(self, columns: Columns, used: AppliedTree) -> None:
        """Warn users of rows that hold levels not seen in training; a tree on its own does not."""

    def predict_frame(
        self,
        X: TableLike,
        *,
        keep: Sequence[str] | str | None = None,
        proba: bool = False,
        node: bool = False,
        interval: bool = False,
        level: float = 0.95,
        reasons: int = 0,
        target_class: Any = None,
        missing_route: bool = False,
        prefix: str = "",
        unseen: str | None = None,
    ) -> Any:
        """Predictions as a table, beside columns of X that are kept.

        Parameters
        ----------
        X : table of shape (n, p)
            Columns are found by name, and others may be there too.
        keep : list of str, "all" or None
            Columns of X that come first, unchanged.
        proba : bool
            Add ``probability_<label>`` for every class.
        node : bool
            Add ``node``, as ``apply`` returns it.
        interval : bool
            Add ``low`` and ``high``, the ends of the confidence interval of the prediction; of classes
            ``low_<label>`` and ``high_<label>`` of each probability. NaN if the row was divided among branches.
        level : float
            Confidence level of the intervals, between 0 and 1.
        reasons : int
            Add ``reason_1`` and so on: the features that moved the prediction most, with their contributions as in
            ``explain``; None where fewer features had an effect.
        target_class : label, optional
            The class whose probability the reasons explain; default: the class predicted for the row.
        missing_route : bool
            Add ``missing_route``: what decided at nodes where the value was missing or did not occur in training, as
            in ``explain``; None for other rows.
        prefix : str
            Put before the names of the predictions, so that none is that of a column that is kept.
        unseen : {"missing", "majority", "stay", "error"}, optional
            As for ``predict``.

        Returns
        -------
        table of n rows
            The columns kept, the prediction under the name of y, then what was requested. Of the kind of X: pandas with
            its index, polars or pyarrow; for arrays, lists and dictionaries, pandas if it is installed, else a
            dictionary of columns.

        Raises
        ------
        NotFittedError, DataError, DataTypeError
            As for ``predict``.
        ColumnError
            X lacks a column to keep, or a column of predictions has the name of a kept one.
        ParameterError
            An invalid class, level or number, or leaves are models of their own.

        Examples
        --------
        >>> from boxwood import CARTClassifier
        >>> X = {"age": [20, 30, 50, 60], "city": ["Ulm", "Ulm", "京都", "京都"]}
        >>> model = CARTClassifier(pruning=None, max_surrogates=1).fit(X, ["no", "no", "yes", "yes"])
        >>> new = {"age": [25, None], "city": ["Ulm", "京都"]}
        >>> print(model.predict_frame(new, keep=["city"], node=True, reasons=1).to_string(index=False))
        city   y  node            reason_1
         Ulm  no     1   age = 25 (+0.500)
          京都 yes     2 age is missing (+0.500)
        """
        options = ScoreOptions(proba, node, interval, reasons, missing_route, level, target_class)
        used, columns = self._read(X, unseen, "name")
        found = used.score(columns, options)
        self._notice(columns, used)
        response = used.tree.response
        new = [(f"{prefix}{name}", values) for name, values in found.named(response.name, response.labels)]
        row = named_row(X, used.tree.schema.names)
        return beside(X if row is None else row, keep, new)
