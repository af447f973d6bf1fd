"""Values as JavaScript writes them."""

from __future__ import annotations

import json
import math

from ..data.columns.raw import EXACT


def literal(value: str | bool | int | float | None) -> str:
    """A value; whole numbers beyond 2**53 as BigInt."""
    if isinstance(value, str):
        text = json.dumps(value, ensure_ascii=False)
        return "".join(f"\\u{ord(c):04x}" if c in "\u2028\u2029\x7f" or "\ud800" <= c <= "\udfff" else c for c in text)
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, int):
        return f"{value}n" if abs(value) >= EXACT else str(value)
    if math.isnan(value) or math.isinf(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return repr(value)
