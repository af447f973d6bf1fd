"""Which rows satisfy a condition: values that are missing never do, whole numbers beyond 2^53 are compared exactly."""

from __future__ import annotations

import numpy as np
import pytest

from boxwood.algorithms.rules.rule import RuleCondition
from boxwood.data.frames.frame import learn_columns


@pytest.mark.parametrize("above", [False, True])
def test_numbers(above):
    columns = learn_columns({"x": [1.0, np.nan, 2.5, -np.inf, 3.0]})
    expected = [False, False, False, False, True] if above else [True, False, True, True, False]
    assert RuleCondition(0, above, (2.5, 0.0)).holds(columns).tolist() == expected


@pytest.mark.parametrize("above", [False, True])
def test_whole_numbers_beyond_the_precision_of_a_double(above):
    values = [2**53 + k for k in range(-3, 6)]
    columns = learn_columns({"x": [*values, None]})
    assert columns.low[0] is not None
    for cut in values:
        pair = (float(cut), float(cut - int(float(cut))))
        holds = RuleCondition(0, above, pair).holds(columns).tolist()
        assert holds == [value > cut if above else value <= cut for value in values] + [False]


@pytest.mark.parametrize("above", [False, True])
def test_ordered_levels(above):
    pd = pytest.importorskip("pandas")
    size = pd.Categorical(["small", None, "large", "medium"], ["small", "medium", "large"], ordered=True)
    columns = learn_columns(pd.DataFrame({"size": size}))
    expected = [False, False, True, True] if above else [True, False, False, False]
    assert RuleCondition(0, above, (0.5, 0.0)).holds(columns).tolist() == expected
