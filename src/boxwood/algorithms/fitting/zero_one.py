"""Numeric features whose known values are 0 and 1, such as answers to items: conditions read "= 0" and "= 1"."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from ...data.columns.columns import Columns, Matrix
from ...data.columns.schema import NUMERIC
from ...data.columns.sparse import SparseColumns
from ...tree.tree import Tree

#: So many rows at once stay in the cache of the processor.
_ROWS = 4096


def with_zero_one(tree: Tree, columns: Columns | None) -> Tree:
    """The tree with a schema that marks, among the features of its splits, those of 0 and 1.

    ``columns`` holds all rows of the fit; sparse ones are not looked at. None: the schema of a survey has the marks.
    """
    marked = [j for j, feature in enumerate(tree.schema) if feature.zero_one] if columns is None else _likely(columns)
    if not marked:
        return tree
    tables = (tree.splits, tree.surrogates, tree.competitors)
    used = {j for table in tables if len(table) for j in table.feature.tolist()}
    found = used.intersection(marked)
    if columns is not None and not (found := _zero_one(columns, sorted(found))):
        return tree
    features = (replace(f, zero_one=j in found) if f.zero_one or j in found else f for j, f in enumerate(tree.schema))
    return replace(tree, schema=replace(tree.schema, features=tuple(features)))


def _likely(columns: Columns) -> list[int]:
    """Numeric columns whose first value is 0, 1 or missing."""
    if isinstance(columns, SparseColumns) or not columns.n:
        return []
    if isinstance(columns, Matrix):
        return _of_first(enumerate(columns.matrix[0].tolist()))
    given = enumerate(zip(columns.schema, columns.values, strict=True))
    return _of_first((j, values[0]) for j, (feature, values) in given if feature.kind_name == NUMERIC)


def _of_first(values: Iterable[tuple[int, float]]) -> list[int]:
    return [j for j, value in values if value == 0 or value == 1 or value != value]


def _zero_one(columns: Columns, candidates: list[int]) -> set[int]:
    """Those of some numeric columns whose known values are 0 and 1, both of them."""
    zeros, ones = np.zeros(len(candidates), bool), np.zeros(len(candidates), bool)
    fits = np.ones(len(candidates), bool)
    for start in range(0, columns.n if candidates else 0, _ROWS):
        rows = slice(start, start + _ROWS)
        if isinstance(columns, Matrix):
            block = columns.matrix[rows].take(candidates, axis=1)
        else:
            block = np.stack([columns.values[j][rows] for j in candidates], axis=1)
        zero, one = block == 0, block == 1
        fits &= (zero | one | (block != block)).all(axis=0)
        zeros |= zero.any(axis=0)
        ones |= one.any(axis=0)
        if not fits.any():
            break
    return {j for j, good in zip(candidates, (fits & zeros & ones).tolist(), strict=True) if good}
