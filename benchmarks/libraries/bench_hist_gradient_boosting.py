"""scikit-learn's HistGradientBoosting with one iteration: 255 bins, threads by OpenMP."""

from __future__ import annotations

from benchmarks.libraries.session import Job, in_process, one_tree_a_class
from benchmarks.problems import CLASSIFICATION, Problem


def _train(job: Job):
    from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

    is_classes = job.problem.task == CLASSIFICATION
    kind = HistGradientBoostingClassifier if is_classes else HistGradientBoostingRegressor
    model = kind(
        max_iter=1,
        learning_rate=1.0,
        max_depth=job.depth,
        max_leaf_nodes=None,
        min_samples_leaf=1,
        early_stopping=False,
        categorical_features="from_dtype",
    )
    return model.fit(job.data.X, job.data.y, sample_weight=job.data.weight)


def _unable(problem: Problem, depth: int | None) -> str | None:
    if problem.levels > 255:
        return "at most 255 levels"
    return one_tree_a_class(problem, depth)


LIBRARY = in_process("HistGradientBoosting", "sklearn", _train, lambda model, X: model.predict(X), _unable)
