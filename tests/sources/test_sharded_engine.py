"""Answers of shards merge to the same whole, in pairs or one after the other."""

from __future__ import annotations

import pytest

from boxwood.sources.sharded.engine import in_pairs


@pytest.mark.parametrize("n", range(1, 20))
def test_pairs_keep_the_order_and_merge_each_answer_few_times(n):
    def merge(one: dict, other: dict) -> dict:
        return {"shards": one["shards"] + other["shards"], "deep": max(one["deep"], other["deep"]) + 1}

    found = in_pairs(merge, ({"shards": [i], "deep": 0} for i in range(n)))
    assert found["shards"] == list(range(n))
    assert found["deep"] <= 2 * n.bit_length()
