"""What people decided about the nodes of a tree: names, predictions in place of a leaf's own, signatures."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from ..errors import ModelFileError

#: Longest name of a node or of a person who signs.
LONGEST = 200
#: The verb of a split that a fit was made to begin with; pruning does not undo it.
FORCED = "forced"
_TEXTS = ("edited", "name", "signed")


@dataclass(frozen=True)
class Mark:
    """What was decided about one node.

    Attributes
    ----------
    edited : str or None
        The verb that last changed its split.
    name : str or None
        What the node is called.
    value : float or None
        What a leaf predicts in place of its own value: the number of a class, or a number.
    signed : str or None
        Who signed the node.
    holds : bool
        Whether a value or a signature keeps pruning from removing the node.
    """

    edited: str | None = None
    name: str | None = None
    value: float | None = None
    signed: str | None = None
    holds: bool = True

    @property
    def stays(self) -> bool:
        """Whether no pruning removes the node."""
        return self.holds and (self.value is not None or self.signed is not None or self.is_forced)

    @property
    def is_forced(self) -> bool:
        """Whether no pruning removes the node's split."""
        return self.holds and self.edited == FORCED


Marks = Mapping[int, Mark]


def with_mark(marks: Marks | None, node: int, **changes: Any) -> Marks | None:
    """The marks with that of one node changed."""
    found = dict(marks or {})
    found[node] = replace(found.get(node, Mark()), **changes)
    return {t: mark for t, mark in found.items() if mark != Mark()} or None


def renumbered(marks: Marks | None, old: np.ndarray, leaf: np.ndarray, was_leaf: np.ndarray) -> Marks | None:
    """The marks of a tree whose node i is node ``old[i]``; only leaves predict what was decided.

    What was done to a split goes when the node becomes a leaf.
    """
    if not marks:
        return None
    found = {}
    for t in np.flatnonzero(np.isin(old, list(marks))).tolist():
        mark = marks[int(old[t])]
        mark = replace(mark, value=None) if not leaf[t] else mark
        found[t] = replace(mark, edited=None) if leaf[t] and not was_leaf[t] else mark
    return {t: mark for t, mark in found.items() if mark != Mark()} or None


def joined(marks: Sequence[Marks | None], first: Sequence[int], below: Sequence[int]) -> Marks | None:
    """The marks of several trees side by side; the root of each further one takes over that of a leaf of the first."""
    if not any(marks):
        return None
    found = {first[i] + t: mark for i, of_tree in enumerate(marks) for t, mark in (of_tree or {}).items()}
    for leaf, root in zip(below, first[1:], strict=False):
        if leaf in found:
            found[root] = found.pop(leaf)
    return found


def loosened(marks: Marks | None, holds: bool = False) -> Marks | None:
    """The same marks, which no longer keep nodes from being pruned away (or do so again)."""
    return None if marks is None else {t: replace(mark, holds=holds) for t, mark in marks.items()}


def overruled(marks: Marks | None, values: np.ndarray, nodes: Sequence[int] | None = None) -> np.ndarray:
    """Predictions of nodes (all if None) with those that were decided: values, or class probabilities."""
    chosen = {t: mark.value for t, mark in (marks or {}).items() if mark.value is not None}
    if not chosen:
        return values
    values = np.array(values)
    for i, t in enumerate(range(len(values)) if nodes is None else nodes):
        if t in chosen:
            values[i] = chosen[t] if values.ndim == 1 else np.arange(values.shape[1]) == chosen[t]
    return values


def nodes_above_fixed(parent: np.ndarray, marks: Marks | None) -> np.ndarray | None:
    """Which nodes have one below, or a split, that no pruning removes, bool, shape (T,); None where there is none."""
    fixed = {t: t if mark.is_forced else int(parent[t]) for t, mark in (marks or {}).items() if mark.stays}
    if not fixed:
        return None
    above = np.zeros(len(parent), dtype=bool)
    for at in fixed.values():
        while at >= 0 and not above[at]:
            above[at] = True
            at = int(parent[at])
    return above


def to_json(mark: Mark) -> dict[str, Any]:
    """A mark as plain JSON values."""
    return {name: value for name, value in asdict(mark).items() if value is not None and name != "holds"}


def marks_to_json(marks: Marks) -> list[dict[str, Any]]:
    """Marks as plain JSON values, by rising number of their nodes."""
    return [{"node": t} | to_json(mark) for t, mark in sorted(marks.items())]


def marks_from_json(plain: object) -> Marks:
    """Marks from plain JSON values.

    Raises
    ------
    ModelFileError
        They are not such.
    """
    known = {"node", "value", *_TEXTS}
    for item in plain if isinstance(plain, list) else [None]:
        if not isinstance(item, dict) or not item.keys() <= known or type(item.get("node")) is not int:
            raise ModelFileError("this is not a sound tree: a mark must be an object with the number of its node.")
    found = {item["node"]: Mark(**{name: item.get(name) for name in known - {"node"}}) for item in plain}
    if len(found) < len(plain):
        raise ModelFileError("this is not a sound tree: a node has two marks.")
    return found


def check_marks(marks: Marks, is_leaf: np.ndarray, classes: int) -> None:
    """Check that marks are of nodes that exist, and hold what nodes can.

    Raises
    ------
    ModelFileError
    """
    for t, mark in marks.items():
        value = mark.value
        number = value is None or (type(value) in (int, float) and math.isfinite(value))
        texts = [getattr(mark, name) for name in _TEXTS if getattr(mark, name) is not None]
        if not 0 <= t < len(is_leaf):
            fact = "there is no such node"
        elif not number or (classes and value is not None and value not in range(classes)):
            fact = "it predicts neither a class nor a number"
        elif value is not None and not is_leaf[t]:
            fact = "only a leaf predicts a value that was decided"
        elif not all(isinstance(text, str) and 0 < len(text) <= LONGEST for text in texts):
            fact = f"a name must be a text of 1 to {LONGEST} characters"
        else:
            continue
        raise ModelFileError(f"this is not a sound tree: the mark of node {t} is wrong: {fact}.")
