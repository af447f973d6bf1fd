"""Unsound trees are refused by the name of the array and the node."""

from dataclasses import replace

import numpy as np
import pytest

from boxwood import CARTRegressor
from boxwood.data.columns.schema import NOMINAL, NUMERIC, Feature, Schema
from boxwood.errors import ModelFileError
from boxwood.statistics.responses.classes import Classes
from boxwood.statistics.responses.means import Means
from boxwood.statistics.responses.rates import Rates
from boxwood.statistics.responses.registry import RATE
from boxwood.tree.meaning import check_response, response_from_json, response_to_json
from boxwood.tree.split import SplitTable
from boxwood.tree.store import to_bytes
from boxwood.tree.validate import validate
from tree.random_trees import RESPONSES, SCHEMA, chain, random_tree


def changed(tree, name, at, value):
    """The tree with one number of one array changed."""
    table, _, part = name.partition(".")
    array = getattr(getattr(tree, table), part) if part else getattr(tree, name)
    array = array.copy()
    array[at] = value
    if part:
        return replace(tree, **{table: replace(getattr(tree, table), **{part: array})})
    return replace(tree, **{name: array})


BREAK_ONE = [
    ("parent", 1, 1), ("parent", 0, 0), ("parent", 3, -1),
    ("first_child", 0, 0), ("first_child", 0, 2), ("first_child", 0, 10**9),
    ("n_children", 0, 3), ("n_children", 0, -1), ("n_children", 0, 0), ("n_children", 1, 2**31 - 1),
    ("missing", 0, 2), ("missing", 0, -3), ("missing", 1, 0),
    ("heuristic", 1, True), ("rows", 2, -1),
    ("score", 0, np.nan), ("score", 0, np.inf), ("score", 1, 0.0),
    ("moments", (1, 0), np.nan), ("moments", (1, 0), np.inf), ("moments", (1, 0), -1.0), ("moments", 1, 0.0),
    ("surrogate_start", 1, 1), ("surrogate_start", -1, 1), ("competitor_start", 2, -4),
    ("splits.feature", 0, -1), ("splits.feature", 0, 7), ("splits.feature", 0, -2), ("splits.feature", 1, 0),
    ("splits.feature", 0, 2), ("splits.breaks_start", 1, 2), ("splits.breaks_start", 0, 1),
    ("splits.breaks_start", 2, -5), ("splits.position", 0, 1), ("splits.position", 1, 2),
    ("splits.index", 0, 2), ("splits.index", 0, -2),
    ("splits.breaks", 0, np.nan), ("splits.breaks_low", 0, np.nan),
]  # fmt: skip


@pytest.mark.parametrize(("name", "at", "value"), BREAK_ONE)
def test_each_array_is_checked(name, at, value):
    tree = chain(4)
    validate(tree)
    with pytest.raises(ModelFileError, match="not a sound tree") as error:
        validate(changed(tree, name, at, value))
    assert str(error.value).count(".") <= 3


def test_message_names_array_and_node():
    with pytest.raises(ModelFileError, match=r"array 'missing' is wrong at node 2: there is no such branch"):
        validate(changed(chain(4), "missing", 2, 5))


def test_breaks_must_rise():
    tree = next(
        t for t in (random_tree(s, n_nodes=40) for s in range(99)) if (np.diff(t.splits.breaks_start) > 1).any()
    )
    s = int(np.argmax(np.diff(tree.splits.breaks_start) > 1))
    first = tree.splits.breaks_start[s]
    with pytest.raises(ModelFileError, match=f"'splits.breaks' is wrong at node {s}"):
        validate(changed(tree, "splits.breaks", first + 1, tree.splits.breaks[first]))
    equal = changed(tree, "splits.breaks", first + 1, tree.splits.breaks[first])
    if tree.schema[int(tree.splits.feature[s])].kind == NUMERIC:
        validate(changed(equal, "splits.breaks_low", first + 1, 1e-9))


def test_minus_infinity_is_a_cut():
    validate(changed(chain(4), "splits.breaks", 0, -np.inf))


@pytest.mark.parametrize("name", ["parent", "missing", "rows", "score", "moments", "heuristic", "agreement"])
def test_types_and_shapes(name):
    tree = chain(4)
    array = getattr(tree, name)
    for wrong in (array[:-1] if len(array) else np.zeros(1), array.astype(np.float32), array.tolist(), array[None]):
        with pytest.raises(
            ModelFileError, match=f"array '{name}'|array 'parent'|array 'n_children'|array 'first_child'"
        ):
            validate(replace(tree, **{name: wrong}))


def test_no_nodes():
    tree = chain(4)
    none = np.zeros(0, np.int32)
    with pytest.raises(ModelFileError, match="at least node 0"):
        validate(replace(tree, parent=none, splits=SplitTable.empty(0)))


def test_a_leaf_has_no_surrogates():
    tree = next(t for t in (random_tree(s, n_nodes=9) for s in range(99)) if len(t.surrogates))
    start = tree.surrogate_start.copy()
    start[:] = 0
    start[-1] = len(tree.surrogates)
    with pytest.raises(ModelFileError, match="a leaf has no surrogates"):
        validate(replace(tree, surrogate_start=start))


@pytest.mark.parametrize(
    "features",
    [
        (Feature("a", "odd"),),
        (Feature("a", NUMERIC), Feature("a", NUMERIC)),
        (Feature(3, NUMERIC),),
        (Feature("a", NUMERIC, ("x",)),),
        (Feature("a", NOMINAL),),
        (Feature("a", NOMINAL, ("x", "x")),),
        (Feature("a", NOMINAL, (1, 1.0)),),
        (Feature("a", NOMINAL, (float("nan"),)),),
        (Feature("a", NOMINAL, (float("inf"), 1.0)),),
        (Feature("a", NOMINAL, (None,)),),
        (Feature("a", NOMINAL, (("x",),)),),
    ],
)
def test_schemas(features):
    tree = random_tree(0, n_nodes=1)
    with pytest.raises(ModelFileError, match="not a sound tree"):
        validate(replace(tree, schema=Schema(features)))


def test_truth_values_and_numbers_are_different_levels():
    tree = random_tree(0, n_nodes=1)
    validate(replace(tree, schema=Schema((Feature("a", NOMINAL, (0, 1, False, True, "1")),))))


@pytest.mark.parametrize(
    "response",
    [
        Classes(),
        Classes(labels=("a", "b", "b"), factors=(1.0, 1.0, 1.0)),
        Classes(labels=("a", "b", "c"), factors=(1.0, 1.0)),
        Classes(labels=("a", "b", "c"), factors=(0.0, 0.0, 0.0)),
        Classes(labels=("a", "b", "c"), factors=(1.0, -1.0, 1.0)),
        Classes(labels=("a", "b", "c"), factors=(1.0, float("nan"), 1.0)),
        Classes(labels=("a", "b", "c"), factors=(1.0,) * 3, costs=((0.0, 1.0), (1.0, 0.0))),
        Classes(labels=("a", "b", "c"), factors=(1.0,) * 3, costs=((0.0, 1.0, float("inf")),) * 3),
        Classes(labels=("a",), factors=(1.0,), smoothing=(-1.0,)),
        Classes(labels=("a",), factors=(1.0,), smoothing=(float("nan"),)),
        Classes(labels=("a",), factors=(1.0,), empty="parent"),
        Rates(shrink=1e-300),
        Rates(shrink=float("nan")),
        Rates(shrink=-1.0),
    ],
)
def test_responses(response):
    with pytest.raises(ModelFileError, match="not a sound tree"):
        validate(replace(random_tree(0, n_nodes=1), response=response))


@pytest.mark.parametrize(
    ("kind", "changed"),
    [
        ("odd", {}),
        ("classes", {}),
        ("mean", {"labels": ["a"], "factors": [1.0]}),
        ("mean", {"costs": [[0.0]]}),
        ("mean", {"smoothing": [1.0]}),
        ("mean", {"shrink": 1.0}),
        ("rate", {"empty": "class"}),
    ],
)
def test_kinds_of_responses_as_they_are_stored(kind, changed):
    plain = response_to_json(Means()) | {"kind": kind} | changed
    with pytest.raises(ModelFileError, match="not a sound tree"):
        check_response(response_from_json(plain))


def test_exposure_and_events():
    tree = random_tree(0, RATE, n_nodes=9)
    for at, value in (((3, 1), 0.0), ((3, 2), -1.0), ((3, 0), 0.0)):
        with pytest.raises(ModelFileError, match="'moments' is wrong at node 3"):
            validate(changed(tree, "moments", at, value))


def test_an_interval_without_a_branch_is_sound():
    tree = chain(4)
    start = tree.splits.index_start - (np.arange(len(tree.splits) + 1) > 0)
    table = replace(tree.splits, index_start=start, position=tree.splits.position[1:], index=tree.splits.index[1:])
    validate(replace(tree, splits=table))


@pytest.mark.parametrize("kind", RESPONSES)
def test_empty_leaves(kind):
    tree = random_tree(0, kind, 60)
    empty = int(np.argmax(tree.rows == 0))
    inner = int(tree.parent[empty])
    none = np.zeros(tree.response.width)
    emptied = changed(changed(tree, "moments", empty, none), "rows", empty, 0)
    validate(emptied)
    for wrong, array in (
        (changed(tree, "moments", (empty, 0), 1.0), "moments"),
        (changed(tree, "moments", (empty, 1), -1.0), "moments"),
        (changed(tree, "rows", empty, 3), "moments"),
        (changed(changed(tree, "moments", inner, none), "rows", inner, 0), "rows"),
        (changed(tree, "rows", 0, 0), "rows"),
    ):
        with pytest.raises(ModelFileError, match=f"array '{array}' is wrong at node"):
            validate(wrong)
    alone = random_tree(0, kind, 1)
    with pytest.raises(ModelFileError, match="array 'rows' is wrong at node 0: only a leaf"):
        validate(changed(changed(alone, "moments", 0, none), "rows", 0, 0))


def test_an_unsound_tree_is_not_written():
    with pytest.raises(ModelFileError, match="'missing'"):
        to_bytes(changed(chain(4), "missing", 2, 5))


def test_the_random_trees_are_sound():
    for kind in RESPONSES:
        for seed in range(20):
            tree = random_tree(seed, kind, 60)
            validate(tree)
            assert tree.schema is SCHEMA


@pytest.mark.parametrize("monotonic", [np.array([[2], [0]]), np.array([[1], [3]]), np.array([[1, 0], [0, 0]])])
def test_an_order_that_cannot_be_is_refused(monotonic):
    tree = CARTRegressor(pruning=None).fit([[1], [2], [3]], [0, 1, 5]).tree_
    with pytest.raises(ModelFileError, match="array 'monotonic'"):
        validate(replace(tree, monotonic=monotonic.astype(np.int32)))
