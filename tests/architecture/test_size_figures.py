"""The figures that `make size` holds to their budgets are counted right."""

from __future__ import annotations

import re

from tools import python_size

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
