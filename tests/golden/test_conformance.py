"""docs/conformance.md counts the fits that the tests compare; `make conformance` runs them all and writes the page."""

from __future__ import annotations

import re

import pytest

from tools.golden import conformance
from tools.golden.conformance import PAGE, PROGRAMS, Outcomes, Program, failed, is_packed

ROW = re.compile(r"^\| ([^|]+) \| [^|]+ \| (\d+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$", re.MULTILINE)
ROWS = {name: list(map(int, numbers)) for name, *numbers in ROW.findall(PAGE.read_text(encoding="utf-8"))}


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_the_page_counts_the_fits_at_hand(program):
    fits, _, equal, differ, bad, packed = ROWS[program.name]
    assert fits == equal + differ
    assert bad == 0
    assert packed == sum(is_packed(program, fit) for fit in program.fits())


def test_a_failed_and_a_forgotten_comparison_are_counted():
    program = Program(
        "p", "ours", "all", conformance, ("test_the_tree",), PAGE.parent, lambda: [("a", "1"), ("b", "2")]
    )
    outcomes = Outcomes(run=[("conformance", "test_the_tree", {"name": "a", "fit_id": "1"}, True)])
    assert failed(program, outcomes) == {("b", "2")}
    outcomes.run.append(("conformance", "test_the_tree", {"name": "b", "fit_id": "2"}, False))
    assert failed(program, outcomes) == {("b", "2")}
    outcomes.run[1] = ("conformance", "test_the_tree", {"name": "b", "fit_id": "2"}, True)
    assert failed(program, outcomes) == set()
