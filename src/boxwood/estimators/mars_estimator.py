"""What the MARS estimators have in common: fit, scikit-learn's protocol, save, pickle."""

from __future__ import annotations

from typing import ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator

from .._typing import ColumnLike, TableLike
from ..algorithms.mars import MARS
from ..data.streams.distributed_frames import is_dask_frame
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
    def feature_importances_(self) -> np.ndarray:
        """Normalised decrease in GCV by each feature over the subsets (see ``importance``), float64, shape (p,).

        Examples
        --------
        >>> from boxwood import MARSRegressor
        >>> X = {"a": [0.0, 1, 2, 3, 4, 5, 6, 7], "b": [1.0, 1, 0, 0, 1, 1, 0, 0]}
        >>> MARSRegressor().fit(X, [0, 1, 2, 3, 4, 5, 6, 7]).feature_importances_.tolist()
        [1.0, 0.0]
        """
        found = self._fitted().importance()
        worth = np.zeros(len(self.model_.schema))
        worth[: len(found.gcv)] = np.maximum(found.gcv, 0.0)
        return worth / worth.sum() if worth.sum() > 0.0 else worth
