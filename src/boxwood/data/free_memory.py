"""Whether an array fits the memory that is free, so that a request for too much is refused as text."""

from __future__ import annotations

import os
import warnings
from pathlib import Path

from ..errors import BoxwoodWarning, DataError, level_outside

#: Bytes of a dense table from which a warning says how large it is.
LARGE = 1e9
_ALONE = "CARTClassifier or CARTRegressor with max_bins=None, which learn from the stored values alone"


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
            f"{what}, and {max(free, 0) / 1e9:.1f} GB of memory are free. Keep fewer columns (SelectKBest, "
            f"TruncatedSVD), or use {_ALONE}."
        )
    if size >= LARGE:
        warnings.warn(
            f"{what} as they are made dense; to avoid this, use {_ALONE}.", BoxwoodWarning, stacklevel=level_outside()
        )
