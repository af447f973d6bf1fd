"""Marks the tests of scikit-learn that exceptions.toml lists: they must fail, for the reason that it gives."""

from __future__ import annotations

import tomllib
from fnmatch import fnmatchcase
from pathlib import Path

import pytest
import sklearn

VERSION = tuple(map(int, sklearn.__version__.split(".")[:2]))


def _applies(exception: dict) -> bool:
    """Whether an exception is about the installed scikit-learn."""
    bounds = [tuple(map(int, exception.get(name, default).split("."))) for name, default in
              (("since", "0.0"), ("before", "999.0"))]  # fmt: skip
    return bounds[0] <= VERSION < bounds[1]


def pytest_collection_modifyitems(items: list) -> None:
    """Expect the listed tests to fail, strictly; a pattern that fits no test is an error."""
    text = Path(__file__).with_name("exceptions.toml").read_text(encoding="utf-8")
    fits = set()
    listed = [(pattern, one["reason"]) for one in tomllib.loads(text)["exception"] if _applies(one)
              for pattern in one["tests"]]  # fmt: skip
    for item in items:
        for pattern, reason in listed:
            # In tests' names brackets are no sets of signs.
            if fnmatchcase(item.nodeid, pattern.replace("[", "[[]")):
                item.add_marker(pytest.mark.xfail(strict=True, reason=reason))
                fits.add(pattern)
    whole = len({item.path for item in items}) == 3
    unused = [pattern for pattern, _ in listed if pattern not in fits]
    if whole and unused:
        raise pytest.UsageError(f"exceptions.toml lists tests that do not exist: {unused}")
