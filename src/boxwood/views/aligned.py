"""Lines of a text table; wide (CJK) characters count as two columns."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from .words import columns


def aligned(rows: Sequence[Sequence[str]], left: Collection[int] = (0,)) -> list[str]:
    """Lines whose columns are below each other: some to the left, the others, as numbers are, to the right."""
    widths = [max(map(columns, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        gaps = [" " * (width - columns(cell)) for cell, width in zip(row, widths, strict=True)]
        cells = [cell + gap if j in left else gap + cell for j, (cell, gap) in enumerate(zip(row, gaps, strict=True))]
        lines.append("  ".join(cells).rstrip())
    return lines
