"""Floats of 32 bits are learned from where they lie, and grow the tree of the same numbers in 64 bits."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from boxwood.data.columns.columns import Columns, Matrix
from boxwood.data.frames.frame import learn_columns
from twins.numeric_problems import NumericProblem, problem, table
from twins.test_codes import MemorySource, assert_equal, tree_of

#: One after another in memory, column by column, every other one, backwards, as a frame.
LAYOUTS = (
    np.ascontiguousarray,
    np.asfortranarray,
    lambda X: np.repeat(np.repeat(X, 2, axis=0), 3, axis=1)[::2, ::3],
    lambda X: np.ascontiguousarray(X[::-1, ::-1])[::-1, ::-1],
    pd.DataFrame,
)


def narrowed(given: NumericProblem, seed: int) -> np.ndarray:
    """The table of a problem in 32 bits, now and then with more columns, so that they are coded in groups."""
    X = given.columns.matrix
    rng = np.random.default_rng(seed)
    while X.shape[1] < (1, 5, 17, 40)[seed % 4]:
        X = np.column_stack([X, table(rng, len(X))])
    with np.errstate(over="ignore", under="ignore"):
        return X.astype(np.float32)


def about(given: NumericProblem, columns: Columns) -> NumericProblem:
    """The same problem about other columns."""
    return given._replace(columns=columns)


@pytest.mark.sample(2)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_grows_the_tree_of_64_bits(layout):
    for seed in range(7000, 7120):
        given = problem(seed)
        narrow = narrowed(given, seed)
        columns = learn_columns(layout(narrow))
        assert isinstance(columns, Matrix)
        assert columns.in_place().dtype == np.float32
        wide = about(given, learn_columns(narrow.astype(np.float64)))
        assert_equal(tree_of(about(given, columns), MemorySource, 2), tree_of(wide, MemorySource))


def test_by_rank_and_with_missing_values():
    for seed in range(7200, 7260):
        given = problem(seed)
        given = given._replace(recipe=replace(given.recipe, rank_cuts=seed % 2 == 0))
        narrow = narrowed(given, seed)
        if seed % 3 == 0:
            narrow[np.random.default_rng(seed).random(narrow.shape) < 0.1] = np.nan
        found = tree_of(about(given, learn_columns(narrow)), MemorySource)
        wide = about(given, learn_columns(narrow.astype(np.float64)))
        assert_equal(found, tree_of(wide, MemorySource))


def test_the_table_is_not_copied():
    columns = learn_columns(np.zeros((5, 2), np.float32))
    assert columns.in_place() is columns.matrix


def test_floats_out_of_place_are_widened():
    X = np.frombuffer(b"\0" + np.arange(6, dtype=np.float32).tobytes(), np.uint8)[1:].view(np.float32).reshape(3, 2)
    columns = learn_columns(X)
    values = [values for _, values, _ in columns.in_place()]
    assert [column.dtype for column in values] == [np.float64, np.float64]
    np.testing.assert_array_equal(np.column_stack(values), X)
