"""What driver and workers must know of all rows before growth: surveys, weights and the plan, as messages."""

from __future__ import annotations

from dataclasses import asdict, astuple, dataclass

import numpy as np

from ...data.columns.identifiers import WholeNumbers
from ...data.columns.sample import Sample
from ...data.columns.temporal import Temporal
from ...data.columns.written_numbers import WrittenNumbers
from ...data.streams.row_rules import RowRules
from ...data.streams.survey import ColumnSummary, Reading
from ...statistics.fixed_point import Reach, WeightScale, WeightSummary, target_scale_from_json, target_scale_to_json
from ...statistics.responses.response import Response
from ...tree.meaning import response_from_json, response_to_json, schema_from_json, schema_to_json
from ..parts.finishing import PartsPlan, Weighed, Weighting
from ..parts.layout import Layout
from ..parts.survey import Counts, Labels, Survey, TargetRange
from ..shards.messages import from_message, to_message

#: Levels are text, truth values and numbers; numbers with a fraction travel by their bits.
_FLOAT = "float"


def layout_to_json(layout: Layout) -> dict:
    """A layout as plain values."""
    return {
        "features": list(layout.features),
        "readings": [list(astuple(reading)) for reading in layout.readings],
        "target": layout.target,
        "weight": layout.weight,
        "task": layout.task,
        "power": layout.power,
        "exposure": layout.exposure,
    }


def layout_from_json(plain: dict) -> Layout:
    """A layout from plain values."""
    readings = tuple(Reading(*each) for each in plain["readings"])
    roles = (plain[name] for name in ("target", "weight", "task", "power", "exposure"))
    return Layout(tuple(plain["features"]), readings, *roles)


def rules_to_json(rules: RowRules) -> dict:
    """How workers read columns, as plain values: forms of numbers and dates, and orders of levels."""
    orders = {name: list(map(_level_to_json, levels)) for name, levels in rules.orders.items()}
    return {"numeric": rules.numeric, "written": rules.written or {}, "forms": rules.forms, "orders": orders}


def rules_from_json(plain: dict) -> RowRules:
    """The same rules from plain values."""
    orders = {name: tuple(map(_level_from_json, levels)) for name, levels in plain["orders"].items()}
    return RowRules(numeric=plain["numeric"], written=plain["written"], forms=plain["forms"], orders=orders)


def survey_to_bytes(survey: Survey) -> bytes:
    """A survey as a message."""
    arrays: dict[str, np.ndarray] = {}
    columns = [_column_to_json(c, f"{j}.", arrays) for j, c in enumerate(survey.columns)]
    response = survey.response
    if isinstance(response, Labels):
        column = _column_to_json(response.column, "y.", arrays)
        weights = [[_level_to_json(level), total] for level, total in response.weights.items()]
        about = {"column": column, "weights": weights}
    elif isinstance(response, Counts):
        reaches = (response.exposure, response.events, response.log)
        about = {"reaches": [[reach.top.hex(), reach.whole] for reach in reaches]}
    else:
        ends = (response.least, response.most, response.kept_least, response.kept_most)
        about = {"ends": [float(end).hex() for end in ends]}
    plain = {"layout": layout_to_json(survey.layout), "columns": columns, "response": about}
    return to_message("survey", {**plain, "rows": survey.rows, "kept": survey.kept}, arrays)


def survey_from_bytes(data: bytes) -> Survey:
    """A survey from a message."""
    plain, arrays = from_message(data, "survey")
    columns = [_column_from_json(c, f"{j}.", arrays) for j, c in enumerate(plain["columns"])]
    about = plain["response"]
    if "ends" in about:
        response = TargetRange(*map(float.fromhex, about["ends"]))
    elif "reaches" in about:
        response = Counts(
            *(Reach(float.fromhex(top), whole) for top, whole in about["reaches"]), plain["layout"]["power"]
        )
    else:
        weights = {_level_from_json(level): total for level, total in about["weights"]}
        response = Labels(_column_from_json(about["column"], "y.", arrays), weights)
    return Survey(layout_from_json(plain["layout"]), columns, response, plain["rows"], plain["kept"])


def _level_to_json(level):
    return {_FLOAT: level.hex()} if isinstance(level, float) else level


def _level_from_json(plain):
    return float.fromhex(plain[_FLOAT]) if isinstance(plain, dict) else plain


def _column_to_json(column: ColumnSummary, prefix: str, arrays: dict) -> dict:
    sample = column.sample
    sample.merge_waiting()
    arrays[f"{prefix}hashes"] = sample.hashes
    arrays[f"{prefix}counts"] = np.array(list(column.counts.values()), dtype=np.int64)
    return {
        "name": column.name,
        "reading": list(astuple(column.reading)),
        "n": column.n,
        "missing": column.missing,
        "form": column.form,
        "why": column.why,
        "integer": bool(column.integer),
        "infinite": column.infinite,
        "long": column.long,
        "levels": [_level_to_json(level) for level in column.counts],
        "seen": [level in column.seen for level in column.counts],
        "place": [[_level_to_json(level), list(place)] for level, place in column.place.items()],
        "limit": sample.limit,
        "temporal": None if column.temporal is None else asdict(column.temporal),
        "written": None if column.written is None else column.written.form,
        "whole": [column.whole.all_whole, column.whole.least.hex(), column.whole.greatest.hex()],
    }


def _column_from_json(plain: dict, prefix: str, arrays: dict) -> ColumnSummary:
    counts = dict(zip(map(_level_from_json, plain["levels"]), arrays[f"{prefix}counts"].tolist(), strict=True))
    seen = {level for level, is_seen in zip(counts, plain["seen"], strict=True) if is_seen}
    place = {_level_from_json(level): tuple(at) for level, at in plain["place"]}
    sample = Sample(arrays[f"{prefix}hashes"], plain["limit"])
    names = ("name", "n", "missing", "form", "why", "integer", "infinite", "long")
    known = {name: plain[name] for name in names}
    all_whole, *ends = plain["whole"]
    whole = WholeNumbers(all_whole, *map(float.fromhex, ends))
    reading = Reading(*plain["reading"])
    known["temporal"] = None if plain["temporal"] is None else Temporal(**plain["temporal"])
    known["written"] = None if plain["written"] is None else WrittenNumbers(plain["written"])
    return ColumnSummary(reading=reading, counts=counts, seen=seen, place=place, sample=sample, whole=whole, **known)


def weighting_to_bytes(weighting: Weighting, labels: tuple, units: list[float] | None = None) -> bytes:
    """A request about weights: how they are computed, and the units to test, if any."""
    arrays = {} if weighting.of_class is None else {"of_class": np.asarray(weighting.of_class, dtype=np.float64)}
    plain = {"shift": weighting.shift, "labels": [_level_to_json(label) for label in labels]}
    return to_message("weighting", {**plain, "units": [unit.hex() for unit in units or ()]}, arrays)


def weighting_from_bytes(data: bytes) -> tuple[Weighting, tuple, list[float]]:
    """Weighting, labels and units."""
    plain, arrays = from_message(data, "weighting")
    labels = tuple(_level_from_json(label) for label in plain["labels"])
    return Weighting(arrays.get("of_class"), plain["shift"]), labels, [float.fromhex(u) for u in plain["units"]]


def bin_request_to_bytes(request: str, arguments: dict, weighting: Weighting, labels: tuple) -> bytes:
    """A request about where columns are cut into bins (:mod:`boxwood.growing.parts.bin_counts`)."""
    packed = np.frombuffer(weighting_to_bytes(weighting, labels), dtype=np.uint8)
    return to_message("bin_counts", {"request": request}, {**arguments, "weighting": packed})


def bin_request_from_bytes(data: bytes) -> tuple[str, dict, Weighting, tuple]:
    """Question, what is arguments, weighting and labels."""
    plain, arguments = from_message(data, "bin_counts")
    weighting, labels, _ = weighting_from_bytes(arguments.pop("weighting").tobytes())
    return plain["request"], arguments, weighting, labels


def weighed_to_json(weighed: Weighed) -> dict:
    """What is known of some weights, as plain values."""
    facts = weighed.stats
    ends = [float(facts.least).hex(), float(facts.most).hex()]
    return {"ends": ends, "ones": bool(facts.ones), "whole": bool(facts.whole), "masses": list(weighed.masses)}


def weighed_from_json(plain: dict) -> Weighed:
    """What is known of some weights, from plain values."""
    least, most = map(float.fromhex, plain["ends"])
    return Weighed(WeightSummary(least, most, plain["ones"], plain["whole"]), tuple(plain["masses"]))


@dataclass(frozen=True, eq=False)
class Order:
    """How parts become final, and what is learned from them.

    Attributes
    ----------
    plan : PartsPlan
    response : Response
        With priors and costs.
    """

    plan: PartsPlan
    response: Response


def order_to_bytes(order: Order) -> bytes:
    """An order as a message."""
    plan = order.plan
    arrays = {f"{j}.cuts": cuts for j, cuts in enumerate(plan.cuts) if cuts is not None}
    arrays |= {f"{j}.thresholds": behind for j, behind in plan.thresholds.items()}
    if plan.weighting.of_class is not None:
        arrays["of_class"] = np.asarray(plan.weighting.of_class, dtype=np.float64)
    plain = {
        "schema": schema_to_json(plan.schema),
        "response": response_to_json(order.response),
        "labels": [_level_to_json(label) for label in plan.labels],
        "shift": plan.weighting.shift,
        "weights": [plan.weights.unit.hex(), plan.weights.rounds, plan.weights.ones],
        "target_scale": target_scale_to_json(plan.target_scale),
        "masses": [float(mass).hex() for mass in plan.masses],
        "long": sorted(plan.long),
    }
    return to_message("order", plain, arrays)


def order_from_bytes(data: bytes) -> Order:
    """An order from a message."""
    plain, arrays = from_message(data, "order")
    schema = schema_from_json(plain["schema"])
    unit, rounds, ones = plain["weights"]
    plan = PartsPlan(
        schema,
        tuple(arrays.get(f"{j}.cuts") for j in range(len(schema))),
        tuple(_level_from_json(label) for label in plain["labels"]),
        Weighting(arrays.get("of_class"), plain["shift"]),
        WeightScale(float.fromhex(unit), rounds, ones),
        target_scale_from_json(plain["target_scale"]),
        tuple(map(float.fromhex, plain["masses"])),
        frozenset(plain["long"]),
        {j: arrays[f"{j}.thresholds"] for j in range(len(schema)) if f"{j}.thresholds" in arrays},
    )
    return Order(plan, response_from_json(plain["response"]))
