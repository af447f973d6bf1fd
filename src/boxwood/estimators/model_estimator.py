"""What all estimators share: the model, the columns of fit, files and pickles."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ..algorithms import model_from_bytes
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
        if "model_" not in vars(self):
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
        """Write a model file that :func:`boxwood.load` and the command line read; see docs/format.md.

        Parameters
        ----------
        path : str or path object
            Usually ends in ``.box``. An existing file is replaced only after the new one is complete.

        Raises
        ------
        NotFittedError
            The estimator is not fitted.
        FileError
            The file cannot be written.

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
        """Parameters, and the bytes of the model file for the model, where such a file can hold it."""
        state: dict[str, Any] = dict(vars(self))
        if "model_" in state and self.model_.fits_file:
            state["model_"] = self.model_.to_bytes()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Parameters and model from what ``__getstate__`` gave."""
        state = dict(state)
        if "model_" in state:
            given = state["model_"]
            model: Any = model_from_bytes(given) if isinstance(given, bytes) else given
            state["model_"] = replace(model, threads=usable_threads(model.settings.get("n_jobs")))
        self.__dict__.update(state)

    def __sklearn_tags__(self) -> Any:
        """Categories, strings and sparse data are welcome, and missing values unless ``missing="error"``."""
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.input_tags.allow_nan = getattr(self, "missing", None) != "error"
        tags.input_tags.categorical = tags.input_tags.string = tags.input_tags.sparse = True
        return tags
