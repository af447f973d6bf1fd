"""Numbers as people and spreadsheets write them: 1,200, ¥5,000 or 12 %, which `float` does not read."""

from __future__ import annotations

import re

_SIGN = "$\u20ac\u00a3\u00a5\uffe5\u20a9\u20b9"  # dollar, euro, pound, yen (two of them), won, rupee
_SPACE = "\u00a0\u202f"  # spaces that do not break
_AFTER = f"%\uff05{_SIGN}元원円"
_WRITTEN = re.compile(
    rf"\s*[-+]?[{_SIGN}]?\s*[-+]?(\d{{1,3}}([,'{_SPACE}]\d{{3}})+|\d+)(\.\d+)?\s*[{_AFTER}]?\s*", re.ASCII
)
_MARKS = re.compile(rf"[,'{_SPACE}{_AFTER}]")

#: What such a number has that must go before it is one.
MARKS = "thousands separators, currency signs or percent signs"


def is_written_number(text: str) -> bool:
    """Whether a text is a number with thousands separators, a currency sign or a percent sign.

    Examples
    --------
    >>> from boxwood.data.columns.written_numbers import is_written_number
    >>> [is_written_number(text) for text in ("6,217", "¥100,000", "38%", "12", "1,2", "A3")]
    [True, True, True, False, False, False]
    """
    return bool(_WRITTEN.fullmatch(text) and _MARKS.search(text.strip()))


def advice(text: str) -> str:
    """What to add to a complaint about a text where a number is expected; nothing for other texts."""
    return f"; remove {MARKS} first" if is_written_number(text) else ""
