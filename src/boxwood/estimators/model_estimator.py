"""What an estimator of rules or splines shares with others: its model, the columns of fit, files, pickles, exports."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from .._typing import TableLike
from ..algorithms import model_from_bytes
from ..exports.export import given_options
from ..exports.verify import Verdict
from ..learning.learning_set import usable_threads
from .declared import Declared


class ModelEstimator(Declared):
    """Holds ``model_``, the result of a fit."""

    model_: Any

    def __sklearn_is_fitted__(self) -> bool:
        """Whether there is a model."""
        return "model_" in vars(self)

    def _fitted(self) -> Any:
        """The model, or scikit-learn's NotFittedError."""
        check_is_fitted(self)
        return self.model_

    @property
    def n_features_in_(self) -> int:
        """Number of columns of X in fit.

        Examples
        --------
        >>> from boxwood import C45Rules
        >>> C45Rules().fit([[1, 5], [2, 6]], [0, 1]).n_features_in_
        2
        """
        return len(self._fitted().schema)

    @property
    def feature_names_in_(self) -> np.ndarray:
        """Column names of X in fit, object array of shape (p,); only defined if X had names.

        Examples
        --------
        >>> from boxwood import C45Rules
        >>> C45Rules().fit({"面积": [1, 2], "city": ["a", "b"]}, [0, 1]).feature_names_in_.tolist()
        ['面积', 'city']
        """
        schema = self._fitted().schema
        if not schema.named:
            raise AttributeError(f"this {type(self).__name__} has no feature_names_in_: X had no column names.")
        return np.array(schema.names, dtype=object)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a model file that :func:`boxwood.load` and the command line read.

        Parameters
        ----------
        path : str or path object

        Raises
        ------
        NotFittedError, FileError

        Examples
        --------
        >>> import tempfile
        >>> from pathlib import Path
        >>> import boxwood
        >>> rules = boxwood.C45Rules(min_branch_weight=1).fit({"天气": ["晴", "雨"] * 6}, ["去", "不去"] * 6)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     rules.save(Path(folder) / "rules.box")
        ...     boxwood.load(Path(folder) / "rules.box").predict({"天气": ["晴"]}).tolist()
        ['去']
        """
        self._fitted().save(path)

    def __str__(self) -> str:
        """The model once there is one; before, the parameters. ``repr`` always shows the parameters."""
        return self.model_.to_text() if "model_" in vars(self) else repr(self)

    def __getstate__(self) -> dict[str, Any]:
        """Parameters, and the bytes of the model file for the model."""
        state: dict[str, Any] = dict(vars(self))
        if "model_" in state:
            state["model_"] = self.model_.to_bytes()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Parameters and model from what ``__getstate__`` gave."""
        state = dict(state)
        if "model_" in state:
            model: Any = model_from_bytes(state["model_"])
            state["model_"] = replace(model, threads=usable_threads(model.settings.get("n_jobs")))
        self.__dict__.update(state)

    def __sklearn_tags__(self) -> Any:
        """Categories, strings and sparse data are welcome, and missing values unless ``missing="error"``."""
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.input_tags.allow_nan = getattr(self, "missing", None) != "error"
        tags.input_tags.categorical = tags.input_tags.string = tags.input_tags.sparse = True
        return tags

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
            The engine is not installed; the message says what to install.

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
