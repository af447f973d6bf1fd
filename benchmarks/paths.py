"""Sees which of our paths grew a tree: the search over codes, the general grower, or the level loop."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

#: Doors of the kernel by which each path goes.
CODES, GENERAL = "grow_coded", "Grower"


@contextmanager
def watched() -> Iterator[set[str]]:
    """A set that gathers "codes" and "general" while fits run inside; for one thread of fits."""
    from boxwood import _kernel

    taken: set[str] = set()
    coded, general = getattr(_kernel, CODES), getattr(_kernel, GENERAL)

    def grow_coded(*given):
        found = coded(*given)
        if found is not None:
            taken.add("codes")
        return found

    def grower(*given):
        taken.add("general")
        return general(*given)

    setattr(_kernel, CODES, grow_coded)
    setattr(_kernel, GENERAL, grower)
    try:
        yield taken
    finally:
        setattr(_kernel, CODES, coded)
        setattr(_kernel, GENERAL, general)
