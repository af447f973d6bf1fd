"""Rare levels share one direction in surrogates as in splits: in memory, over shards, in the reference."""

from __future__ import annotations

import numpy as np
import pytest

from boxwood import CARTClassifier
from boxwood.data.frames.frame import learn_columns
from boxwood.growing.branching import Binary
from boxwood.growing.grow import grow
from boxwood.growing.impurity_decrease import ImpurityDecrease
from boxwood.growing.missing import Missing
from boxwood.growing.recipe import Recipe
from boxwood.statistics.exact import exact_classes
from boxwood.statistics.responses.classes import Classes
from effort import examples
from oracle.source import ReferenceSource
from twins.brute_force import assert_same_tree
from twins.numeric_problems import NumericProblem
from twins.sharded_problems import sharded_tree
from twins.test_codes import assert_equal
from twins.test_sharded import in_memory


def problem(seed: int) -> NumericProblem:
    """A number decides; levels of one to many rows follow it, some values are missing, rows weigh one or more."""
    rng = np.random.default_rng(seed)
    n = int(rng.choice([30, 90, 400]))
    x = np.round(rng.normal(size=n), 1)
    many = (np.clip(x, -2, 2) * rng.choice([2, 20]) + rng.normal(size=n) * 3).astype(int)
    table = {"数": x, "地": [f"c{v:03}" for v in many - many.min()], "z": rng.normal(size=n).round(1).tolist()}
    table["数"] = np.where(rng.random(n) < rng.choice([0.0, 0.2]), np.nan, x)
    columns = learn_columns(table)
    weight = rng.integers(1, 4, n).astype(float) if rng.random() < 0.4 else None
    y = (x + 0.3 * rng.normal(size=n) > 0).astype(int)
    response = Classes(labels=("n", "p"), factors=(1.0, 1.0))
    recipe = Recipe(
        ImpurityDecrease("gini"),
        Binary(min_samples_level=int(rng.choice([2, 5, 20])), pool_above=int(rng.choice([0, 6, 100]))),
        missing=Missing(max_surrogates=2, style=int(rng.integers(2)), rpart_quirk=bool(rng.random() < 0.3)),
        max_competitors=int(rng.choice([0, 2])),
    )
    return NumericProblem(columns, response, exact_classes(y, weight), recipe)


@pytest.mark.parametrize("seed", range(examples(40)))
def test_memory_shards_and_reference_agree(seed):
    given = problem(seed)
    wanted = grow(ReferenceSource(given.columns, given.response, given.exact), given.recipe, {})
    found = in_memory(given)
    assert_same_tree(found, wanted)
    capacity = int(np.random.default_rng(seed).choice([0, 30]))
    assert_equal(sharded_tree(given.columns, given.response, given.exact, given.recipe, seed, capacity), found)


@pytest.mark.filterwarnings("ignore::boxwood.errors.KindWarning")
@pytest.mark.parametrize("n", [300, 5_000])
@pytest.mark.parametrize("twice", [0, 20])
def test_names_of_rows_are_no_perfect_surrogate(n, twice):
    rng = np.random.default_rng(n)
    x = rng.normal(size=n)
    names = np.array([f"名{i:05}" for i in range(n)])
    names[:twice] = names[twice : 2 * twice]
    X = {"x": x, "id": names, "near": x + rng.normal(size=n)}
    agreement = {}
    for least in ("auto", 1):
        model = CARTClassifier(max_depth=1, pruning=None, identifiers="use", min_samples_level=least)
        tree = model.fit(X, x > 0.1).tree_
        assert tree.splits.feature[0] == 0  # x, the first of two that decide all
        agreement[least] = dict(zip(tree.surrogates.feature.tolist(), tree.agreement.tolist(), strict=True))
    assert agreement[1][1] > 0.95
    assert 1 not in agreement["auto"]
    assert agreement["auto"][2] == agreement[1][2] < 1.0


def test_levels_of_enough_rows_keep_a_direction_of_their_own():
    x = np.repeat(np.arange(4.0), 30)
    town = np.array(["Ulm"] * 58 + ["a", "b"] + ["Bonn"] * 58 + ["c", "d"])
    town[[0, 1]] = ["e", "f"]  # six rare levels, of which four are on the lower side
    schema_levels = sorted(set(town))
    model = CARTClassifier(max_depth=1, pruning=None, min_samples_level=5).fit({"x": x, "町": town}, x > 1)
    to = dict(zip(schema_levels, model.tree_.surrogates.index.tolist(), strict=True))
    assert to == {"Ulm": 0, "Bonn": 1} | dict.fromkeys("abcdef", 0)
    assert model.tree_.agreement.tolist() == [118 / 120]
