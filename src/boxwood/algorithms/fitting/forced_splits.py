"""Splits that a tree begins with: read from a setting, and put into every tree of a fit, those of folds too."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..._messages import Column, Setting, must_be, remedy
from ...data.columns.schema import Schema
from ...errors import ParameterError
from ...growing.constraints import FeatureConstraints
from ...learning.learning_set import LearningSet
from ...model.splits.explain_split import GrownFrom
from ...pruning.growth import Growth
from ...tree.lazy_arrays import changed
from ...tree.marks import FORCED, with_mark
from ...tree.rebuild import keep_nodes
from ...tree.tree import Tree
from ...views.given_condition import as_split
from ...views.read_condition import read_condition
from .growing_below import grow_below

_WORDS = "a condition, or a dict with 'split' and, for what follows in either branch, 'yes' and 'no'"
_BRANCHES = ("yes", "no")
#: Most forced splits on a path.
_DEEPEST = 100


@dataclass(frozen=True)
class ForcedSplits:
    """A split by a condition, and the splits below it.

    Attributes
    ----------
    condition : str
        Rows that fulfil it go down the first branch.
    below : dict of int to ForcedSplits
        Branch -> what follows there.
    """

    condition: str
    below: Mapping[int, ForcedSplits]

    def each(self, path: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], ForcedSplits]]:
        """The splits from the root down, and the branches that lead to them."""
        yield path, self
        for branch, split in self.below.items():
            yield from split.each((*path, branch))

    def __call__(self, tree: Tree, growth: Growth, learning: LearningSet, keep: np.ndarray | None) -> Tree:
        """The tree with these splits, and grown below them; a fold leaves out one that divides none of its rows."""
        if not isinstance(learning, LearningSet):
            raise ParameterError(
                Setting("forced_splits"), " need the rows in memory; ", remedy("fit rows in memory, or without them."),
            )  # fmt: skip
        missing = growth.recipe.missing
        grown_from = GrownFrom(learning, keep, not missing.stays_in_growth if missing.predicts_by_rows else None)
        tree = keep_nodes(tree, np.arange(tree.n_nodes) == 0)
        for path, split in self.each():
            node = _node_at(tree, path)
            if node is None:
                continue
            try:
                tree = grow_below(tree, growth, grown_from, node, split.condition)
            except ParameterError:
                if keep is None:
                    raise
                continue
            tree = changed(tree, marks=with_mark(tree.marks, node, edited=FORCED))
        return tree


def forced_splits(given: Any, depth: int = 1) -> ForcedSplits | None:
    """The splits of a setting: a condition, or a dict with the keys split, yes and no, also as JSON.

    Raises
    ------
    ParameterError
    """
    if given is None:
        return None
    if isinstance(given, str) and given.lstrip().startswith("{"):
        try:
            given = json.loads(given)
        except (ValueError, RecursionError):
            raise ParameterError(must_be("forced_splits", _WORDS, given)) from None
    if isinstance(given, str):
        return ForcedSplits(given, {})
    if not isinstance(given, Mapping) or "split" not in given or set(given) - {"split", *_BRANCHES}:
        raise ParameterError(must_be("forced_splits", _WORDS, given))
    if depth > _DEEPEST:
        raise ParameterError(Setting("forced_splits"), f" have more than {_DEEPEST} splits on a path.")
    found = {branch: forced_splits(given.get(name), depth + 1) for branch, name in enumerate(_BRANCHES)}
    below = {branch: split for branch, split in found.items() if split is not None}
    return ForcedSplits(str(given["split"]), below)


def check_forced(settings: Mapping, schema: Schema, constraints: FeatureConstraints) -> None:
    """Refuse forced splits that cannot be read, or that another setting does not allow.

    Raises
    ------
    ParameterError
    """
    splits, max_depth, most = (settings[name] for name in ("forced_splits", "max_depth", "max_leaf_nodes"))
    splits = forced_splits(splits)
    features: dict[tuple[int, ...], int] = {}
    for path, split in splits.each() if splits else ():
        table, _ = as_split(read_condition(split.condition, schema, "forced_splits"), schema, "forced_splits")
        j = features[path] = int(table.feature[0])
        above = [features[path[:i]] for i in range(len(path))]
        name = Column(schema.names[j], "column")
        if constraints.groups and not constraints.groups[j]:
            raise _contradiction(Setting("forced_splits"), " use ", name, ", which ", Setting("forbidden_features"),
                                 " forbids; ")  # fmt: skip
        if not constraints.allows(above, j):
            raise _contradiction(Setting("forced_splits"), " test ", name, " below splits by features with which ",
                                 Setting("interaction_cst"), " does not let it interact; ")  # fmt: skip
        if max_depth is not None and len(path) >= max_depth:
            raise _contradiction(Setting("forced_splits"), f" reach depth {len(path) + 1}, and ",
                                 Setting("max_depth", max_depth), " allows less; ")  # fmt: skip
    if most is not None and len(features) >= most:
        raise _contradiction(Setting("forced_splits"), f" make {len(features) + 1} leaves, and ",
                             Setting("max_leaf_nodes", most), " allows fewer; ")  # fmt: skip


def _contradiction(*words: Any) -> ParameterError:
    return ParameterError(*words, remedy("change one of the two."))


def _node_at(tree: Tree, path: tuple[int, ...]) -> int | None:
    """The node that branches lead to from the root; None where there is none."""
    node = 0
    for branch in path:
        if tree.is_leaf[node]:
            return None
        node = int(tree.first_child[node]) + branch
    return node
