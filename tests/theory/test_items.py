"""Every item of the theory checklist has a test that bears its id, and no test bears an id that is not there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from theory.items import DOCS_ONLY, ERRORS, ITEMS

HERE = Path(__file__).parent


def named_tests() -> dict[str, list[str]]:
    """Id of an item -> the tests that show it, as file::test."""
    found: dict[str, list[str]] = {}
    for file in sorted(HERE.glob("test_*.py")):
        for name in re.findall(r"def (test_\w+)", file.read_text(encoding="utf-8")):
            for note, number in re.findall(r"s(\d)_(\d\d)(?=_|$)", name):
                found.setdefault(f"S{note}-{number}", []).append(f"{file.name}::{name}")
    return found


TESTS = named_tests()


@pytest.mark.parametrize("item", sorted(ITEMS))
def test_item_has_a_test(item):
    assert TESTS.get(item), f"no test in tests/theory is named by {item}: {ITEMS[item]}"


def test_no_test_bears_an_unknown_id():
    assert sorted(set(TESTS) - set(ITEMS)) == []


def test_an_item_is_tested_or_explained():
    assert sorted(ITEMS.keys() & DOCS_ONLY.keys()) == []
    counts = {"S0": 30, "S1": 23, "S2": 13, "S3": 10, "S4": 12}
    listed = {**ITEMS, **DOCS_ONLY}
    assert {f"{note}-{i:02}" for note, n in counts.items() for i in range(1, n + 1)} == set(listed)


@pytest.mark.parametrize("item", ERRORS)
def test_every_correction_has_a_cell_of_its_own(item):
    page = (HERE.parents[1] / "docs" / "corrections.md").read_text(encoding="utf-8")
    paragraph = next(part for part in page.split("\n**")[1:] if item in part.split(".")[0])
    assert "```python" in paragraph
    assert "```text" in paragraph
