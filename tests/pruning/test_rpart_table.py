"""rpart's cp tables, digit by digit, for every fit at hand; and where they differ from the exact sequence."""

from __future__ import annotations

import numpy as np
import pytest

from boxwood.errors import ParameterError
from boxwood.pruning.rpart_table import cp_table, rpart_complexity
from pruning.rpart_frames import data_sets, tree_of_fit
from pruning.trees import chain_shape, shape_only

#: Columns of our table in rpart's order.
COLUMNS = ("CP", "nsplit", "rel_error")


def rows_of(table):
    """A table as an array, shape (rows, 3)."""
    return np.array([[row[name] for name in COLUMNS] for row in table])


@pytest.mark.parametrize(("name", "data"), data_sets().items())
def test_cp_tables_of_rpart(name, data):
    for fit in data["fits"]:
        tree, risk, _ = tree_of_fit(fit)
        expected = np.array([row[:3] for row in fit["cptable"]])
        # rpart can print the same CP twice, when one fraction was rounded differently; we keep the first of such rows.
        expected = expected[np.append(True, np.diff(expected[:, 0]) < -1e-13)]
        found = rows_of(cp_table(tree, risk, expected[-1, 0] * risk[0], style="rpart"))
        np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-13, err_msg=f"{name} {fit['id']}")


@pytest.mark.parametrize(("name", "data"), data_sets().items())
def test_complexities_of_rpart(name, data):
    for fit in data["fits"]:
        tree, risk, _ = tree_of_fit(fit)
        alpha = fit["cptable"][-1][0] * risk[0]
        complexity = rpart_complexity(tree, risk, alpha)
        printed = np.array(fit["frame"]["complexity"])[np.argsort(fit["frame"]["nodes"])] * risk[0]
        inner = ~tree.is_leaf
        np.testing.assert_allclose(complexity[inner], printed[inner], rtol=1e-10, err_msg=f"{name} {fit['id']}")
        assert (complexity[tree.is_leaf] <= alpha).all()


@pytest.mark.parametrize(("name", "data"), data_sets().items())
def test_exact_tables_are_the_exact_sequences(name, data):
    fits = {fit["id"]: fit for fit in data["fits"]}
    for expected in data["sequences"]:
        tree, risk, _ = tree_of_fit(fits[expected["tree"]])
        rows = [(row["alpha"], row["leaves"] - 1, row["risk"]) for row in expected["weakest_link"]]
        unit = np.array([risk[0], 1, risk[0]])
        found = rows_of(cp_table(tree, risk))[::-1]
        np.testing.assert_allclose(found * unit, rows, rtol=1e-9, atol=1e-10 * risk[0], err_msg=name)


def test_the_weak_link_below_a_strong_child_is_where_the_styles_differ():
    # Node 2 pays 5 a split and keeps its weak child 4 (3 a split) in rpart's one pass, so the root looks weaker (14/3)
    # than it is once node 4 is pruned: 11/2.
    tree = shape_only([2, 0, 2, 0, 2, 0, 0])
    risk = np.array([14.0, 0.0, 10.0, 0.0, 3.0, 0.0, 0.0])
    assert [row["nsplit"] for row in cp_table(tree, risk)] == [0, 2, 3]
    assert cp_table(tree, risk)[0]["CP"] == pytest.approx(5.5 / 14)
    assert rows_of(cp_table(tree, risk, style="rpart"))[:, 1].tolist() == [0, 2, 3]


def test_a_table_ends_at_alpha():
    tree = shape_only([2, 2, 0, 0, 0])
    risk = np.array([10.0, 2.0, 0.0, 0.0, 0.0])
    for style in ("exact", "rpart"):
        assert cp_table(tree, risk, 3.0, style) == [
            {"CP": 0.8, "nsplit": 0, "rel_error": 1.0},
            {"CP": 0.3, "nsplit": 1, "rel_error": 0.2},
        ]
        assert cp_table(tree, risk, 20.0, style) == [{"CP": 2.0, "nsplit": 0, "rel_error": 1.0}]


def test_a_root_without_risk():
    for style in ("exact", "rpart"):
        assert cp_table(shape_only([2, 0, 0]), np.zeros(3), style=style) == [{"CP": 0.0, "nsplit": 0, "rel_error": 0.0}]


def test_a_split_into_three_counts_as_the_two_leaves_it_adds():
    tree = shape_only([3, 0, 0, 0])
    risk = np.array([8.0, 1.0, 1.0, 0.0])
    assert rpart_complexity(tree, risk).tolist() == [3.0, 0.0, 0.0, 0.0]
    assert cp_table(tree, risk, style="rpart") == cp_table(tree, risk, style="exact")


def test_wrong_settings_are_named():
    tree = shape_only([2, 0, 0])
    with pytest.raises(ParameterError, match="style must be one of 'exact', 'rpart'; got 'sas'"):
        cp_table(tree, np.zeros(3), style="sas")
    for style in ("exact", "rpart"):
        with pytest.raises(ParameterError, match="alpha must be a finite number, 0 or larger; got -1"):
            cp_table(tree, np.zeros(3), -1, style)
    with pytest.raises(ParameterError, match="one finite number for each of the 3 nodes"):
        cp_table(tree, np.zeros(2))


def test_a_deep_chain():
    tree = shape_only(chain_shape(20_001))
    assert len(cp_table(tree, np.arange(20_001, 0, -1.0), style="rpart")) >= 1
