"""Lines of a text table; wide (CJK) characters count as two columns."""

from __future__ import annotations

from ..views.words import columns


def aligned(rows: list[list[str]], left_last: bool = False) -> list[str]:
    """Lines whose columns stand under each other: the first to the left, numbers to the right.

    ``left_last``: the last column is to the left as well.
    """
    last = len(rows[0]) - 1
    widths = [max(columns(row[j]) for row in rows) for j in range(last + 1)]
    lines = []
    for row in rows:
        cells = []
        for j, cell in enumerate(row):
            space = " " * (widths[j] - columns(cell))
            cells.append(cell + space if j == 0 or (left_last and j == last) else space + cell)
        lines.append(("  " + "  ".join(cells)).rstrip())
    return lines
