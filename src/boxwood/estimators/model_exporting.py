"""Rules and splines in other languages, and a check that the predictions agree."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from .._typing import TableLike
from ..exports.export import given_options
from ..exports.verify import Verdict
from .model_estimator import ModelEstimator


class ModelExporting(ModelEstimator):
    """The part of an estimator of rules or splines that writes its model in other languages."""

    def export(
        self, format: str | None = None, path: str | os.PathLike[str] | None = None, *, dialect: str | None = None,
        table: str | Sequence[str] | None = None, key: str | Sequence[str] | None = None, prefix: str | None = None,
    ) -> Any:  # fmt: skip
        """Export the model to another language, with the same predictions; see docs/exports.md.

        Parameters
        ----------
        format : str, optional
            One of "sql", "python", "c", "js", "r" and "json"; for MARS, also "formula", a readable text with all
            digits. Default: from the suffix of ``path``.
        path : str or path object, optional
            A file to write in addition.
        dialect : str, optional
            For "sql", the database, as for trees: "duckdb" (the default), "sqlite", "postgres" and others.
        table : str or list of str, optional
            For "sql", the table to read, "data" by default; for a table in a schema, a list of names.
        key : str or list of str, optional
            For "sql", the columns of the table to copy to the result; default: the features that the model uses.
        prefix : str, optional
            For "c", the prefix of the function names.

        Returns
        -------
        str
            Missing values and levels that did not occur in training are treated as in ``predict``. If it raises an
            error, the programs raise one too, SQL returns NULL, and C returns NaN or -1. Features that the model does
            not use are not read.

        Raises
        ------
        NotFittedError
            The estimator is not fitted.
        ParameterError, ParameterTypeError
            There is no such format or option, or the format cannot represent the model; the message gives the reason.
        FileError
            The file cannot be written.

        Examples
        --------
        >>> from boxwood import MARSRegressor
        >>> model = MARSRegressor().fit({"x": [0.0, 1, 2, 3, 4, 5, 6, 7]}, [0, 2, 4, 6, 8, 10, 12, 14])
        >>> program = {}
        >>> exec(model.export("python"), program)
        >>> round(program["predict"]({"x": 10.0}), 9)
        20.0
        """
        options = given_options(dialect=dialect, table=table, key=key, prefix=prefix)
        return self._fitted().export(format, path, **options)

    def verify_export(
        self, format: str, X: TableLike, content: str | bytes | None = None, *, dialect: str | None = None,
        table: str | Sequence[str] | None = None, key: str | Sequence[str] | None = None, prefix: str | None = None,
    ) -> Verdict:  # fmt: skip
        """Run an export on rows with its own engine and compare every prediction with ``predict``.

        The engine is given the values as they are in the table, codes for missing values and texts of dates included,
        and rows made to test the edges beside them; see docs/exports.md.

        Parameters
        ----------
        format : str
        X : table of shape (n, p)
        content : str or bytes, optional
            The result of ``export`` with the same options; by default, the model is exported again.
        dialect, table, key, prefix
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
            The format cannot be run, or cannot represent the model.
        NotAvailableError
            The engine is not installed; the message names what to install.

        Examples
        --------
        >>> from boxwood import C45Rules
        >>> model = C45Rules(min_branch_weight=1).fit({"size": ["big", "small"] * 6}, ["yes", "no"] * 6)
        >>> verdict = model.verify_export("python", {"size": ["big", "small", None]})
        >>> verdict.rows, verdict.mismatches
        (3, 0)
        """
        options = given_options(dialect=dialect, table=table, key=key, prefix=prefix)
        return self._fitted().verify_export(format, X, content, **options)
