"""A segment whose answer changes: its conditions, the answers before and after, and how many rows it holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...data.columns.schema import Schema
from ...exports.boxes import ValueSet
from ...views.figures import number, percent, signed
from ...views.words import amount, level, share
from .cells import ChangedCell, largest
from .row_sums import RowSums
from .words import box_words, needs_gaps


@dataclass(frozen=True)
class Segment:
    """Rows whose answer changes.

    Attributes
    ----------
    where : str
        The conditions in words.
    box : tuple of ValueSet
        The conditions, a set of values for each feature of the diff.
    old, new : label or float
        The class, or the number, that both models predict.
    target_class : label or None
        Class whose probability is given: the new class; None for numbers.
    before, after : (float, float)
        The lowest and the highest probability of this class, or number, in the segment.
    rows : int or None
        Number of the rows that were given; None without rows.
    mean_before, mean_after : float or None
        Mean over these rows; None where there are none.
    loss_before, loss_after : float or None
        Share of wrong predictions, or mean squared error, in these rows; None without y.
    """

    where: str
    box: tuple[ValueSet, ...]
    old: Any
    new: Any
    target_class: Any
    before: tuple[float, float]
    after: tuple[float, float]
    rows: int | None = None
    mean_before: float | None = None
    mean_after: float | None = None
    loss_before: float | None = None
    loss_after: float | None = None

    @property
    def changes_class(self) -> bool:
        """Whether another class is predicted."""
        return self.target_class is not None and self.old != self.new

    @property
    def change(self) -> float:
        """How much the probability or the number changes: in the mean over the rows, else between the middles."""
        if self.mean_before is not None and self.mean_after is not None:
            return self.mean_after - self.mean_before
        return (sum(self.after) - sum(self.before)) / 2.0

    def to_text(self, of: int | None) -> str:
        """The segment as a line; ``of`` is the number of all rows."""
        before, after = (self._ends(*pair) for pair in ((self.before, self.mean_before), (self.after, self.mean_after)))
        if self.target_class is None:
            parts = [f"{before} → {after} ({signed(self.change, amount)})"]
        else:
            named = level(self.new)
            classes = f"{level(self.old)} → {named}" if self.changes_class else f"{named} as before"
            parts = [f"{classes}, probability of {named} {before} → {after}"]
        if self.rows is not None:
            parts.append(f"{self.rows:,} row{'s' * (self.rows != 1)} ({percent(self.rows / of)})")
        if self.loss_before is not None:
            what = "squared error" if self.target_class is None else "wrong"
            words = number if self.target_class is None else percent
            parts.append(f"{what} {words(self.loss_before)} → {words(self.loss_after)}")
        return f"{self.where}: {'; '.join(parts)}"

    def _ends(self, ends: tuple[float, float], mean: float | None) -> str:
        words = amount if self.target_class is None else share
        if mean is not None:
            return words(mean)
        return words(ends[0]) if ends[0] == ends[1] else f"{words(ends[0])} to {words(ends[1])}"

    def to_dict(self) -> dict[str, Any]:
        """The segment as plain values."""
        names = ("where", "old", "new", "target_class", "before", "after", "change", "rows")
        names += ("mean_before", "mean_after", "loss_before", "loss_after")
        return {name: getattr(self, name) for name in names}


def segments_of(
    cells: Sequence[ChangedCell], schema: Schema, labels: tuple, sums: RowSums | None
) -> tuple[Segment, ...]:
    """Cells as segments: as large as possible where the class changes; the most important first.

    ``sums`` are those of rows in each cell.
    """
    place = {id(cell): i for i, cell in enumerate(cells)}

    def made(box: tuple, members: list[ChangedCell]) -> Segment:
        first = members[0]
        k = int(first.new.value) if labels else 0
        sides = [
            np.array([side.fields[k] for side in pair]) for pair in zip(*((c.old, c.new) for c in members), strict=True)
        ]
        before, after = ((float(values.min()), float(values.max())) for values in sides)
        answers = [labels[int(a.value)] if labels else a.value for a in (first.old, first.new)]
        counted = {} if sums is None else sums.of_segment([place[id(cell)] for cell in members], *sides)
        return Segment(box_words(schema, box), box, *answers, labels[k] if labels else None, before, after, **counted)

    found = largest(cells, _same_segment if labels else lambda cell: (cell.old, cell.new), made)
    return tuple(
        sorted(found, key=lambda s: (not s.changes_class, -(s.rows or 0), needs_gaps(schema, s.box), -abs(s.change)))
    )


def _same_segment(cell: ChangedCell) -> tuple:
    """Cells of one change of class belong together, whatever the probabilities; else those of the same answers."""
    changes = cell.old.value != cell.new.value
    return (cell.old.value, cell.new.value) if changes else (cell.old, cell.new)
