"""Names, levels, numbers and conditions in words."""

import unicodedata
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxwood import CARTRegressor
from boxwood.data.columns.schema import NOMINAL, NUMERIC, ORDINAL, Feature, Schema
from boxwood.tree.split import SplitTable
from boxwood.tree.tree import SHARED, STAYS
from boxwood.tree.validate import validate
from boxwood.views.condition import condition, has_values, missing_words, split_condition
from boxwood.views.figures import percent
from boxwood.views.table import to_frame
from boxwood.views.text import to_text
from boxwood.views.words import amount, columns, cut, level, plain, share, shorten
from tree.random_trees import chain


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("age", "age"),
        ("年龄", "年龄"),
        ("나이", "나이"),
        ("", '""'),
        (" a", '" a"'),
        ("a\nb\tc", "a\\nb\\tc"),
        ("\x1b[31mred", "\\x1b[31mred"),
        ("\x9b31m", "\\x9b31m"),
        ("\u202eabc", "\\u202eabc"),
        ("a\u2028b", "a\\u2028b"),
        ("\ud800", "\\ud800"),
        ("👩‍👧", "👩‍👧"),
    ],
)
def test_plain(text, shown):
    assert plain(text) == shown


@given(st.text())
def test_nothing_plain_can_move_the_cursor(text):
    shown = plain(text)
    shown.encode("utf-8")
    assert not any(unicodedata.category(sign) in ("Cc", "Cs", "Zl", "Zp") for sign in shown)
    assert len(shown.splitlines()) == 1


@given(st.text(), st.integers(1, 40))
def test_shorten(text, most):
    short = shorten(text, most)
    assert columns(short) <= most
    assert short == text or short.endswith("…")


def test_columns_of_wide_characters():
    assert [columns(text) for text in ("abc", "中文", "e\u0301", "ｱ", "Ａ", "한")] == [3, 4, 1, 1, 2, 2]
    assert shorten("中文字符", 5) == "中文…"
    assert shorten("中文字符", 8) == "中文字符"


@given(st.floats(allow_nan=False))
def test_cut_reads_back(value):
    assert float(cut(value)) == value
    assert float(cut(value, integer=True)) == value


def test_cuts():
    assert [cut(4.0), cut(4.0, integer=True), cut(4.5, integer=True), cut(1e300, integer=True)] == [
        "4.0",
        "4",
        "4.5",
        "1e+300",
    ]
    assert cut(2.0**53, 1.0) == str(2**53 + 1)
    assert cut(-(2.0**63), -1.0) == str(-(2**63) - 1)
    assert cut(2.0**53, 0.5) == "9007199254740992.0 + 0.5"
    assert cut(-np.inf) == "-inf"


def test_shares_and_amounts():
    assert [share(p) for p in (0.0, 1e-9, 0.25, 1 - 1e-9, 1.0)] == ["0.000", "1e-09", "0.250", ">0.999", "1.000"]
    assert [share(p) for p in (4e-5, 1e-5, 0.00472, 0.01, 0.99996)] == [
        "0.00004",
        "0.00001",
        "0.0047",
        "0.010",
        "0.99996",
    ]
    assert [percent(p) for p in (4e-5, 1e-5, 0.0047, 0.01, 0.99996)] == [
        "0.004 %",
        "0.001 %",
        "0.47 %",
        "1.0 %",
        "99.996 %",
    ]
    assert [amount(x) for x in (12.0, 1 / 3, 1e20)] == ["12", "0.333333", "1e+20"]
    assert [level(x) for x in (True, 3, 0.5, "3", 2**70)] == ["True", "3", "0.5", "3", str(2**70)]


def one_split(feature, breaks, index, missing, n_children, low=None):
    """A root with this split."""
    base = chain(1)
    size = n_children + 1
    leaf = np.arange(size) > 0
    none = np.zeros(size + 1, np.int32)
    tree = replace(
        base,
        schema=Schema((feature,)),
        parent=np.where(leaf, 0, -1).astype(np.int32),
        first_child=np.where(leaf, -1, 1).astype(np.int32),
        n_children=np.where(leaf, 0, n_children).astype(np.int32),
        splits=SplitTable.of(
            np.where(leaf, -1, 0).tolist(),
            [list(zip(breaks, low or [0.0] * len(breaks), strict=True)), *[()] * (size - 1)],
            [index, *[()] * (size - 1)],
        ),
        missing=np.where(leaf, STAYS, missing).astype(np.int32),
        heuristic=np.zeros(size, bool),
        moments=np.ones((size, 3)),
        rows=np.ones(size, np.int64),
        score=np.where(leaf, np.nan, 1.0),
        surrogate_start=none,
        competitor_start=none,
    )
    validate(tree)
    return tree


def words(tree, **settings):
    return [condition(tree, 0, c, **settings) for c in range(tree.n_children[0])]


def test_numeric_conditions():
    age = Feature("age", NUMERIC)
    assert words(one_split(age, [41.5], [0, 1], 0, 2)) == ["age <= 41.5", "age > 41.5"]
    assert words(one_split(age, [41.5], [1, 0], 0, 2)) == ["age > 41.5", "age <= 41.5"]
    assert words(one_split(age, [1.0, 2.5], [0, 1, 2], 0, 3)) == ["age <= 1", "1 < age <= 2.5", "age > 2.5"]
    assert words(one_split(age, [1.0, 2.5], [0, 1, 0], 0, 2)) == ["age <= 1 or age > 2.5", "1 < age <= 2.5"]
    assert words(one_split(age, [1.0, 2.5], [0, 0, 1], 0, 2)) == ["age <= 2.5", "age > 2.5"]
    assert words(one_split(age, [41.5], [0, 1], 2, 3)) == ["age <= 41.5", "age > 41.5", "age is missing"]
    assert words(one_split(age, [], [0], 1, 2)) == ["age is known", "age is missing"]
    assert words(one_split(age, [], [0], 0, 2)) == ["age is known", "no value of age"]
    whole = Feature("n", NUMERIC, integer=True)
    assert words(one_split(whole, [4.0], [0, 1], 0, 2)) == ["n <= 4", "n > 4"]
    assert words(one_split(whole, [2.0**60], [0, 1], 0, 2, [3.0])) == [f"n <= {2**60 + 3:,}", f"n > {2**60 + 3:,}"]


def test_ordinal_conditions():
    grade = Feature("grade", ORDINAL, ("low", "mid", "high", "top"))
    assert words(one_split(grade, [1.5], [0, 1], 0, 2)) == ["grade <= mid", "grade > mid"]
    assert words(one_split(grade, [0.5, 2.5], [0, 1, 2], 0, 3)) == [
        "grade <= low",
        "low < grade <= high",
        "grade > high",
    ]
    assert words(one_split(grade, [2.0], [0, 1], 0, 2)) == ["grade <= high", "grade > high"]
    assert words(one_split(grade, [3.5], [0, 1], 1, 2)) == ["grade is known", "grade is missing"]
    assert words(one_split(grade, [0.5, 1.5], [0, 1, 0], 0, 2)) == ["grade <= low or grade > mid", "low < grade <= mid"]


def test_nominal_conditions():
    colour = Feature("colour", NOMINAL, ("red", "green", "blue", "grey", "black", "gold", "x\ny"))
    tree = one_split(colour, [], [0, 0, 0, 0, 0, 0, 1], 1, 2)
    assert words(tree) == ["colour in {red, green, blue and 3 more}", "colour = x\\ny"]
    assert words(tree, max_levels=None)[0] == "colour in {red, green, blue, grey, black, gold}"
    assert words(tree, max_levels=1)[0] == "colour in {red and 5 more}"
    assert words(one_split(colour, [], [0, 0, 0, 0, 1, -1, -1], 1, 2))[0] == "colour in {red, green, blue, grey}"
    flag = Feature("flag", NOMINAL, (False, True))
    assert words(one_split(flag, [], [1, 0], 0, 2)) == ["flag = True", "flag = False"]
    tree = one_split(flag, [], [0, -1], 1, 2)
    assert words(tree) == ["flag = False", "flag is missing"]
    assert [has_values(tree, 0, c) for c in (0, 1)] == [True, False]
    assert split_condition(flag, tree.splits, 0, 1) == ""


def test_missing_words():
    age = Feature("age", NUMERIC)
    found = [missing_words(one_split(age, [1.0], [0, 1], where, 2), 0) for where in (0, 1, SHARED, STAYS)]
    assert found == ["branch 0", "branch 1", "shared", "stays"]
    assert missing_words(one_split(age, [1.0], [0, 1], 0, 2), 1) == ""


def test_cuts_in_text_are_the_cuts():
    near = [24.808341, 24.808343, 24.808345]
    rows = np.array([*near, 31.331249999999997])
    tree = CARTRegressor(pruning=None, max_surrogates=0).fit({"fare": rows}, [0.0, 5.0, 9.0, 20.0]).tree_
    lines = to_text(tree)
    for written in ("fare <= 28.1 ", "fare <= 24.808344 ", "fare <= 24.808342 "):
        assert written in lines
    apart = one_split(Feature("age", NUMERIC), [1 / 3], [0, 1], 0, 2)
    assert words(apart) == [f"age <= {1 / 3!r}", f"age > {1 / 3!r}"]
    assert words(one_split(Feature("n", NUMERIC), [1234567.5], [0, 1], 0, 2))[0] == "n <= 1,234,567.5"


def test_conditions_as_data_have_all_digits():
    tree = one_split(Feature("age", NUMERIC), [1 / 3], [0, 1], 0, 2)
    assert f"age <= {1 / 3!r}" in to_frame(tree, "dict")["condition"]
