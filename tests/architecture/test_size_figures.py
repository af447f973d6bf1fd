"""The figures that `make size` holds to their budgets are counted right."""

from __future__ import annotations

import re
import subprocess
from itertools import pairwise

from tools import python_size
from tools.budgets import FILE, Budgets, unnamed_rises
from tools.size import ROOT

MODULE = '''"""A module."""

import os
from pathlib import (
    Path,
)


class Leaf:
    """A leaf."""

    rows: int = 0


def width(
    leaf: Leaf,
) -> int:
    """Of the leaf.

    In rows.
    """
    # Not more.
    return leaf.rows if leaf.kind == MEAN or leaf.kind in (CLASSES, RATE) else 0
'''


def test_lines_are_counted_by_what_they_are():
    kinds = python_size.kinds_of_lines(MODULE)
    assert kinds == {"docstring": 6, "import": 4, "signature": 3, "comment": 1, "code": 3, "blank": 6}
    assert kinds.total() == len(MODULE.splitlines())


def test_comparisons_of_kinds_are_counted():
    patterns = python_size.COMPARISONS
    assert len(re.findall(patterns["comparisons of the kind of y"], MODULE)) == 2
    assert not re.findall(patterns["comparisons of the kind of a feature"], MODULE)


def budgets(lines: int, *raised: tuple[str, int, str]) -> Budgets:
    entries = [{"figure": figure, "before": 0, "to": to, "capability": why} for figure, to, why in raised]
    return Budgets({"lines": lines}, {"lines": 50}, entries)


def test_budgets_fall_with_their_figures_and_rise_for_a_named_capability_only():
    before = budgets(100)
    assert before.lowered({"lines": 90}).budget == {"lines": 90}
    assert before.lowered({"lines": 120}).budget == {"lines": 100}
    assert before.lowered({"lines": 10}).budget == {"lines": 50}
    assert unnamed_rises(before, before.lowered({"lines": 90})) == []
    assert unnamed_rises(before, budgets(110)) == ["lines"]
    assert unnamed_rises(before, budgets(110, ("lines", 110, " "))) == ["lines"]
    assert unnamed_rises(before, budgets(120, ("lines", 110, "survival"))) == ["lines"]
    assert unnamed_rises(before, budgets(110, ("lines", 110, "survival"))) == []
    after = before.raised_to("lines", 130, "survival trees")
    assert unnamed_rises(before, after) == []
    assert Budgets.parse(after.text()) == after
    assert unnamed_rises(after, budgets(140, ("lines", 130, "survival trees"))) == ["lines"]


def test_no_budget_rose_since_the_commit_before_without_its_capability():
    """Compares the working copy with the last commit, and that with the one before it, as far as git knows them."""
    texts = [FILE.read_text(encoding="utf-8")]
    for commit in ("HEAD", "HEAD~1"):
        shown = subprocess.run(
            ["git", "show", f"{commit}:tools/budgets.toml"],
            cwd=ROOT,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        texts += [shown.stdout] if shown.returncode == 0 else []
    found = [Budgets.parse(text) for text in texts]
    for after, before in pairwise(found):
        assert unnamed_rises(before, after) == []
