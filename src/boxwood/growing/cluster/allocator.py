"""The memory allocator of a worker: during a fit it keeps freed memory for the arrays that come next.

Dask starts workers whose allocator hands everything back to the system at once; every array then takes its pages
again, and reading a piece takes nearly twice as long. Source: glibc, mallopt(3).
"""

from __future__ import annotations

import ctypes
import os
from contextlib import suppress

#: Environment variable by which the allocator was set to hand memory back.
_SETTING = "MALLOC_TRIM_THRESHOLD_"
#: Numbers of the two settings, and bytes: those to which the allocator rises by itself without any setting.
_TRIM, _MAP = -1, -3
_KEPT, _MAPPED = 1 << 26, 1 << 25
_USUAL = 1 << 17


def keep_what_is_freed() -> None:
    """From now on."""
    if _SETTING in os.environ:
        _set(_KEPT, _MAPPED)


def hand_back() -> None:
    """As the process was started; what is free goes back to the system."""
    if _SETTING in os.environ:
        with suppress(ValueError):
            _set(int(os.environ[_SETTING]), _USUAL)


def _set(trim: int, mapped: int) -> None:
    with suppress(OSError, AttributeError, TypeError):  # another allocator does as it likes
        library = ctypes.CDLL(None)
        library.mallopt(_TRIM, trim)
        library.mallopt(_MAP, mapped)
        library.malloc_trim(0)
