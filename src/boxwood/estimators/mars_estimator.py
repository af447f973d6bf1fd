"""What the MARS estimators have in common: fit, scikit-learn's protocol, save, pickle."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator

from .._typing import ColumnLike, TableLike
from ..algorithms.mars import MARS
from ..data.streams.distributed_frames import is_dask_frame
from ..learning.learning_set import usable_threads
from ..mars.model import MARSModel
from .callbacks import CallbackSupportMixin, fit_task, with_callbacks
from .evaluating import Evaluating
from .mars_views import MARSViews
from .notices import log_shown
from .response import classifier_named, name_of
from .streaming import Streaming
from .training_rows import training_rows


class MARSEstimator(CallbackSupportMixin, MARSViews, Evaluating, Streaming, BaseEstimator):
    """Base of the MARS estimators; everything that is learned is in ``model_``."""

    _algorithm: ClassVar[str] = "mars"
    _task: ClassVar[str]

    def __sklearn_is_fitted__(self) -> bool:
        """Whether there is a model."""
        return "model_" in vars(self)

    @with_callbacks
    def _fit(self, X: TableLike, y: ColumnLike, sample_weight: ColumnLike | None = None) -> Self:
        """Fit aside and publish with one assignment: a fit that fails leaves the earlier model as it was."""
        if is_dask_frame(X):
            return self._fit_lazily(X, y, sample_weight=sample_weight)
        settings = self._settings(MARS)
        with fit_task(self, X, y, sample_weight), classifier_named(self), log_shown(settings["verbose"]):
            rows = training_rows(X, y, settings, self._task, sample_weight)
            self.model_ = MARS.fit(
                rows.columns,
                rows.y,
                task=self._task,
                settings=settings,
                weight=rows.weight,
                response_name=name_of(y),
            )
        return self

    @property
    def n_features_in_(self) -> int:
        """Number of columns of X.

        Examples
        --------
        >>> from boxwood import MARSRegressor
        >>> MARSRegressor().fit([[1.0, 2.0], [2.0, 1.0], [3.0, 5.0]], [1, 2, 3]).n_features_in_
        2
        """
        return len(self._learned("n_features_in_").schema)

    @property
    def feature_names_in_(self) -> np.ndarray:
        """Column names of X, if it had names.

        Examples
        --------
        >>> from boxwood import MARSRegressor
        >>> MARSRegressor().fit({"年龄": [1.0, 2.0, 3.0]}, [1, 2, 3]).feature_names_in_.tolist()
        ['年龄']
        """
        schema = self._learned("feature_names_in_").schema
        if not schema.named:
            raise AttributeError("feature_names_in_: the data of fit had no column names.")
        return np.array(schema.names, dtype=object)

    @property
    def feature_importances_(self) -> np.ndarray:
        """Normalised decrease in GCV by each feature over the subsets (see ``importance``), float64, shape (p,).

        Examples
        --------
        >>> from boxwood import MARSRegressor
        >>> X = {"a": [0.0, 1, 2, 3, 4, 5, 6, 7], "b": [1.0, 1, 0, 0, 1, 1, 0, 0]}
        >>> MARSRegressor().fit(X, [0, 1, 2, 3, 4, 5, 6, 7]).feature_importances_.tolist()
        [1.0, 0.0]
        """
        found = self._learned("feature_importances_").importance()
        worth = np.zeros(len(self.model_.schema))
        worth[: len(found.gcv)] = np.maximum(found.gcv, 0.0)
        return worth / worth.sum() if worth.sum() > 0.0 else worth

    def _learned(self, name: str) -> MARSModel:
        if "model_" not in vars(self):
            raise AttributeError(f"{type(self).__name__} has no {name} before fit.")
        return self.model_

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
        >>> model = boxwood.MARSRegressor().fit([[1.0], [2.0], [3.0]], [1, 2, 3])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     model.save(Path(folder) / "model.box")
        ...     boxwood.load(Path(folder) / "model.box").predict([[1.0]]).round(6).tolist()
        [2.0]
        """
        self._fitted().save(path)

    def __str__(self) -> str:
        """The summary once there is a model; before, the parameters. ``repr`` always shows the parameters."""
        return self.summary() if "model_" in vars(self) else repr(self)

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
            model = MARSModel.from_bytes(state["model_"])
            state["model_"] = replace(model, threads=usable_threads(model.settings["n_jobs"]))
        self.__dict__.update(state)

    def __sklearn_tags__(self) -> Any:
        """Categories and strings are welcome; missing values with missing='indicator'."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.missing != "error"
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.input_tags.sparse = True
        return tags
