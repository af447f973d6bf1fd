"""Levels along the direction of class shares: ties by rule, whatever rounding makes of them."""

from __future__ import annotations

import numpy as np
import pytest

from boxwood import CARTClassifier, TreeClassifier
from boxwood.growing.grow import grow
from boxwood.statistics.principal_direction import along_principal_direction
from boxwood.statistics.responses.registry import CLASSES
from oracle.source import ReferenceSource
from twins.brute_force import Problem, assert_same_tree
from twins.multiway import tree_of
from twins.numeric_problems import mixed

#: Problems in which levels tie, in which several directions are equally long, or in which the level that deviates most
#: lies across the longest direction.
KNOWN = [(4, 35), (28, 20), (45, 20), (49, 35), (109, 35), (116, 20), (192, 20), (233, 35), (378, 35), (487, 35),
         (491, 20), (503, 35), (541, 35), (563, 35), (592, 20)]  # fmt: skip


def assert_as_the_reference(seed: int, rows: int) -> None:
    columns, response, exact, recipe = mixed(seed, rows)
    problem = Problem(columns, response, exact, recipe)
    assert_same_tree(tree_of(problem), grow(ReferenceSource(columns, response, exact), recipe, {}))


@pytest.mark.parametrize(("seed", "rows"), KNOWN)
def test_ties(seed, rows):
    assert_as_the_reference(seed, rows)


@pytest.mark.sample(2)
@pytest.mark.parametrize("block", range(10))
def test_mixed_columns_and_many_classes(block):
    for seed in range(1000 + 60 * block, 1060 + 60 * block):
        for rows in (20, 35):
            given = mixed(seed, rows)
            # Beside a weight of 10^9, the agreement beyond the majority's is a difference of equal digits.
            moderate = given.exact.weight is None or given.exact.weight.max() < 10**6
            if given.response.kind == CLASSES and moderate:
                assert_as_the_reference(seed, rows)


def test_levels_of_one_place_keep_their_order():
    """The second class deviates alone along (-1, 2, -1), but the longest direction is (0, 1, -1)."""
    counts = np.repeat(np.eye(3), [11, 12, 12], axis=0)
    place = along_principal_direction(counts)
    assert np.unique(place).tolist() == sorted({place[0], place[11], place[23]})
    assert place[23] < place[0] < place[11]
    equal = along_principal_direction(np.eye(3)[[2, 0, 1, 0, 2]] * 2.0)
    assert equal[1] == equal[3]
    assert equal[0] == equal[4]


@pytest.mark.parametrize("estimator", [CARTClassifier, TreeClassifier])
def test_classes_that_tie_are_separated_in_the_order_of_levels(estimator):
    levels = [f"町{i:02}" for i in range(15)]
    y = [("bad", "ok", "good")[i % 3] for i in range(15)]
    X = {"町": levels * 4}
    first = estimator(pruning=None).fit(X, y * 4)
    turned = estimator(pruning=None).fit({"町": X["町"][::-1]}, (y * 4)[::-1])
    assert first.tree_.n_nodes == 5
    assert str(first.tree_) == str(turned.tree_)
