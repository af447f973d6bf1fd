"""How a workbook reads a cell: dates as whole numbers, empty cells and codes as missing values."""

from __future__ import annotations

from .._messages import Column, Phrase
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

    def read(self, feature: Feature, cell: str, levels: str) -> str:
        """A typed value as the nodes read it: a number or nothing; the place of a level, 0 unseen, -1 missing.

        ``levels`` is where the levels of the feature are listed.
        """
        missing = is_missing(feature, cell)
        known = f'IF(ISNUMBER({cell}),{self.number(feature, cell)},"")'
        return f'IF({missing},"",{known})' if feature.missing_values else known

    def refused(self, feature: Feature, cell: str, place: str, refuse_unseen: bool) -> list[str]:
        """Tests of which one holds for a typed value that is no value of the feature; ``place`` is how it was read."""
        return [f"NOT(OR({is_missing(feature, cell)},ISNUMBER({cell})))"]

    def problem(self, feature: Feature) -> tuple[Phrase, ...]:
        """Why a spreadsheet cannot hold the values; nothing if it can."""
        return ()

    def typed(self, feature: Feature, values: list) -> list:
        """Plain values as they are typed into cells."""
        return values


class TimeCells(NumberCells):
    """Cells of dates and times."""

    def number(self, feature: Feature, cell: str) -> str:
        return counted_cell(feature.temporal, cell)

    def problem(self, feature: Feature) -> tuple[Phrase, ...]:
        if feature.temporal.zone:
            return "it has no time zones, but ", Column(feature.name), " has one"
        if feature.temporal.resolution in ("us", "ns"):
            return "it holds times to the millisecond, and ", Column(feature.name), " is finer"
        return ()

    def typed(self, feature: Feature, values: list) -> list:
        size, epoch = NANOSECONDS[feature.temporal.resolution] // NANOSECONDS["ms"], epoch_of(feature.temporal)
        return [v if v is None or isinstance(v, str) else int(v) * size / MILLISECONDS + epoch for v in values]


class LevelCells(NumberCells):
    """Cells of levels."""

    missing = "IF({0}=-1,1,0)"

    def read(self, feature: Feature, cell: str, levels: str) -> str:
        missing = is_missing(feature, cell)
        if isinstance(feature.levels[0], bool):
            places = {
                value: feature.levels.index(value) + 1 if value in feature.levels else 0 for value in (False, True)
            }
            known = f"IF({cell}*1=0,{places[False]},IF({cell}*1=1,{places[True]},0))"
            return f"IF({missing},-1,IF(ISTEXT({cell}),0,{known}))"
        place = f"(ROW({levels})-1)"
        if isinstance(feature.levels[0], str):
            return f"IF({missing},-1,SUMPRODUCT(EXACT({levels},{cell})*{place}))"
        return f"IF({missing},-1,IF(ISNUMBER({cell}),SUMPRODUCT(({levels}={cell})*{place}),0))"

    def refused(self, feature: Feature, cell: str, place: str, refuse_unseen: bool) -> list[str]:
        return [f"{place}=0"] * refuse_unseen

    def problem(self, feature: Feature) -> tuple[Phrase, ...]:
        if len({(isinstance(v, str), isinstance(v, bool)) for v in feature.levels}) > 1:
            return "the levels of ", Column(feature.name), " are of several types"
        if any(not isinstance(v, (str, bool)) and float(f"{v:.15g}") != v for v in feature.levels):
            return "it keeps 15 digits, and ", Column(feature.name), " has levels of more"
        return ()


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
