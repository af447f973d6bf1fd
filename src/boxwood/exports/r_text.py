"""Texts and numbers as R reads them, the same in every locale and on every machine."""

from __future__ import annotations

import math
from fractions import Fraction


def ascii_only(text: str) -> str:
    """Text whose other characters are escapes, which R reads in any locale."""
    return "".join(
        c if " " <= c <= "~" else f"\\u{ord(c):04x}" if ord(c) < 0x10000 else f"\\U{ord(c):08x}" for c in text
    )


def literal(value: str | bool | int | float) -> str:
    """A value that R reads as it is; doubles that no short decimal gives exactly in hexadecimal digits."""
    if isinstance(value, str):
        return f'"{ascii_only(value.replace(chr(92), chr(92) * 2).replace(chr(34), chr(92) + chr(34)))}"'
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if math.isinf(value):
        return "Inf" if value > 0 else "-Inf"
    digits = repr(float(value)).removesuffix(".0")
    short = "e" not in digits and len(digits) <= 16 and Fraction(digits) == Fraction(value)
    return digits if short else float(value).hex()


def vector(values) -> str:
    """A vector of literals."""
    return f"c({', '.join(map(literal, values))})"
