"""Feature values as keys that the reference source compares."""

from __future__ import annotations

import math
from dataclasses import replace

from boxwood.data.columns.columns import Columns
from boxwood.data.columns.schema import NOMINAL, NUMERIC, Schema
from boxwood.growing.draft import Key


def keys_of(columns: Columns, j: int) -> list[Key | None]:
    """Key of every row for feature ``j``, None = missing."""
    values = columns.values[j].tolist()
    if columns.schema[j].kind == NUMERIC:
        low = [0.0] * columns.n if columns.low[j] is None else columns.low[j].tolist()
        return [None if math.isnan(v) else (v, w) for v, w in zip(values, low, strict=True)]
    nominal = columns.schema[j].kind == NOMINAL
    return [None if v < 0 else (v,) if nominal else (v, 0.0) for v in values]


def numbers_of(columns: Columns, keys: list[list[Key | None]]) -> list[dict[Key, float]]:
    """What random cuts are drawn between: values, or their ranks in a column of numbers that float64 cannot hold."""
    found = []
    for low, column in zip(columns.low, keys, strict=True):
        known = sorted({key for key in column if key is not None})
        found.append({key: float(key[0] if low is None else rank) for rank, key in enumerate(known)})
    return found


def by_rank(schema: Schema, keys: list[list[Key | None]]) -> tuple[Schema, list[list[Key | None]]]:
    """Ordered features as numbers: numeric ones by the rank of their values, ordinal ones by their codes."""
    features, ranked = [], []
    for feature, column in zip(schema, keys, strict=True):
        if feature.kind == NUMERIC:
            rank = {key: (i, 0.0) for i, key in enumerate(sorted({key for key in column if key is not None}))}
            column = [None if key is None else rank[key] for key in column]
        features.append(feature if feature.kind == NOMINAL else replace(feature, kind=NUMERIC))
        ranked.append(column)
    return replace(schema, features=tuple(features)), ranked
