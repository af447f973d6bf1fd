"""YDF's CART: exact cuts, nominal columns as they are, no pruning here."""

from __future__ import annotations

import numpy as np

from benchmarks.libraries.session import Job, in_process, is_frame
from benchmarks.problems import CLASSIFICATION


def as_columns(X) -> dict[str, np.ndarray]:
    """Columns by name; levels as text, a missing one empty."""
    if not is_frame(X):
        return {f"x{j}": np.ascontiguousarray(X[:, j]) for j in range(X.shape[1])}
    out = {}
    for name in X.columns:
        column = X[name]
        if column.dtype == "category":
            names = np.append(np.asarray(column.cat.categories, dtype=str), "")
            out[name] = names[column.cat.codes.to_numpy()]
        else:
            out[name] = column.to_numpy()
    return out


def _train(job: Job):
    import ydf

    ydf.verbose(0)
    is_classes, data = job.problem.task == CLASSIFICATION, job.data
    columns = as_columns(data.X) | {"y": data.y}
    weights = {} if data.weight is None else {"weights": "w"}
    if weights:
        columns["w"] = data.weight
    learner = ydf.CartLearner(
        label="y",
        task=ydf.Task.CLASSIFICATION if is_classes else ydf.Task.REGRESSION,
        max_depth=job.depth + 1 if job.depth else -1,  # it counts the root
        min_examples=1,
        validation_ratio=0.0,
        max_vocab_count=-1,
        min_vocab_frequency=1,
        num_threads=job.threads,
        **weights,
    )
    return is_classes, learner.train(columns)


def _predictions(model, X):
    is_classes, tree = model
    columns = as_columns(X)
    if is_classes:
        return tree.predict_class(columns, use_slow_engine=True).astype(np.int64)
    return tree.predict(columns, use_slow_engine=True)  # the fast ones refuse trees of many nodes


LIBRARY = in_process("YDF", "ydf", _train, _predictions)
