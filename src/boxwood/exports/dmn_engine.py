"""Reads the decision tables that are exported, and the part of FEEL that they use, to verify them."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from xml.etree import ElementTree

import numpy as np

from .._messages import short
from ..errors import ParameterError
from .answers import Answers
from .plan import ExportPlan
from .raw_rows import RawRows
from .typed_rows import spelled_otherwise, typed_column

_SPACE = "{https://www.omg.org/spec/DMN/20191111/MODEL/}"
_LITERAL = r'"(?:[^"\\]|\\.)*"|null|true|false|-?\d+(?:\.\d+)?'
_TEST = re.compile(
    rf"\s*(?:(?P<same>{_LITERAL})|(?P<sign><=|>)\s*(?P<bound>{_LITERAL})"
    rf"|\((?P<above>{_LITERAL})\.\.(?P<upto>{_LITERAL})\])\s*(?:,|$)"
)
_CODES = re.compile(r"if (?P<tests>.*) then null else (?P<name>\w+)", re.DOTALL)
_CODE = re.compile(rf"\w+ = (?P<code>{_LITERAL})(?: or |$)")
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t"}

UnaryTest = Callable[[object], bool]


def run_table(content: bytes, plan: ExportPlan, rows: RawRows, names: tuple[dict[int, str], list[str]]) -> Answers:
    """The predictions of the first decision table of a document for rows.

    Parameters
    ----------
    content : bytes
    plan : ExportPlan
    rows : RawRows
    names : (dict of int to str, list of str)
        Input of each feature, and the outputs.

    Raises
    ------
    ParameterError
        Two rules fit a row, or the document holds something that is never written here.
    """
    table = next(ElementTree.fromstring(content).iter(f"{_SPACE}decisionTable"))
    inputs, outputs = names
    listed = {inputs[j]: typed_column(rows, j) for j in plan.features}
    left_out = np.zeros(rows.n, dtype=bool)
    for j in plan.features:
        left_out |= np.array([isinstance(v, float) and math.isinf(v) for v in listed[inputs[j]]], dtype=bool)
        left_out |= spelled_otherwise(rows, j)
    columns = [_read(_text(part.find(f"{_SPACE}inputExpression")), listed) for part in table.findall(f"{_SPACE}input")]
    rules = [
        ([_tests(_text(part)) for part in rule.findall(f"{_SPACE}inputEntry")],
         [_value(_text(part)) for part in rule.findall(f"{_SPACE}outputEntry")])
        for rule in table.findall(f"{_SPACE}rule")
    ]  # fmt: skip
    none = [None, -1, *[math.nan] * (len(outputs) - 2)]
    decided = [_decided(rules, [column[i] for column in columns]) or none for i in range(rows.n)]
    first = [s[0] if s[0] is None or plan.has_classes else float(s[0]) for s in decided]
    value = np.array([*first, None], dtype=object)
    probability = np.array([s[2:] for s in decided], dtype=float).reshape(rows.n, -1) if plan.has_classes else None
    return Answers(value[:-1], np.array([s[1] for s in decided], dtype=np.int64), probability, left_out)


def _decided(rules: list, row: list) -> list | None:
    """The outputs of the one rule that fits a row."""
    fitting = [output for tests, output in rules if all(test(value) for test, value in zip(tests, row, strict=True))]
    if len(fitting) > 1:
        raise ParameterError(f"{len(fitting)} rules of the decision table fit one row; hit policy U allows one.")
    return fitting[0] if fitting else None


def _text(element) -> str:
    return element.find(f"{_SPACE}text").text


def _read(text: str, listed: dict[str, list]) -> list:
    """The values of an input, with None for codes."""
    found = _CODES.fullmatch(text)
    if found is None:
        return listed[text]
    codes = [_value(code["code"]) for code in _CODE.finditer(found["tests"])]
    return [None if any(_same(value, code) for code in codes) else value for value in listed[found["name"]]]


def _tests(text: str) -> UnaryTest:
    """Unary tests: whether one of them holds."""
    if text == "-":
        return lambda value: True
    if text.startswith("not("):
        refused = _tests(text.removeprefix("not(").removesuffix(")"))
        return lambda value: not refused(value)
    tests, at = [], 0
    while at < len(text):
        found = _TEST.match(text, at)
        if found is None:
            raise ParameterError(f"the decision table holds {short(text)}, which is not a test that boxwood writes.")
        tests.append(_test(found))
        at = found.end()
    return lambda value: any(test(value) for test in tests)


def _test(found: re.Match) -> UnaryTest:
    if found["same"] is not None:
        same = _value(found["same"])
        return lambda value: _same(value, same)
    if found["sign"] is not None:  # the literal of a double, which an exact whole number beyond 2**53 need not equal
        bound = float(found["bound"])
        return lambda value: value is not None and (value <= bound if found["sign"] == "<=" else value > bound)
    above, upto = float(found["above"]), float(found["upto"])
    return lambda value: value is not None and above < value <= upto


def _same(value, other) -> bool:
    """Whether values are equal; those of different types never are."""
    return value == other and isinstance(value, bool) == isinstance(other, bool)


def _value(text: str):
    """The value of a literal."""
    if text[0] == '"':
        return re.sub(r"\\(.)", lambda sign: _ESCAPES.get(sign[1], sign[1]), text[1:-1])
    known = {"null": None, "true": True, "false": False}
    return known[text] if text in known else float(text) if "." in text else int(text)
