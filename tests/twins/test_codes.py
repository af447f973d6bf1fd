"""The search over codes grows the very tree of the general grower: bit for bit, whatever the sizes of blocks."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest

from boxwood import _kernel
from boxwood.growing.grow import grow
from boxwood.sources import memory
from boxwood.sources.memory import EncodedColumns, MemorySource
from boxwood.tree.split import SplitTable
from boxwood.tree.tree import Tree
from boxwood.tree.validate import validate
from twins.numeric_problems import NumericProblem, problem


class General(MemorySource):
    """The in-memory source without the search over codes."""

    def _grown_from_codes(self, recipe) -> None:
        return None


def tree_of(given: NumericProblem, kind: type, threads: int = 1) -> Tree:
    rows = np.arange(given.exact.n, dtype=np.uint32)
    source = kind(EncodedColumns(given.columns, threads), rows, given.response, given.exact, threads)
    return grow(source, given.recipe, {})


def sized(block: int, small: int) -> type:
    """The in-memory source that counts bins down to nodes of `small` rows and copies blocks of `block` rows."""

    class Sized(MemorySource):
        def _grown_from_codes(self, recipe):
            response = memory._kernel_response(self.response, self._exact)
            return _kernel.grow_coded(
                self._encoded.codes, response, memory._kernel_settings(recipe), self._threads, block=block, small=small
            )

    return Sized


def assert_equal(one: Tree, other: Tree) -> None:
    for field in fields(Tree):
        a, b = getattr(one, field.name), getattr(other, field.name)
        if isinstance(a, SplitTable):
            for part in fields(SplitTable):
                np.testing.assert_array_equal(getattr(a, part.name), getattr(b, part.name), f"{field.name}.{part.name}")
        elif isinstance(a, np.ndarray):
            np.testing.assert_array_equal(a, b, err_msg=field.name)


@pytest.mark.parametrize("block", range(20))
def test_equals_the_general_grower(block):
    for seed in range(100 * block, 100 * block + 100):
        given = problem(seed)
        expected = tree_of(given, General)
        for kind in (MemorySource, sized(64, 16), sized(10_000, 1), sized(5, 1)):
            found = tree_of(given, kind)
            validate(found)
            assert_equal(found, expected)
