"""boxwood as users call it: the full tree, with surrogates, and with every default (pruned by folds)."""

from __future__ import annotations

from benchmarks.libraries.session import InProcess, Job, Library, can_all
from benchmarks.problems import CLASSIFICATION


def estimator(job: Job, **settings):
    """An estimator for a job: the full exact tree without surrogates, missing values by learned direction, as peers."""
    import boxwood

    problem = job.problem
    kind = boxwood.CARTClassifier if problem.task == CLASSIFICATION else boxwood.CARTRegressor
    chosen = {"pruning": None, "max_depth": job.depth, "max_surrogates": 0, "n_jobs": job.threads}
    if problem.missing:
        chosen["missing"] = "learned"
    if problem.criterion:
        chosen["criterion"] = problem.criterion
    return kind(**(chosen | settings))


def _library(name: str, **settings) -> Library:
    """One setting of boxwood; the estimator is made anew for every fit."""

    def train(job: Job):
        return estimator(job, **settings).fit(job.data.X, job.data.y, sample_weight=job.data.weight)

    return Library(name, lambda: None, can_all, lambda job: InProcess(job, train, lambda model, X: model.predict(X)))


FULL = _library("boxwood")
SURROGATES = _library("boxwood, surrogates", missing="surrogate", max_surrogates=5)
DEFAULT = _library("boxwood, default", missing="surrogate", max_surrogates=5, pruning="cv")
