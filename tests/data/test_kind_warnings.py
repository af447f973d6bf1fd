"""Warnings about the kind of a column take work in proportion to its levels."""

from __future__ import annotations

import builtins

import pandas as pd
import pytest

from boxwood.data.columns import kind_warnings
from boxwood.data.frames.frame import learn_columns
from boxwood.errors import KindWarning


@pytest.mark.parametrize("n", [10, 200])
def test_levels_that_all_look_like_numbers_are_not_looked_through_for_each_level(n, monkeypatch):
    looked_at = []

    def counting(values):
        found = list(values)
        looked_at.extend(found)
        return builtins.all(found)

    monkeypatch.setattr(kind_warnings, "all", counting, raising=False)
    with pytest.warns(KindWarning, match="all look like numbers"):
        learn_columns(pd.DataFrame({"code": [str(100 + i) for i in range(n)] * 2}))
    assert n <= len(looked_at) <= 3 * n


@pytest.mark.parametrize("mark", ["-", "?", "--", ".", "*", "－"])
def test_a_mark_among_words_may_mean_missing(mark):
    X = {"colour": ["red", "blue", mark, "red"]}
    with pytest.warns(KindWarning) as given:
        learn_columns(X)
    assert str(given[0].message) == (
        f"Column 'colour' has the level '{mark}'. If it means missing, set missing_values=['{mark}']; otherwise, list "
        "the column in categorical_features."
    )


@pytest.mark.parametrize("levels", [["+", "-"], ["none", "some"], ["NA", "EU"], ["-", "-"]])
def test_signs_and_words_are_levels(levels, recwarn):
    learn_columns({"x": levels * 3})
    assert not recwarn
