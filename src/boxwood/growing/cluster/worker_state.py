"""The state of a worker for one fit: pieces of the data, provisional and then as shards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from ...errors import ClusterError
from ..parts.finishing import Finisher
from ..shards.shard import Shard


@dataclass(frozen=True)
class WorkerInfo:
    """What the engine grants a worker.

    Attributes
    ----------
    name : str
        Of the worker.
    folder : str or None
        Where files may lie; None = the system's folder for temporary files.
    threads : int
    memory : int
        Bytes that the worker may use; 0 = unknown. A quarter may be taken by parts in memory, the others are in files.
    """

    name: str
    folder: str | None = None
    threads: int = 1
    memory: int = 0


@dataclass(frozen=True, eq=False)
class ShardGroup:
    """Pieces that became final together, as shards; they reply together or not at all."""

    ids: frozenset[int]
    shards: list[Shard]
    kind: str
    has_missing: bool
    rows: int


@dataclass(eq=False)
class PieceState:
    """One piece: provisional, then in a group."""

    finisher: Finisher
    folder: str
    part_rows: int
    group: ShardGroup | None = None


@dataclass(eq=False)
class Session:
    """The state of this process for one fit.

    Attributes
    ----------
    folder : str
        Where its pieces are kept.
    remove_folder : callable
    pieces : dict of int to PieceState
        By number of the piece.
    limits : list of int
        Of each feature's sample, by the pieces read so far: what has a larger hash is not in the sample of the whole.
    stopped : bool
    last_contact : float
        When the last message of the driver came.
    """

    folder: str
    remove_folder: Callable[[], object]
    pieces: dict[int, PieceState] = field(default_factory=dict)
    limits: list[int] = field(default_factory=list)
    stopped: bool = False
    last_contact: float = 0.0

    def free_memory(self, worker: WorkerInfo) -> int:
        """Bytes that may still be taken in memory."""
        parts = [part for piece in list(self.pieces.values()) for part in piece.finisher.parts]
        return worker.memory // 4 - sum(part.memory_needed() for part in parts)

    def remove(self) -> None:
        """End what runs, and drop everything."""
        self.stopped = True
        self.pieces.clear()
        self.remove_folder()

    def check(self) -> None:
        """Raise when the fit is over."""
        if self.stopped:
            raise ClusterError("this fit was stopped.")
