"""Messages between driver and workers: there and back, and refused when they are damaged or of another version."""

from __future__ import annotations

import numpy as np
import pytest

import boxwood
from boxwood.errors import ClusterError
from boxwood.growing.cluster import summaries
from boxwood.growing.parts.finishing import Weighed, Weighting
from boxwood.growing.shards import messages
from boxwood.statistics.fixed_point import WeightSummary


def a_tree():
    X = {"x": [1.0, 2.0, 3.0, None], "町": ["a", "b", "京", "b"]}
    return boxwood.CARTClassifier(pruning=None).fit(X, ["n", "y", "y", "n"]).model_.tree


def test_a_question_with_a_tree_comes_back():
    arguments = {"nodes": np.arange(3), "by_low": np.array([0, 1], np.uint8), "split": a_tree()}
    request, found = messages.request_from_bytes(messages.request_to_bytes("tables", arguments))
    assert request == "tables"
    assert found["split"].splits.feature.tolist() == arguments["split"].splits.feature.tolist()
    assert found["split"].schema == arguments["split"].schema
    assert found["nodes"].tolist() == [0, 1, 2]


def test_weights_come_back():
    weighed = Weighed(WeightSummary(0.1, 7.0, False, False), (1 << 900, 3))
    assert summaries.weighed_from_json(summaries.weighed_to_json(weighed)) == weighed
    arguments = summaries.weighting_to_bytes(Weighting(np.array([0.1, 2.0]), 3), ("a", 1, 0.1, True), [0.1])
    weighting, labels, units = summaries.weighting_from_bytes(arguments)
    assert (weighting.of_class.tolist(), weighting.shift, labels, units) == ([0.1, 2.0], 3, ("a", 1, 0.1, True), [0.1])


def test_arrays_of_a_message_are_not_copied():
    data = memoryview(np.frombuffer(messages.to_message("reply", None, {"x": np.arange(9.0)}), dtype=np.uint8))
    _, arrays = messages.from_message(data, "reply")
    assert np.shares_memory(arrays["x"], np.asarray(data))
    assert not arrays["x"].flags.writeable


@pytest.mark.parametrize("at", [0, 9, 40, 80, -3])
def test_a_damaged_message_is_refused(at):
    data = bytearray(messages.to_message("reply", {"a": 1}, {"x": np.arange(9)}))
    data[at] ^= 1
    with pytest.raises(ClusterError, match="damaged"):
        messages.from_message(bytes(data), "reply")


def test_another_version_or_kind_is_refused(monkeypatch):
    with pytest.raises(ClusterError, match="'question' was expected"):
        messages.from_message(messages.to_message("reply"), "question")
    newer = messages.to_message("reply")
    monkeypatch.setattr(messages, "VERSION", messages.VERSION + 1)
    with pytest.raises(ClusterError, match=r"message has version 7.*install the same boxwood"):
        messages.from_message(newer, "reply")
