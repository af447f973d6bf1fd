"""What a condition that was read is used for: rows that fulfil it, nodes that imply it, a split by it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .._messages import Setting
from ..data.columns.columns import Columns
from ..data.columns.schema import Feature, Schema
from ..errors import ParameterError
from ..tree.split import SplitTable
from ..tree.trace import MISSING, branch_of
from ..tree.tree import Tree
from .boxes import COMES, FeatureRange, all_ranges
from .value_ranges import RANGES
from .words import plain


def fulfilled(condition: Sequence[FeatureRange], columns: Columns) -> np.ndarray:
    """Whether each row fulfils a condition, bool, shape (n,)."""
    holds = np.ones(columns.n, dtype=bool)
    for part in condition:
        table, _ = as_split((part,), columns.schema)
        branch = branch_of(table, 0, columns, np.arange(columns.n))
        holds &= (branch == 0) | ((branch == MISSING) & (part.missing == COMES))
    return holds


def nodes_within(condition: Sequence[FeatureRange], tree: Tree) -> list[int]:
    """The nodes whose conditions imply a condition: each known value that can come there fulfils it, ascending."""
    found = []
    for node, ranges in enumerate(all_ranges(tree)):
        of_feature = {part.feature: part for part in ranges}
        if all(_implies(of_feature.get(part.feature), part, tree.schema[part.feature]) for part in condition):
            found.append(node)
    return found


def as_split(
    condition: Sequence[FeatureRange], schema: Schema, argument: str = "split"
) -> tuple[SplitTable, int | None]:
    """A condition on one feature as a split: branch 0 fulfils it, branch 1 does not; the branch of missing values.

    It is None where the condition is about known values only.

    Raises
    ------
    ParameterError
        It is about several features.
    """
    if len(condition) != 1:
        names = ", ".join(plain(schema[part.feature].name) for part in condition)
        raise ParameterError(
            Setting(argument), f" must be about one feature, which a node can test; this one is about {names}."
        )
    (part,) = condition
    feature = schema[part.feature]
    breaks, branches = RANGES.of(feature).as_split(part, feature)
    table = SplitTable.of([part.feature], [breaks], [branches])
    return table, 0 if part.missing == COMES else 1 if set(branches) == {0} else None


def _implies(here: FeatureRange | None, part: FeatureRange, feature: Feature) -> bool:
    """Whether what a path requires of a feature is no more than a condition allows."""
    if here is None:
        return False
    if not here.has_values:
        return part.missing == COMES
    here, part = (RANGES.of(feature).attainable(one, feature) for one in (here, part))
    both = here.cut_with(part)
    return both.intervals == here.intervals and both.levels == here.levels
