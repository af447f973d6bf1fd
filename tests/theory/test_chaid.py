"""CHAID on the tables of the notes: groups, statistics and p-values as worked out by hand (S3, checked figures)."""

from __future__ import annotations

import math

import numpy as np
import pytest

from boxwood import CHAIDClassifier
from boxwood.algorithms import REGISTRY
from boxwood.data.frames.frame import learn_columns
from boxwood.learning.learning_set import learning_set
from boxwood.views.condition import condition
from theory.tables import table

CHAID = REGISTRY["chaid"]
SMALL = {"min_samples_split": 2, "min_samples_leaf": 1, "pruning": None}


def fit(X, y, **settings):
    return CHAID.fit(learn_columns(X), y, task="classification", settings=SMALL | settings)


def found_at(X, y, rows=None, **settings) -> dict:
    """Feature -> its test among some rows."""
    columns, settings = learn_columns(X), {**SMALL, **settings}
    filled = CHAID.fit(columns, y, task="classification", settings=settings).settings
    learning = learning_set(columns, CHAID.target(y, filled, task="classification"), 1)
    recipe = CHAID.recipe(filled, columns.schema, learning.n)
    found = learning.source(recipe).tests(recipe, np.arange(learning.n) if rows is None else rows)
    return {columns.schema[test.feature].name: test for test in found}


def named(X, name: str, test) -> list[set]:
    levels = learn_columns(X).schema[list(X).index(name)].levels
    return [{levels[code] for code in group} for group in test.groups]


def test_s3_06_loan_table():
    X, y = table("loan")
    tree = fit(X, y).tree
    assert [tree.schema.names[j] for j in tree.splits.feature[~tree.is_leaf]] == ["有工作", "有房子"]
    assert np.exp(tree.log_p[~tree.is_leaf]).tolist() == pytest.approx([0.00982327, 0.00269980], abs=5e-9)
    assert condition(tree, 0, 0) == "有工作 = 否"
    assert tree.parent.tolist() == [-1, 0, 0, 1, 1]


def test_s3_06_loan_table_figures():
    X, y = table("loan")
    found = found_at(X, y)
    job, age, credit = found["有工作"], found["年龄"], found["信用"]
    assert (job.statistic, job.p, job.adjusted_p) == pytest.approx((20 / 3, 0.00982327, 0.00982327), abs=5e-9)
    assert named(X, "年龄", age) == [{"中年", "青年"}, {"老年"}] or {"中年", "青年"} in named(X, "年龄", age)
    assert (age.statistic, age.adjusted_p) == pytest.approx((1.25, 0.790657), abs=5e-7)
    assert {"好", "非常好"} in named(X, "信用", credit)
    assert (credit.statistic, credit.p, credit.multiplier) == pytest.approx((5.0, 0.02534732, 3.0), abs=5e-9)
    assert credit.adjusted_p == pytest.approx(0.07604196, abs=5e-9)
    rows = np.flatnonzero(np.array(X["有工作"]) == "否")
    house = found_at(X, y, rows)["有房子"]
    assert (house.statistic, house.p) == pytest.approx((9.0, 0.00269980), abs=5e-9)


def test_s3_06_exhaustive_multipliers_on_the_loan_table():
    X, y = table("loan")
    biggs = found_at(X, y, exhaustive=True, multiplier="biggs")["信用"]
    assert (biggs.multiplier, biggs.adjusted_p) == pytest.approx((4.0, 0.10138927), abs=5e-9)
    assert found_at(X, y, exhaustive=True)["信用"].multiplier == 12.0


def test_s3_06_ordered_credit_has_fewer_mergers():
    import pandas as pd

    X, y = table("loan")
    X["信用"] = pd.Categorical(X["信用"], ["一般", "好", "非常好"], ordered=True)
    credit = found_at(X, y)["信用"]
    assert (credit.kind, credit.multiplier) == ("ordinal", 2.0)
    assert credit.adjusted_p == pytest.approx(0.05069464, abs=5e-9)


def test_s3_06_watermelon():
    X, y = table("watermelon_2")
    model = fit(X, y)
    tree = model.tree
    assert tree.schema.names[tree.splits.feature[0]] == "纹理"
    root = found_at(X, y)["纹理"]
    assert sorted(map(sorted, named(X, "纹理", root))) == sorted([["清晰"], sorted(["模糊", "稍糊"])])
    figures = (root.statistic, root.p, root.multiplier, root.adjusted_p)
    assert figures == pytest.approx((7.244020, 0.00711375, 3.0, 0.02134126), abs=5e-7)
    biggs = found_at(X, y, exhaustive=True, multiplier="biggs")["纹理"]
    assert biggs.adjusted_p == pytest.approx(0.02845501, abs=5e-9)
    clear = np.flatnonzero(np.array(X["纹理"]) == "清晰")
    touch = found_at(X, y, clear)["触感"]
    assert (touch.statistic, touch.p) == pytest.approx((5.142857, 0.02334220), abs=5e-7)
    assert found_at(X, y, np.setdiff1d(np.arange(len(y)), clear))["触感"].p == pytest.approx(0.064078, abs=5e-7)
    assert tree.n_leaves == 3
    soft = clear[np.array(X["触感"])[clear] == "软粘"]
    assert min(test.adjusted_p for test in found_at(X, y, soft).values()) == pytest.approx(0.386476, abs=5e-7)


def test_s3_06_play_tennis_is_not_split():
    X, y = table("play_tennis")
    assert fit(X, y).tree.n_nodes == 1
    found = found_at(X, y)
    best = min(found.values(), key=lambda test: test.log_adjusted_p)
    assert best is found["humidity"]
    assert best.adjusted_p == pytest.approx(0.094264, abs=5e-7)


def test_p_that_floats_cannot_hold():
    x = ["a", "b", "c"] * 2000
    model = CHAIDClassifier().fit({"x": x}, [value == "a" for value in x])
    assert model.tree_.log_p[0] == pytest.approx(-3005.0, abs=10.0)
    assert math.exp(model.tree_.log_p[0]) == 0.0
    assert "p 0" not in str(model.tree_)
