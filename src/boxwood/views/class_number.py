"""Numbers of classes by their labels, as views are given them."""

from __future__ import annotations

from typing import Any

from .._messages import Setting, Value, remedy
from ..data.frames.class_labels import class_code
from ..errors import ParameterError
from ..tree.interest import class_of_interest
from ..tree.tree import Tree


def number_of_interest(tree: Tree, target_class: Any = None) -> int | None:
    """Number of a class, by default of the class of interest of the tree; None where numbers are predicted.

    Raises
    ------
    ParameterError
        The tree has no such class, or no class of interest was chosen.
    """
    labels = tree.response.labels
    if target_class is None:
        target_class = class_of_interest(tree)
    if target_class is None and labels:
        raise ParameterError(Setting("target_class"), f" must be one of {_listed(labels)}: the class of interest.")
    return None if target_class is None else target_number(tree, target_class)


def target_number(tree: Tree, label: Any) -> int:
    """Number of a class by its label.

    Raises
    ------
    ParameterError
        The tree has no such class; the message lists those it has.
    """
    labels = tree.response.labels
    if not labels:
        raise ParameterError(
            f"this tree predicts a {tree.response.kind}, so it has no class ", Value(label), "; ",
            remedy("give no ", Setting("target_class")), ".",
        )  # fmt: skip
    return class_code(labels, label)


def _listed(labels: tuple[Any, ...]) -> str:
    more = f" and {len(labels) - 8} more" if len(labels) > 8 else ""
    return f"{', '.join(map(repr, labels[:8]))}{more}"
