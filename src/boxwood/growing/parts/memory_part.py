"""A part that stays in memory: the interface of :class:`.PartFile` without a file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .part_file import PartFile

#: Size of a part in final numbers, which have codes, in its size as it was read.
_WITH_CODES = 1.5


@dataclass(eq=False)
class MemoryPart:
    """Arrays of one value per row.

    Attributes
    ----------
    path : str
        The file it would lie in.
    n : int
        Length of every array.
    sections : dict
        Name -> array.
    """

    in_memory: ClassVar[bool] = True

    path: str
    n: int
    sections: dict[str, np.ndarray]

    @classmethod
    def made(cls, path: str, n: int, arrays: Iterable[tuple[str, np.ndarray]]) -> MemoryPart:
        """Of some named arrays of length n, each taken when it is its turn."""
        return cls(path, n, dict(arrays))

    def put(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Add arrays, or put them in the place of those of the same name."""
        self.sections |= arrays

    def get(self, name: str) -> np.ndarray:
        """One array."""
        return self.sections[name]

    def mapped(self) -> dict[str, np.ndarray]:
        """All arrays."""
        return dict(self.sections)

    def keep(self, rows: np.ndarray) -> None:
        """Keep only these rows (bool, shape (n,))."""
        self.sections = {name: array[rows] for name, array in self.sections.items()}
        self.n = int(np.count_nonzero(rows))

    def remove(self) -> None:
        """Give the memory back."""
        self.sections = {}

    def size(self) -> int:
        """Bytes of the arrays."""
        return sum(array.nbytes for array in self.sections.values())

    def memory_needed(self) -> int:
        """Bytes it takes at most, once codes come to what was read."""
        return int(self.size() * _WITH_CODES)

    def written(self) -> PartFile:
        """The same as a file; this part is empty then.

        Raises
        ------
        FileError
            It cannot be written.
        """
        return PartFile.written(self.path, self.n, ((name, self.sections.pop(name)) for name in list(self.sections)))
