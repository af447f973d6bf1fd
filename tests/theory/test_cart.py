"""The items of the lecture notes that concern CART, Gini, error measures and the four choices, by item."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxwood.data.frames.frame import learn_columns, read_columns
from boxwood.growing.recipe import Recipe
from boxwood.statistics.measures import classification_error, entropy, gini
from theory.tables import fit, nested, root_scores, table, training_error

LOAN_GINI = {"有工作": "16/75", "有房子": "16/75", "信用": "4/25", "年龄": "1/25"}
LIHANG_GINI = {"年龄": "1/25", "有工作": "4/25", "有房子": "16/75", "信用": "4/25"}


def shares(*counts) -> np.ndarray:
    return np.array(counts) / sum(counts)


# S1: the aggregation view, the four choices, C&RT


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 1000))
def test_s1_02_exactly_one_path_is_taken(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(40, 3)), rng.integers(0, 2, 40)
    model = fit(X, y)
    ends = model.route(read_columns(rng.normal(size=(200, 3)), model.schema)).node
    assert model.tree.is_leaf[ends].all()


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 1000))
def test_s1_03_the_recursive_view_predicts_the_same(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(40, 3)), rng.integers(0, 3, 40)
    model, new = fit(X, y), rng.normal(size=(50, 3))
    tree = model.tree

    def value(x, node=0):
        if tree.is_leaf[node]:
            return tree.value[node]
        b = int(x[tree.splits.feature[node]] > tree.splits.breaks_of(node)[0])
        return value(x, tree.first_child[node] + b)

    np.testing.assert_array_equal([value(x) for x in new], model.predict(read_columns(new, model.schema)))


def test_s1_04_four_choices_are_in_the_recipe():
    assert {"branching", "criterion", "termination", "missing"} <= set(Recipe.__dataclass_fields__)


@pytest.mark.parametrize("name", ["loan", "watermelon_3", "play_tennis"])
def test_s1_06_the_split_has_the_least_weighted_impurity(name):
    X, y = table(name, "密度", "含糖率")
    y = np.array([v == y[0] for v in y], dtype=int)
    best = Fraction(2)
    for column in X.values():
        levels = sorted(set(column))
        for chosen in product([False, True], repeat=len(levels)):
            inside = np.isin(column, [v for v, c in zip(levels, chosen, strict=True) if c])
            if 0 < inside.sum() < len(y):
                best = min(best, sum(exact_gini(y[s]) * Fraction(int(s.sum()), len(y)) for s in (inside, ~inside)))
    tree = fit(X, y, max_depth=1).tree
    assert tree.score[0] == pytest.approx(float(exact_gini(y) - best), abs=1e-15)


def exact_gini(y) -> Fraction:
    return 1 - sum(Fraction(int(np.sum(y == v)), len(y)) ** 2 for v in set(y.tolist()))


def test_s1_07_a_leaf_predicts_the_majority_or_the_mean():
    X = np.zeros((5, 1))
    assert fit(X, ["a", "b", "b", "a", "b"]).predict(learn_columns(X)).tolist() == ["b"] * 5
    assert fit(X, [1.0, 2.0, 6.0, 3.0, 3.0], "regression").predict(learn_columns(X))[0] == 3.0


def test_s1_08_growth_ends_when_all_y_or_all_x_are_the_same():
    assert fit(np.arange(4.0)[:, None], [1, 1, 1, 1]).tree.n_nodes == 1
    assert fit(np.ones((4, 1)), [0, 1, 0, 1]).tree.n_nodes == 1
    twins = fit(np.array([[1.0], [1.0], [2.0]]), [0, 1, 1])
    assert nested(twins) == ("x0", 1.5, (0, 2), (1, 1))


def test_s1_09_regression_error():
    model = fit(np.zeros((4, 1)), [1.0, 2.0, 3.0, 6.0], "regression")
    assert model.tree.impurity()[0] == 3.5


@pytest.mark.parametrize(("counts", "error", "impurity"), [((9, 6), "2/5", "12/25"), ((8, 9), "8/17", "144/289")])
def test_s1_10_s1_11_s2_11_error_and_gini(counts, error, impurity):
    assert classification_error(shares(*counts)) == pytest.approx(float(Fraction(error)), abs=1e-15)
    assert gini(shares(*counts)) == pytest.approx(float(Fraction(impurity)), abs=1e-15)
    p = shares(*counts)
    assert gini(p) == pytest.approx(sum(a * b for i, a in enumerate(p) for j, b in enumerate(p) if i != j))


def test_s1_12_gini_and_squared_error_are_the_defaults():
    X, y = np.arange(6.0)[:, None], [0, 1, 0, 1, 1, 1]
    assert fit(X, y).tree.made_by["measure"] == "gini"
    assert fit(X, y, "regression").tree.made_by["measure"] == "variance"


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 1000), st.sampled_from(["gini", "entropy", "error"]), st.integers(2, 5))
def test_s1_13_s1_14_distinct_rows_are_learned_without_error(seed, criterion, k):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(40, 2)), rng.integers(0, k, 40)
    assert training_error(X, y, fit(X, y, criterion=criterion)) == 0


def test_s1_18_thresholds_are_inclusive():
    model = fit(np.array([[1.0], [3.0]]), ["no", "yes"])
    assert model.predict(read_columns(np.array([[2.0], [np.nextafter(2.0, 3.0)]]), model.schema)).tolist() == [
        "no",
        "yes",
    ]


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 1000), st.integers(2, 6))
def test_s1_19_the_best_of_all_subsets(seed, k):
    rng = np.random.default_rng(seed)
    levels, y = rng.integers(0, k, 40), rng.integers(0, 2, 40)
    names = np.array(list("abcdef"))[levels]
    best = 0.0
    for subset in range(1, 2 ** (k - 1)):
        inside = np.isin(levels, [v for v in range(k - 1) if subset >> v & 1])
        if 0 < inside.sum() < 40:
            after = sum(exact_gini(y[s]) * Fraction(int(s.sum()), 40) for s in (inside, ~inside))
            best = max(best, float(exact_gini(y) - after))
    tree = fit({"x": names.tolist()}, y, max_depth=1).tree
    assert (tree.score[0] if tree.n_nodes > 1 else 0.0) == pytest.approx(best, abs=1e-15)


# S2 and S3: measures


def test_s2_12_s3_04_gini_index_is_gini_less_the_decrease():
    X, y = table("loan")
    scores = root_scores(X, y)
    for name, decrease in LOAN_GINI.items():
        assert scores[name][0] == pytest.approx(float(Fraction(decrease)), abs=1e-12)
    assert 12 / 25 - scores["有工作"][0] == pytest.approx(4 / 15)


def test_s3_03_error_is_insensitive_where_gini_and_entropy_are_not():
    before, first, second = (40, 40), ((30, 10), (10, 30)), ((20, 40), (20, 0))

    def gain(measure, parts):
        return measure(shares(*before)) - sum(sum(p) / 80 * measure(shares(*p)) for p in parts)

    assert gain(classification_error, first) == gain(classification_error, second) == 0.25
    assert gain(gini, first) == pytest.approx(0.125)
    assert gain(gini, second) == pytest.approx(1 / 6)
    assert gain(entropy, first) == pytest.approx(0.1887219, abs=1e-7)
    assert gain(entropy, second) == pytest.approx(0.3112781, abs=1e-7)
    # The same counts as columns: the error cannot tell A from B and takes the first, the others see that B is better.
    X = {"A": ["l"] * 40 + ["r"] * 40, "B": ["m"] * 20 + ["l"] * 60}
    y = [1] * 30 + [0] * 10 + [1] * 10 + [0] * 30
    chosen = {c: fit(X, y, max_depth=1, criterion=c).tree for c in ("gini", "entropy", "error")}
    assert {c: tree.schema[tree.splits.feature[0]].name for c, tree in chosen.items()} == {
        "gini": "B",
        "entropy": "B",
        "error": "A",
    }


# Section 6: exact trees


def test_section_6_loan():
    X, y = table("loan")
    model = fit(X, y)
    inner = ("有房子", frozenset("否"), ("否", 6), ("是", 3))
    assert nested(model) in [
        ("有工作", frozenset("否"), inner, ("是", 6)),
        ("有工作", frozenset("是"), ("是", 6), inner),
    ]
    np.testing.assert_allclose(model.tree.score[~model.tree.is_leaf], [16 / 75, 4 / 9], rtol=1e-14)
    assert training_error(X, y, model) == 0


def test_section_6_the_textbooks_table_has_no_tie():
    X, y = table("lihang_5_1")
    scores = root_scores(X, y)
    for name, decrease in LIHANG_GINI.items():
        assert scores[name][0] == pytest.approx(float(Fraction(decrease)), abs=1e-12)
    tree = fit(X, y).tree
    assert [tree.schema[f].name for f in tree.splits.feature if f >= 0] == ["有房子", "有工作"]


def test_section_6_watermelon_2():
    X, y = table("watermelon_3", "密度", "含糖率")
    model = fit(X, y)
    tree = model.tree
    scores = root_scores(X, y)
    assert 144 / 289 - scores["纹理"][0] == pytest.approx(175 / 612, abs=1e-15)
    assert 144 / 289 - scores["脐部"][0] == pytest.approx(80 / 221, abs=1e-15)
    assert scores["纹理"][0] == pytest.approx(2209 / 10404, abs=1e-15)
    assert sorted(tree.schema[f].name for f in tree.splits.feature if f >= 0) == sorted(
        ["纹理", "触感", "色泽", "色泽", "敲声", "根蒂"]
    )
    assert tree.n_leaves == 7
    assert training_error(X, y, model) == 0
    decrease = {tuple(tree.moments[t].astype(int)): tree.score[t] for t in np.flatnonzero(~tree.is_leaf)}
    assert decrease[2, 7] == pytest.approx(16 / 81, abs=1e-15)  # 纹理 = 清晰, by 触感: Gini index 4/27
    assert gini([2 / 9, 7 / 9]) - decrease[2, 7] == pytest.approx(4 / 27, abs=1e-15)
    assert decrease[2, 1] == pytest.approx(1 / 9, abs=1e-15)
    assert decrease[7, 1] == pytest.approx(3 / 32, abs=1e-15)


def test_section_6_a_number_ties_with_a_set_of_levels():
    X, y = table("watermelon_3")
    scores = root_scores(X, y)
    assert scores["含糖率"][0] == pytest.approx(scores["纹理"][0], abs=1e-12)
    assert next(iter(scores)) == "纹理"  # the first column wins
    alone = fit({"含糖率": X["含糖率"]}, y, max_depth=1, cuts="exact").tree
    assert alone.splits.breaks[0] == pytest.approx(0.2045, abs=1e-12)
    assert 144 / 289 - alone.score[0] == pytest.approx(175 / 612, abs=1e-12)


@pytest.mark.parametrize(("name", "cut", "gain"), [("密度", 0.3815, 0.2624392604), ("含糖率", 0.126, 0.3492937223)])
def test_section_6_thresholds_of_watermelon_3_by_entropy(name, cut, gain):
    X, y = table("watermelon_3")
    tree = fit({name: X[name]}, y, max_depth=1, criterion="entropy", cuts="exact").tree
    assert tree.splits.breaks[0] == pytest.approx(cut, abs=1e-12)
    assert tree.score[0] == pytest.approx(gain, abs=1e-10)


def test_section_6_tennis():
    X, y = table("play_tennis")
    tree = fit(X, y).tree
    assert tree.schema[tree.splits.feature[0]].name == "outlook"
    assert tree.n_leaves == 7
    assert training_error(X, y, fit(X, y)) == 0
