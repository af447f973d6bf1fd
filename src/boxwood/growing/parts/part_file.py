"""The file of one part: named arrays of one value per row, written in sequence and memory-mapped."""

from __future__ import annotations

import mmap
import os
import zlib
from collections.abc import Iterable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from ...errors import FileError

#: Every array begins at a multiple of this many bytes.
ALIGN = 64
_BLOCK = 1 << 24


@contextmanager
def writing(folder: str):
    """The error of a file of a cache that could not be written, with the remedy."""
    try:
        yield
    except OSError as error:
        raise FileError(
            f"cannot write the code cache in {folder!r}: {(error.strerror or str(error)).lower()}; it needs about as "
            "much room as the data as plain numbers. Free some, or choose another folder: cache= in Python, -o on the "
            "command line, the local directory of a worker. What had been written is removed."
        ) from error


def mapped_files(arrays: Iterable[np.ndarray | None]) -> list[mmap.mmap]:
    """The mapped files that arrays lie in, each once."""
    found = (_mapped(array) for array in arrays)
    return list({id(pages): pages for pages in found if pages is not None}.values())


def _mapped(array: np.ndarray | None) -> mmap.mmap | None:
    """The mapped file an array lies in, if any."""
    while array is not None and not isinstance(array, mmap.mmap):
        array = array.obj if isinstance(array, memoryview) else getattr(array, "base", None)
    return array


def release(files: Iterable[mmap.mmap]) -> None:
    """Let the system drop the pages of mapped files; they are read again on access."""
    for pages in files:
        if hasattr(pages, "madvise"):
            pages.madvise(mmap.MADV_DONTNEED)


@dataclass(eq=False)
class PartFile:
    """A file of arrays.

    Attributes
    ----------
    path : str
    n : int
        Length of every array.
    sections : dict
        Name -> (type, offset): the type as numpy writes it, little-endian.
    """

    in_memory: ClassVar[bool] = False

    path: str
    n: int
    sections: dict[str, tuple[str, int]] = field(default_factory=dict)

    @classmethod
    def written(cls, path: str, n: int, arrays: Iterable[tuple[str, np.ndarray]]) -> PartFile:
        """A new file of some named arrays of length n, each taken when it is its turn."""
        made = cls(path, n)
        with writing(os.path.dirname(path)), open(path, "wb") as file:
            for name, array in arrays:
                made._append(file, name, array)
        return made

    def _append(self, file, name: str, array: np.ndarray) -> None:
        plain = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<"))
        at = file.seek(0, os.SEEK_END)
        file.write(bytes(-at % ALIGN))
        at += -at % ALIGN
        file.write(plain.data)
        self.sections[name] = (plain.dtype.str, at)

    def put(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Write arrays in the place of those of the same name and size, others at the end."""
        with writing(os.path.dirname(self.path)), open(self.path, "r+b") as file:
            for name, array in arrays.items():
                old = self.sections.get(name)
                if old is None or np.dtype(old[0]).itemsize != array.dtype.itemsize:
                    self._append(file, name, array)
                    continue
                plain = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<"))
                file.seek(old[1])
                file.write(plain.data)
                self.sections[name] = (plain.dtype.str, old[1])

    def get(self, name: str) -> np.ndarray:
        """One array, read into memory."""
        kind, at = self.sections[name]
        try:
            return np.fromfile(self.path, dtype=kind, count=self.n, offset=at).astype(
                np.dtype(kind).newbyteorder("="), copy=False
            )
        except OSError as error:
            raise FileError(f"{self.path!r} cannot be read: {(error.strerror or str(error)).lower()}.") from error

    def mapped(self) -> dict[str, np.ndarray]:
        """All arrays, read-only, in pages that the system reads on access."""
        with open(self.path, "rb") as file:
            pages = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        return {name: np.frombuffer(pages, kind, self.n, at) for name, (kind, at) in self.sections.items()}

    def keep(self, rows: np.ndarray) -> None:
        """Keep only these rows (bool, shape (n,)); without any, the file is removed."""
        n = int(np.count_nonzero(rows))
        if n:
            fresh = PartFile.written(self.path + ".new", n, ((name, self.get(name)[rows]) for name in self.sections))
            with writing(os.path.dirname(self.path)):
                os.replace(fresh.path, self.path)
            self.sections = fresh.sections
        else:
            self.remove()
        self.n = n

    def remove(self) -> None:
        """The file goes."""
        os.unlink(self.path)

    def size(self) -> int:
        """Bytes of the file."""
        return os.path.getsize(self.path)

    def memory_needed(self) -> int:
        """Bytes of memory that the arrays take."""
        return 0

    def checksum(self) -> int:
        """crc32 of the whole file."""
        crc = 0
        with open(self.path, "rb") as file:
            while block := file.read(_BLOCK):
                crc = zlib.crc32(block, crc)
        return crc

    def synchronise(self) -> None:
        """Push the file to the disk."""
        with writing(os.path.dirname(self.path)), open(self.path, "rb") as file:
            os.fsync(file.fileno())
