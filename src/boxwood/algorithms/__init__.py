"""The registry: every tree algorithm by name; the command line, the docs and the tests read it."""

from .cart import CART
from .chaid import CHAID
from .compose import TREE

#: Name -> Algorithm.
REGISTRY = {algorithm.name: algorithm for algorithm in (CART, CHAID, TREE)}
