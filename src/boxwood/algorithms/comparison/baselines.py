"""Models of scikit-learn that are not readable, on the same rows and columns as the trees: boosting and a forest."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ...data.columns.columns import Columns
from ...data.columns.identifiers import are_identifiers
from ..named import BOOSTING
from .entrants import Truth

#: Only so many levels of a nominal column, the most frequent ones, keep their own number: for boosting, as indicators.
_LEVELS, _INDICATORS = 254, 50
#: Up to so many rows boosting uses one thread: more cost time on a busy machine, because they wait for each other.
_FEW_ROWS = 20_000
#: scikit-learn computes in float32 and refuses infinity; values beyond are as good as this.
_LARGEST = 3e38


@dataclass(frozen=True, eq=False)
class BaselineEntrant:
    """A model of scikit-learn with its defaults and a fixed seed.

    Attributes
    ----------
    name : str
    kind : {"boosting", "forest"}
        Boosting by histograms, which takes missing values and nominal columns as they are; or 100 random trees, for
        which nominal columns become indicators.
    columns : Columns
        All rows; columns that name rows are left out.
    truth : Truth
    exposure : ndarray, shape (n,), or None
        Of counts: rates are fitted by the Poisson deviance.
    """

    name: str
    kind: str
    columns: Columns
    truth: Truth
    exposure: np.ndarray | None = None

    @cached_property
    def design(self) -> tuple[np.ndarray, list[int]]:
        """All rows as numbers, float64, NaN where a value is missing; and the columns that hold levels."""
        parts, nominal = [], []
        for j, names_rows in enumerate(are_identifiers(self.columns)):
            if names_rows:
                continue
            feature = self.columns.schema[j]
            known = np.where(feature.type.known(self.columns.values[j]), self.columns.values[j], np.nan)
            if feature.type.has_cuts:
                parts.append(np.clip(known, -_LARGEST, _LARGEST)[:, None])
            elif self.kind == BOOSTING:
                nominal.append(len(parts))
                parts.append(_by_frequency(known, len(feature.levels), _LEVELS)[:, None])
            else:
                code = _by_frequency(known, len(feature.levels), _INDICATORS)
                parts.append((code[:, None] == np.arange(min(len(feature.levels), _INDICATORS + 1))).astype(np.float64))
        return np.concatenate(parts or [np.zeros((self.columns.n, 1))], axis=1), nominal

    def fit(self, rows: np.ndarray) -> FittedBaseline:
        """Fit to the rows at these positions."""
        X, nominal = self.design
        y, weight = self.truth.y[rows], None if self.truth.weight is None else self.truth.weight[rows]
        if self.exposure is not None:
            y, weight = y / self.exposure[rows], self.truth.weights(rows) * self.exposure[rows]
        with _threads_for(len(rows)):
            model = self._model(nominal).fit(X[rows], y, sample_weight=weight)
        return FittedBaseline(model, self)

    def _model(self, nominal: list[int]) -> Any:
        from sklearn.ensemble import (
            HistGradientBoostingClassifier,
            HistGradientBoostingRegressor,
            RandomForestClassifier,
            RandomForestRegressor,
        )

        kinds = {
            "boosting": (HistGradientBoostingClassifier, HistGradientBoostingRegressor),
            "forest": (RandomForestClassifier, RandomForestRegressor),
        }
        model = kinds[self.kind][not self.truth.labels](random_state=0)
        if self.kind == BOOSTING:
            model.set_params(categorical_features=nominal or None)
        if self.exposure is not None:
            model.set_params(**{"loss" if self.kind == BOOSTING else "criterion": "poisson"})
        return model


class FittedBaseline:
    """A fitted model of scikit-learn, which has no leaves to read."""

    leaves = depth = np.nan

    def __init__(self, model: Any, entrant: BaselineEntrant):
        self._model, self._entrant = model, entrant

    def evaluate(self, rows: np.ndarray, of_probability: bool) -> np.ndarray:
        """The predictions of some rows."""
        X, truth, exposure = self._entrant.design[0][rows], self._entrant.truth, self._entrant.exposure
        with _threads_for(len(rows)):
            if of_probability and truth.labels:
                found = np.zeros((len(rows), len(truth.labels)))
                found[:, self._model.classes_] = self._model.predict_proba(X)
                return found
            predicted = self._model.predict(X)
        return predicted if exposure is None else predicted * exposure[rows]


def _threads_for(rows: int) -> AbstractContextManager[Any]:
    """One OpenMP thread for few rows, else as many as usual; of the calling thread alone."""
    from threadpoolctl import threadpool_limits

    return threadpool_limits(1 if rows <= _FEW_ROWS else None, "openmp")


def _by_frequency(codes: np.ndarray, count: int, most: int) -> np.ndarray:
    """Levels numbered from the most frequent one; those after ``most`` share a number; NaN stays."""
    known = ~np.isnan(codes)
    rows = np.bincount(codes[known].astype(np.int64), minlength=count)
    place = np.empty(count)
    place[np.argsort(-rows, kind="stable")] = np.minimum(np.arange(count), most)
    found = np.full(len(codes), np.nan)
    found[known] = place[codes[known].astype(np.int64)]
    return found
