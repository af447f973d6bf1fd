"""Marks the tests of scikit-learn that exceptions.toml lists: they must fail, for the reason that it gives."""

from __future__ import annotations

import tomllib
from fnmatch import fnmatchcase
from pathlib import Path

import pytest


def pytest_collection_modifyitems(items: list) -> None:
    """Expect the listed tests to fail, strictly; versions of scikit-learn need not have all of them."""
    text = Path(__file__).with_name("exceptions.toml").read_text(encoding="utf-8")
    for exception in tomllib.loads(text)["exception"]:
        # In tests' names brackets are no sets of signs.
        patterns = [pattern.replace("[", "[[]") for pattern in exception["tests"]]
        for item in items:
            if any(fnmatchcase(item.nodeid, pattern) for pattern in patterns):
                item.add_marker(pytest.mark.xfail(strict=True, reason=exception["reason"]))
