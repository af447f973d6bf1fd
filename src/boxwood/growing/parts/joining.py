"""Joins small parts into larger ones: a shard replies with tables, however few rows it has."""

from __future__ import annotations

import numpy as np

from .memory_part import MemoryPart
from .part_file import PartFile


def joined(parts: list[PartFile | MemoryPart], rows: int) -> list[PartFile | MemoryPart]:
    """The same rows in parts of at most so many rows, but for a part that had more.

    Parameters
    ----------
    parts : list of PartFile or MemoryPart
        In final numbers. Those that are joined go; what comes of parts that are all in memory stays there.
    rows : int
    """
    packs: list[list[PartFile | MemoryPart]] = []
    left = 0
    for part in parts:
        if part.n > left or not packs:
            packs.append([])
            left = rows
        packs[-1].append(part)
        left -= part.n
    return [pack[0] if len(pack) == 1 else _one(pack) for pack in packs]


def _one(parts: list[PartFile | MemoryPart]) -> PartFile | MemoryPart:
    arrays = ((name, np.concatenate([part.get(name) for part in parts])) for name in list(parts[0].sections))
    path, n = f"{parts[0].path}.joined", sum(part.n for part in parts)
    fits = all(part.in_memory for part in parts)
    made = MemoryPart.made(path, n, arrays) if fits else PartFile.written(path, n, arrays)
    for part in parts:
        part.remove()
    return made
