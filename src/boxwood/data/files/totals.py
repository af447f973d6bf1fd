"""What a table holds beside its rows: a last row of totals, and columns that are empty below merged cells."""

from __future__ import annotations

import math
import warnings

from ..._messages import Message
from ...errors import FormatWarning, level_outside
from ..columns.names import listed
from ..frames.arrow_tables import need_pyarrow

_TOTALS = frozenset(
    [
        "total", "totals", "grand-total", "sum", "sums", "summe", "summen", "gesamt", "gesamtsumme", "insgesamt",
        "totale", "suma", "合计", "总计", "總計", "合計", "小计", "합계", "총계",
    ]
)  # fmt: skip
#: A column of a sheet with a greater share of missing values may have lost them to merged cells.
_MOSTLY = 0.9
_FEWEST = 10


def ends_with_totals(table) -> bool:
    """Whether the last row holds the sums of the rows above, beside a word for them or beside empty cells.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from boxwood.data.files.totals import ends_with_totals
    >>> ends_with_totals(pa.table({"city": ["Ulm", "Bonn", "Summe"], "sales": [2, 3, 5]}))
    True
    """
    pa = need_pyarrow()
    n = table.num_rows
    if n < 3:
        return False
    last = [column[n - 1].as_py() for column in table.columns]
    words = [cell for cell in last if isinstance(cell, str)]
    called = any(_is_total(word) for word in words)
    if not (called or (n > 3 and not words and None in last)):
        return False
    pairs = [
        (value, column) for value, column in zip(last, table.columns, strict=True)
        if value is not None and (pa.types.is_integer(column.type) or pa.types.is_floating(column.type))
    ]  # fmt: skip
    enough = len(pairs) > 1 or called
    return enough and any(value for value, _ in pairs) and all(_is_sum(value, column) for value, column in pairs)


def _is_total(word: str) -> bool:
    return "-".join(word.casefold().strip(" :.*").split()) in _TOTALS


def _is_sum(value: float, column) -> bool:
    from pyarrow import compute

    above = compute.sum(column.slice(0, len(column) - 1)).as_py()
    return above is not None and math.isclose(value, above, rel_tol=1e-9)


def tell_of_totals(name: str) -> None:
    """Warn that a row of totals is left out."""
    warnings.warn(f"{name}: the last row holds totals and is left out.", FormatWarning, stacklevel=level_outside())


def tell_of_gaps(table, name: str) -> None:
    """Warn of columns of a sheet that are empty in most rows."""
    n = table.num_rows
    names = [c for c in table.column_names if _MOSTLY * n < table.column(c).null_count < n] if n >= _FEWEST else []
    if names:
        shares = {c: math.floor(100 * table.column(c).null_count / n) for c in names}
        which = listed(names) + (f" ({shares[names[0]]} %)" if len(names) == 1 else f" (over {min(shares.values())} %)")
        warnings.warn(
            Message(
                f"{name}: most cells of column {which} are empty. If cells are merged there, only the first of each "
                "group holds the value: unmerge them, and fill the value down."
            ),
            FormatWarning,
            stacklevel=level_outside(),
        )  # fmt: skip
