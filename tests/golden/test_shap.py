"""Our Shapley values against those of the shap package for the same trees (packed: tools/golden/write_shap.py)."""

from __future__ import annotations

import gzip
import json

import numpy as np
import pytest

from tools.golden.write_shap import CASES, FILE, fitted

PACKED = json.loads(gzip.decompress(FILE.read_bytes()))


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("method", ["path", "interventional"])
def test_values_equal_those_of_shap(name, method):
    model, rows, background = fitted(name)
    found = model.shap_values(rows, background if method == "interventional" else None)
    wanted = np.array(PACKED[name][method]).reshape(found.values.shape)
    scale = max(1.0, np.abs(model.tree_.value).max())
    # shap sums these over the background in single precision.
    close = 1e-10 if method == "path" else 1e-7
    np.testing.assert_allclose(found.values, wanted, rtol=100 * close, atol=close * scale)
    if method == "path":
        np.testing.assert_allclose(np.atleast_1d(found.base_values), PACKED[name]["path_base"], atol=1e-10 * scale)
