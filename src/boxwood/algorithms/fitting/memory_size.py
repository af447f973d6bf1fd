"""Memory limits as text, such as 2GB."""

from __future__ import annotations

import re

from ..._messages import must_be
from ...errors import ParameterError, ParameterTypeError

_UNITS = {"": 1, "B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}
_UNITS |= {"KIB": 2**10, "MIB": 2**20, "GIB": 2**30, "TIB": 2**40}
_WRITTEN = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([A-Za-z]*)\s*")
#: Less than this leaves no room beside the program itself.
LEAST = 32 * 10**6


def memory_size(memory: str | int) -> int:
    """Bytes from a number of bytes or a text such as "2GB" (10**9 bytes) or "512MiB" (2**20 bytes).

    Raises
    ------
    ParameterError, ParameterTypeError
        It is not a size, or less than 32 MB.

    Examples
    --------
    >>> from boxwood.algorithms.fitting.memory_size import memory_size
    >>> memory_size("2GB"), memory_size("1.5 GiB")
    (2000000000, 1610612736)
    """
    if isinstance(memory, bool) or not isinstance(memory, (str, int)):
        raise ParameterTypeError(must_be("memory", "a text such as '2GB' or a number of bytes", memory))
    size = memory
    if isinstance(memory, str):
        found = _WRITTEN.fullmatch(memory)
        unit = None if found is None else _UNITS.get(found[2].upper())
        if unit is None:
            raise ParameterError(must_be("memory", "a size such as '2GB' or '512MB'", memory))
        size = int(float(found[1]) * unit)
    if size < LEAST:
        raise ParameterError(must_be("memory", f"at least {LEAST // 10**6}MB", memory))
    return size
