"""Upper bounds of text widths, and texts shortened or wrapped to fit."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

#: Widths of the printable ASCII characters in hundredths of the font size, rounded up, in DejaVu Sans: the widest of
#: the fonts that the pictures request. Other fonts of the list are narrower, so a text never needs more.
_REGULAR = (
    "32 41 46 84 64 95 78 28 39 39 50 84 32 37 32 34 64 64 64 64 64 64 64 64 64 64 34 34 84 84 84 54 100 69 69 70 "
    "77 64 58 78 76 30 30 66 56 87 75 79 61 79 70 64 62 74 69 99 69 62 69 39 34 39 84 50 50 62 64 55 64 62 36 64 "
    "64 28 28 58 28 98 64 62 64 64 42 53 40 64 60 82 60 60 53 64 34 64 84"
)
_BOLD = (
    "35 46 53 84 70 101 88 31 46 46 53 84 38 42 38 37 70 70 70 70 70 70 70 70 70 70 40 40 84 84 84 58 100 78 77 "
    "74 83 69 69 83 84 38 38 78 64 100 84 85 74 85 77 72 69 82 78 111 78 73 73 46 37 46 84 50 50 68 72 60 72 68 "
    "44 72 72 35 35 67 35 105 72 69 72 72 50 60 48 72 66 93 65 66 59 72 37 72 84"
)
_ASCII = {bold: tuple(int(n) / 100 for n in text.split()) for bold, text in ((False, _REGULAR), (True, _BOLD))}

#: East Asian wide characters are one em in every font; pictographs may be a little wider.
_WIDE, _PICTOGRAPH, _FIRST_PICTOGRAPH = 1.0, 1.4, 0x1F000
#: Everything else, up to a code point: Latin letters, other alphabets, Canadian syllables (the widest), more alphabets,
#: signs. The widest of DejaVu Sans, bold.
_OTHERS = ((0x0180, 1.17), (0x0370, 1.56), (0x1400, 1.41), (0x1700, 2.1), (0x2000, 1.41), (0x110000, 1.45))

ELLIPSIS = "…"


@lru_cache(maxsize=8192)
def _em(sign: str, bold: bool) -> float:
    """Width of one character in units of the font size."""
    code = ord(sign)
    if 32 <= code < 127:
        return _ASCII[bold][code - 32]
    if unicodedata.category(sign) in ("Mn", "Me", "Cf"):
        return 0.0
    if unicodedata.east_asian_width(sign) in "WF":
        return _PICTOGRAPH if code >= _FIRST_PICTOGRAPH and code < 0x20000 else _WIDE
    if sign in "≤≥−":
        return 0.84
    if sign in "·–":
        return 0.5
    if sign == ELLIPSIS:
        return 1.0
    return next(width for end, width in _OTHERS if code < end)


def text_width(text: str, size: float, bold: bool = False) -> float:
    """Width of a text in the unit of ``size``, the font size; the real one is not larger in the fonts requested.

    Examples
    --------
    >>> from boxwood.pictures.measure import text_width
    >>> text_width("年龄", 10.0)
    20.0
    """
    return size * sum(_em(sign, bold) for sign in text)


def fitted(text: str, size: float, most: float, bold: bool = False) -> str:
    """The text, or as much of its beginning as fits with "…" behind it; at least the "…".

    Examples
    --------
    >>> from boxwood.pictures.measure import fitted
    >>> fitted("a long name", 10.0, 40.0)
    'a lon…'
    """
    if text_width(text, size, bold) <= most:
        return text
    left, kept = most - text_width(ELLIPSIS, size, bold), ""
    for sign in text:
        left -= size * _em(sign, bold)
        if left < 0:
            break
        kept += sign
    return kept.rstrip() + ELLIPSIS


def wrapped(text: str, size: float, most: float, lines: int = 2, bold: bool = False) -> list[str]:
    """The text in at most so many lines of at most this width, broken at blanks or between wide characters.

    Examples
    --------
    >>> from boxwood.pictures.measure import wrapped
    >>> wrapped("red, green and 3 more", 10.0, 80.0)
    ['red, green and', '3 more']
    """
    found, line, pieces = [], "", _pieces(text)
    for at, piece in enumerate(pieces):
        if not line or text_width((line + piece).rstrip(), size, bold) <= most:
            line += piece
            continue
        if len(found) == lines - 1:
            line += "".join(pieces[at:])
            break
        found.append(line.rstrip())
        line = piece.lstrip()
    return [fitted(part, size, most, bold) for part in [*found, line.rstrip()]]


def _pieces(text: str) -> list[str]:
    """What must stay together: words with the blank behind them, wide characters one by one."""
    pieces, word = [], ""
    for sign in text:
        wide = unicodedata.east_asian_width(sign) in "WF" and unicodedata.category(sign)[0] != "P"
        if wide and word:
            pieces.append(word)
            word = ""
        word += sign
        if wide or sign == " ":
            pieces.append(word)
            word = ""
    return [*pieces, word] if word else pieces
