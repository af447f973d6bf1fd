"""What all tree estimators have in common: fit, predict, prune, save, pickle."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.metadata_routing import UNUSED

from .._typing import ColumnLike, TableLike
from ..data.columns.columns import Columns
from ..data.streams.distributed_frames import is_dask_frame
from ..model.applied_tree import AppliedTree
from ..model.exporting_mixin import ExportingMixin
from ..model.predicting_mixin import PredictingMixin
from .callbacks import CallbackSupportMixin, fit_task, with_callbacks
from .dossier import DossierMixin
from .evaluating import Evaluating
from .explaining import Explaining
from .growing_below import GrowingBelow
from .inspection import Inspection
from .lazy_frames import answered
from .notices import log_shown, warn_unseen
from .plotting import Plotting
from .pruning import Pruning
from .refreshing import Refreshing
from .response import classifier_named, name_of, refuse_infinite
from .several import SeveralResponses
from .training_rows import training_rows

_QUIET = nullcontext()


class TreeEstimator(
    CallbackSupportMixin,
    Inspection,
    Pruning,
    GrowingBelow,
    Refreshing,
    DossierMixin,
    Explaining,
    Evaluating,
    Plotting,
    SeveralResponses,
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

    def __str__(self) -> str:
        """The tree as text once there is one; before, the parameters. ``repr`` always shows the parameters."""
        return str(self.model_.tree) if "model_" in vars(self) else repr(self)
