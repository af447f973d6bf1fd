"""docs/trust.md keeps to what there is: each promise names tests, and the tests and commands that it names exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "trust.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"`(tests/[^`]*)`", PAGE)))
PROMISES = PAGE.partition("## Promises")[2].partition("\n## ")[0]


def test_every_promise_names_its_tests():
    rows = [line for line in PROMISES.splitlines() if line.startswith("| **")]
    assert len(rows) >= 15
    for row in rows:
        assert "`tests/" in row, row


@pytest.mark.parametrize("name", [name for name in NAMED if not name.startswith("tests/fuzz")])
def test_the_tests_that_are_named_exist(name):
    path = ROOT / name
    files = [path] if path.suffix == ".py" else list(path.rglob("test_*.py"))
    assert files
    for file in files:
        if file.name.startswith("test_"):
            assert "def test_" in file.read_text(encoding="utf-8"), file
        else:
            assert file.is_file()


def test_the_commands_that_are_named_exist():
    targets = (ROOT / "Makefile").read_text(encoding="utf-8")
    commands = set(re.findall(r"(?:`|^)make ([a-z0-9-]+)", PAGE, re.MULTILINE)) | {
        "sanitize-memory",
        "sanitize-threads",
    }
    assert len(commands) >= 6
    for command in commands:
        assert re.search(rf"^{command}:", targets, re.MULTILINE), command
