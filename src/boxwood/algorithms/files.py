"""Reads a model of any algorithm from the bytes of its file."""

from __future__ import annotations

from ..mars.model import MARSModel
from ..mars.store import is_mars
from ..model.protocol import Model
from ..model.tree_model import TreeModel
from .rules import RuleModel
from .rules.store import is_rules


def model_from_bytes(data: bytes) -> Model:
    """A tree, rules or a sum of terms: whatever the file holds.

    Raises
    ------
    ModelFileError
        The bytes are damaged, or are not a model.

    Examples
    --------
    >>> from boxwood import CARTClassifier
    >>> from boxwood.algorithms.files import model_from_bytes
    >>> model_from_bytes(CARTClassifier(pruning=None).fit([[1], [2]], [0, 1]).model_.to_bytes()).algorithm
    'cart'
    """
    kind = MARSModel if is_mars(data) else RuleModel if is_rules(data) else TreeModel
    return kind.from_bytes(data)
