"""Sample weights and lengths."""

import re

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from boxwood.data.frames.weights import check_lengths, read_weights
from boxwood.errors import DataError, WeightError


@pytest.mark.parametrize(
    "make", [list, tuple, np.array, pd.Series, pl.Series, pa.array, lambda v: np.array(v, dtype=object)]
)
def test_any_container(make):
    weights = read_weights(make([1.0, 0.0, 2.5]), 3)
    assert weights.dtype == np.float64
    assert weights.tolist() == [1.0, 0.0, 2.5]


def test_none_ones_and_scalars():
    assert read_weights(None, 3) is None
    assert read_weights(np.ones(3), 3) is None
    assert read_weights([1, 1], 2) is None
    assert read_weights(1, 2) is None
    assert read_weights(range(2), 2).tolist() == [0.0, 1.0]
    assert read_weights(2, 2).tolist() == [2.0, 2.0]
    assert read_weights(np.float32(0.5), 2).tolist() == [0.5, 0.5]
    assert read_weights(np.array(3.0), 1).tolist() == [3.0]


@pytest.mark.parametrize(
    ("weights", "text"),
    [
        ([1, 2, 3], "sample_weight.shape == (3,), expected (5,)!"),
        ([], "sample_weight.shape == (0,), expected (5,)!"),
        (np.ones((5, 2)), "Sample weights must be 1D array or scalar"),
        (np.ones((5, 1)), "Sample weights must be 1D array or scalar"),
        ([1, 2, -1, 0, 0], "sample_weight, row 2 (counted from 0) is -1.0"),
        ([1, np.nan, 1, 0, 0], "sample_weight, row 1 (counted from 0) is nan"),
        ([1, None, 1, 0, 0], "sample_weight, row 1 (counted from 0) is nan"),
        ([1, np.inf, 1, 0, 0], "sample_weight, row 1 (counted from 0) is inf"),
        (np.zeros(5), "sample_weight must contain at least one non-zero number; all of its weights are zero"),
        (0, "all of its weights are zero"),
        (-1, "row 0 (counted from 0) is -1.0"),
        (["a"] * 5, "sample_weight, row 0 (counted from 0) holds the string 'a'"),
        ("balanced", "sample_weight must be one-dimensional, one value per row; got the single value 'balanced'"),
        (object(), "sample_weight cannot be read: its type is object; pass"),
        ([1j] * 5, "Complex data not supported"),
    ],
)
def test_refused(weights, text):
    with pytest.raises(WeightError, match=re.escape(text)):
        read_weights(weights, 5)


def test_lengths():
    check_lengths(3, 3)
    with pytest.raises(
        DataError, match=re.escape("Found input variables with inconsistent numbers of samples: [3, 4]")
    ):
        check_lengths(3, 4)
