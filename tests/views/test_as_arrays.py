"""Results that hold one array are arrays to numpy, in numpy 1 as in numpy 2: a copy only if one is requested."""

from __future__ import annotations

import numpy as np
import pytest

from boxwood import CARTClassifier
from boxwood.measures import table

X, Y = {"a": [0, 0, 1, 1], "b": [0, 1, 0, 1]}, ["no", "no", "no", "yes"]
MODEL = CARTClassifier(pruning=None).fit(X, Y)
RESULTS = {
    "shap_values": (MODEL.shap_values(X), "values"),
    "importance": (MODEL.importance(), "values"),
    "table": (table(Y, X["a"]), "cells"),
}


@pytest.mark.parametrize("name", RESULTS)
def test_numpy_reads_the_array(name):
    result, of = RESULTS[name]
    held = getattr(result, of)
    assert np.array_equal(np.asarray(result), held, equal_nan=True)
    assert np.shares_memory(np.asarray(result), held)
    assert not np.shares_memory(np.array(result), held)
    assert np.asarray(result, dtype=np.float32).dtype == np.float32
