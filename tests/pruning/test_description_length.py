"""Minimum description length: the code of classes, the code of tests, and the least of all pruned trees."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxwood import CARTClassifier, ID3Classifier
from boxwood.errors import ParameterError
from boxwood.pruning.description_length import class_bits, shortest_description, split_bits
from boxwood.statistics.responses.means import Means
from boxwood.tree.rebuild import keep_nodes
from pruning.trees import classes, pruned_trees, random_shape, tree_from_arrays


def one_after_the_other(rows, k: int) -> float:
    """Bits of classes that are encoded one by one, each by its share among those before, half a row added to each."""
    seen, bits = [0.5] * k, 0.0
    for label in rows:
        bits -= math.log2(seen[label] / sum(seen))
        seen[label] += 1
    return bits


@given(st.lists(st.integers(0, 2), max_size=12))
def test_the_classes_are_reported_one_after_the_other(rows):
    counts = np.bincount(np.array(rows, dtype=int), minlength=3).astype(float)
    assert class_bits(counts[None])[0] == pytest.approx(one_after_the_other(rows, 3), abs=1e-9)


def test_the_code_of_classes_wastes_nothing():
    # Kraft: the chances of all sequences of one length add up to 1.
    total = sum(2.0 ** -one_after_the_other(rows, 2) for rows in product(range(2), repeat=8))
    assert total == pytest.approx(1.0)


def test_large_nodes_come_near_the_stochastic_complexity():
    counts = np.array([4000.0, 1000.0, 500.0])
    n, k = counts.sum(), 3
    formula = (counts * np.log2(n / counts)).sum() + (k - 1) / 2 * math.log2(n / (2 * math.pi))
    formula += math.log2(math.pi ** (k / 2) / math.gamma(k / 2))
    assert class_bits(counts[None])[0] == pytest.approx(formula, abs=0.01)


def test_the_number_of_tests():
    X = {"a": ["x", "y", "z", "w"] * 3, "n": [float(i) for i in range(12)]}
    y = ["p", "q", "p", "q"] * 3
    binary = CARTClassifier(pruning=None).fit(X, y).tree_
    assert binary.schema.names[binary.splits.feature[0]] == "a"
    assert split_bits(binary)[0] == pytest.approx(1 + math.log2(7))  # 2 features, 7 partitions of 4 levels into 2
    multiway = ID3Classifier(pruning=None).fit({"a": X["a"], "b": ["u"] * 12}, y).tree_
    assert split_bits(multiway)[0] == pytest.approx(1.0)  # a branch for every level: one partition
    cut = CARTClassifier(pruning=None).fit({"n": X["n"]}, ["p"] * 6 + ["q"] * 6).tree_
    assert split_bits(cut)[0] == pytest.approx(math.log2(11))  # one feature, 11 gaps between 12 rows


def test_levels_in_three_groups():
    from boxwood.pruning.description_length import _log2_partitions

    assert 2 ** _log2_partitions(5, 3) == pytest.approx(25)
    assert 2 ** _log2_partitions(6, 4) == pytest.approx(65)
    assert _log2_partitions(4, 4) == 0.0


@given(st.integers(0, 2**32), st.integers(2, 7))
def test_the_shortest_of_all_pruned_trees(seed, n_leaves):
    rng = np.random.default_rng(seed)
    count = random_shape(rng, n_leaves, 3)
    parent = np.concatenate(([-1], np.repeat(np.arange(len(count)), count)))
    moments = np.where((count == 0)[:, None], rng.integers(0, 12, (len(count), 2)), 0).astype(float)
    for t in range(len(count) - 1, 0, -1):
        moments[parent[t]] += moments[t]
    moments[0] += moments.sum() == 0
    tree = tree_from_arrays(count, moments, classes(2), names=("u", "v"), feature=np.where(count > 0, 1, -1))
    leaf, test = class_bits(moments), split_bits(tree)

    def length(leaves) -> float:
        inner = {t for s in leaves for t in tree.path(s)[:-1].tolist()}
        return sum(1 + leaf[t] for t in leaves) + sum(1 + test[t] for t in inner)

    closed, bits = shortest_description(tree)
    assert bits[0] == pytest.approx(min(length(leaves) for leaves in pruned_trees(tree)))
    small = keep_nodes(tree, closed)
    assert shortest_description(small)[1][0] == pytest.approx(bits[0])
    assert not shortest_description(small)[0][~small.is_leaf].any()


def test_only_classes_are_reported():
    tree = tree_from_arrays([0], [[1.0, 2.0, 0.0]], Means())
    with pytest.raises(ParameterError, match="prunes trees of classes"):
        shortest_description(tree)
