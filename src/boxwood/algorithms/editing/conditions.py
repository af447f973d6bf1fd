"""The conditions of a split and of a path in words, to and from the arrays of a tree."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from ..._messages import Setting, remedy, shortened
from ...data.columns.schema import Feature, Schema
from ...errors import ParameterError
from ...tree.split import SplitTable
from ...tree.tree import Tree
from ...views.boxes import COMES, FeatureRange
from ...views.condition import condition
from ...views.given_condition import as_split
from ...views.read_condition import read_condition
from ...views.value_ranges import RANGES


@dataclass(frozen=True)
class Division:
    """A split that was read.

    Attributes
    ----------
    table : SplitTable
        Of this split alone.
    of_missing : int or None
        The branch of missing values that a condition names.
    levels : dict of str to tuple
        The levels that its conditions name, by feature.
    lost : tuple
        Those of them that the data do not have.
    """

    table: SplitTable
    of_missing: int | None
    levels: dict[str, tuple]
    lost: tuple = ()


def division(given: str | Sequence[str], schema: Schema, former: Mapping[str, Sequence] | None = None) -> Division:
    """A split by a condition, or by those of all its branches.

    Parameters
    ----------
    given : str or sequence of str
        Rows that fulfil a single condition go down the first branch, all others down the second.
    schema : Schema
    former : mapping of str to sequence, optional
        Levels that the conditions may name although the schema lacks them; they are left out.

    Raises
    ------
    ParameterError
        A condition cannot be read, they are of several features, or two of them overlap.
    """
    wide = _with_levels(schema, former or {})
    texts = [given] if isinstance(given, str) else list(given)
    parts = [_one_feature(read_condition(text, wide, "condition"), wide) for text in texts]
    feature, named = schema[parts[0].feature], {code for part in parts for code in part.levels}
    known = range(len(feature.levels))
    wide_levels = wide[parts[0].feature].levels
    levels = {feature.name: tuple(wide_levels[code] for code in sorted(named))} if named else {}
    lost = tuple(wide_levels[code] for code in sorted(named) if code not in known)
    parts = [replace(part, levels=tuple(code for code in part.levels if code in known)) for part in parts]
    if len({part.feature for part in parts}) > 1:
        raise ParameterError(Setting("condition"), " must be about one feature, in each branch the same.")
    if lost and not any(part.has_values for part in parts):
        raise ParameterError(f"none of the levels of {feature.name!r} that the split names is there.")
    if len(parts) == 1:
        return Division(*as_split(parts, schema, "condition"), levels, lost)
    return Division(*_of_branches(parts, feature), levels, lost)


def _one_feature(parts: tuple[FeatureRange, ...], schema: Schema) -> FeatureRange:
    as_split(parts, schema, "condition")
    return parts[0]


def _with_levels(schema: Schema, former: Mapping[str, Sequence]) -> Schema:
    """The schema with further levels behind its own."""

    def wider(feature: Feature) -> Feature:
        more = tuple(v for v in former.get(feature.name, ()) if v not in feature.levels) if feature.levels else ()
        return replace(feature, levels=feature.levels + more) if more else feature

    return replace(schema, features=tuple(wider(f) for f in schema)) if former else schema


def _of_branches(parts: list[FeatureRange], feature: Feature) -> tuple[SplitTable, int | None]:
    """A split with a branch for each range."""
    splits = [RANGES.of(feature).as_split(part, feature) for part in parts]
    breaks = sorted({end for own, _ in splits for end in own})
    # A position of all breaks lies in one position of each range, which its upper end finds.
    uppers = [*breaks, None] if feature.type.has_cuts else list(range(len(feature.levels)))
    branches = []
    for upper in uppers:
        inside = [c for c, part in enumerate(parts) if part.has_values and _holds(splits[c], upper)]
        if len(inside) > 1:
            raise ParameterError("two branches of the split overlap; ", remedy("give each value to one of them."))
        branches.append(inside[0] if inside else -1)
    missing = [c for c, part in enumerate(parts) if part.missing == COMES]
    if len(missing) > 1:
        raise ParameterError("missing values go down two branches of the split; ", remedy("name them in one."))
    return SplitTable.of([parts[0].feature], [breaks], [branches]), missing[0] if missing else None


def _holds(split: tuple[list, list[int]], upper: Any) -> bool:
    """Whether a range holds the values up to an end (None: the last ones), or the level of a code."""
    breaks, index = split
    if isinstance(upper, int):
        return index[upper] == 0
    return index[len(breaks) if upper is None else bisect_left(breaks, upper)] == 0


def path_of(tree: Tree, node: int) -> tuple[str, ...]:
    """The conditions from the root to a node, with all levels."""
    steps = pairwise(tree.path(node).tolist())
    return tuple(condition(tree, t, child - int(tree.first_child[t]), None) for t, child in steps)


def path_levels(tree: Tree, node: int) -> dict[str, tuple]:
    """The levels that the conditions on the path to a node are about, by feature."""
    found: dict[str, tuple] = {}
    for t in tree.path(node)[:-1].tolist():
        feature = tree.schema[int(tree.splits.feature[t])]
        if feature.levels:
            found[feature.name] = feature.levels
    return found


def nearest_child(tree: Tree, node: int, words: str, former: Mapping[str, Sequence]) -> int | None:
    """The child whose condition is this one, or nearest to it if the split is on the same feature; else None."""
    if tree.is_leaf[node]:
        return None
    first, n = int(tree.first_child[node]), int(tree.n_children[node])
    for c in range(n):
        if condition(tree, node, c, None) == words:
            return first + c
    try:
        found = division(words, tree.schema, former)
    except ParameterError:
        return None
    if int(found.table.feature[0]) != int(tree.splits.feature[node]):
        return None
    place = _place(found.table, tree.schema)
    here = tree.splits.take(np.array([node]))
    return None if place is None else _branch_at(here, place, first)


def _place(table: SplitTable, schema: Schema) -> tuple[float, list[int]] | None:
    """A value inside the first branch of a split of one range, or the codes of its levels."""
    feature, index, breaks = schema[int(table.feature[0])], table.index_of(0), table.breaks_of(0)
    inside = np.flatnonzero(index == 0)
    if not len(inside):
        return None
    if not feature.type.has_cuts:
        return 0.0, inside.tolist()
    ends = [-np.inf, *breaks.tolist(), np.inf]
    low, high = ends[inside[0]], ends[inside[0] + 1]
    middle = high if low == -np.inf else low if high == np.inf else (low + high) / 2
    return (middle if np.isfinite(low) and np.isfinite(high) else (-np.inf if low == -np.inf else np.inf)), []


def _branch_at(here: SplitTable, place: tuple[float, list[int]], first: int) -> int | None:
    """The child that a value, or most of some levels, go to."""
    index, (value, codes) = here.index_of(0), place
    found = [int(index[code]) for code in codes if index[code] >= 0]
    if not codes:
        found = [int(index[np.searchsorted(here.breaks_of(0), value, side="left")])]
    found = [branch for branch in found if branch >= 0]
    return first + max(set(found), key=found.count) if found else None


def shown(words: Sequence[str]) -> str:
    """A path for messages."""
    return shortened(" and ".join(words)) if words else "the root"
