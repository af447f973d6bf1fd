"""A tree written as a program says what the tree says, on training rows and in the corners, for every algorithm."""

from __future__ import annotations

import pytest

from exports.problems import NAMES, case


@pytest.mark.parametrize("kind", NAMES)
def test_python(kind):
    problem = case(kind)
    verdict = problem.model.verify_export("python", problem.columns)
    assert verdict, str(verdict)
    assert verdict.rows == problem.columns.n
