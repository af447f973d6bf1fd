"""An evaluation as plain Python values: columns of its figures, and a dictionary of everything."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .figure import Figure


def figure_records(figures: tuple[Figure, ...]) -> dict[str, list[Any]]:
    """The figures as columns."""
    return {
        "figure": [f.name for f in figures],
        "class": [None if f.label is None else str(f.label) for f in figures],
        "estimate": [f.value for f in figures],
        "se": [f.se for f in figures],
        "low": [f.low for f in figures],
        "high": [f.high for f in figures],
        "baseline": [f.baseline for f in figures],
    }


def evaluation_dict(evaluation: Any) -> dict[str, Any]:
    """The whole of an :class:`~boxwood.evaluation.evaluation.Evaluation`; undefined numbers are NaN."""
    rows, (gain, se) = evaluation.rows, evaluation.gain
    found = {
        "headline": evaluation.headline,
        "of": evaluation.of,
        "rows": rows.count,
        "weight": float(rows.weight.sum()),
        "baseline": {"always": evaluation.constant, "gain": gain, "gain_se": se},
        "figures": {f.name: _fields(f) for f in evaluation.figures},
    }
    if evaluation.by:
        found["groups"] = [groups.to_dict() for groups in evaluation.groups.values()]
    if not rows.labels:
        return found
    labels, table = list(rows.labels), evaluation.confusion
    table = table.astype(np.int64) if (table == np.floor(table)).all() else table
    found |= {
        "labels": labels,
        "target_class": None if evaluation.target is None else labels[evaluation.target],
        "threshold": evaluation.threshold,
        "confusion": table.tolist(),
        "classes": [
            {"label": label} | {f.name: _fields(f) for f in evaluation.by_class if f.label is label} for label in labels
        ],
    }
    return found


def _fields(figure: Figure) -> dict[str, float]:
    return {"value": figure.value, "se": figure.se, "low": figure.low, "high": figure.high, "baseline": figure.baseline}


def finite(value: Any) -> Any:
    """Plain values without the numbers that JSON cannot represent."""
    if isinstance(value, dict):
        return {key: finite(item) for key, item in value.items()}
    if isinstance(value, list):
        return [finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
