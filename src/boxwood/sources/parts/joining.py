"""Small parts in final numbers written together as larger ones: a shard answers with tables, whatever its rows."""

from __future__ import annotations

import os

import numpy as np

from .part_file import PartFile


def joined(parts: list[PartFile], rows: int) -> list[PartFile]:
    """The same rows in parts of at most so many rows, but for a part that had more.

    Parameters
    ----------
    parts : list of PartFile
        In final numbers. Files of parts that are joined are removed.
    rows : int
    """
    packs: list[list[PartFile]] = []
    room = 0
    for part in parts:
        if part.n > room or not packs:
            packs.append([])
            room = rows
        packs[-1].append(part)
        room -= part.n
    return [pack[0] if len(pack) == 1 else _one(pack) for pack in packs]


def _one(parts: list[PartFile]) -> PartFile:
    names = list(parts[0].sections)
    arrays = ((name, np.concatenate([part.get(name) for part in parts])) for name in names)
    made = PartFile.written(f"{parts[0].path}.joined", sum(part.n for part in parts), arrays)
    for part in parts:
        os.unlink(part.path)
    return made
