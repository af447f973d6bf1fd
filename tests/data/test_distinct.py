"""Distinct values as numpy's, by the method that does not run C++."""

from __future__ import annotations

import ast
from pathlib import Path

import numpy as np
import pytest

import boxwood
from boxwood.data.columns.distinct import distinct

SOURCES = sorted(Path(boxwood.__file__).resolve().parent.rglob("*.py"))


@pytest.mark.parametrize(
    "values",
    [[3, 1, 3, -2], [], [0.0, -0.0, np.nan, 1.5, np.nan], [[2, 1], [1, 3]], ["b", "京都", "b"], [True, False, True]],
    ids=str,
)
def test_values_are_those_of_numpy(values):
    found, expected = distinct(np.array(values)), np.unique(np.array(values))
    assert found.dtype == expected.dtype
    assert np.array_equal(found, expected, equal_nan=found.dtype.kind == "f")


def test_numpys_own_method_is_used_nowhere():
    """With indices, counts or an axis numpy sorts."""
    plain = [
        f"{file.name}:{node.lineno}"
        for file in SOURCES
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "np.unique" and not node.keywords
    ]
    assert not plain, "use distinct (data/distinct.py)"
    assert len(SOURCES) > 300
