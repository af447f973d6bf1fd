"""Tables of bins and sorted lists find the same splits, whatever the sizes of nodes."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest

from boxwood import _kernel
from boxwood.growing.grow import grow
from boxwood.growing.memory.kernel_form import kernel_response, kernel_settings
from boxwood.growing.memory.source import EncodedColumns, MemorySource
from boxwood.tree.split import SplitTable
from boxwood.tree.tree import Tree
from boxwood.tree.validate import validate
from twins.numeric_problems import NumericProblem, mixed, problem


def tree_of(given: NumericProblem, kind: type, threads: int = 1) -> Tree:
    rows = np.arange(given.exact.n, dtype=np.uint32)
    source = kind(EncodedColumns(given.columns, threads), rows, given.response, given.exact, threads)
    return grow(source, given.recipe, {})


def by_tables(given: NumericProblem) -> Tree:
    """The tree from tables of bins alone, down to single rows."""
    return tree_of(given, sized(1_000_000, 1))


def sized(block: int, small: int) -> type:
    """The in-memory source that counts bins down to nodes of `small` rows and copies blocks of `block` rows."""

    class Sized(MemorySource):
        def finish(self, recipe):
            response = kernel_response(self.response, self._exact)
            ranks = self._encoded.table if recipe.rank_cuts else None
            settings = _kernel.Settings(kernel_settings(recipe))
            (nodes,) = _kernel.grow_coded(
                self._encoded.codes, response, settings, self._threads, None, ranks, (block, small)
            )
            return self._tree(nodes)

    return Sized


def assert_equal(one: Tree, other: Tree) -> None:
    for field in fields(Tree):
        a, b = getattr(one, field.name), getattr(other, field.name)
        if isinstance(a, SplitTable):
            for part in fields(SplitTable):
                np.testing.assert_array_equal(getattr(a, part.name), getattr(b, part.name), f"{field.name}.{part.name}")
        elif isinstance(a, np.ndarray):
            np.testing.assert_array_equal(a, b, err_msg=field.name)


@pytest.mark.sample(3)
@pytest.mark.parametrize("block", range(10))
def test_tables_and_lists_find_the_same(block):
    for seed in range(100 * block, 100 * block + 100):
        given = problem(seed)
        expected = by_tables(given)
        for kind in (MemorySource, sized(64, 16), sized(10_000, 1), sized(5, 1)):
            found = tree_of(given, kind)
            validate(found)
            assert_equal(found, expected)


@pytest.mark.sample(3)
@pytest.mark.parametrize("block", range(15))
def test_tables_and_lists_find_the_same_on_columns_of_all_kinds(block):
    for seed in range(100 * block, 100 * block + 100):
        given = mixed(seed)
        expected = by_tables(given)
        for kind in (MemorySource, sized(64, 16), sized(10_000, 1), sized(5, 1)):
            found = tree_of(given, kind)
            validate(found)
            assert_equal(found, expected)


@pytest.mark.parametrize("threads", [1, 2])
def test_many_rows(threads):
    for seed in range(7000, 7012):
        given = mixed(seed, 20_000)
        missing = replace(given.recipe.missing, policy="surrogate", max_surrogates=3)
        given = given._replace(recipe=replace(given.recipe, missing=missing))
        assert_equal(tree_of(given, sized(1_000, 500), threads), tree_of(given, sized(10**6, 1), threads))


@pytest.mark.parametrize("threads", [1, 2])
def test_trees_of_some_rows_are_those_grown_alone(threads):
    for seed in range(5000, 5080):
        given = (mixed if seed % 4 < 2 else problem)(seed)
        given = given._replace(recipe=replace(given.recipe, rank_cuts=seed % 2 == 0))
        rng = np.random.default_rng(seed)
        keeps = [rng.random(given.exact.n) < 0.8 for _ in range(4)]
        keeps = [keep for keep in keeps if keep.any()]
        encoded = EncodedColumns(given.columns, threads)
        source = MemorySource(encoded, np.arange(given.exact.n, dtype=np.uint32), given.response, given.exact, threads)
        together = source.finish_each(given.recipe, keeps)
        for keep, tree in zip(keeps, together or [], strict=together is not None):
            rows = np.flatnonzero(keep).astype(np.uint32)
            alone = MemorySource(encoded, rows, given.response, given.exact.take(keep))
            assert_equal(tree, grow(alone, given.recipe, {}))
