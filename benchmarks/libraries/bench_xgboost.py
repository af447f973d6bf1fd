"""XGBoost with one tree, by bins ("hist") and by all cuts ("exact")."""

from __future__ import annotations

from benchmarks.libraries.session import Job, in_process, is_frame, one_tree_a_class
from benchmarks.problems import CLASSIFICATION, Problem

#: Limit of depth of an unpruned tree: "hist" may go without (0), "exact" may not.
DEEPEST = {"hist": 0, "exact": 200}


def _train(job: Job, method: str):
    import xgboost

    is_classes, data = job.problem.task == CLASSIFICATION, job.data
    settings = {
        "objective": "binary:logistic" if is_classes else "reg:squarederror",
        "tree_method": method,
        "max_depth": job.depth or DEEPEST[method],
        "eta": 1.0,
        "lambda": 0.0,
        "min_child_weight": 0.0,
        "nthread": job.threads,
    }
    kind = xgboost.QuantileDMatrix if method == "hist" else xgboost.DMatrix
    table = kind(data.X, data.y, weight=data.weight, nthread=job.threads, enable_categorical=is_frame(data.X))
    return is_classes, xgboost.train(settings, table, num_boost_round=1)


def _predictions(model, X):
    import xgboost

    is_classes, trees = model
    predicted = trees.predict(xgboost.DMatrix(X, enable_categorical=is_frame(X)))
    return predicted > 0.5 if is_classes else predicted


def _exact_unable(problem: Problem, depth: int | None) -> str | None:
    if problem.levels and not problem.ordered:
        return "exact knows no nominal columns"
    return one_tree_a_class(problem, depth)


HIST = in_process("XGBoost hist", "xgboost", lambda job: _train(job, "hist"), _predictions, one_tree_a_class)
EXACT = in_process("XGBoost exact", "xgboost", lambda job: _train(job, "exact"), _predictions, _exact_unable)
