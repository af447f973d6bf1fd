"""Rows that occur more than once, though chance would hardly repeat them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ..._messages import Message, Row, remedy
from ...statistics.places import scattered
from ...views.figures import percent
from .column_values import ColumnValues
from .finding import Finding

#: So many duplicates at least, and so many times as many as pairs of rows of independent columns.
_LEAST, _TIMES = 3, 100.0


def duplicates(columns: Sequence[ColumnValues]) -> Iterator[Finding]:
    """Rows that equal an earlier row in all columns, the target included.

    Rows of few levels repeat by chance. Then still more of them are equal in all columns but one, which copies are not.
    """
    n = columns[0].n
    parts = [_hashed(column, j) for j, column in enumerate(columns)]
    total = np.sum(parts, axis=0, dtype=np.uint64)
    order = np.argsort(total, kind="stable")
    again = order[1:][total[order][1:] == total[order][:-1]]
    many = len(again)
    shares = [np.append(column.counts, column.missing) / n for column in columns]
    chance = float(np.prod([share @ share for share in shares])) * n * (n - 1) / 2
    if many < max(_LEAST, _TIMES * chance) or sum(_repeated(total - part) - many for part in parts) >= many:
        return
    message = Message(
        f"{many:,} rows ({percent(many / n)}) equal an earlier row in every column, the first of them ",
        Row(int(again.min())), ". Copies in training and test sets make figures too good; ",
        remedy("remove them if each row should be a case of its own"), ".",
    )  # fmt: skip
    yield Finding("duplicates", None, many, message)


def _hashed(column: ColumnValues, place: int) -> np.ndarray:
    """A number for each value of a column, uint64, shape (n,); their sums over columns differ where rows do."""
    seed = np.uint64((place + 1) << 40)
    return scattered(np.arange(len(column.values) + 1, dtype=np.uint64) + seed)[column.group]


def _repeated(hashes: np.ndarray) -> int:
    ordered = np.sort(hashes)
    return int(np.count_nonzero(ordered[1:] == ordered[:-1]))
