"""Rows with their predictions inside a PMML document, with which the program that receives it checks itself."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ..data.columns.columns import Columns
from .boxes import Box, ValueSet, split_box, taken_values
from .kinds import EXPORTED
from .plan import ExportPlan
from .pmml_elements import Element
from .pmml_fields import Fields
from .rows import ROWS

#: Ends, and columns, for which rows are written.
_MOST_ENDS, _MOST_COLUMNS = 24, 6
#: How far numbers may be apart: readers add up and divide in another order.
_CLOSE = {"precision": "1E-9", "zeroThreshold": "1E-12"}


class _Row(NamedTuple):
    """A row: by feature its number or the place of its level (None is missing), and the codes that are in cells."""

    values: dict[int, float | int | None]
    codes: dict[int, str]


def verification(plan: ExportPlan, fields: Fields) -> tuple[Element, ...]:
    """The element ModelVerification; nothing when no column is tested.

    Its rows lie at the cuts and reach the ends, at most 24 of them, spread over the tree; others have a missing value,
    a code or another level in one column.
    """
    rows = _accepted(plan, fields, _rows(plan, fields))
    if not rows:
        return ()
    expected = plan.expected(_columns(plan, rows))
    kept = [i for i, value in enumerate(expected.value) if value is not None]
    outputs = [fields.predicted, *(fields.probability(label) for label in fields.target.levels)]
    inputs = {j: f"x{j}" for j in plan.features}
    listed = [_field(fields.of_feature[j].name, column) for j, column in inputs.items()]
    listed += [
        _field(name, f"y{k}", **({} if plan.has_classes and k == 0 else _CLOSE)) for k, name in enumerate(outputs)
    ]
    spelled = dict(zip(plan.tree.response.labels, fields.target.levels, strict=True))
    lines = []
    for i in kept:
        cells = [Element(inputs[j], {}, (text,)) for j in inputs if (text := _cell(fields, rows[i], j)) is not None]
        first = spelled[expected.value[i]] if plan.has_classes else repr(float(expected.value[i]))
        shares = [] if expected.probability is None else map(repr, expected.probability[i].tolist())
        cells += [Element(f"y{k}", {}, (text,)) for k, text in enumerate([first, *shares])]
        lines.append(Element("row", {}, tuple(cells)))
    inside = (Element("VerificationFields", {}, tuple(listed)), Element("InlineTable", {}, tuple(lines)))
    counts = {"recordCount": str(len(lines)), "fieldCount": str(len(listed))}
    return (
        (Element("ModelVerification", counts, inside),) if lines and all(map(_is_plain, fields.target.levels)) else ()
    )


def _field(name: str, column: str, **close: str) -> Element:
    return Element("VerificationField", {"field": name, "column": column, **close})


def _rows(plan: ExportPlan, fields: Fields) -> list[_Row]:
    """Rows that reach ends, then rows that have something else in one column."""
    places = np.linspace(0, len(plan.ends) - 1, min(_MOST_ENDS, len(plan.ends))).round().astype(int)
    boxes = [box for i in places if (box := _box_to(plan, plan.ends[i])) is not None]
    rows = [_Row({j: _value_in(plan, box[j], j) for j in plan.features}, {}) for box in boxes]
    if not rows:
        return []
    for i, j in enumerate(plan.features[:_MOST_COLUMNS]):
        base = rows[i % len(rows)].values
        field = fields.of_feature[j]
        others = [None, *range(min(3, len(field.levels)))]
        rows += [_Row({**base, j: other}, {}) for other in others]
        rows += [_Row({**base, j: None}, {j: code}) for code in fields.codes(j)[:1]]
    return [*rows, _Row(dict.fromkeys(plan.features), {})]


def _box_to(plan: ExportPlan, end: int) -> Box | None:
    """Values that lead to an end; None where the first route that is tried leads elsewhere."""
    box = {j: taken_values(plan, j) for j in plan.features}
    for t, following in pairwise([*plan.tree.path(end).tolist(), -1]):
        if t not in plan.steps:
            return box
        inside = [part for to, part in split_box(plan, plan.steps[t], box) if to == following or (to < 0 and t == end)]
        if not inside:
            return None
        box = inside[0]
    return box


def _value_in(plan: ExportPlan, values: ValueSet, j: int) -> float | int | None:
    """The last number of the first interval, else the first after a cut; the first level that training had; None."""
    if values.parts:
        above, upto = values.parts[0]
        if math.isfinite(upto):
            return upto
        return 0.0 if above == -math.inf else EXPORTED.of(plan.tree.schema[j]).after(above)
    known = sorted(code for code in values.levels if code < len(plan.tree.schema[j].levels))
    return known[0] if known else None


def _accepted(plan: ExportPlan, fields: Fields, rows: list[_Row]) -> list[_Row]:
    """Rows, each once, whose texts are the same in every reader, and that hold a value."""
    found: dict[tuple, _Row] = {}
    for row in rows:
        cells = [_cell(fields, row, j) for j in plan.features]
        if any(cell is not None for cell in cells) and all(cell is None or _is_plain(cell) for cell in cells):
            found.setdefault(tuple(cells), row)
    return list(found.values())


def _is_plain(text: str) -> bool:
    return text != "" and text == text.strip() and text.isprintable()


def _cell(fields: Fields, row: _Row, j: int) -> str | None:
    """A value as the document spells it; None is missing."""
    if j in row.codes:
        return row.codes[j]
    value, field = row.values[j], fields.of_feature[j]
    if value is None:
        return None
    return field.levels[int(value)] if field.levels else repr(float(value))


def _columns(plan: ExportPlan, rows: list[_Row]) -> Columns:
    """The rows as the tree reads them; columns that it never tests are missing."""
    schema, values, low = plan.tree.schema, [], []
    for j, feature in enumerate(schema):
        column, rest = ROWS.of(feature).column(feature, [row.values.get(j) for row in rows])
        values.append(column)
        low.append(rest)
    return Columns(schema, len(rows), tuple(values), tuple(low), {})
