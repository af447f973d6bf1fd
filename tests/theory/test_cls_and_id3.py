"""The items of the lecture notes about CLS, ID3 and the ratio in ID3's place: trees branch by branch, by item."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxwood.algorithms import REGISTRY
from boxwood.data.frames.frame import learn_columns, read_columns
from boxwood.model.tree_model import TreeModel
from theory.tables import gains, table


def grow(algorithm: str, X, y, **chosen) -> TreeModel:
    """A tree that is not pruned."""
    return REGISTRY[algorithm].fit(learn_columns(X), y, task="classification", settings={"pruning": None} | chosen)


def of(algorithm: str, name: str, *without: str, **chosen) -> TreeModel:
    return grow(algorithm, *table(name, *without), **chosen)


def branches(model: TreeModel, t: int = 0):
    """A tree as (feature, {level: subtree}); a leaf is (class, rows)."""
    tree = model.tree
    if tree.is_leaf[t]:
        return tree.response.labels[tree.value[t]], int(tree.rows[t])
    feature = tree.schema[tree.splits.feature[t]]
    assert tree.n_children[t] == len(feature.levels)
    first = int(tree.first_child[t])
    return feature.name, {level: branches(model, first + c) for c, level in enumerate(feature.levels)}


ID3_LOAN = ("有工作", {"否": ("有房子", {"否": ("否", 6), "是": ("是", 3)}), "是": ("是", 6)})
ID3_TENNIS = (
    "outlook",
    {
        "sunny": ("humidity", {"high": ("no", 3), "normal": ("yes", 2)}),
        "overcast": ("yes", 4),
        "rain": ("windy", {False: ("yes", 3), True: ("no", 2)}),
    },
)
BLURRED = ("触感", {"硬滑": ("否", 4), "软粘": ("是", 1)})
ID3_WATERMELON = (
    "纹理",
    {
        "清晰": (
            "根蒂",
            {
                "蜷缩": ("是", 5),
                "稍蜷": (
                    "色泽",
                    {
                        "青绿": ("是", 1),
                        "乌黑": ("触感", {"硬滑": ("是", 1), "软粘": ("否", 1)}),
                        "浅白": ("是", 0),
                    },
                ),
                "硬挺": ("否", 1),
            },
        ),
        "稍糊": BLURRED,
        "模糊": ("否", 3),
    },
)
RATIO_WATERMELON = (
    "纹理",
    {
        "清晰": (
            "触感",
            {
                "硬滑": ("是", 6),
                "软粘": (
                    "色泽",
                    {
                        "青绿": ("根蒂", {"稍蜷": ("是", 1), "硬挺": ("否", 1), "蜷缩": ("否", 0)}),
                        "乌黑": ("否", 1),
                        "浅白": ("否", 0),
                    },
                ),
            },
        ),
        "稍糊": BLURRED,
        "模糊": ("否", 3),
    },
)
CLS_LOAN = (
    "年龄",
    {
        "青年": ("有工作", {"否": ("有房子", {"否": ("否", 3), "是": ("是", 1)}), "是": ("是", 1)}),
        "中年": ("有工作", {"否": ("否", 2), "是": ("是", 3)}),
        "老年": ("有工作", {"否": ("有房子", {"否": ("否", 1), "是": ("是", 2)}), "是": ("是", 2)}),
    },
)


# ID3, step by step


def test_s0_21_one_class_is_a_leaf_of_that_class():
    model = grow("id3", {"x": ["a", "b", "c"]}, ["是", "是", "是"])
    assert branches(model) == ("是", 3)


@pytest.mark.parametrize(("y", "predicted"), [("abb", "b"), ("bba", "b"), ("aab", "a"), ("ba", "a")])
def test_s0_22_no_feature_left_is_a_leaf_of_the_majority(y, predicted):
    model = grow("id3", {"x": ["same"] * len(y)}, list(y))
    assert branches(model) == (predicted, len(y))  # the first class on ties


def test_s0_23_the_first_column_wins_a_tie():
    X, y = table("loan")
    assert gains("loan")["有工作"] == pytest.approx(gains("loan")["有房子"])
    assert branches(grow("id3", X, y))[0] == "有工作"
    assert branches(grow("id3", {name: X[name] for name in reversed(X)}, y))[0] == "有房子"


@pytest.mark.parametrize("order", [("根蒂", "脐部", "触感"), ("触感", "根蒂", "脐部"), ("脐部", "触感", "根蒂")])
def test_s0_23_a_tie_in_arithmetic_is_a_tie_whatever_the_rounding(order):
    X, y = table("watermelon_2")
    model = grow("id3", {name: X[name] for name in (*order, "色泽", "敲声", "纹理")}, y)
    assert branches(model)[1]["清晰"][0] == order[0]


@pytest.mark.parametrize(
    ("name", "epsilon", "root"),
    [("loan", 0.42, "是"), ("loan", 0.4199, "有工作"), ("watermelon_2", 0.39, "否"), ("watermelon_2", 0.38, "纹理")],
)
def test_s0_24_a_gain_below_epsilon_is_a_leaf(name, epsilon, root):
    assert branches(of("id3", name, epsilon=epsilon))[0] == root


def test_s0_24_a_gain_of_epsilon_is_not_below_it():
    X, y = {"x": list("aabb")}, [0, 0, 1, 1]
    assert grow("id3", X, y, epsilon=1.0).tree.n_leaves == 2
    assert grow("id3", X, y, epsilon=1.0000001).tree.n_leaves == 1


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000))
def test_s0_25_a_branch_a_level_and_a_feature_once_on_a_path(seed):
    rng = np.random.default_rng(seed)
    X = {name: rng.choice(list("甲乙丙"), 60).tolist() for name in "abcd"}
    model = grow("id3", X, rng.integers(0, 3, 60))
    tree = model.tree
    for leaf in tree.leaves:
        above = [int(tree.splits.feature[t]) for t in tree.path(leaf)[:-1]]
        assert len(set(above)) == len(above)
    inner = ~tree.is_leaf
    assert (tree.n_children[inner] == 3).all()


@pytest.mark.parametrize(("name", "expected"), [("loan", ID3_LOAN), ("play_tennis", ID3_TENNIS)])
def test_s0_26_s4_11_section_6_gain_and_ratio_agree(name, expected):
    assert branches(of("id3", name)) == expected
    assert branches(of("id3", name, criterion="gain_ratio")) == expected


def test_s0_26_section_6_gain_and_ratio_part_on_the_watermelons():
    assert branches(of("id3", "watermelon_2")) == ID3_WATERMELON
    assert branches(of("id3", "watermelon_2", criterion="gain_ratio")) == RATIO_WATERMELON


def test_s0_26_epsilon_is_compared_with_the_ratio():
    # 有工作 has gain 0.41997 and ratio 0.43254.
    assert of("id3", "loan", epsilon=0.43).tree.n_leaves == 1
    assert branches(of("id3", "loan", criterion="gain_ratio", epsilon=0.43)) == ID3_LOAN
    assert of("id3", "loan", criterion="gain_ratio", epsilon=0.433).tree.n_leaves == 1


def test_s0_27_only_features_of_average_gain_are_ranked_by_ratio():
    assert branches(of("id3", "h1", criterion="gain_ratio"))[0] == "B"


# The book's TreeGenerate


def test_s2_13_an_empty_branch_predicts_the_majority_of_its_parent():
    model = of("id3", "watermelon_2")
    X, _ = table("watermelon_2")
    row = {name: [X[name][0]] for name in X} | {"纹理": ["清晰"], "根蒂": ["稍蜷"], "色泽": ["浅白"]}
    columns = read_columns(row, model.schema)
    assert model.predict(columns).tolist() == ["是"]
    assert model.route(columns).node[0] in np.flatnonzero(model.tree.rows == 0)
    assert int((model.tree.rows[model.tree.leaves] == 0).sum()) == 1


# CLS


def test_s4_05_cls_splits_in_column_order_until_nodes_are_pure():
    model = of("cls", "loan")
    assert branches(model) == CLS_LOAN
    probability = model.tree.probability[model.tree.leaves]
    assert (probability.max(axis=1) == 1.0).all()


def cls_leaves(X, y, rows, features, skip: bool) -> list[int]:
    """Rows in each leaf of CLS in plain recursion; ``skip`` passes over features that are constant in the node."""
    if len({y[i] for i in rows}) <= 1 or not features:
        return [len(rows)]
    name, *rest = features
    if skip and len({X[name][i] for i in rows}) == 1:
        return cls_leaves(X, y, rows, rest, skip)
    parts = ([i for i in rows if X[name][i] == level] for level in set(X[name]))
    return [n for part in parts for n in cls_leaves(X, y, part, rest, skip)]


def test_s4_05_section_6_cls_on_the_watermelons():
    X, y = table("watermelon_2")
    tree = grow("cls", X, y).tree
    assert tree.schema[tree.splits.feature[0]].name == "色泽"
    # The checklist counts a CLS that also splits on features that are constant in the node: it only adds empty leaves.
    always = cls_leaves(X, y, range(17), list(X), skip=False)
    assert (len(always), always.count(0)) == (28, 13)
    useful = cls_leaves(X, y, range(17), list(X), skip=True)
    assert sorted(tree.rows[tree.leaves].tolist()) == sorted(useful)
    assert (len(useful), useful.count(0)) == (22, 7)


def test_s4_06_cls_stops_when_no_feature_tells_rows_apart():
    model = grow("cls", {"same": ["a"] * 4, "also": ["b"] * 4}, ["n", "y", "y", "n"])
    assert branches(model) == ("n", 4)
    skipped = grow("cls", {"same": ["a"] * 4, "x": list("lrrl")}, ["n", "y", "y", "n"])
    assert branches(skipped) == ("x", {"l": ("n", 2), "r": ("y", 2)})


def test_s4_07_cls_is_deeper_than_id3():
    cls, id3 = of("cls", "loan").tree, of("id3", "loan").tree
    assert (cls.max_depth, cls.n_leaves) == (3, 8)
    assert (id3.max_depth, id3.n_leaves) == (2, 3)
