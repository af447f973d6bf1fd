"""What a worker holds for one fit: pieces of the data, drafted and then as shards."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, field

from ...errors import ClusterError
from ..parts.finishing import Finisher
from ..parts.held_part import HeldPart
from ..sharded.shard import Shard


@dataclass(frozen=True)
class Place:
    """What the engine grants a worker.

    Attributes
    ----------
    name : str
        Of the worker.
    folder : str or None
        Where files may lie; None = the system's folder for temporary files.
    threads : int
    memory : int
        Bytes that the worker may use; 0 = nobody says. A quarter may be taken by what it holds, the rest is in files.
    """

    name: str
    folder: str | None = None
    threads: int = 1
    memory: int = 0


@dataclass(frozen=True, eq=False)
class Group:
    """Pieces that became final together, as shards; they are asked together or not at all."""

    ids: frozenset[int]
    shards: list[Shard]
    kind: str
    has_missing: bool
    rows: int


@dataclass(eq=False)
class Held:
    """One piece: drafted, then in a group."""

    finisher: Finisher
    folder: str
    part_rows: int
    group: Group | None = None


@dataclass(eq=False)
class Session:
    """What this process holds for one fit.

    Attributes
    ----------
    folder : str
    held : dict of int to Held
        By number of the piece.
    limits : list of int
        Of each feature's sample, by the pieces read so far: what has a larger hash is not in the sample of the whole.
    stopped : bool
    spoken : float
        When the driver was heard of last.
    """

    folder: str
    held: dict[int, Held] = field(default_factory=dict)
    limits: list[int] = field(default_factory=list)
    stopped: bool = False
    spoken: float = 0.0

    def room(self, place: Place) -> int:
        """Bytes that may still be taken in memory."""
        parts = [part for held in list(self.held.values()) for part in held.finisher.parts]
        return place.memory // 4 - sum(part.room() for part in parts if isinstance(part, HeldPart))

    def remove(self) -> None:
        """End what runs, and let all go."""
        self.stopped = True
        self.held.clear()
        shutil.rmtree(self.folder, ignore_errors=True)

    def check(self) -> None:
        """Raise when the fit is over."""
        if self.stopped:
            raise ClusterError("this fit was stopped.")
