"""What all tree estimators have in common: fit, predict, prune, save, pickle."""

from __future__ import annotations

import os
from contextlib import nullcontext
from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.metadata_routing import UNUSED

from .._typing import ColumnLike, TableLike
from ..data.columns.columns import Columns
from ..data.streams.distributed_frames import is_dask_frame
from ..learning.learning_set import usable_threads
from ..model.applied_tree import AppliedTree
from ..model.exporting_mixin import ExportingMixin
from ..model.predicting_mixin import PredictingMixin
from ..model.tree_model import TreeModel
from .callbacks import CallbackSupportMixin, fit_task, with_callbacks
from .evaluating import Evaluating
from .explaining import Explaining
from .growing_below import GrowingBelow
from .inspection import Inspection
from .lazy_frames import answered
from .notices import log_shown, warn_unseen
from .plotting import Plotting
from .pruning import Pruning
from .response import classifier_named, name_of, refuse_infinite
from .training_rows import training_rows

_QUIET = nullcontext()


class TreeEstimator(
    CallbackSupportMixin,
    Inspection,
    Pruning,
    GrowingBelow,
    Explaining,
    Evaluating,
    Plotting,
    PredictingMixin,
    ExportingMixin,
    BaseEstimator,
):
    """Base of the tree estimators; a subclass names its algorithm and declares its parameters.

    The result of the fit is in ``model_``; the other fitted attributes are derived from it.
    """

    #: ``unseen`` is a choice of the caller, not data of rows that a meta-estimator could route.
    __metadata_request__predict: ClassVar[dict[str, Any]] = {"unseen": UNUSED}
    __metadata_request__predict_proba: ClassVar[dict[str, Any]] = {"unseen": UNUSED}

    @with_callbacks
    def _fit(
        self, X: TableLike, y: ColumnLike, sample_weight: ColumnLike | None = None, exposure: ColumnLike | None = None
    ) -> Self:
        """Fit aside and publish with one assignment: a fit that fails leaves the earlier model as it was."""
        if is_dask_frame(X):
            return self._fit_lazily(X, y, sample_weight=sample_weight, exposure=exposure)
        algorithm = self._declared
        settings = self._settings(algorithm)
        with fit_task(self, X, y, sample_weight), classifier_named(self):
            with log_shown(settings["verbose"]) if settings.get("verbose", 0) else _QUIET:
                rows = training_rows(X, y, settings, self._task, sample_weight, exposure)
                if settings.get("missing") == "error":
                    refuse_infinite(rows.columns)
                target = algorithm.target(
                    rows.y, settings, weight=rows.weight, exposure=rows.exposure, name=name_of(y), task=self._task
                )
                model = algorithm.fit_target(rows.columns, target, self._task, settings)
            self.model_ = model
        return self

    def _answer(self, X: TableLike, question: str, unseen: str | None = None) -> np.ndarray:
        """Predictions for the rows of X; lazy ones for a Dask data frame."""
        if is_dask_frame(X):
            self._fitted()
            return answered(self, X, question, unseen)
        return super()._answer(X, question, unseen)

    def _notice(self, columns: Columns, used: AppliedTree) -> None:
        warn_unseen(columns, used.policies["unseen"])

    def _no_labels(self) -> np.ndarray:
        """The predictions for no rows."""
        return getattr(self, "classes_", np.empty(0))[:0]

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
        >>> model = boxwood.CARTClassifier(pruning=None).fit([[1], [2]], ["甲", "乙"])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     model.save(Path(folder) / "model.box")
        ...     boxwood.load(Path(folder) / "model.box").predict([[1]]).tolist()
        ['甲']
        """
        self._fitted().save(path)

    def __str__(self) -> str:
        """The tree as text once there is one; before, the parameters. ``repr`` always shows the parameters."""
        return str(self.model_.tree) if "model_" in vars(self) else repr(self)

    def __getstate__(self) -> dict[str, Any]:
        """Parameters, and the bytes of the model file for the model, where such a file can hold it."""
        state = dict(vars(self))
        if "model_" in state and self.model_.fits_file:
            state["model_"] = self.model_.to_bytes()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Parameters and model from what ``__getstate__`` gave."""
        state = dict(state)
        if "model_" in state:
            given = state["model_"]
            model = TreeModel.from_bytes(given) if isinstance(given, bytes) else given
            state["model_"] = replace(model, threads=usable_threads(model.settings.get("n_jobs")))
        self.__dict__.update(state)

    def __sklearn_tags__(self) -> Any:
        """Missing values, categories, strings and sparse data are welcome."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = getattr(self, "missing", None) != "error"
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.input_tags.sparse = True
        return tags
