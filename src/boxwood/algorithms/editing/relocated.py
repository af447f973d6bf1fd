"""The node of another tree that an edit was about, found by the conditions that lead to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...errors import ParameterError
from ...model.edit_log import Edit
from ...model.edits import MergeNodes, SendMissing, SplitNode, at_node
from ...tree.tree import Tree
from .conditions import division, nearest_child, path_of, shown


@dataclass(frozen=True)
class Misfit:
    """What of an edit no longer fits.

    Attributes
    ----------
    edit : int
        Its number in the log, from 1.
    verb : str
    what : {"node moved", "node lost", "level lost", "empty branch", "effect reversed", "left out"}
    words : str
        A sentence.
    """

    edit: int
    verb: str
    what: str
    words: str

    def __str__(self) -> str:
        return f"Edit {self.edit} ({self.verb}): {self.what}: {self.words}"


def relocated(edit: Edit, tree: Tree, number: int) -> tuple[Edit | None, list[Misfit]]:
    """The edit with the numbers of its nodes in a tree, and what no longer fits; None where its node is not there."""
    verb, findings = edit.verb, []

    def find(what: str, words: str) -> None:
        findings.append(Misfit(number, verb.name_of, what, words))

    node, lost = _node_at(tree, verb.node, edit)
    if node is None:
        find("node lost", f"the tree has no node at {shown(edit.path)}: {lost} is not there.")
        return None, findings
    if edit.path and path_of(tree, node) != edit.path:
        find("node moved", f"{shown(edit.path)} is now {shown(path_of(tree, node))}.")
    found = at_node(verb, node)
    if isinstance(verb, (MergeNodes, SendMissing)) and edit.others:
        beside = int(tree.parent[node]) if isinstance(verb, MergeNodes) else node
        at = [nearest_child(tree, beside, words, edit.levels) if beside >= 0 else None for words in edit.others]
        if None in at:
            find("node lost", f"no child of node {beside} has the condition {edit.others[at.index(None)]}.")
            return None, findings
        found = at_node(verb, node, **({"siblings": tuple(at)} if isinstance(verb, MergeNodes) else {"to": at[0]}))
    if isinstance(verb, SplitNode) and verb.condition is not None:
        try:
            for level in division(verb.condition, tree.schema, edit.levels).lost:
                find("level lost", f"{level!r} did not occur in training; the split is made without it.")
        except ParameterError as error:
            find("left out", str(error))
            return None, findings
    return edit_of(edit, found), findings


def edit_of(edit: Edit, verb: object) -> Edit:
    """The same edit of a verb elsewhere."""
    return Edit(**(vars(edit) | {"verb": verb}))


def _node_at(tree: Tree, node: int, edit: Edit) -> tuple[int | None, str]:
    """The node that conditions lead to, and the condition that no longer does."""
    if node < tree.n_nodes and path_of(tree, node) == edit.path:
        return node, ""
    if not edit.path:  # of the root, or not known
        return (node, "") if node < tree.n_nodes else (None, f"node {node}")
    return _walk(tree, edit.path, edit)


def _walk(tree: Tree, path: Sequence[str], edit: Edit) -> tuple[int | None, str]:
    at = 0
    for words in path:
        child = nearest_child(tree, at, words, edit.levels)
        if child is None:
            return None, words
        at = child
    return at, ""
