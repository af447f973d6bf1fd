"""Storage for arrays of one value per row: memory-mapped files, or memory."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

import numpy as np

from ..parts.part_file import PartFile


@dataclass(eq=False)
class ArrayStore:
    """A place for arrays.

    Attributes
    ----------
    path : str or None
        How files begin; None = memory.
    """

    path: str | None = None
    _files: dict[str, str] = field(default_factory=dict)

    def kept(self, name: str, array: np.ndarray) -> np.ndarray:
        """The array, read-only, from where it is kept; another of this name goes."""
        if self.path is None or not len(array):
            return array
        old = self._files.pop(name, None)
        if old is not None:
            os.unlink(old)
        path = self._files[name] = f"{self.path}-{name}.box"
        return PartFile.written(path, len(array), [(name, array)]).mapped()[name]
