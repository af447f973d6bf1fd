"""Growth below a node: a tree from the rows of a node, as it continues the tree above it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Protocol

import numpy as np

from ..tree.tree import Tree
from .grow import grow
from .protocol import Source
from .recipe import Recipe
from .value_limits import NO_LIMITS, limits_at


class RootedSource(Source, Protocol):
    """A source in memory, whose tree may be the root of a whole one or a part of it.

    Attributes
    ----------
    above : object
        What its tree takes over from the root of the tree that it will be in; None = it is a root itself.
    """

    above: Any

    def of_root(self, recipe: Recipe) -> Any:
        """What a tree that is grown from some of these rows needs of all of them: the ``above`` of its source."""


@dataclass(frozen=True, eq=False)
class Place:
    """Where a tree will be in another one, and what growth there takes over from it.

    Attributes
    ----------
    depth : int
        Of its root.
    used : frozenset of int
        Features tested above that may not be tested again.
    above : object
        What the source needs of the root of the other tree (``RootedSource.of_root``).
    path : tuple of int
        Features tested above.
    branches : tuple of int
        Branches taken from the root.
    limits : (float, float)
        Of the means there; see :func:`.limits_at`.
    """

    depth: int
    used: frozenset[int]
    above: Any
    path: tuple[int, ...] = ()
    branches: tuple[int, ...] = ()
    limits: tuple[float, float] = NO_LIMITS

    def recipe(self, recipe: Recipe) -> Recipe:
        """The recipe with the depth that is left, and what the path leaves and draws."""
        constraints = recipe.constraints.below(self.path, self.limits)
        draws = recipe.draws.below(self.branches)
        if constraints is not recipe.constraints or draws is not recipe.draws:
            recipe = replace(recipe, constraints=constraints, draws=draws)
        limit = recipe.termination.max_depth
        if limit is None:
            return recipe
        return replace(recipe, termination=replace(recipe.termination, max_depth=max(limit - self.depth, 0)))

    def below(self, stump: Tree, child: int, recipe: Recipe) -> Place:
        """The place of a child of a split that is made here, by a tree of that split alone."""
        j = int(stump.splits.feature[0])
        tested = frozenset({j} if recipe.tests_once(stump.schema[j]) else ())
        limits = limits_at(stump, child, recipe.constraints.monotonic, self.limits)
        return replace(
            self, depth=self.depth + 1, used=self.used | tested, path=(*self.path, j),
            branches=(*self.branches, child - 1), limits=limits,
        )  # fmt: skip

    def without_used(self, values: Iterable[np.ndarray]) -> tuple[np.ndarray, ...]:
        """Columns in which those of used features have one level: they offer nothing, and no value is missing."""
        return tuple(np.zeros(len(v), dtype=np.int32) if j in self.used else v for j, v in enumerate(values))


#: Of a tree that is no part of another.
ROOT = Place(0, frozenset(), None)


def tested_above(tree: Tree, node: int) -> tuple[int, ...]:
    """Features tested on the path to a node, from the root down."""
    return tuple(int(tree.splits.feature[t]) for t, _ in pairwise(tree.path(node).tolist()))


def branches_above(tree: Tree, node: int) -> tuple[int, ...]:
    """Branches taken from the root to a node."""
    return tuple(int(child - tree.first_child[t]) for t, child in pairwise(tree.path(node).tolist()))


def used_on_path(tree: Tree, node: int, tests_once: Callable[[int], bool]) -> frozenset[int]:
    """Features tested on the path to a node that may not be tested again."""
    return frozenset(j for j in tested_above(tree, node) if tests_once(j))


def grow_at(place: Place, source: RootedSource, recipe: Recipe) -> Tree:
    """The tree of a source's rows, which are those of a node, as the growth of the whole tree would go on there."""
    source.above = place.above
    return grow(source, place.recipe(recipe), {})
