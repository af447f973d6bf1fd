"""Frames of pandas that are read in place give what the frame library gives for them."""

import numpy as np
import pandas as pd
import pytest

from boxwood.data.frames import containers
from boxwood.data.frames.containers import as_table
from boxwood.data.frames.frame import learn_columns
from data.same_columns import assert_same


def frame(n: int = 40) -> pd.DataFrame:
    rng = np.random.default_rng(3)
    known = rng.random(n) < 0.8
    return pd.DataFrame(
        {
            "float": np.where(known, rng.normal(size=n), np.nan),
            "single": rng.normal(size=n).astype(np.float32),
            "other order": rng.normal(size=n).astype(">f8"),
            "small": rng.integers(0, 9, n).astype(np.int8),
            "large": rng.integers(2**60, 2**61, n),
            "unsigned": rng.integers(0, 9, n).astype(np.uint16),
            "flag": known,
            "category": pd.Categorical(np.where(known, rng.choice(list("cab"), n), None), categories=list("cabz")),
            "ordered": pd.Categorical(rng.choice(["低", "高"], n), categories=["低", "高"], ordered=True),
            "numbers": pd.Categorical(rng.integers(0, 3, n)),
            "text": np.where(known, "x", None),
            "nullable": pd.array(np.where(known, 1, None), dtype="Int64"),
        },
        index=rng.permutation(n),
    )


@pytest.mark.parametrize("how", ["from_dtype", None, "all"])
def test_read_as_by_the_frame_library(how, monkeypatch):
    X = frame()
    found = learn_columns(X, how)
    monkeypatch.setattr(containers, "is_pandas", lambda X: False)
    assert_same(found, learn_columns(X, how))


def test_numbers_are_not_copied():
    X = frame()[["float", "category"]]
    assert np.shares_memory(as_table(X).column(0).values, X["float"].to_numpy())
