"""What a stream requests at a time, and keeps, is in the size of `memory`: counted in bytes and values, not timed."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from boxwood import C45Classifier, CARTClassifier, CARTRegressor
from boxwood.growing.shards.engine import LocalEngine
from boxwood.growing.shards.split_protocol import SplitProtocol

ROWS, COLUMNS, MEMORY = 150_000, 6, 32_000_000

#: A model, and the number of classes; None = a number is predicted.
PROBLEMS = [
    (CARTClassifier(max_depth=2, pruning=None, n_jobs=1), 2),
    (CARTClassifier(max_depth=2, pruning=None, n_jobs=2, max_surrogates=0), 60),
    (CARTRegressor(max_depth=2, pruning=None, n_jobs=1), None),
    (C45Classifier(max_depth=1, pruning=None, n_jobs=1), 2),
]


@pytest.mark.parametrize(("model", "classes"), PROBLEMS, ids=lambda each: type(each).__name__)
def test_few_values_are_requested_and_kept_at_a_time(model, classes, monkeypatch):
    """Noise that does not depend on the branches of a split: nearly every value may lie beside a surrogate's cut."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(COLUMNS, ROWS))
    y = x[0] > rng.normal(size=ROWS) * 0.1
    if classes is not None:
        y = np.where(y, rng.integers(classes // 2, classes, ROWS), rng.integers(0, classes // 2, ROWS))
    table = {f"x{j}": column for j, column in enumerate(x)}
    given = y.astype(float if classes is None else int)
    requested, kept = [], {}
    request, take = LocalEngine.request, SplitProtocol._take

    def counted(self, name, arguments):
        reply = request(self, name, arguments)
        requested.append(sum(array.nbytes for array in reply.values()))
        return reply

    def taken(self, at, known, *more):
        kept[at] = len(known.value)
        return take(self, at, known, *more)

    monkeypatch.setattr(LocalEngine, "request", counted)
    monkeypatch.setattr(SplitProtocol, "_take", taken)
    streamed = model.fit_stream(pa.table(table | {"y": given}), "y", memory=MEMORY).model_
    monkeypatch.undo()
    assert max(requested) < MEMORY / 10, "a reply is too large"
    assert sum(kept.values()) < 0.2 * ROWS * COLUMNS
    assert streamed.to_bytes() == model.fit(table, given).model_.to_bytes()
