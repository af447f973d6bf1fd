"""One level and the rest, grown from tables, is what the kernel grows from a column for each level: yes or no."""

from __future__ import annotations

import numpy as np
import pytest

from boxwood import C45Classifier
from boxwood.errors import ParameterError
from effort import examples


def problem(seed: int) -> tuple[dict, np.ndarray]:
    """Two nominal features and a number, all complete; the class depends on a level and on the number."""
    rng = np.random.default_rng(seed)
    n = int(rng.choice([20, 60, 300]))
    town = rng.choice(["京都", "서울", "Ulm", "Bonn", "北京"], n)
    x = rng.normal(size=n).round(1)
    y = ((town == "Ulm") | (x > 0.5)) ^ (rng.random(n) < 0.2)
    return {"町": town, "x": x, "空": rng.choice(["a", "b", "c"], n)}, y


def one_column_a_level(X: dict) -> dict:
    """Each nominal feature as columns that tell whether a row has the level; the rows that have it come first."""
    out = {}
    for name, values in X.items():
        if values.dtype.kind == "f":
            out[name] = values
        else:
            out |= {f"{name} {level}": np.where(values == level, "1st", "2nd") for level in sorted(set(values))}
    return out


@pytest.mark.parametrize("seed", range(examples(40)))
def test_one_level_is_a_column_for_each_level(seed):
    X, y = problem(seed)
    settings = {"pruning": None, "criterion": "gain"}  # the ratio requires a gain above the mean of all columns
    tree = C45Classifier(one_level=True, **settings).fit(X, y).tree_
    twin = C45Classifier(**settings).fit(one_column_a_level(X), y).tree_
    for name in ("parent", "first_child", "rows", "moments"):
        assert np.array_equal(getattr(tree, name), getattr(twin, name)), name
    np.testing.assert_allclose(tree.score, twin.score, rtol=1e-12, atol=1e-12)


def test_shards_refuse_it_by_a_sentence():
    X, y = problem(0)
    with pytest.raises(ParameterError, match="read them into memory"):
        C45Classifier(one_level=True, pruning=None).fit_stream(lambda: iter([X | {"y": y.astype(str)}]), "y")
