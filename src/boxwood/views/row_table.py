"""A table of plain rows that prints itself and becomes a data frame: what short tables of a model are returned as."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

from .figures import same_decimals
from .table import frame_of
from .words import columns, plain


class RowTable(Sequence[dict[str, Any]]):
    """Rows that are dictionaries with the same keys: print it, loop over it, index it, or use ``to_frame()``.

    Parameters
    ----------
    rows : sequence of dict

    Examples
    --------
    >>> from boxwood.views.row_table import RowTable
    >>> print(RowTable([{"feature": "年龄", "share": 0.75}, {"feature": "sex", "share": 0.25}]))
    feature   share
    年龄     0.7500
    sex      0.2500
    """

    def __init__(self, rows: Sequence[dict[str, Any]]) -> None:
        self._rows = list(rows)

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, at: Any) -> Any:
        return RowTable(self._rows[at]) if isinstance(at, slice) else self._rows[at]

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self._rows)

    def __eq__(self, other: object) -> bool:
        return self._rows == (other._rows if isinstance(other, RowTable) else other)

    __hash__ = None  # type: ignore[assignment]  # equal by value

    def to_records(self) -> dict[str, list[Any]]:
        """The table as columns: a dictionary of lists of plain Python values."""
        names = list(self._rows[0]) if self._rows else []
        return {name: [row[name] for row in self._rows] for name in names}

    def to_frame(self, backend: str | None = None) -> Any:
        """The table as a data frame.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow", "dict"}, optional
            Default: the first of pandas, polars and pyarrow that is installed.

        Returns
        -------
        pandas.DataFrame, polars.DataFrame, pyarrow.Table or dict of lists

        Raises
        ------
        ParameterError
            There is no such backend.
        NotAvailableError
            The package is not installed.
        """
        return frame_of(self.to_records(), backend)

    def to_text(self) -> str:
        """The table as text: text is left-aligned, numbers are right-aligned and rounded to the same decimals."""
        if not self._rows:
            return "(no rows)"
        return "\n".join(_lines(self.to_records()))

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        records = self.to_records()
        head = "".join(f"<th>{escape(plain(name))}</th>" for name in records)
        rows = zip(*map(same_decimals, records.values()), strict=True)
        body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _lines(records: dict[str, list[Any]]) -> list[str]:
    written = []
    for name, values in records.items():
        cells = [plain(name), *same_decimals(values)]
        width = max(map(columns, cells))
        spaces = [" " * (width - columns(cell)) for cell in cells]
        of_text = any(isinstance(value, str) for value in values)
        written.append([cell + gap if of_text else gap + cell for cell, gap in zip(cells, spaces, strict=True)])
    return ["  ".join(line).rstrip() for line in zip(*written, strict=True)]
