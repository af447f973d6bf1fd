"""LightGBM with one tree: 255 bins, nominal columns as they are."""

from __future__ import annotations

from benchmarks.libraries.session import Job, in_process, one_tree_a_class
from benchmarks.problems import CLASSIFICATION

#: As many leaves as it allows.
MOST_LEAVES = 131_072


def _train(job: Job):
    import lightgbm

    is_classes = job.problem.task == CLASSIFICATION
    settings = {
        "objective": "binary" if is_classes else "regression",
        "num_leaves": 2**job.depth if job.depth else min(MOST_LEAVES, job.problem.rows),
        "max_depth": job.depth or -1,
        "min_data_in_leaf": 1,
        "learning_rate": 1.0,
        "num_threads": job.threads,
        "verbose": -1,
    }
    table = lightgbm.Dataset(job.data.X, job.data.y, weight=job.data.weight, params=settings)
    return is_classes, lightgbm.train(settings, table, num_boost_round=1)


def _predictions(model, X):
    is_classes, trees = model
    return trees.predict(X) > 0.5 if is_classes else trees.predict(X)


LIBRARY = in_process("LightGBM", "lightgbm", _train, _predictions, one_tree_a_class)
