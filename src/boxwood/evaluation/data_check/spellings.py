"""Levels that are one word in several spellings: Yes, yes and "YES "."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from ..._messages import Message, Value, remedy, short
from ...data.columns.identifiers import are_names
from .column_values import ColumnValues
from .finding import Finding

#: So many words are shown.
_SHOWN = 3


def _word(level: str) -> str:
    """A level without what people do not see as a difference: capitals, blanks, full-width forms.

    Examples
    --------
    >>> from boxwood.evaluation.data_check.spellings import _word
    >>> _word(" YES"), _word("Ｙｅｓ")
    ('yes', 'yes')
    """
    return " ".join(unicodedata.normalize("NFKC", level).split()).casefold()


def spellings(column: ColumnValues) -> Iterator[Finding]:
    """Words that are spelled in several forms, each of which is a level."""
    words: dict[str, list[tuple[int, str]]] = {}
    for i, rows in enumerate(column.counts.tolist()):
        level = column.original(i)
        if isinstance(level, str):
            words.setdefault(_word(level), []).append((rows, level))
    several = [sorted(found, key=lambda item: -item[0]) for found in words.values() if len(found) > 1]
    if not several or are_names(column.counts):
        return
    shown = [" and ".join(short(level) for _, level in found) for found in several[:_SHOWN]]
    more = f"; and {len(several) - _SHOWN} words more" if len(several) > _SHOWN else ""
    rows = sum(rows for found in several for rows, _ in found[1:])
    usual = several[0][0][1]
    message = Message(
        column.column, f" has levels that differ only in capitals or blanks: {'; '.join(shown)}{more}. "
        f"{rows:,} row{'s have' if rows != 1 else ' has'} a rarer spelling, which is a level of its own; ",
        remedy("write them alike, for example all as ", Value(usual)), ".",
    )  # fmt: skip
    yield Finding("spellings", column.name, rows, message)
