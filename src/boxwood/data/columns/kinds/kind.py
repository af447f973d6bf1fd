"""What every kind of feature can do, and how a layer adds what it needs of each kind."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np

#: Code of a missing level and of a level not seen in training, in a column of level codes.
MISSING, UNSEEN = -1, -2

T = TypeVar("T")


class Kind(ABC):
    """How the values of a feature are stored and how a split divides them.

    Attributes
    ----------
    name : str
        The field of the kind in :class:`ByKind`.
    kind_name : str
        What people call it.
    nothing : float
        What a column holds for a missing value.
    step : int
        The least difference between values of which a split takes account, in units of the stored numbers.
    has_cuts : bool
        Whether a split divides the values at cuts; else it lists them.
    rounds_cuts : bool
        Whether a cut may be rounded to few decimals.
    form : str or None
        How texts are read as values; None = texts are not values.
    """

    name: ClassVar[str]
    kind_name: ClassVar[str]
    nothing: ClassVar[float]
    step: ClassVar[int] | int = 1
    has_cuts: ClassVar[bool] = True
    rounds_cuts: ClassVar[bool] = True
    form: ClassVar[str | None] | str | None = None

    @property
    def scale(self) -> tuple:
        """What values are, and how fine: in columns of one scale, equal cuts are the same, whatever the texts."""
        return (self.kind_name,)

    @abstractmethod
    def column(self, values: list) -> np.ndarray:
        """Values, or codes of levels, as a column; None is missing."""

    @abstractmethod
    def missing(self, values: np.ndarray) -> np.ndarray:
        """Where a column is missing, bool; a level not seen in training is not missing."""

    @abstractmethod
    def known(self, values: np.ndarray) -> np.ndarray:
        """Where a column has a value that training can have had, bool."""

    @abstractmethod
    def seen(self, values: np.ndarray) -> np.ndarray:
        """The column with levels that are new as missing ones."""

    @abstractmethod
    def cut_between(self, a: tuple, b: tuple, is_short: bool = False) -> tuple[float, float]:
        """The cut between neighbours a < b, value and low part; of numbers the midpoint, short: rounded, or a where
        that would part them wrongly.
        """

    def cut_limits(self, count: int) -> tuple[float, float]:
        """The lowest and the highest cut that there can be, both allowed; ``count`` levels."""
        return -np.inf, np.inf

    @abstractmethod
    def coded(self, values: np.ndarray, low: np.ndarray | None) -> tuple[np.ndarray, tuple]:
        """Levels by code, numbers by their rank among the distinct ones, int64, -1 = missing; what is behind ranks."""

    def positions(
        self, values: np.ndarray, low: np.ndarray | None, breaks: np.ndarray, breaks_low: np.ndarray
    ) -> np.ndarray:
        """Positions of known values in the index of a split: the intervals between its breaks."""
        low = np.zeros(len(values)) if low is None else low
        position = np.zeros(len(values), dtype=np.int64)
        for cut, cut_low in zip(breaks, breaks_low, strict=True):
            position += (values > cut) | ((values == cut) & (low > cut_low))
        return position

    def by_level(self, found: np.ndarray, breaks: np.ndarray, count: int) -> np.ndarray:
        """Of ``count`` levels what was found for the positions of a split in which they are; of numbers nothing."""
        return found[:0]

    @abstractmethod
    def original(self, number: Any, levels: tuple) -> Any:
        """A number of a column, or the code of a level, as the value that users passed in."""

    @abstractmethod
    def for_kernel(self, values: np.ndarray, low: np.ndarray | None, count: int, in_place: bool) -> tuple:
        """A column and its kind as the kernel reads them; ``count`` levels."""


@dataclass(frozen=True)
class ByKind(Generic[T]):
    """What one layer adds to the kinds: an object for each; a new kind is a new field, which no layer can forget."""

    numeric: T
    ordinal: T
    nominal: T
    temporal: T

    def of(self, feature: Any) -> T:
        """The object for the kind of a feature."""
        return getattr(self, feature.type.name)
