"""Words of FEEL, the expression language of DMN: names, numbers, texts and the tests of a decision table."""

from __future__ import annotations

import math
import re
from decimal import Decimal

from .boxes import ValueSet

#: Words that a name must not be.
_KEYWORDS = (
    "and", "between", "date", "duration", "else", "every", "external", "false", "for", "function", "if", "in",
    "instance", "item", "not", "null", "of", "or", "return", "satisfies", "some", "then", "time", "true",
)  # fmt: skip
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def name_of(text: str, taken: set[str], otherwise: str) -> str:
    """A name made of letters, digits and underscores that is not taken yet; it is taken from now on.

    Examples
    --------
    >>> from boxwood.exports.feel import name_of
    >>> taken = set()
    >>> [name_of(text, taken, "x") for text in ("高さ", "not so bad", "if", "2 a", "not so bad")]
    ['高さ', 'not_so_bad', 'if_', 'x_2_a', 'not_so_bad_']
    """
    name = re.sub(r"\W+", "_", text).strip("_") or otherwise
    name = f"{otherwise}_{name}" if name[0].isdigit() else name
    while name in taken or name in _KEYWORDS:
        name += "_"
    taken.add(name)
    return name


def literal(value) -> str:
    """A text, truth value or finite number, without an exponent, which FEEL does not know."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f'"{"".join(_ESCAPES.get(sign, sign) for sign in value)}"'
    text = format(Decimal(repr(value)), "f")
    return text.removesuffix(".0")


def unary_tests(values: ValueSet, every: ValueSet, levels: tuple) -> str:
    """The unary tests that the values pass, and no others of all values; "-" where they are all."""
    if values == every:
        return "-"
    new = len(levels)
    if new in values.levels:
        # Even null passes not(...), so it is among what is refused unless it is wanted.
        refused = [literal(level) for code, level in enumerate(levels) if code not in values.levels]
        return (
            f"not({', '.join([*refused, *['null'] * (not values.missing)])})" if refused or not values.missing else "-"
        )
    if values.parts == ((-math.inf, math.inf),):
        return "not(null)"
    tests = [literal(levels[code]) for code in sorted(values.levels)] + [_interval(*part) for part in values.parts]
    return ", ".join([*tests, *["null"] * values.missing])


def _interval(above: float, upto: float) -> str:
    if above == -math.inf:
        return f"<= {literal(upto)}"
    return f"> {literal(above)}" if upto == math.inf else f"({literal(above)}..{literal(upto)}]"
