"""Answers of shards merge to the same whole, in pairs or one after the other."""

from __future__ import annotations

import numpy as np
import pytest

from boxwood import _kernel
from boxwood.growing.branching import Binary, Multiway
from boxwood.growing.gain import Gain
from boxwood.growing.impurity_decrease import ImpurityDecrease
from boxwood.growing.memory.kernel_form import kernel_response, kernel_settings
from boxwood.growing.memory.multiway import multiway_settings
from boxwood.growing.missing import Missing
from boxwood.growing.recipe import Recipe
from boxwood.growing.shards.engine import in_pairs
from boxwood.statistics.exact import exact_classes
from boxwood.statistics.responses.classes import Classes


@pytest.mark.parametrize("n", range(1, 20))
def test_pairs_keep_the_order_and_merge_each_answer_few_times(n):
    def merge(one: dict, other: dict) -> dict:
        return {"shards": one["shards"] + other["shards"], "deep": max(one["deep"], other["deep"]) + 1}

    found = in_pairs(merge, ({"shards": [i], "deep": 0} for i in range(n)))
    assert found["shards"] == list(range(n))
    assert found["deep"] <= 2 * n.bit_length()


def searched(settings: dict, kind: str, many: int) -> list[float]:
    """The score of the split of a node of two levels, each of ``many`` rows of one class."""
    response = Classes(labels=("no", "yes"), factors=(1.0, 1.0))
    known = kernel_response(response, exact_classes(np.zeros(0, dtype=np.int32), None))
    search = _kernel.LevelSearch(known, settings, [(kind, 2)], False, 2 * many, 1)
    search.start(np.array([2 * many, many, many]), np.zeros(0, dtype=np.int64), True)
    search.take_table(0, 0, np.array([many, many, 0]), np.array([many, 0, 0, many, 0, 0]), np.zeros(0), False)
    search.choose([0], False)
    found = search.level()
    assert found.splits[0].tolist() == [0]
    assert search.known_weights().tolist() == [many, many]
    return found.score.tolist()


def test_multiway_splits_of_more_rows_than_32_bits_count():
    recipe = Recipe(Gain(), branching=Multiway(), missing=Missing("majority"))
    assert searched(multiway_settings(recipe), "nominal", 2**32) == [1.0]


@pytest.mark.parametrize("kind", ["nominal", "ordinal"])
@pytest.mark.parametrize(("measure", "score"), [("gini", 0.5), ("entropy", 1.0)])
def test_binary_splits_of_more_rows_than_32_bits_count(kind, measure, score):
    recipe = Recipe(ImpurityDecrease(measure), branching=Binary(), missing=Missing("majority"))
    assert searched(kernel_settings(recipe), kind, 2**32) == [score]
