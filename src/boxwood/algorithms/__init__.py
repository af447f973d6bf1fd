"""The registry: a page for each algorithm, its fit from any source, rules of C4.5, comparisons."""

from ..model.protocol import model_from_bytes
from .c45 import C45
from .c45_rules import RULES
from .cart import CART
from .chaid import CHAID
from .cls import CLS
from .compose import TREE
from .id3 import ID3
from .mars import MARS

__all__ = ["REGISTRY", "model_from_bytes"]

#: Name -> Algorithm.
REGISTRY = {algorithm.name: algorithm for algorithm in (C45, RULES, CART, CHAID, CLS, ID3, MARS, TREE)}
