"""What the nodes of a tree draw by chance: the features that are searched for a split, and the splits themselves."""

from __future__ import annotations

from dataclasses import dataclass, replace

from .._messages import Setting, remedy
from ..errors import ParameterError


@dataclass(frozen=True)
class Draws:
    """What the nodes of a tree of two branches draw, from a hash of the seed and the branches taken from the root.

    Attributes
    ----------
    max_features : int
        So many features are drawn for each node, in a random order, and one more at a time until a split is found;
        0 = all features are searched.
    random_cuts : bool
        Of each feature one partition is drawn, and the best of these wins, instead of the best partition of all.
    seed : int
    branches_above : tuple of int
        The branches taken from the root to the root of this tree, if it will be a part of another.
    """

    max_features: int = 0
    random_cuts: bool = False
    seed: int = 0
    branches_above: tuple[int, ...] = ()

    @property
    def is_random(self) -> bool:
        """Whether anything is drawn."""
        return self.random_cuts or self.max_features > 0

    def below(self, branches: tuple[int, ...]) -> Draws:
        """The draws of a tree that will be below these branches."""
        return replace(self, branches_above=branches) if self.is_random else self

    def check_kernel(self) -> None:
        """Refuse draws where the kernel's search of two branches in memory is not used."""
        if self.is_random:
            drawn = ("splitter", "best") if self.random_cuts else ("max_features", None)
            raise ParameterError(
                Setting(drawn[0]), " needs two branches, the kernel's search and rows in memory; ",
                remedy("fit rows in memory, or with ", Setting(*drawn), "."),
            )  # fmt: skip

    def check_sparse(self) -> None:
        """Refuse random splits of sparse columns."""
        if self.random_cuts:
            raise ParameterError(
                Setting("splitter", "random"), " needs dense columns; ",
                remedy("fit a dense table, or with ", Setting("splitter", "best"), "."),
            )  # fmt: skip


#: Every feature is searched.
NONE = Draws()
