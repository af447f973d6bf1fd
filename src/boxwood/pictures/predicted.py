"""How pictures show what nodes predict: numbers, or classes with their probabilities; one object for each kind of y."""

from __future__ import annotations

from functools import singledispatch

import numpy as np

from ..statistics.responses.classes import Classes
from ..statistics.responses.response import Response
from ..tree.descend import Routing
from ..tree.tree import Tree
from ..views.words import plain
from .node_contents import ClassNodes, NumberNodes
from .region_axis import RegionAxis, number_axis
from .region_colours import Colouring, colours_of_classes, colours_of_numbers, colours_of_target
from .swatches import name_of_number, swatches_of_classes


class NumberPictures:
    """Pictures of trees that predict a number."""

    #: What the nodes of a drawn tree show.
    nodes = NumberNodes

    def colouring(self, tree: Tree, routing: Routing, target: int | None) -> Colouring:
        """The colours of cells that were routed down a tree; ``target`` is a class whose probability is shown."""
        return colours_of_numbers(tree, routing)

    def swatches(self, tree: Tree, width: float, top: float) -> tuple[list, float]:
        """The name of the response and what the colours of leaves mean, below ``top``; and their height."""
        return name_of_number(tree, width, top)

    def upward(self, tree: Tree, values: np.ndarray) -> RegionAxis | None:
        """The axis for the numbers that are predicted in a picture of one feature; None for classes."""
        return number_axis(plain(tree.response.name), values)


class ClassPictures(NumberPictures):
    """Pictures of trees that predict a class."""

    nodes = ClassNodes

    def colouring(self, tree: Tree, routing: Routing, target: int | None) -> Colouring:
        if target is None:
            return colours_of_classes(tree, routing)
        return colours_of_target(tree, routing, target)

    def swatches(self, tree: Tree, width: float, top: float) -> tuple[list, float]:
        return swatches_of_classes(tree, width, top)

    def upward(self, tree: Tree, values: np.ndarray) -> RegionAxis | None:
        return None


_NUMBERS, _CLASSES = NumberPictures(), ClassPictures()


@singledispatch
def pictures_of(response: Response) -> NumberPictures:
    """The pictures of a kind of y."""
    return _NUMBERS


@pictures_of.register
def _(response: Classes) -> NumberPictures:
    return _CLASSES
