"""S3-07: MARS is a spline regression related to CART; section 10's figures of R's earth on the cherry trees."""

from __future__ import annotations

import numpy as np
import pytest

from boxwood import MARSRegressor, datasets

#: What earth 5.3.2 prints for Volume: coefficient, feature, knot, +1 for max(0, x - knot) and -1 for max(0, knot - x).
TERMS = [(-3.419806152, "girth", 14.2, -1), (6.229514342, "girth", 14.2, 1), (0.581364384, "height", 75, 1)]


def test_s3_07_hinges_of_the_cherry_trees():
    X = datasets.load("trees")
    y = np.array(X.pop("volume"))
    model = MARSRegressor(compat="earth").fit(X, y)
    expected = 29.059953511 + sum(c * np.maximum(0, s * (np.array(X[name]) - at)) for c, name, at, s in TERMS)
    found = model.predict(X)
    np.testing.assert_allclose(found, expected, atol=5e-8)
    rest = ((y - found) ** 2).sum()
    assert rest == pytest.approx(209.113855, abs=5e-7)
    n, terms = len(y), 1 + len(TERMS)
    gcv = rest / n / (1 - (terms + 2 * (terms - 1) / 2) / n) ** 2
    assert gcv == pytest.approx(11.2543915, abs=5e-8)
    assert 1 - rest / ((y - y.mean()) ** 2).sum() == pytest.approx(0.974202851, abs=5e-10)
    alone = ((y - y.mean()) ** 2).sum() / n / (1 - 1 / n) ** 2
    assert 1 - gcv / alone == pytest.approx(0.959691954, abs=5e-10)
