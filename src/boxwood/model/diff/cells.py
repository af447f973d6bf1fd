"""Where two trees give different answers: boxes of values with the answers before and after, as large as possible."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import Any

from ..._messages import remedy
from ...errors import DataError
from ...exports.boxes import ValueSet, regions
from .side import Answer, Side

#: Pairs of a box of each tree that are looked at.
_MOST = 200_000


@dataclass(frozen=True)
class ChangedCell:
    """Values of all features of the shared schema, for which the answer changes.

    Attributes
    ----------
    box : tuple of ValueSet
        One for each feature.
    old, new : Answer
    """

    box: tuple[ValueSet, ...]
    old: Answer
    new: Answer


def changed_cells(first: Side, second: Side) -> list[ChangedCell]:
    """All cells whose answers differ; no two share a row.

    Raises
    ------
    DataError
        There are too many boxes to look at.
    """
    start = {j: first.start[j].within(second.start[j]) for j in range(len(first.schema))}
    found, count = [], 0
    for outer in regions(first, start):
        old = first.answer(outer.ends)
        for inner in regions(second, outer.box):
            new = second.answer(inner.ends)
            count += 1
            if count > _MOST:
                raise DataError(
                    f"the two trees have more than {_MOST:,} boxes in common, as surrogates, or rows that are shared "
                    "out, multiply them; ",
                    remedy("prune the trees, or fit them without surrogates and fractions"), ".",
                )  # fmt: skip
            if not old.is_same(new):
                found.append(ChangedCell(tuple(inner.box.values()), old, new))
    return largest(found, lambda cell: (cell.old, cell.new), lambda box, of: ChangedCell(box, of[0].old, of[0].new))


def largest(
    cells: Iterable[ChangedCell],
    key: Callable[[ChangedCell], Hashable],
    made: Callable[[tuple, list[ChangedCell]], Any],
) -> list[Any]:
    """Cells of one key joined into larger boxes: as long as two differ in a single feature."""
    groups: dict[Hashable, list[tuple[tuple, list[ChangedCell]]]] = {}
    for cell in cells:
        groups.setdefault(key(cell), []).append((cell.box, [cell]))
    return [made(box, members) for group in groups.values() for box, members in _joined(group)]


def _joined(boxes: list[tuple[tuple, list[ChangedCell]]]) -> list[tuple[tuple, list[ChangedCell]]]:
    count = 0
    while count != len(boxes):
        count = len(boxes)
        for j in range(len(boxes[0][0])):
            alike: dict[tuple, list[tuple[tuple, list[ChangedCell]]]] = {}
            for box, members in boxes:
                alike.setdefault(box[:j] + box[j + 1 :], []).append((box, members))
            boxes = [_union(same, j) for same in alike.values()]
    return boxes


def _union(boxes: list[tuple[tuple, list[ChangedCell]]], j: int) -> tuple[tuple, list[ChangedCell]]:
    """Boxes that differ in feature ``j`` alone as one."""
    (box, members), *others = boxes
    for other, more in others:
        box, members = (*box[:j], box[j].joined(other[j]), *box[j + 1 :]), members + more
    return box, members
