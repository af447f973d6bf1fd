"""Text for a step of a row: the value at a node and what decided."""

from __future__ import annotations

from ..data.columns.columns import Columns
from ..tree.trace import HEAVIEST, KNOWN, MISSING, SHARES, STAYED, SURROGATE, VALUE, Trace, child_shares
from ..tree.tree import Tree
from .condition import has_values, split_condition
from .kinds import VALUE_WORDS
from .words import level, plain, share

#: What the branch of missing values is, by the policy a tree was grown with.
_DEFAULTS = {
    "surrogate": "the branch with most weight",
    "majority": "the branch with most weight",
    "learned": "the side that was better in training",
    "floating": "the group of missing values",
    "own_branch": "the branch of missing values",
}


def state_words(met: int) -> str:
    """Whether a value was known: "value", "missing" or "unseen"."""
    return {KNOWN: "value", MISSING: "missing"}.get(met, "unseen")


def value_words(columns: Columns, j: int, row: int) -> str:
    """The value of feature ``j`` in a row, as text."""
    feature, value = columns.schema[j], columns.values[j][row]
    if columns.missing(j)[row]:
        return "missing"
    if feature.type.known(value):
        low = 0.0 if columns.low[j] is None else float(columns.low[j][row])
        return VALUE_WORDS.of(feature).value(feature, float(value), low)
    new = columns.unseen.get(feature.name, {})
    return level(next(iter(new))) if len(new) == 1 else "a level that did not occur in training"


def decided_words(tree: Tree, steps: Trace, s: int, columns: Columns) -> str:
    """What decided at step ``s``, as text.

    Returns
    -------
    str
        "value" or "leaf"; else the reason: "age is missing; surrogate 1: size <= 3.5".
    """
    t, decided = int(steps.node[s]), int(steps.decided[s])
    if tree.is_leaf[t]:
        return "leaf"
    if decided == VALUE:
        return "value"
    j = int(tree.splits.feature[t])
    name = plain(tree.schema[j].name)
    reason = f"{name} is missing" if steps.met[s] == MISSING else f"{name} = {_new(columns, j, int(steps.row[s]))}"
    if decided == SURROGATE:
        return f"{reason}; {_surrogate_words(tree, t, int(steps.surrogate[s]), int(steps.branch[s]))}"
    if decided == STAYED:
        return f"{reason}; the row stays at this node"
    if decided == SHARES:
        parts = ", ".join(
            f"{share(float(part))} to node {int(tree.first_child[t]) + c}"
            for c, part in enumerate(child_shares(tree, t))
            if part > 0
        )
        return f"{reason}; divided: {parts}"
    if decided == HEAVIEST:
        return f"{reason}; the branch with most weight"
    return f"{reason}; {_default_words(tree, t, int(steps.branch[s]))}"


def _new(columns: Columns, j: int, row: int) -> str:
    """A level that the node has not seen, or that no row of training had."""
    words = value_words(columns, j, row)
    return words if columns.values[j][row] == -2 and words.startswith("a level") else f"{words} was not seen here"


def _default_words(tree: Tree, t: int, branch: int) -> str:
    """What the branch of missing values is."""
    if not has_values(tree, t, branch):
        return _DEFAULTS["own_branch"]
    return _DEFAULTS.get(tree.made_by.get("missing"), "the branch for missing values")


def _surrogate_words(tree: Tree, t: int, number: int, branch: int) -> str:
    """Which surrogate decided, and by which condition."""
    s = int(tree.surrogate_start[t]) + number
    feature = tree.schema[int(tree.surrogates.feature[s])]
    words = split_condition(feature, tree.surrogates, s, branch)
    agreement = f"agrees in {share(float(tree.agreement[s]))}"
    return f"surrogate {number + 1} ({agreement}): {words}"
