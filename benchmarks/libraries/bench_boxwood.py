"""boxwood as users call it: whole fit and predict calls from a float64 array."""

from __future__ import annotations

NAME = "boxwood"


def model(task: str, max_depth: int | None, threads: int, *, missing: str = "surrogate"):
    """An estimator that grows the full exact tree; surrogates are on, as by default."""
    import boxwood

    kind = boxwood.CARTClassifier if task == "classification" else boxwood.CARTRegressor
    return kind(max_depth=max_depth, pruning=None, n_jobs=threads, missing=missing)
