"""Streams of many columns: the work grows as the table does, which is counted, not timed."""

from __future__ import annotations

import os
import re
import sys
import threading
from collections import Counter

import numpy as np
import pytest

from boxwood import C45Classifier, CARTClassifier, CARTRegressor, CHAIDClassifier
from boxwood.data.columns.schema import Feature, Schema
from boxwood.growing.shards.array_store import ArrayStore
from boxwood.growing.shards.engine import LocalEngine
from boxwood.growing.shards.part import Part, coarse_codes
from boxwood.growing.shards.row_hashes import RowHashes
from boxwood.growing.shards.shard import Shard
from boxwood.growing.shards.view import View
from boxwood.growing.shards.whole import Whole
from boxwood.statistics.exact import exact_mean
from boxwood.statistics.responses.means import Means
from boxwood.statistics.responses.registry import MEAN

MODELS = [
    CARTClassifier(n_jobs=1),
    CARTRegressor(n_jobs=1),
    C45Classifier(raising=False, n_jobs=1),
    CHAIDClassifier(n_jobs=1),
]


def table(p: int) -> dict:
    """A table of p columns, every third of them a copy of another."""
    columns = np.random.default_rng(0).normal(size=(p, 60)).round(1)
    columns[2::3] = columns[1::3][: len(columns[2::3])]
    return {f"列{j}": column for j, column in enumerate(columns)} | {"y": (columns[0] > 0).astype(int)}


def calls(work) -> Counter:
    """How often each function of Python, and each built-in one, is called during some work."""
    found, before = Counter(), sys.getprofile()

    def count(frame, event, called):
        if event == "call":
            found[frame.f_code.co_filename, frame.f_code.co_name] += 1
        elif event == "c_call":
            found["built in", getattr(called, "__qualname__", "")] += 1

    threading.setprofile(count)
    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(before)
        threading.setprofile(before)
    return found


@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
def test_twice_the_columns_are_twice_the_work(model):
    """Each request let go of every column: 45 million calls for 2,500 columns of 100 rows."""
    few, many = table(60), table(120)
    model.fit_stream(few, "y")  # what is called only once, such as imports
    few, many = (calls(lambda data=data: model.fit_stream(data, "y")) for data in (few, many))
    more = {name: (few[name], count) for name, count in many.items() if count > 2.5 * few[name] + 300}
    assert not more


@pytest.mark.sample(1)
@pytest.mark.parametrize(("p", "most"), [(3, 4), (64, 64), (1000, 64)])
def test_ranks_of_many_columns_lie_in_few_files(p, most, tmp_path):
    """A file mapped for each column is refused by the system from 65,530 columns on."""
    values = np.random.default_rng(0).normal(size=(p, 20))
    schema = Schema(tuple(Feature(f"x{j}", "numeric") for j in range(p)))
    cuts = np.array([0.0])
    exact = exact_mean(values[0], None)
    part = Part(schema, 20, tuple(values), tuple(coarse_codes(v, cuts) for v in values), (cuts,) * p, exact)
    shard = Shard(part, Means("y"), store=ArrayStore(str(tmp_path / "part")))
    whole = Whole(schema, part.cuts, Means("y"), exact, False)
    RowHashes(LocalEngine([shard], MEAN), whole, 1000).make()
    ranks = [name for name in os.listdir(tmp_path) if re.fullmatch(r"part-r\d+\.box", name)]
    assert 0 < len(ranks) <= most
    shard.update(None, view=View(by_rank=True))
    found = shard.reply("rows", {"nodes": np.array([0]), "view": View(by_rank=True).to_array()})
    for j in range(p):
        np.testing.assert_array_equal(found[f"x{j}"], np.argsort(np.argsort(values[j])))
