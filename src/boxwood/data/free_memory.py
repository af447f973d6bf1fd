"""Whether an array fits the memory that is free, so that a request for too much is refused as text."""

from __future__ import annotations

import os
from pathlib import Path

from ..errors import DataError


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


def refuse_too_large(n: int, width: int) -> None:
    """Refuse to make a sparse table dense for which there is no memory.

    Raises
    ------
    DataError
        Names the size and the remedy.
    """
    size, free = n * width * 8, free_memory()
    if free is not None and size > free:
        raise DataError(
            f"X is sparse, but here every cell is needed: {n} rows of {width} columns take {size / 1e9:.1f} GB, and "
            f"{max(free, 0) / 1e9:.1f} GB of memory are free. Keep fewer columns (SelectKBest, TruncatedSVD), or use "
            "CARTClassifier or CARTRegressor with max_bins=None, which learn from the stored values alone."
        )
