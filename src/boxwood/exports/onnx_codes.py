"""Codes for missing values in an ONNX graph: numbers and texts that become NaN before the tree is applied."""

from __future__ import annotations

import re

import numpy as np

from ..data.columns.schema import Feature
from .codes import codes_of
from .onnx_graph import Graph

#: What Python calls blank, for RE2.
_BLANK = r"[\s\pZ\x{b}\x{1c}-\x{1f}\x{85}]*"


def without_numbers(graph: Graph, values: str, codes: list[list[float]]) -> str:
    """The values (n, p) with NaN for the codes of each of the p columns."""
    most = max(map(len, codes))
    rows = np.array([[*listed, *[np.nan] * (most - len(listed))] for listed in codes]).reshape(len(codes), most).T
    for row in rows:
        is_code = graph.add("Equal", [values, graph.constant(np.ascontiguousarray(row[None, :]))])
        values = graph.add("Where", [is_code, graph.constant(np.array(np.nan)), values])
    return values


def without_texts(graph: Graph, texts: str, found: str, feature: Feature) -> str:
    """What was found for texts (n, 1), with NaN for texts that are a code of the feature."""
    codes = codes_of(feature)
    patterns = [*(_quoted(text) for text in codes.texts), *map(_spelled, codes.numbers)]
    if not patterns:
        return found
    is_code = graph.add("RegexFullMatch", [texts], pattern=f"{_BLANK}({'|'.join(patterns)}){_BLANK}")
    return graph.add("Where", [is_code, graph.constant(np.array(np.nan)), found])


def _quoted(text: str) -> str:
    return "".join(re.escape(sign) if sign.isascii() else sign for sign in text)


def _spelled(number: float) -> str:
    """A pattern of the ways to write a number without an exponent."""
    whole, _, rest = f"{abs(number):f}".rstrip("0").partition(".")
    sign = "-" if number < 0 else r"[-+]?" if number == 0 else r"\+?"
    if rest:
        return rf"{sign}0*{whole.lstrip('0')}\.{rest}0*"
    return rf"{sign}0*{whole.lstrip('0') or '0'}(\.0*)?"
