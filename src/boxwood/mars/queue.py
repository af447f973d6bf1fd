"""The queue of Fast MARS: which terms are worth asking as parents in this step (Friedman 1993)."""

from __future__ import annotations

import math
from dataclasses import dataclass, field


@dataclass
class Entry:
    """A possible parent: its slot, the best gain when it was last searched, and the size of the model then."""

    slot: int
    gain: float = math.inf
    size: int = 0


@dataclass
class ParentQueue:
    """Parents in order of what they promise.

    Attributes
    ----------
    fast_k : int
        How many parents a step searches; 0 or less = all.
    fast_beta : float
        How fast a parent that was not searched for long returns.
    by_insertion : bool
        earth's numbering: the k-th entry represents slot k, whatever slot its term has (SPECS 10.6).
    """

    fast_k: int
    fast_beta: float
    by_insertion: bool = False
    entries: list[Entry] = field(default_factory=list)

    def add(self, slot: int, size: int, can_be_parent: bool) -> None:
        """A new term; one that has reached the degree is never worth asking."""
        number = len(self.entries) if self.by_insertion else slot
        self.entries.append(Entry(number, math.inf if can_be_parent else -1.0, size))

    def next(self, size: int) -> list[Entry]:
        """Entries to search in this step, in order."""
        ranked = sorted(self.entries, key=lambda e: (-e.gain, e.slot))
        aged = sorted(
            range(len(ranked)),
            key=lambda i: (i + self.fast_beta * (size - ranked[i].size), -ranked[i].gain, ranked[i].slot),
        )
        order = [ranked[i] for i in aged]
        return order if self.fast_k <= 0 else order[: self.fast_k]
