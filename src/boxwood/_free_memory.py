"""Whether an array fits the memory that is free, so that a request for too much is refused as text."""

from __future__ import annotations

import ctypes
import os
import sys
import warnings
from contextlib import suppress
from pathlib import Path

from ._messages import Learner, Message, Setting, remedy
from .errors import BoxwoodWarning, DataError, level_outside

#: Bytes of a dense table from which a warning states its size.
LARGE = 1e9
_ALONE = Message(
    Learner("cart", "CARTClassifier or CARTRegressor"), " with ", Setting("max_bins", None),
    ", which learn from the stored values alone",
)  # fmt: skip


def free_memory() -> int | None:
    """Bytes that are free for this process, where the system reports them; else None."""
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:"))
    except (OSError, ValueError, StopIteration):
        pass
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_AVPHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return None


def need_memory(size: int) -> None:
    """Raise MemoryError unless so many bytes can be had now, for code that ends the process where they cannot."""
    bytes(size)  # zeros that the system gives when they are first read


def trim_heap() -> None:
    """What was freed goes back to the system, which an allocator, and Arrow's own, may put off for long."""
    if arrow := sys.modules.get("pyarrow"):
        arrow.default_memory_pool().release_unused()
    with suppress(OSError, AttributeError, TypeError):  # another allocator does as it likes
        ctypes.CDLL(None).malloc_trim(0)


#: Messages, in lower case, of errors other than MemoryError that mean that memory ended.
_MESSAGES = (
    "cannot allocate memory", "failed to map segment", "malloc of size", "out of memory",
    "error return without exception set", "without setting an exception",
)  # fmt: skip


def ran_out(error: BaseException) -> bool:
    """Whether an error means that memory ended: Arrow, the system and the loader of libraries use other types.

    Examples
    --------
    >>> from boxwood._free_memory import ran_out
    >>> ran_out(ImportError("libblas.so: failed to map segment from shared object")), ran_out(ImportError("no pandas"))
    (True, False)
    """
    if isinstance(error, MemoryError):
        return True
    of_system = isinstance(error, (OSError, ImportError, SystemError))
    return of_system and any(words in str(error).lower() for words in _MESSAGES)


def raise_if_ran_out(error: Exception) -> None:
    """Raise MemoryError for an error that means it, before another one blames the file."""
    if ran_out(error):
        raise MemoryError(str(error)) from error


def refuse_too_large(n: int, width: int) -> None:
    """Refuse to make a sparse table dense for which there is no memory; a warning names the size of a large one.

    Raises
    ------
    DataError
        Names the size and the remedy.
    """
    size, free = n * width * 8, free_memory()
    what = f"X is sparse, but here every cell is needed: {n} rows of {width} columns take {size / 1e9:.1f} GB"
    if free is not None and size > free:
        raise DataError(
            f"{what}, and {max(free, 0) / 1e9:.1f} GB of memory are free. ",
            remedy("Keep fewer columns (SelectKBest, TruncatedSVD), or use ", _ALONE, "."),
        )
    if size >= LARGE:
        warnings.warn(
            Message(f"{what} as they are made dense; to avoid this, use ", _ALONE, "."),
            BoxwoodWarning,
            stacklevel=level_outside(),
        )
