"""Summaries of parts, merged in any order, equal what the reader in memory finds in all rows."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxwood.data.columns.sample import SIZE, Look, Sample
from boxwood.data.frames.containers import as_table
from boxwood.data.frames.frame import learn_columns
from boxwood.data.streams.survey import ColumnSummary, Reading
from boxwood.data.streams.surveyed_codes import low_parts
from boxwood.errors import DataError, DataTypeError

COLUMNS = [
    np.array([1.5, np.nan, 2.0, np.inf, -0.0, 3.0]),
    np.array([1, 2, 3, 4, 5, 6]),
    np.array([True, False, True, True, False, True]),
    np.array(["北京", None, "b", "a", "a", "東京"], dtype=object),
    np.array([None] * 6, dtype=object),
    pd.Categorical(["lo", "hi", None, "lo", "lo", "hi"], categories=["lo", "mid", "hi"]),
    pd.Categorical(["lo", "hi", None, "lo", "lo", "hi"], categories=["lo", "mid", "hi"], ordered=True),
    pd.Categorical([3, 1, None, 3, 3, 1], categories=[3, 1]),
    np.array([1, None, True, 2.5, 3, 1], dtype=object),
    pd.array([1, None, 3, 4, 5, 5], dtype="Int64"),
]


def summary(frame: pd.DataFrame, reading: Reading, start: int) -> ColumnSummary:
    made = ColumnSummary("c", reading)
    made.add(as_table(frame).column(0), (0, start))
    return made


@pytest.mark.parametrize("given_features", ["from_dtype", ["c"], None])
@pytest.mark.parametrize("j", range(len(COLUMNS)))
@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1), (1, 2, 0)])
def test_parts_in_any_order_give_the_summary_of_the_whole(j, order, given_features):
    frame = pd.DataFrame({"c": COLUMNS[j]})
    if j in (0, 8) and given_features == ["c"]:
        frame = frame.replace({np.inf: 7.0})
    reading = Reading(given_features == ["c"], given_features == "from_dtype")
    parts = [summary(frame.iloc[i : i + 2], reading, i) for i in (0, 2, 4)]
    total = ColumnSummary("c", reading)
    for i in order:
        total.merge(parts[i])
    columns = learn_columns(frame, given_features)
    assert total.feature(lambda text: None) == columns.schema[0]
    assert total.missing == int(columns.missing(0).sum())
    assert total.n == 6


@pytest.mark.parametrize(
    ("ordered", "levels"), [(False, ("a", "b", "c")), (True, ("b", "a", "c"))], ids=["sorted", "ordered"]
)
def test_dictionaries_of_parts_are_sorted_and_ordered_ones_joined_in_the_order_of_the_data(ordered, levels):
    pieces = [["b", "a"], ["c", "a"]]
    arrays = [pa.DictionaryArray.from_arrays([0, 1], piece, ordered=ordered) for piece in pieces]
    whole = learn_columns(pa.table({"c": pa.chunked_array(arrays)}))
    parts = [summary(pa.table({"c": array}), Reading(), i) for i, array in enumerate(arrays)]
    parts[1].merge(parts[0])
    assert parts[1].feature(lambda text: None) == whole.schema[0]
    assert whole.schema[0].levels == levels


@pytest.mark.parametrize(("one", "other"), [([1.0], ["x"]), ([True], ["x"]), ([True], [1.0])])
def test_parts_of_different_kinds_are_refused(one, other):
    parts = [summary(pd.DataFrame({"c": values}), Reading(), 0) for values in (one, other)]
    with pytest.raises(DataTypeError, match=r"'c' holds .*, but another part of the data holds"):
        parts[0].merge(parts[1])


@pytest.mark.parametrize(("other", "kept"), [([3, 4], True), ([2.5], False), ([None], True)])
def test_low_parts_are_kept_unless_the_whole_is_of_floats(other, kept):
    frames = [pd.DataFrame({"c": values}) for values in ([1, 2**53 + 1], other)]
    low = low_parts(as_table(frames[0]).column(0))
    assert low.tolist() == [0.0, 1.0]
    parts = [summary(frame, Reading(), 0) for frame in frames]
    parts[1].merge(parts[0])
    assert parts[1].keeps_low is kept


def test_too_many_levels_are_refused(monkeypatch):
    monkeypatch.setattr("boxwood.data.streams.survey.MOST_LEVELS", 2)
    with pytest.raises(DataError, match="more than 2 different levels"):
        summary(pd.DataFrame({"c": ["a", "b", "c"]}), Reading(), 0)


def test_the_same_warnings_as_in_memory():
    messages = []
    summary(pd.DataFrame({"c": ["1", "2"]}), Reading(), 0).feature(messages.append)
    with pytest.warns(UserWarning, match="all look like numbers") as caught:
        learn_columns(pd.DataFrame({"c": ["1", "2"]}))
    assert messages == [str(caught[0].message)]


@given(st.lists(st.floats(width=32), max_size=40), st.integers(0, 40), st.integers(1, 10))
def test_samples_of_parts_merge_to_the_sample_of_the_whole(values, cut, most):
    whole, one, other = Sample(), Sample(), Sample()
    whole.add(np.array(values))
    one.add(np.array(values[cut:]))
    other.add(np.array(values[:cut], dtype=np.float32))
    one.merge(other)
    cuts = whole.cuts(most)
    one.merge_waiting()
    assert one.hashes.tolist() == whole.hashes.tolist()
    assert whole.cuts(SIZE).tolist() == sorted({v + 0.0 for v in values if v == v})
    assert len(cuts) <= most
    assert np.all(np.diff(cuts) > 0)


@pytest.mark.parametrize("kind", [np.float64, np.float32])
def test_a_look_tells_what_is_missing_infinite_and_short(kind):
    values = np.concatenate([np.linspace(-1.0, 1.0, 600), [np.nan, np.inf, -np.inf, -0.0, 1e-45, 0.5]]).astype(kind)
    assert Sample().add(values) == Look(1, 2, kind == np.float32)
    assert Sample().add(values[-6:]) == Look(1, 2, kind == np.float32)
    assert Sample().add(np.array([np.nan, np.inf, 0.5, 3e38])).is_short is False
    assert Sample().add(np.array([1e308])).is_short is False
    sample = Sample()
    sample.add(values)
    assert sample.cuts(SIZE).tolist() == sorted(set((values[~np.isnan(values)] + 0.0).tolist()))


def test_a_large_sample_keeps_the_smallest_hashes_whatever_the_order():
    values = np.random.default_rng(0).normal(size=5 * SIZE)
    one, other = Sample(), Sample()
    one.add(values)
    for piece in np.array_split(values[::-1], 7):
        other.add(piece)
    cuts = one.cuts(4095)
    assert cuts.tolist() == other.cuts(4095).tolist()
    assert len(one.hashes) == SIZE
    np.testing.assert_array_equal(one.hashes, other.hashes)
    share = np.diff(np.searchsorted(np.sort(values), cuts)) / len(values)
    assert share.max() < 8 / 4095
