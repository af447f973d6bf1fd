"""Conditions as text: what views print is read back, what cannot be read is refused with its place and a remedy."""

from __future__ import annotations

import numpy as np
import pytest

from boxwood import CARTClassifier, DataError, ParameterError
from boxwood.data.columns.schema import Feature, Schema
from boxwood.data.columns.temporal import Temporal
from boxwood.errors import ParameterTypeError
from boxwood.views.boxes import all_ranges
from boxwood.views.given_condition import as_split, fulfilled, nodes_within
from boxwood.views.read_condition import read_condition
from explorer.hard_rows import hard_rows
from tree.random_trees import random_tree

SCHEMA = Schema((
    Feature("income", "numeric"), Feature("income and tax", "numeric"),
    Feature("town", "nominal", ("Bonn", "Ulm", "Ulm, Donau", "京都", "a \"b\"")),
    Feature("grade", "ordinal", ("low", "mid", "high")), Feature("id", "numeric", integer=True),
    Feature("opened", "numeric", temporal=Temporal("date", "D", "D")), Feature("owns", "nominal", (False, True)),
))  # fmt: skip


def words(text: str) -> list[str]:
    return [part.words(SCHEMA, None) for part in read_condition(text, SCHEMA)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("income <= 24.5", ["income <= 24.5"]),
        ("  income≤24.5 ", ["income <= 24.5"]),
        ('"income" <= 24.5', ["income <= 24.5"]),
        ("income and tax > 1,234.5 and income <= 2e3", ["income and tax > 1234.5", "income <= 2000"]),
        ("20 < income <= 24.5", ["20 < income <= 24.5"]),
        ("income > 20 and income <= 24.5", ["20 < income <= 24.5"]),
        ("income <= 2 or income > 5", ["income <= 2 or income > 5"]),
        ("income <= 2 or income <= 5", ["income <= 5"]),
        ("town in {Ulm, Ulm, Donau, 京都}", ["town in {Ulm, Ulm, Donau, 京都}"]),
        ("town = 'Ulm, Donau'", ["town = Ulm, Donau"]),
        ("town not in {Ulm, 京都}", ['town in {Bonn, Ulm, Donau, a "b"}']),
        ("town != Ulm", ['town in {Bonn, Ulm, Donau, 京都, a "b"}']),
        ("grade > low", ["grade > low"]),
        ("low < grade <= high", ["grade > low"]),
        ("grade in {low, high}", ["grade <= low or grade > mid"]),
        ("id = 9007199254740993", ["9,007,199,254,740,992.0 + 0.9999999999999999 < id <= 9,007,199,254,740,993"]),
        ("opened <= 2021-03-14", ["opened <= 2021-03-14"]),
        ("income is missing", ["income is missing"]),
        ("owns = true", ["owns = True"]),
    ],
)
def test_conditions_are_read_as_views_print_them(text, expected):
    assert words(text) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("24.5 >= 3", "is not a feature"),
        ("twn = Ulm", "'twn' is not a feature; did you mean 'town'?"),
        ("town = Ulmm", "'Ulmm' is not a level of town; did you mean 'Ulm'?"),
        ("town < Ulm", "town has no order"),
        ("income <= x", "'x' is not a number; income is numeric"),
        ("income <= nan", "a missing value is written income is missing"),
        ("income", "must follow the name 'income'"),
        ("income <= 3 or id > 2", "'or' joins comparisons of one feature only"),
        ("income < 3 and income > 5", "can hold for no row"),
        ("town in {Ulm and 3 more}", "write all levels"),
        ("town in Ulm", "values in braces must follow"),
        ("town in {Ulm", "',' or '}' is expected|is not a level"),
        ("opened <= soon", "condition 'opened <= soon': 'soon' is not a date; opened holds such as 1970-01-01"),
        ("not income <= 3", "'not income <= 3' is not a feature"),
        ("", "'' is not a feature"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_reason(text, message):
    with pytest.raises(ParameterError, match=message.replace("?", r"\?").replace("(", r"\(")):
        read_condition(text, SCHEMA)


@pytest.mark.parametrize(
    "text",
    [
        "town in {Ulm" + " " * 100_000 + "x}", "income is not" + " " * 100_000 + "x", " " * 100_000 + "x",
        "income <= 3" + " " * 100_000 + "x", "town = '" + "\\" * 100_000, "<" * 100_000, "town in " + "{" * 100_000,
        "income <= 1x" + "9" * 100_000,
    ],
    ids=range(8),
)  # fmt: skip
def test_very_long_conditions_are_refused_at_once_and_in_a_short_message(text):
    with pytest.raises(ParameterError) as refused:
        read_condition(text, SCHEMA)
    assert len(str(refused.value)) < 500


@pytest.mark.parametrize("digits", ["9" * 400, "1" * 100_000, "1" + ",000" * 2_000])
def test_numbers_that_no_double_holds_are_infinite(digits):
    assert read_condition(f"income <= {digits}", SCHEMA)[0].intervals[0].upto == (np.inf, 0.0)
    assert read_condition(f"income > -{digits}", SCHEMA)[0].intervals[0].above == (-np.inf, 0.0)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("= -inf", "1000"), ("<= -inf", "1000"), (">= -inf", "1111"), ("!= -inf", "0111"),
        ("> -inf", "0111"), ("= inf", "0001"), ("< inf", "1110"), ("!= inf", "1110"), ("in {-inf, 1}", "1010"),
    ],
)  # fmt: skip
def test_infinite_values_are_compared_as_numbers_are(text, expected):
    X = {"x": [-np.inf, -1.0, 1.0, np.inf]}
    model = CARTClassifier(pruning=None).fit(X, ["a", "b", "c", "d"])
    assert model.rows_where(X, f"x {text}").tolist() == [sign == "1" for sign in expected]
    with pytest.raises(ParameterError, match="can hold for no row"):
        model.rows_where(X, "x < -inf")


def test_many_alternatives_are_read_in_time():
    assert words(" or ".join(["income <= 3"] * 20_000)) == ["income <= 3"]
    assert words("town in {" + ", ".join(["Ulm"] * 20_000) + "}") == ["town = Ulm"]


def test_something_else_than_text_is_refused():
    with pytest.raises(ParameterTypeError, match="must be a condition as text") as refused:
        read_condition(3, SCHEMA, "split")
    assert (refused.value.argument, refused.value.value) == ("split", 3)


@pytest.mark.parametrize("kind", ["classes", "mean"])
def test_the_conditions_of_every_node_are_read_back(kind):
    for seed in range(15):
        tree = random_tree(seed, kind, 30)
        for ranges in all_ranges(tree)[1:]:
            parts = [part for part in ranges if part.has_values]
            text = " and ".join(part.words(tree.schema, None) for part in parts)
            if parts:
                read = read_condition(text, tree.schema)
                assert [(p.intervals, p.levels) for p in read] == [(p.intervals, p.levels) for p in parts], text


def plainly(part, values, low) -> list[bool]:
    """Whether values are in a range, each compared as a pair of Python numbers."""
    pairs = zip(values.tolist(), [0.0] * len(values) if low is None else low.tolist(), strict=True)
    if part.levels:
        return [code in part.levels for code, _ in pairs]
    first, last = (-np.inf, -np.inf), (np.inf, np.inf)
    return [any((i.above or first) < pair <= (i.upto or last) for i in part.intervals) for pair in pairs]


def test_rows_fulfil_the_conditions_that_their_values_fulfil():
    for seed in range(15):
        tree = random_tree(seed, "classes", 20)
        columns = hard_rows(tree, 200, seed=seed, missing=True)
        for part in (ranges[0] for ranges in all_ranges(tree)[1:] if ranges[0].has_values):
            text = part.words(tree.schema, None)
            found = fulfilled(read_condition(text, tree.schema), columns)
            assert found.tolist() == plainly(part, columns.values[part.feature], columns.low[part.feature]), text


def test_missing_values_fulfil_only_what_names_them():
    model = CARTClassifier(pruning=None).fit({"age": [20, 30, 50, None]}, ["a", "b", "b", "a"])
    X = {"age": [40, 55, None]}
    assert model.rows_where(X, "age <= 50").tolist() == [True, False, False]
    assert model.rows_where(X, "age is missing").tolist() == [False, False, True]
    assert model.rows_where(X, "age > 50 or missing").tolist() == [False, True, True]
    assert model.rows_where(X, "age is known").tolist() == [True, True, False]


def test_a_split_is_about_one_feature():
    with pytest.raises(ParameterError, match="about one feature"):
        as_split(read_condition("income <= 3 and id > 2", SCHEMA), SCHEMA)


def test_nodes_are_found_by_what_their_paths_imply():
    model = CARTClassifier(pruning=None).fit({"age": [20, 30, 50, 60]}, ["a", "b", "c", "c"])
    tree = model.tree_
    for node, ranges in enumerate(all_ranges(tree)):
        text = " and ".join(part.words(tree.schema) for part in ranges)
        if text:
            assert node in model.nodes_where(text)
            assert node in nodes_within(read_condition(text, tree.schema), tree)
    assert model.nodes_where("age <= 1000").tolist() == [
        node for node, ranges in enumerate(all_ranges(tree)) if ranges and ranges[0].intervals[0].upto is not None
    ]


def test_other_data_than_those_of_the_fit_are_refused():
    model = CARTClassifier(pruning=None).fit({"age": [20, 30, 50, 60]}, ["a", "b", "c", "c"])
    with pytest.raises(DataError, match="not the ones that the model was fitted to"):
        model.grow_below({"age": [20, 30, 50]}, ["a", "b", "c"], 0)
