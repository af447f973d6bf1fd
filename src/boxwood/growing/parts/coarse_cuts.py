"""The cuts behind the coarse codes of numeric columns; any cuts give the same tree."""

from __future__ import annotations

import numpy as np

from ...data.columns.distinct import distinct
from ...data.columns.schema import NUMERIC, Schema
from .survey import Survey

#: Cuts of a column. More make tables that leave the caches of the processor, fewer leave more rows to be looked at.
CUTS = 1023


def cuts_of(survey: Survey, schema: Schema, thresholds: dict[int, np.ndarray]) -> tuple[np.ndarray | None, ...]:
    """Cuts for each numeric feature, from the sample of its values, or its bins; infinities need none."""
    return tuple(
        _some_bins(len(thresholds[j])) if j in thresholds else _finite(column.sample.cuts(CUTS))
        if feature.kind == NUMERIC else None
        for j, (column, feature) in enumerate(zip(survey.columns, schema, strict=True))
    )  # fmt: skip


def _some_bins(n: int) -> np.ndarray:
    """Numbers of bins, all of them if a table has room for so many."""
    return distinct(np.linspace(0, n - 1, min(n, CUTS)).astype(np.int64)).astype(np.float64)


def _finite(cuts: np.ndarray) -> np.ndarray:
    return cuts[np.isfinite(cuts)]
