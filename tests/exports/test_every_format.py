"""Every format with an engine predicts like a tree that no algorithm would grow, on rows that reach its corners."""

from __future__ import annotations

import pytest

from boxwood.errors import NotAvailableError
from boxwood.exports.export import export, verify
from boxwood.exports.registry import FORMATS
from exports.hard_rows import hard_columns
from exports.hard_trees import hard_plan

#: These two refuse surrogates and shares, and have tests of their own.
ALL = sorted(FORMATS.keys() - {"treelite", "sklearn"})
#: PMML and workbooks have tests of their own; starting their engines for each tree would take minutes.
RUN = [name for name in ALL if name not in ("pmml", "xlsx") and hasattr(FORMATS[name].load(), "run")]
#: Trees that were wrong in some format once: branches that all lead to one target, guards, nothing to test.
SEEDS = (*range(6), 19, 31, 76)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", RUN)
def test_hard_trees(name, seed):
    plan = hard_plan(seed, ("classes", "mean", "rate")[seed % 3])
    if name == "sql" and plan.shares:
        pytest.skip("SQL adds up shares by a key that this table does not have")
    columns = hard_columns(plan.tree, seed, 100)
    try:
        verdict = verify(plan, columns, name)
    except NotAvailableError as error:
        pytest.skip(str(error))
    assert verdict, str(verdict)
    assert verdict.rows + verdict.left_out == columns.n


@pytest.mark.parametrize("name", ALL)
def test_the_same_tree_gives_the_same_file(name):
    plan = hard_plan(1, "classes")
    try:
        assert export(plan, name) == export(plan, name)
    except NotAvailableError as error:
        pytest.skip(str(error))
