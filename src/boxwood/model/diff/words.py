"""A box of values in words, as people name a segment."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ...data.columns.schema import Feature, Schema
from ...exports.boxes import ValueSet, every_value
from ...views.intervals import End, Interval
from ...views.kinds import VALUE_WORDS, ConditionStyle
from ...views.words import plain


def box_words(schema: Schema, box: Sequence[ValueSet], max_levels: int | None = 4) -> str:
    """The conditions of a box, such as ``age > 30, city = Ulm or missing``; "all rows" where there are none."""
    parts = (_words(feature, values, max_levels) for feature, values in zip(schema, box, strict=True))
    return ", ".join(filter(None, parts)) or "all rows"


def needs_gaps(schema: Schema, box: Sequence[ValueSet]) -> int:
    """How many features must be missing or have a new level in a box."""
    return sum(not _known(feature, values) for feature, values in zip(schema, box, strict=True))


def _known(feature: Feature, values: ValueSet) -> ValueSet:
    """The values without the missing one and new levels."""
    return ValueSet(values.parts, values.levels - {len(feature.levels)})


def _words(feature: Feature, values: ValueSet, max_levels: int | None) -> str:
    """The condition on one feature; "" where every value will do."""
    every, name = every_value(feature), plain(feature.name)
    known, has_new = _known(feature, values), len(feature.levels) in values.levels
    if values == every:
        return ""
    if known == _known(feature, every):
        is_not_new = bool(feature.levels) and not has_new
        states = ["is known"] * (not values.missing) + ["is not new"] * is_not_new
        return f"{name} {' and '.join(states)}"
    others = ["missing"] * values.missing + ["new"] * has_new
    if not known:
        return f"{name} is {' or '.join(others)}"
    intervals = [Interval(_end(above), _end(upto)) for above, upto in known.parts]
    style = ConditionStyle(name, max_levels)
    text = VALUE_WORDS.of(feature).condition(feature, intervals, sorted(known.levels), style)
    return " or ".join([text, *others])


def _end(end: float) -> End | None:
    """An end of an interval as a number and its rest; None = no end."""
    if math.isinf(end):
        return None
    near = float(end)
    return near, 0.0 if near == end else float(end - int(near))
