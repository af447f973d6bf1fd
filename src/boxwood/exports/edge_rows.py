"""Rows made to test an export where it is most likely to be wrong: at its cuts, with codes, blanks and wrong types."""

from __future__ import annotations

import datetime
import math
import re
import warnings
from collections.abc import Callable
from itertools import zip_longest

import numpy as np

from ..data.columns.columns import Columns
from ..data.columns.kinds.kind import ByKind
from ..data.columns.raw import EXACT
from ..data.columns.schema import Feature, Schema
from ..data.columns.temporal import DATE, Temporal
from ..data.columns.time_texts import CLOCK, ISO, SPAN
from ..data.columns.written_numbers import marks_of
from ..data.frames.frame import read_columns
from ..errors import BoxwoodError, KindWarning
from .codes import codes_of
from .model_plan import ModelPlan
from .moments import moment_at
from .raw_rows import RawRows
from .rows import unseen_value

#: Most rows that are made.
MOST = 400
#: Most cuts of a feature whose neighbours are tried.
_CUTS = 12


def with_edges(rows: RawRows, plan: ModelPlan) -> RawRows:
    """The rows, and others that differ from one of them in one value: a cut, its neighbour, a code, a blank ...

    What ``predict`` makes of the value alone is expected of the export: it reads it, or refuses it with an error.
    """
    pools = [[(j, value) for value in edge_values(plan, j)] for j in plan.features]
    changes = [change for round_ in zip_longest(*pools) for change in round_ if change is not None][:MOST]
    if not changes:
        return rows
    base = np.arange(len(changes)) * 7919 % max(rows.n, 1) if rows.n else np.full(len(changes), -1)
    values = {j: rows.values[j] + [rows.values[j][i] if i >= 0 else None for i in base.tolist()] for j in plan.features}
    refused = np.concatenate([rows.refused, rows.refused[base] if rows.n else np.zeros(len(changes), dtype=bool)])
    columns = _longer(rows.columns, base)
    for i, (j, value) in enumerate(changes, rows.n):
        values[j][i] = value
        read = read_alone(plan.schema[j], value)
        refused[i] |= read is None
        columns.values[j][i] = read[0] if read else plan.schema[j].type.nothing
        if columns.low[j] is not None:
            columns.low[j][i] = read[1] if read else 0.0
    return RawRows(columns, values, len(changes), refused)


def edge_values(plan: ModelPlan, j: int) -> list:
    """Values of a feature to try, as a table may have them."""
    feature = plan.schema[j]
    codes = codes_of(feature)
    found: list = [None, math.nan, "", " "]
    for text in (*codes.texts, *map(str, codes.numbers)):
        found += [text, f" {text} "]
    found += [*codes.numbers, *(-code for code in codes.numbers)]
    return found + _EDGES.of(feature)(plan, j)


def _edge_numbers(plan: ModelPlan, j: int) -> list:
    found: list = [number for cut in _cuts(plan, j) for number in _around(cut)]
    if plan.schema[j].written is not None:
        found += [text for number in found for text in _written(plan.schema[j].written.form, number)]
        found += ["NA", "1.2.3", "1,2,3", "12 USD", "(5", "5(3)", "5-3", "1 23"]
    return [*found, math.inf, -math.inf, "abc", " 12 ", "1e1", True, datetime.date(2020, 2, 29)]


def _edge_times(plan: ModelPlan, j: int) -> list:
    feature, temporal = plan.schema[j], plan.schema[j].temporal
    found = [moment_at(temporal, count) for count in codes_of(feature).instants]
    found += _times(plan, j, temporal)
    wrong = ["2021-02-31"]
    if temporal.form not in (None, ISO, CLOCK, SPAN):
        wrong.append(datetime.date(2021, 2, 28).strftime(temporal.form).replace("28", "31"))
    return [*found, *wrong, "soon", 12.5, True]


def _edge_levels(plan: ModelPlan, j: int) -> list:
    feature = plan.schema[j]
    texts = [level for level in feature.levels[:3] if isinstance(level, str)]
    found = [*feature.levels[:8], unseen_value(feature), *(f"{text} " for text in texts)]
    return [*found, *map(str, feature.levels[:2]), 0, 1, True]


_EDGES: ByKind[Callable[[ModelPlan, int], list]] = ByKind(
    numeric=_edge_numbers, ordinal=_edge_levels, nominal=_edge_levels, temporal=_edge_times
)


def _cuts(plan: ModelPlan, j: int) -> list[float | int]:
    """Some of the cuts of a feature, the first and the last ones among them."""
    cuts = plan.cuts(j)
    return cuts if len(cuts) <= _CUTS else [cuts[i * (len(cuts) - 1) // (_CUTS - 1)] for i in range(_CUTS)]


def _around(cut: float | int) -> list[float | int]:
    if isinstance(cut, int):
        return [cut, cut + 1, cut - 1]
    whole = [int(cut), int(cut) + 1] if math.isfinite(cut) and abs(cut) < EXACT else []
    return [cut, math.nextafter(cut, math.inf), math.nextafter(cut, -math.inf), *whole]


def _written(form: str, number: float) -> list[str]:
    """A number as text of a form, without its unit and with it, and as a negative one of several kinds."""
    whole, _, rest = f"{abs(number):.6f}".rstrip("0").partition(".")
    _, thousands, decimal = marks_of(form)
    text = f"{int(whole):,}".replace(",", thousands) + (decimal + rest if rest else "")
    unit, formed = re.split("1[,.' ]?234[,.]5", form), f"-{text}" if number < 0 else text
    others = (text, f"{text}-", f"{text} -", f"12{thousands}34{thousands}901", f"1{thousands}2")
    with_unit = [f"{unit[0]}{one}{unit[1]}" for one in others]
    return [formed, *with_unit, f"\u25b3{text}", f"({unit[0]}{text}{unit[1]})", f" {text}\u00a0{unit[1].strip()}"]


def _times(plan: ModelPlan, j: int, temporal: Temporal) -> list:
    """Times at the cuts and next to them, typed and as texts."""
    found: list = []
    for cut in _cuts(plan, j):
        if not math.isfinite(cut):
            continue
        for count in (int(cut) * temporal.step, (int(cut) + 1) * temporal.step, (int(cut) + 1) * temporal.step - 1):
            value = moment_at(temporal, count)
            found.append(value)
            if isinstance(value, (datetime.date, datetime.time)):
                found += _texts(value, temporal)
    return found


def _texts(value: datetime.date | datetime.time, temporal: Temporal) -> list[str]:
    """A time as text: in ISO 8601, and in the format of the feature."""
    texts = [str(value), f" {value} "]
    if temporal.form not in (None, ISO, CLOCK, SPAN):
        text = value.strftime(temporal.form)
        return [text, f" {text} ", text.replace("0", "", 1) if text.startswith("0") else text, *texts[:1]]
    return texts + [f"{value} 00:00"] * (temporal.kind == DATE)


def read_alone(feature: Feature, value) -> tuple[float | int, float] | None:
    """What ``predict`` reads in a value of its own, and its low part; None where it refuses it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", KindWarning)
            columns = read_columns({feature.name: [value]}, Schema((feature,), named=True), match="name")
    except BoxwoodError:
        return None
    low = columns.low[0]
    return columns.values[0][0], 0.0 if low is None else low[0]


def _longer(columns: Columns, base: np.ndarray) -> Columns:
    """The columns with copies of some rows below; rows that are not there (-1) are missing."""
    values, low = [], []
    for j, feature in enumerate(columns.schema):
        own, rest = columns.values[j], columns.low[j]
        values.append(np.concatenate([own, own[base] if columns.n else feature.type.column([None] * len(base))]))
        rest = np.zeros(columns.n) if rest is None and not feature.levels else rest
        low.append(None if rest is None else np.concatenate([rest, rest[base] if columns.n else np.zeros(len(base))]))
    return Columns(columns.schema, columns.n + len(base), tuple(values), tuple(low), {})


def read_anew(rows: RawRows, schema: Schema, features: list[int]) -> RawRows:
    """The rows as another schema reads them, such as one that was read back."""
    given = rows.n - rows.made
    columns, refused = rows.columns.take(np.arange(rows.n)), rows.refused.copy()
    values, low = list(columns.values), list(columns.low)
    for j in features:
        feature = schema[j]
        read = read_columns({feature.name: rows.values[j][:given]}, Schema((feature,), named=True), match="name")
        alone = [read_alone(feature, value) for value in rows.values[j][given:]]
        refused[given:] |= np.array([found is None for found in alone], dtype=bool)
        nothing = (feature.type.nothing, 0.0)
        near, rest = zip(*(found or nothing for found in alone), strict=True) if alone else ((), ())
        values[j] = np.concatenate([read.values[0], np.array(near, dtype=read.values[0].dtype)])
        low[j] = np.concatenate([np.zeros(given) if read.low[0] is None else read.low[0], np.array(rest)])
    low = [None if feature.levels else rest for rest, feature in zip(low, schema, strict=True)]
    return RawRows(Columns(schema, rows.n, tuple(values), tuple(low), {}), rows.values, rows.made, refused)
