"""Names, levels and numbers as terminal text, with control characters escaped."""

from __future__ import annotations

import math
import unicodedata
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

#: Unicode categories that a terminal would obey instead of show (control, surrogate, line and paragraph separator).
_CONTROL = {"Cc", "Cs", "Zl", "Zp"}
#: Marks that change the direction of what follows, and the invisible byte-order mark.
_HIDDEN = set("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff")


def plain(text: str) -> str:
    """Text with control characters and line ends written as escapes; an empty text or outer blanks in quotes.

    Examples
    --------
    >>> from boxwood.views.words import plain
    >>> plain("two\\nlines")
    'two\\\\nlines'
    """
    clean = text.isascii() and text.isprintable()
    shown = text if clean else "".join(map(_escaped, text))
    return f'"{shown}"' if shown.strip() != shown or not shown else shown


def _escaped(sign: str) -> str:
    """One character, or its escape."""
    if unicodedata.category(sign) in _CONTROL or sign in _HIDDEN:
        return sign.encode("unicode_escape").decode("ascii")
    return sign


def level(value: object) -> str:
    """A level or label as text."""
    return plain(value) if isinstance(value, str) else plain(str(value))


def cut(value: float, low: float = 0.0, integer: bool = False) -> str:
    """A cut point: the shortest text that reads back as the same number.

    Parameters
    ----------
    value, low : float
        The exact cut is ``value + low``; ``low`` is 0 except for integers beyond 2**53.
    integer : bool
        The feature holds whole numbers: 4.0 is shown as 4, and 4.5 as 4.5.

    Examples
    --------
    >>> from boxwood.views.words import cut
    >>> cut(41.5), cut(4.0, integer=True), cut(2.0**60, 1.0)
    ('41.5', '4', '1152921504606846977')
    """
    if low == 0.0:
        whole = integer and value.is_integer() and abs(value) < 2.0**70
        return str(int(value)) if whole else repr(float(value))
    exact = Fraction(value) + Fraction(low)
    return str(exact.numerator) if exact.denominator == 1 else f"{float(value)!r} + {float(low)!r}"


#: Significant digits of a number in text for people.
DIGITS = 6


def rounded(exact: str, value: float, digits: int | None = DIGITS) -> str:
    """A number in few digits: decimals rounded, the whole part never; exactly where that is no longer.

    Examples
    --------
    >>> from boxwood.views.words import rounded
    >>> rounded("24.808349999999997", 24.808349999999997), rounded("1234567.25", 1234567.25)
    ('24.8083', '1234567')
    """
    if digits is None or digits > 17 or not math.isfinite(value):  # 17 digits identify a double
        return exact
    size = abs(value)
    if size >= 1e16 or (0.0 < size < 1e-4):
        short = format(value, f".{digits}g")
    else:
        whole = len(str(int(size))) if size >= 1 else 0
        short = format(value, f".{max(digits, whole)}g")
        short = str(round(Fraction(value))) if whole and "e" in short else short
    return short if len(short) < len(exact) else exact


def grouped(number: str) -> str:
    """A number as text with commas between groups of three digits, where its whole part is long.

    Examples
    --------
    >>> from boxwood.views.words import grouped
    >>> grouped("14200.5"), grouped("1995.5"), grouped("-1234567"), grouped("1e+20")
    ('14,200.5', '1995.5', '-1,234,567', '1e+20')
    """
    whole, point, rest = number.partition(".")
    digits = whole.removeprefix("-")
    if len(digits) < 5 or not digits.isascii() or not digits.isdigit():
        return number
    return f"{int(whole):,}{point}{rest}"


def amount(value: float) -> str:
    """A mean, rate or weight in six significant digits; its whole part is never rounded, and grouped where it is long.

    Examples
    --------
    >>> from boxwood.views.words import amount
    >>> amount(30.17096), amount(1234567.8), amount(0.000012345678)
    ('30.171', '1,234,568', '1.23457e-05')
    """
    short = format(float(value), ".6g")
    return grouped(str(round(value)) if "e+" in short and abs(value) < 1e16 else short)


def with_error(value: float, error: float) -> str:
    """A figure and its standard error: two digits of the error, and the figure in the same decimals.

    Examples
    --------
    >>> from boxwood.views.words import with_error
    >>> with_error(14213.0, 361.0), with_error(0.18345, 0.0092), with_error(2.0, 0.0)
    ('14,210 ± 360', '0.1835 ± 0.0092', '2 ± 0')
    """
    if not (math.isfinite(value) and math.isfinite(error) and error > 0):
        return f"{amount(value)} ± {amount(error)}"
    places = 1 - math.floor(math.log10(error))
    if places > 12:
        return f"{amount(value)} ± {error:.1e}"
    return " ± ".join(grouped(f"{round(part, places):.{max(places, 0)}f}") for part in (value, error))


def two_digits(value: float) -> str:
    """A small number in two significant digits, without an exponent down to a hundred millionth.

    Examples
    --------
    >>> from boxwood.views.words import two_digits
    >>> two_digits(0.00004), two_digits(0.0123), two_digits(1.234e-9)
    ('0.00004', '0.012', '1.2e-09')
    """
    short = f"{value:.2g}"
    return format(Decimal(short), "f") if abs(value) >= 1e-8 else short


def share(value: float) -> str:
    """A probability in three decimals, below 1 % in two significant digits; never rounded to a certainty it is not.

    Examples
    --------
    >>> from boxwood.views.words import share
    >>> share(0.62), share(0.00004), share(0.99996), share(1.0)
    ('0.620', '0.00004', '0.99996', '1.000')
    """
    return near_the_ends(float(value), 1.0, 3)


def near_the_ends(value: float, whole: float, decimals: int) -> str:
    """A part of a whole with so many decimals; closer to 0 or to the whole, two digits of the distance.

    Parts below 1 % have two digits, parts that would be rounded to the whole those of what is missing.
    """
    if 0.0 < value < whole / 100:
        return two_digits(value)
    shown = f"{value:.{decimals}f}"
    if value >= whole or float(shown) < whole:
        return shown
    rest = two_digits(whole - value)
    return f">{whole - 10.0**-decimals:.{decimals}f}" if "e" in rest else str(Decimal(f"{whole:g}") - Decimal(rest))


def p_value(log_p: float) -> str:
    """A p in three significant digits from its natural logarithm, however small it is; 0 for minus infinity.

    Examples
    --------
    >>> import math
    >>> from boxwood.views.words import p_value
    >>> p_value(math.log(0.0263)), p_value(-159.5), p_value(-2500.0), p_value(-math.inf)
    ('0.0263', '5.37e-70', '1.84e-1086', '0')
    """
    if log_p == -math.inf:
        return "0"
    if log_p > -9.0:
        return format(math.exp(log_p), ".3g")
    exponent = math.floor(log_p / math.log(10.0))
    digits = format(math.exp(log_p - exponent * math.log(10.0)), ".2f")
    if digits == "10.00":
        digits, exponent = "1.00", exponent + 1
    return f"{digits}e{exponent}"


def columns(text: str) -> int:
    """How many columns of a terminal a text takes: two for a wide (CJK) character, none for a combining mark."""
    if text.isascii():
        return len(text)
    return sum(map(_width, text))


@lru_cache(maxsize=4096)
def _width(sign: str) -> int:
    """Columns of one character."""
    if unicodedata.category(sign) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(sign) in "WF" else 1


def shorten(text: str, most: int) -> str:
    """The text, or its beginning and "…", in at most ``most`` columns (but at least one).

    Examples
    --------
    >>> from boxwood.views.words import shorten
    >>> shorten("colour in {red, green}", 12)
    'colour in {…'
    """
    if columns(text) <= most:
        return text
    used = 1
    for at, sign in enumerate(text):
        used += _width(sign)
        if used > most:
            return text[:at] + "…"
    return text
