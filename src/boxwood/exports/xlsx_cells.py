"""How a workbook reads a cell: dates as whole numbers, empty cells and codes as missing values."""

from __future__ import annotations

from ..data.columns.kinds.kind import ByKind
from ..data.columns.schema import Feature
from ..data.columns.temporal import DATE, DATETIME, NANOSECONDS, Temporal
from .codes import codes_of
from .typed_rows import number_codes, text_codes

#: Milliseconds of a day.
MILLISECONDS = 86_400_000


def epoch_of(temporal: Temporal) -> int:
    """The number of 1970-01-01 among the days of a spreadsheet; times and durations are parts of days, or days."""
    return 25569 if temporal.kind in (DATE, DATETIME) else 0


def counted_cell(temporal: Temporal, cell: str) -> str:
    """A date, which spreadsheets hold in days, in whole units of a resolution."""
    milliseconds = f"ROUND(({cell}-{epoch_of(temporal)})*{MILLISECONDS},0)"
    size = NANOSECONDS[temporal.resolution] // NANOSECONDS["ms"]
    return milliseconds if size == 1 else f"INT({milliseconds}/{size})"


class NumberCells:
    """Cells of numbers."""

    missing = "IF(ISNUMBER({0}),0,1)"

    def number(self, feature: Feature, cell: str) -> str:
        """The number of a cell as it is compared."""
        return cell


class TimeCells(NumberCells):
    """Cells of dates and times."""

    def number(self, feature: Feature, cell: str) -> str:
        return counted_cell(feature.temporal, cell)


class LevelCells(NumberCells):
    """Cells of levels."""

    missing = "IF({0}=-1,1,0)"


CELLS: ByKind[NumberCells] = ByKind(
    numeric=NumberCells(), ordinal=LevelCells(), nominal=LevelCells(), temporal=TimeCells()
)


def is_missing(feature: Feature, cell: str) -> str:
    """The formula that tests whether a cell is empty or holds a code for a missing value."""
    empty = f"ISBLANK({cell})"
    if not codes_of(feature):
        return empty
    texts = [f"EXACT(TRIM({cell}),{_text(code)})" for code in text_codes(feature)]
    number = CELLS.of(feature).number(feature, cell)
    numbers = [f"{number}={_number(code)}" for code in number_codes(feature)]
    found = f"IF(ISNUMBER({cell}),OR({','.join(numbers)}),{_any(texts)})" if numbers else _any(texts)
    return f"OR({empty},{found})"


def _any(tests: list[str]) -> str:
    return f"OR({','.join(tests)})" if tests else "FALSE"


def _text(text: str) -> str:
    quoted = text.replace('"', '""')
    return f'"{quoted}"'


def _number(code: float) -> str:
    return repr(code).replace("e", "E")
