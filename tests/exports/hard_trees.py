"""Trees that no algorithm would grow: any kind of split, hostile names, every end a row can reach; for all formats."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from boxwood.exports.plan import ExportPlan
from boxwood.model.tree_model import TreeModel
from boxwood.tree.tree import SHARED, STAYS
from exports.hard_rows import HOSTILE
from tree.random_trees import random_tree

UNSEEN = ("missing", "majority", "stay", "error")
COSTS = ((0.0, 1.0, 4.0), (2.0, 0.0, 1.0), (1.0, 3.0, 0.0))


def hard_plan(seed: int, kind: str, n_nodes: int = 25) -> ExportPlan:
    """A random tree with policies; the seed also picks what is done with missing values and with new levels.

    By seed: all nodes have a branch for missing values; all rows stay; both; or some are shared out as well.
    """
    tree = random_tree(seed, kind, n_nodes, HOSTILE)
    inner = ~tree.is_leaf
    missing = (
        np.where(inner, np.maximum(tree.missing, 0), STAYS),
        np.full(tree.n_nodes, STAYS),
        np.where(inner & (tree.missing == SHARED), 0, tree.missing),
        tree.missing,
    )[seed % 4]
    tree = replace(tree, missing=missing.astype(np.int32))
    if kind == "classes" and seed % 3 == 0:
        tree = replace(tree, response=replace(tree.response, costs=COSTS))
    return ExportPlan(tree, UNSEEN[(seed // 4) % 4], refuse_missing=seed % 5 == 0)


def plan_of(model: TreeModel) -> ExportPlan:
    """The tree of a model with the model's policies."""
    return ExportPlan(model.tree, **model.policies)
