"""Storage for arrays of one value per row: memory-mapped files, or memory."""

from __future__ import annotations

import mmap
import os
from dataclasses import dataclass, field

import numpy as np

from ..parts.part_file import PartFile, mapped_files, release


@dataclass(eq=False)
class ArrayStore:
    """A place for arrays.

    Attributes
    ----------
    path : str or None
        How files begin; None = memory.
    """

    path: str | None = None
    _files: dict[str, list[mmap.mmap]] = field(default_factory=dict)

    def kept(self, name: str, array: np.ndarray) -> np.ndarray:
        """The array, read-only, from where it is kept; another of this name goes."""
        return self.kept_together(name, {name: array})[name]

    def kept_together(self, name: str, arrays: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        """Arrays of one length, read-only, from the one file they are kept in; another of this name goes."""
        n = min(map(len, arrays.values()), default=0)
        if self.path is None or not n:
            return arrays
        path = f"{self.path}-{name}.box"
        if self._files.pop(name, None) is not None:
            os.unlink(path)
        kept = PartFile.written(path, n, arrays.items()).mapped()
        self._files[name] = mapped_files(kept.values())
        return kept

    def release(self) -> None:
        """Let the system drop the pages of all files; they are read again on access."""
        for files in self._files.values():
            release(files)
