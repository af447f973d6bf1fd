"""When two reads of a table are the same, and what exact numbers a column holds."""

import numpy as np


def exact(columns, j):
    low = columns.low[j] if columns.low[j] is not None else np.zeros(columns.n)
    return [
        None if np.isnan(v) else v if np.isinf(v) else int(v) + int(r) if v == int(v) else v
        for v, r in zip(columns.values[j], low, strict=True)
    ]


def assert_same(left, right):
    assert left.n == right.n
    assert [(f.kind, f.levels) for f in left.schema] == [(f.kind, f.levels) for f in right.schema]
    for j, feature in enumerate(left.schema):
        if feature.kind == "numeric":
            assert left.values[j].dtype == right.values[j].dtype == np.float64
            assert exact(left, j) == exact(right, j)
        else:
            assert left.values[j].dtype == right.values[j].dtype == np.int32
            assert left.values[j].tolist() == right.values[j].tolist()
