"""The path to a node as a box: its conditions merged to intervals or a set of levels per feature."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from ..data.columns.schema import Schema
from ..tree.tree import SHARED, Tree
from .intervals import Interval, values_of_branch
from .kinds import VALUE_WORDS, ConditionStyle
from .words import plain

#: How to treat a missing value on the path: it comes along, a share of it does, or it goes elsewhere.
COMES, PART, LEAVES = "comes", "part", "leaves"


@dataclass(frozen=True)
class FeatureRange:
    """What the path to a node requires of one feature.

    Attributes
    ----------
    feature : int
    intervals : tuple of Interval
        Of a numeric feature, rising, none touching the next; empty when no known value comes here.
    levels : tuple of int
        Codes of the levels of an ordinal or nominal feature, rising; empty when no known level comes here.
    missing : {"comes", "part", "leaves"}
        How to treat a missing value where no surrogate decides: it comes to the node, a share of it does (a node on
        the path divides it among branches), or it goes elsewhere. The same holds for a level that a node has not seen.
    has_surrogates : bool
        A node on the path tries surrogates first.
    nodes : tuple of int
        The nodes on the path that test the feature, from the root down.
    """

    feature: int
    intervals: tuple[Interval, ...]
    levels: tuple[int, ...]
    missing: str
    has_surrogates: bool
    nodes: tuple[int, ...]

    @property
    def has_values(self) -> bool:
        """Whether some known value comes here; a branch for missing values only has none."""
        return bool(self.intervals or self.levels)

    def cut_with(self, other: FeatureRange) -> FeatureRange:
        """What two parts of the path require together."""
        parts = (a.cut_with(b) for a in self.intervals for b in other.intervals)
        kept = set(other.levels)
        fates = {self.missing, other.missing}
        return FeatureRange(
            self.feature,
            tuple(part for part in parts if part is not None),
            tuple(code for code in self.levels if code in kept),
            LEAVES if LEAVES in fates else PART if PART in fates else COMES,
            self.has_surrogates or other.has_surrogates,
            self.nodes + other.nodes,
        )

    def words(self, schema: Schema, max_levels: int | None = 4) -> str:
        """The values that reach the node, as text; ``missing`` and ``has_surrogates`` describe the missing ones.

        Returns
        -------
        str
            For example ``30 < age <= 41.5``, ``colour in {red, green, blue and 3 more}``, ``age is missing``.
        """
        feature = schema[self.feature]
        name = plain(feature.name)
        if not self.has_values:
            return f"{name} is missing" if self.missing != LEAVES or self.has_surrogates else f"no value of {name}"
        style = ConditionStyle(name, max_levels)
        return VALUE_WORDS.of(feature).condition(feature, self.intervals, self.levels, style)


def branch_range(tree: Tree, node: int, branch: int) -> FeatureRange:
    """What one split requires of rows that go down one branch.

    Parameters
    ----------
    tree : Tree
    node : int
        An inner node.
    branch : int
    """
    j = int(tree.splits.feature[node])
    intervals, levels = values_of_branch(tree.schema[j], tree.splits, node, branch)
    goes = int(tree.missing[node])
    fate = COMES if goes == branch else PART if goes == SHARED else LEAVES
    has_surrogates = bool(tree.surrogate_start[node + 1] > tree.surrogate_start[node])
    return FeatureRange(j, intervals, levels, fate, has_surrogates, (node,))


def path_ranges(tree: Tree, node: int) -> tuple[FeatureRange, ...]:
    """What the path from the root to a node requires of each feature that is tested on it, in order of the first test.

    Parameters
    ----------
    tree : Tree
    node : int

    Returns
    -------
    tuple of FeatureRange
        Empty for the root.

    Raises
    ------
    ParameterError
        There is no such node.

    Examples
    --------
    >>> from boxwood import CARTRegressor
    >>> from boxwood.views.boxes import path_ranges
    >>> X = {"age": [20, 30, 50, 60], "city": ["Ulm", "Ulm", "Ulm", "京都"]}
    >>> tree = CARTRegressor(pruning=None).fit(X, [1, 5, 9, 9]).tree_
    >>> [(node, [part.words(tree.schema) for part in path_ranges(tree, node)]) for node in tree.leaves.tolist()]
    [(2, ['age > 40']), (3, ['age <= 25']), (4, ['25 < age <= 40'])]
    """
    found: dict[int, FeatureRange] = {}
    for above, below in pairwise(tree.path(node).tolist()):
        _narrow(found, branch_range(tree, above, below - int(tree.first_child[above])))
    return tuple(found.values())


def all_ranges(tree: Tree) -> list[tuple[FeatureRange, ...]]:
    """The same for every node, in level order; each split is looked at once."""
    found: list[tuple[FeatureRange, ...]] = [()]
    for node in range(1, tree.n_nodes):
        above = int(tree.parent[node])
        ranges = {part.feature: part for part in found[above]}
        _narrow(ranges, branch_range(tree, above, node - int(tree.first_child[above])))
        found.append(tuple(ranges.values()))
    return found


def _narrow(found: dict[int, FeatureRange], step: FeatureRange) -> None:
    """One more step of a path."""
    before = found.get(step.feature)
    found[step.feature] = step if before is None else before.cut_with(step)
