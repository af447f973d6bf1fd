"""The rows of one node as a source of their own, for growth below it and for what growth found there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..data.columns.columns import Columns
from ..growing.below import Place, branches_above, tested_above, used_on_path
from ..growing.memory.node_tables import NodeTables
from ..growing.memory.source import EncodedColumns
from ..growing.protocol import Source
from ..growing.recipe import Recipe
from ..growing.value_limits import limits_at
from ..tree.tree import Tree
from .learning_set import LearningSet


def place_of(tree: Tree, node: int, learning: LearningSet, recipe: Recipe, keep: np.ndarray | None) -> Place:
    """Where growth below a node of a tree begins; ``keep``: the rows that the tree was grown from, None = all."""
    used = used_on_path(tree, node, lambda j: recipe.tests_once(learning.schema[j]))
    above = learning.source(recipe, keep).of_root(recipe)
    limits = limits_at(tree, node, recipe.constraints.monotonic)
    path, branches = tested_above(tree, node), branches_above(tree, node)
    return Place(len(tree.path(node)) - 1, used, above, path, branches, limits)


def source_of_node(learning: LearningSet, recipe: Recipe, place: Place, node: NodeTables) -> Source:
    """The rows of a node, in the shares in which they are there, without features that may not be tested again."""
    keep = np.zeros(learning.n, dtype=bool)
    keep[node.rows] = True
    if node.is_raised:
        learning = replace(learning, exact=node.alone(learning.exact))
    if place.used:
        rows = learning.columns
        columns = Columns(rows.schema, rows.n, place.without_used(rows.values), rows.low, rows.unseen)
        learning = replace(learning, columns=columns, encoded=EncodedColumns(columns, learning.threads))
    return learning.source(recipe, keep)
