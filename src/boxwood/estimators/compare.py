"""boxwood.compare: several algorithms and prunings, and any scikit-learn estimator, on the same data and folds."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import has_fit_parameter

from .._messages import Setting, Value, must_be, remedy
from .._typing import ColumnLike, TableLike
from ..algorithms import REGISTRY
from ..algorithms.comparison.baselines import BaselineEntrant
from ..algorithms.comparison.cross_validation import CrossValidation, folds_of
from ..algorithms.comparison.entrants import Entrant, TreeEntrant, Truth, aligned, codes_of, with_missing_policy
from ..algorithms.comparison.result import Comparison
from ..algorithms.comparison.scoring import scoring_of
from ..algorithms.named import BASELINES, named
from ..data.columns.columns import Columns
from ..data.frames.alignment import check_aligned
from ..data.frames.frame import learn_columns
from ..data.frames.weights import check_lengths
from ..errors import BoxwoodWarning, ParameterError
from ..learning.learning_set import usable_threads
from ..learning.responses import read_exposure
from ..learning.suggested_task import suggested_task
from .notices import log_shown
from .response import as_salt, flat
from .tree_estimator import TreeEstimator


def compare(
    X: TableLike,
    y: ColumnLike,
    models: Any,
    *,
    folds: Any = 10,
    scoring: str | None = None,
    task: str | None = None,
    sample_weight: ColumnLike | None = None,
    exposure: ColumnLike | None = None,
    random_state: Any = None,
    n_jobs: int | None = 1,
    verbose: int = 0,
) -> Comparison:
    """Compare models by cross-validation: score with its standard error, leaves, depth and fit time.

    All models are evaluated on the same folds. The folds are stratified by class and derived from the content of the
    rows, so the row order does not affect the result. If a model fails, it is reported by name, and the remaining
    models are compared.

    Parameters
    ----------
    X : table of shape (n, p)
    y : column of n labels or numbers
    models : sequence, or dict of str to model
        Names such as "cart", "cart/1se" (pruned by the 1-SE rule) and "cart/none" (not pruned), boxwood's estimators,
        or other estimators with scikit-learn's interface. "boosting" and "forest" are scikit-learn's gradient boosting
        by histograms and random forest, with their defaults; the difference between the best tree and the better of
        them is printed as the price of a readable tree.
    folds : int or column of n whole numbers
        Number of folds, or the fold of each row.
    scoring : {"accuracy", "error", "log_loss", "auc", "brier", "r2", "mse", "mae"}, optional
        Default: accuracy for classification, r2 for regression.
    task : {"classification", "regression"}, optional
        By default, the task of the estimators. If only names are given, text, true/false and up to 10 different
        integers are classes.
    sample_weight : column of n numbers, optional
    exposure : column of n numbers, optional
        Exposures of counts, for CARTRegressor(criterion="poisson"). Its rates times the exposure are evaluated as
        counts.
    random_state : int, optional
        Seed of the folds.
    n_jobs : int or None
        Number of fits in parallel; None and -1 use all cores. The scores do not depend on it.
    verbose : int
        With 1, report every fit.

    Returns
    -------
    Comparison
        ``print`` it, ``to_frame()``, ``plot()``, ``best``.

    Raises
    ------
    ParameterError
        There is no model, two models have the same name, no model accepts the exposure, or the folds, the scoring or
        the task cannot be used.
    DataError, DataTypeError
        The data cannot be read.

    Examples
    --------
    >>> import boxwood
    >>> iris = boxwood.datasets.load("iris")
    >>> y = iris.pop("species")
    >>> found = boxwood.compare(iris, y, ["cart", "cart/none"], folds=5)
    >>> print(found.to_text(times=False))
    model            accuracy     se          behind  leaves  depth
    cart                0.933  0.020  -0.013 ± 0.009       5      4
    cart/none           0.947  0.018                       9      5
    (always setosa)     0.333
    """
    check_aligned(X=X, y=y, folds=folds, sample_weight=sample_weight, exposure=exposure)
    entrants = _entrants(models)
    y = flat(y)
    truth = Truth.read(y, sample_weight, _task(task, entrants, y))
    score = scoring_of(scoring, truth.task)
    threads = usable_threads(n_jobs)
    with log_shown(verbose), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", BoxwoodWarning)
        stage = _Stage(X, truth, read_exposure(exposure, len(truth.y)), threads, {})
        competing: list[Entrant] = [stage.entrant(name, model) for name, model in entrants.items()]
        if exposure is not None and all(getattr(c, "exposure", None) is None for c in competing):
            counts = Setting("criterion", "poisson", estimator="CARTRegressor")
            raise ParameterError(Setting("exposure"), " is for models of rates: compare ", counts, " too.")
        columns = stage.columns({})
        check_lengths(columns.n, len(truth.y))
        fold = folds_of(columns, truth, folds, as_salt(random_state))
        baselines = [name for name, model in entrants.items() if isinstance(model, str) and model in BASELINES]
        found = CrossValidation(truth, fold, score, threads).run(competing, baselines)
    notes = dict.fromkeys(str(w.message) for w in caught if issubclass(w.category, BoxwoodWarning))
    for warning in caught:
        if not issubclass(warning.category, BoxwoodWarning):
            warnings.warn_explicit(warning.message, warning.category, warning.filename, warning.lineno)
    return replace(found, notes=tuple(notes))


def _entrants(models: Any) -> dict[str, Any]:
    """Name -> model; names are those given, or taken from the models."""
    if isinstance(models, dict):
        found = list(models.items())
    elif isinstance(models, (list, tuple)):
        found = [(model if isinstance(model, str) else " ".join(repr(model).split()), model) for model in models]
    else:
        given = Value(models, type(models).__name__)
        raise ParameterError(must_be("models", "a list or a dictionary of models", given))
    if not found:
        raise ParameterError(Setting("models"), " is empty; ", remedy("give at least one, for example 'cart'."))
    for name, model in found:
        if isinstance(model, str):
            if model in BASELINES:
                continue
            named(model)  # refuses what is no algorithm: the labels of y, given in the place of models
        elif not (hasattr(model, "fit") and hasattr(model, "predict")):
            raise ParameterError(
                f"model {name!r} ",
                "must be a name such as 'cart' or an estimator; got ",
                Value(model, repr(model)),
                ".",
            )
    names = [str(name) for name, _ in found]
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise ParameterError(f"two models are called {twice[0]!r}; give a dictionary with a name for each.")
    return dict(zip(names, (model for _, model in found), strict=True))


def _task(task: str | None, entrants: dict[str, Any], y: ColumnLike) -> str:
    """The task given, that of the estimators, or the one that y suggests."""
    if task is not None:
        if task not in ("classification", "regression"):
            raise ParameterError(must_be("task", "'classification', 'regression' or None", task))
        return task
    for model in entrants.values():
        if not isinstance(model, str):
            if is_classifier(model):
                return "classification"
            if is_regressor(model):
                return "regression"
    return suggested_task(y)


@dataclass(frozen=True, eq=False)
class _Stage:
    """The data, read once for each treatment of columns."""

    X: object
    truth: Truth
    exposure: np.ndarray | None
    threads: int
    read: dict[str, Any]

    def columns(self, settings: dict[str, Any]) -> Columns:
        """X as columns, by the settings of a model."""
        names = ("categorical_features", "missing_values", "numeric_features", "date_formats", "ordinal_features")
        given = {name: settings[name] for name in names if name in settings}
        key = repr(given)
        if key not in self.read:
            self.read[key] = learn_columns(self.X, **given)
        return self.read[key]

    def entrant(self, name: str, model: Any) -> TreeEntrant | EstimatorEntrant | BaselineEntrant:
        """A model by name, an estimator of ours, or another estimator."""
        if isinstance(model, str) and model in BASELINES:
            exposure = None if self.truth.labels else self.exposure
            return BaselineEntrant(name, model, self.columns({}), self.truth, exposure)
        if isinstance(model, str):
            algorithm, settings = named(model, self.truth.task)
            columns = self.columns({})
            settings = with_missing_policy(model, algorithm, self.truth.task, settings, columns)
        elif isinstance(model, TreeEstimator) and model._algorithm in REGISTRY:
            algorithm = model._declared
            known = {p.name for p in algorithm.parameters.get(model._task, ())}
            settings = {key: value for key, value in model.get_params().items() if key in known}
            settings["random_state"] = as_salt(settings.get("random_state"))
        else:
            ours = type(model).__module__.startswith("boxwood.")
            return EstimatorEntrant(name, model, self.X if ours else _framed(self.X), self.truth)
        if self.threads > 1:
            settings["n_jobs"] = 1
        columns = self.columns(settings)
        exposure = self.exposure if settings.get("criterion") == "poisson" else None
        return TreeEntrant(name, algorithm, settings, columns, self.truth, exposure)


@dataclass(frozen=True, eq=False)
class EstimatorEntrant:
    """Any estimator with scikit-learn's interface."""

    name: str
    estimator: object
    X: object
    truth: Truth

    def fit(self, rows: np.ndarray) -> FittedEstimator:
        """Fit a clone to the rows at these positions."""
        fitted = clone(self.estimator)
        weight = {}
        if self.truth.weight is not None and has_fit_parameter(fitted, "sample_weight"):
            weight["sample_weight"] = self.truth.weight[rows]
        fitted.fit(_rows(self.X, rows), np.asarray(self.truth.given(rows)), **weight)
        return FittedEstimator(fitted, self.X, self.truth)


class FittedEstimator:
    """A fitted estimator of another library."""

    def __init__(self, estimator: Any, X: TableLike, truth: Truth) -> None:
        self._estimator, self._X, self._truth = estimator, X, truth
        has_size = hasattr(estimator, "get_n_leaves") and hasattr(estimator, "get_depth")
        self.leaves: float = int(estimator.get_n_leaves()) if has_size else np.nan
        self.depth: float = int(estimator.get_depth()) if has_size else np.nan

    def evaluate(self, rows: np.ndarray, of_probability: bool) -> np.ndarray:
        """The estimator's predictions for some rows."""
        X = _rows(self._X, rows)
        if not self._truth.labels:
            return np.asarray(self._estimator.predict(X), dtype=np.float64)
        if of_probability:
            labels = np.asarray(self._estimator.classes_).tolist()
            return aligned(self._estimator.predict_proba(X), labels, self._truth.labels)
        return codes_of(self._estimator.predict(X), self._truth.labels)


def _framed(X: TableLike) -> TableLike:
    """A dictionary of columns as the data frame that other libraries take."""
    if not isinstance(X, dict):
        return X
    import pandas as pd

    return pd.DataFrame(X)


def _rows(X: TableLike, rows: np.ndarray) -> TableLike:
    """Some rows of any container."""
    if isinstance(X, dict):
        return {name: _safe_indexing(np.asarray(column, dtype=object), rows) for name, column in X.items()}
    return _safe_indexing(X, rows)
