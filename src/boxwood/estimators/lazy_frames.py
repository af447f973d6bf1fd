"""Predictions of Dask data frames: lazy, one partition at a time, computed where the partition is."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._typing import TableLike


def is_lazy_frame(X: TableLike) -> bool:
    """Whether X is a Dask data frame, whose rows are not there yet."""
    return type(X).__module__.split(".")[0] in ("dask", "dask_expr") and hasattr(X, "map_partitions")


def answered(estimator: Any, X: TableLike, question: str) -> Any:
    """Predictions for the rows of X.

    Returns
    -------
    Dask series or data frame
        With the index of X; probabilities as a frame with a column for each class.
    """
    return X.map_partitions(_of_part, estimator, question, meta=_of_part(X._meta, estimator, question))


def _of_part(part: Any, estimator: Any, question: str) -> Any:
    import pandas as pd

    tree = estimator.model_.tree
    if len(part):
        found = estimator._answer(part, question)
    elif question == "probability":
        found = np.empty((0, len(tree.response.labels)))
    else:
        found = np.empty(0, dtype=np.int64) if question == "node" else estimator._no_labels()
    if found.ndim == 2:
        return pd.DataFrame(found, index=part.index, columns=list(tree.response.labels))
    return pd.Series(found, index=part.index, name=tree.response.name)
