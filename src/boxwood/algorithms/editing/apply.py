"""What each verb does to a tree, by the same growth and statistics as a fit."""

from __future__ import annotations

from dataclasses import replace
from functools import singledispatch
from numbers import Real

import numpy as np

from ..._messages import Setting, must_be, remedy
from ...data.frames.class_labels import class_code
from ...errors import ParameterError
from ...model.edit_log import Edit
from ...model.edits import (
    OWN,
    GrowBelow,
    MergeNodes,
    OverruleLeaf,
    PruneNode,
    RenameNode,
    SendMissing,
    SignNode,
    SplitNode,
    Verb,
)
from ...model.splits.explain_split import known_node
from ...statistics.responses.classes import Classes
from ...statistics.responses.response import Response
from ...tree.marks import with_mark
from ...tree.rebuild import keep_nodes
from ...tree.tree import Tree
from ..fitting.growing_below import divided, divides_none, grow_below
from .conditions import division
from .site import Site, marked_as, refuse_held


def applied(edit: Edit, site: Site) -> Tree:
    """The tree after an edit.

    Raises
    ------
    ParameterError
        The verb cannot be applied to this node, or a node that it changes was signed or overruled.
    DataError
        The rows are not those that the tree was grown from.
    """
    verb = edit.verb
    if isinstance(verb, MergeNodes):
        known_node(site.tree, verb.node)
    if verb.structural:
        refuse_held(site.tree, _changed(verb, site.tree), edit.force)
    return _applied(verb, site, edit)


def _changed(verb: Verb, tree: Tree) -> int:
    """The node whose branch changes."""
    return max(int(tree.parent[verb.node]), 0) if isinstance(verb, MergeNodes) else verb.node


@singledispatch
def _applied(verb: Verb, site: Site, edit: Edit) -> Tree:
    raise NotImplementedError(type(verb).__name__)


@_applied.register
def _(verb: SplitNode, site: Site, edit: Edit) -> Tree:
    known_node(site.tree, verb.node)
    words = verb.condition or site.competitor(verb.node, verb.competitor)
    read, here = division(words, site.tree.schema, edit.levels), site.rows(verb.node)
    site.refuse_forbidden(verb.node, int(read.table.feature[0]))
    if read.of_missing is not None and site.recipe.missing.predicts_by_rows:
        raise ParameterError(
            Setting("compat", "rpart"), " decides where missing values go; ", remedy("leave them out of the split."),
        )  # fmt: skip
    recipe = site.recipe_of_split(int(read.table.feature[0]))
    stump, found = divided(site.tree, recipe, here, read.table, read.of_missing)
    if sum(len(branch.rows) > 0 for branch in found) < 2:
        raise divides_none(site.tree, verb.node, words if isinstance(words, str) else " | ".join(words))
    return site.put(verb.node, site.with_competitors(stump, verb.node), verb.name_of)


@_applied.register
def _(verb: PruneNode, site: Site, edit: Edit) -> Tree:
    site.inner(verb.node)
    is_leaf = np.arange(site.tree.n_nodes) == verb.node
    return marked_as(keep_nodes(site.tree, is_leaf), verb.node, verb.name_of)


@_applied.register
def _(verb: GrowBelow, site: Site, edit: Edit) -> Tree:
    growth, grown_from = (site.growth, site.grown_from) if verb.recipe is None else site.by_recipe(verb.recipe)
    return marked_as(grow_below(site.tree, growth, grown_from, verb.node), verb.node, verb.name_of)


@_applied.register
def _(verb: SendMissing, site: Site, edit: Edit) -> Tree:
    tree, node = site.tree, verb.node
    site.inner(node)
    missing, first = site.recipe.missing, int(tree.first_child[node])
    if missing.predicts_by_rows or missing.policy == "error":
        setting = Setting("compat", "rpart") if missing.predicts_by_rows else Setting("missing", "error")
        raise ParameterError(setting, " decides about missing values; ", remedy("fit with another setting of it."))
    table = tree.splits.take(np.array([node]))
    n = int(table.index.max()) + 1
    to = n if verb.to == OWN else int(verb.to) - first
    if not 0 <= to < n + (verb.to == OWN):
        allowed = f"'own' or a child of node {node}, from {first} to {first + n - 1}"
        raise ParameterError(must_be("to", allowed, verb.to))
    if to == tree.missing[node] and tree.surrogate_start[node] == tree.surrogate_start[node + 1]:
        raise ParameterError(f"missing values of node {node} go there already.")
    stump, found = divided(tree, site.recipe, site.rows(node), table, to)
    old = {c: first + c for c in range(n)}
    return site.put(node, site.continued(site.with_competitors(stump, node), found, old), verb.name_of)


@_applied.register
def _(verb: MergeNodes, site: Site, edit: Edit) -> Tree:
    tree, merged = site.tree, sorted({verb.node, *verb.siblings})
    for t in merged:
        known_node(tree, t)
    node = int(tree.parent[verb.node])
    if node < 0 or len(merged) < 2 or {int(tree.parent[t]) for t in merged} != {node}:
        raise ParameterError(Setting("siblings"), f" must be other children of the parent of node {verb.node}.")
    first, n = int(tree.first_child[node]), int(tree.n_children[node])
    if len(merged) == n:
        raise ParameterError(f"these are all children of node {node}; ", remedy("prune it instead."))
    kept = [c for c in range(n) if first + c not in merged[1:]]
    into = {c: kept.index(c if c in kept else merged[0] - first) for c in range(n)}
    table = tree.splits.take(np.array([node]))
    joined = replace(table, index=np.array([into[int(c)] for c in table.index], dtype=np.int32))
    of_missing = into.get(int(tree.missing[node]))
    stump, found = divided(tree, site.recipe, site.rows(node), joined, of_missing)
    old = {into[c]: first + c for c in range(n) if first + c not in merged}
    return site.put(node, site.continued(site.with_competitors(stump, node), found, old), verb.name_of)


@_applied.register
def _(verb: RenameNode, site: Site, edit: Edit) -> Tree:
    known_node(site.tree, verb.node)
    return replace(site.tree, marks=with_mark(site.tree.marks, verb.node, name=verb.name or None))


@_applied.register
def _(verb: SignNode, site: Site, edit: Edit) -> Tree:
    known_node(site.tree, verb.node)
    return replace(site.tree, marks=with_mark(site.tree.marks, verb.node, signed=edit.who))


@_applied.register
def _(verb: OverruleLeaf, site: Site, edit: Edit) -> Tree:
    known_node(site.tree, verb.node)
    if not site.tree.is_leaf[verb.node]:
        raise ParameterError(f"node {verb.node} is not a leaf; ", remedy("prune it first, or name its leaves."))
    value = _code(site.tree.response, verb.prediction)
    return replace(site.tree, marks=with_mark(site.tree.marks, verb.node, value=value))


@singledispatch
def _code(response: Response, prediction: object) -> float:
    """The value of a node that predicts this: a number that y can be, or of classes the number of a label."""
    is_number = isinstance(prediction, Real) and not isinstance(prediction, bool)
    if not is_number or not response.least <= float(prediction) < np.inf:
        least = "" if response.least < 0 else f" of at least {response.least:g}"
        raise ParameterError(must_be("prediction", f"a finite number{least}", prediction))
    return float(prediction)


@_code.register
def _(response: Classes, prediction: object) -> float:
    return class_code(response.labels, prediction, "prediction")
