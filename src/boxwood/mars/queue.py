"""The queue of Fast MARS: which terms are tried as parents in this step (Friedman 1993)."""

from __future__ import annotations

import math
from dataclasses import dataclass, field


@dataclass
class QueueEntry:
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
    as_earth : bool
        As earth 5.3 keeps its queue (docs/mars.md): the k-th entry represents slot k, whatever slot its term has; terms
        of full degree stay at the head; ages are taken before the terms of the step count; ``fast_k`` is at least 3.
    """

    fast_k: int
    fast_beta: float
    as_earth: bool = False
    entries: list[QueueEntry] = field(default_factory=list)

    def add(self, slot: int, size: int, can_be_parent: bool) -> None:
        """A new term of a step that found ``size`` slots taken; one of full degree is not worth trying."""
        if self.as_earth:
            self.entries.append(QueueEntry(len(self.entries), math.inf, size))
        elif can_be_parent:
            self.entries.append(QueueEntry(slot, math.inf, size + 2))

    def next(self, size: int) -> list[QueueEntry]:
        """Entries to search in this step, in order."""
        now = max(1, size - 2) if self.as_earth else size
        most = max(self.fast_k, 3) if self.as_earth else self.fast_k
        worth = [e for e in self.entries if self.as_earth or e.gain >= 0.0]
        ranked = sorted(worth, key=lambda e: (-e.gain, e.slot))
        aged = sorted(
            range(len(ranked)),
            key=lambda i: (i + self.fast_beta * (now - ranked[i].size), -ranked[i].gain, ranked[i].slot),
        )
        order = [ranked[i] for i in aged]
        return order if self.fast_k <= 0 else order[:most]
