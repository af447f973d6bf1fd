"""Nodes coloured by the probability of one class."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..tree.tree import Tree
from ..views.target import target_of
from .colours import shade
from .scene import Group, Label

#: Relative luminance below which white words are easier to read than black ones.
_MIDDLE = 0.179


@dataclass(frozen=True, eq=False)
class TargetShades:
    """The scale from the smallest to the largest probability of the target class among the nodes drawn.

    Attributes
    ----------
    target : int
        Number of the class.
    probability : float64, shape (T,)
        Of that class in each node.
    low, high : float
        Ends of the scale.
    """

    target: int
    probability: np.ndarray
    low: float
    high: float

    def fill(self, node: int) -> str:
        """The colour of a node: the deeper, the more probable the class."""
        return self.at(float(self.probability[node]))

    def at(self, probability: float) -> str:
        """The colour of a probability."""
        return shade((probability - self.low) / (self.high - self.low) if self.high > self.low else 0.5)


def target_shades(tree: Tree, nodes: list[int], target_class) -> TargetShades | None:
    """The scale of a target class; None where none is given.

    Raises
    ------
    ParameterError
        The tree has no such class.
    """
    if target_class is None:
        return None
    target = target_of(tree.response).code(tree, target_class)
    probability = tree.probability[:, target]
    drawn = probability[nodes]
    return TargetShades(target, probability, float(drawn.min()), float(drawn.max()))


def ink_on(fill: str) -> str:
    """Black or white, whichever contrasts more with a colour; at least 4.5 : 1 (WCAG 2).

    Examples
    --------
    >>> from boxwood.pictures.node_colours import ink_on
    >>> ink_on("#d6e9f5"), ink_on("#004575")
    ('#000000', '#ffffff')
    """
    parts = [int(fill[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return "#000000" if luminance > _MIDDLE else "#ffffff"


def inked(items, ink: str) -> tuple:
    """The same things with all words in one ink."""
    return tuple(_inked(item, ink) for item in items)


def _inked(item, ink: str):
    if isinstance(item, Group):
        return replace(item, items=inked(item.items, ink))
    return replace(item, ink=ink) if isinstance(item, Label) else item
