"""A model after an edit, with the edit in its log, and the model before all of them."""

from __future__ import annotations

from dataclasses import replace

from ..._messages import remedy
from ...errors import ParameterError
from ...model.edit_log import Edit, edits_from_json
from ...model.edits import SplitNode
from ...model.readable import readable
from ...model.splits.explain_split import known_node
from ...model.tree_model import TreeModel
from ...tree.tree import Tree
from ..fitting.growing_below import with_tree
from .conditions import division, path_levels, path_of
from .same_nodes import marked_in_place
from .site import Site


def described(edit: Edit, site: Site) -> Edit:
    """The edit with the conditions of its node, and its split in words, so that it can be replayed elsewhere."""
    verb, tree = edit.verb, site.tree
    known_node(tree, verb.node)
    levels = path_levels(tree, verb.node)
    if isinstance(verb, SplitNode):
        words = verb.condition or site.competitor(verb.node, verb.competitor)
        verb = replace(verb, condition=words)
        levels = levels | division(words, tree.schema, edit.levels).levels
    for t in verb.beside:
        known_node(tree, t)
    others = tuple(path_of(tree, t)[-1] for t in verb.beside if t)
    return replace(edit, verb=verb, path=path_of(tree, verb.node), others=others, levels=levels)


def edited(model: TreeModel, tree: Tree, edit: Edit) -> TreeModel:
    """The model with the tree after an edit, and the edit in its log."""
    before = model.to_bytes() if model.unedited is None else model.unedited
    number = len(model.edits) + 1
    note = f"Edit {number}: node {edit.verb.node} {edit.verb.words}."
    found = None if edit.verb.structural else marked_in_place(model, tree, edit.verb.node)
    changed = with_tree(model, readable(tree), note) if found is None else replace(found, notes=(*model.notes, note))
    return replace(changed, edits=(*model.edits, edit.to_json()), unedited=before)


def original(model: TreeModel) -> TreeModel:
    """The model before its edits."""
    return replace(TreeModel.from_bytes(model.unedited), threads=model.threads) if model.edits else model


def refuse_pruned(model: TreeModel) -> None:
    """Refuse a model that was pruned after its edits, which its log does not hold.

    Raises
    ------
    ParameterError
    """
    if not model.edits:
        return
    structural = any(edit.verb.structural for edit in edits_from_json(list(model.edits)))
    base, is_full = original(model), model.tree.n_nodes == model.full_tree.n_nodes
    # A leaf that was overruled makes the shown tree the full one, which is pruned no further.
    same = model.tree.n_nodes == base.tree.n_nodes and (is_full or model.alpha == base.alpha)
    if not (is_full if structural else same):
        raise ParameterError(
            "this model was pruned after its edits, and its log does not hold that; ",
            remedy("edit the model from before, and prune its nodes by the verb prune."),
        )  # fmt: skip
