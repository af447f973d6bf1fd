"""Schema and response of a tree: validated, and to and from plain JSON values."""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Callable
from typing import NoReturn

from ..data.columns.kinds.kind import ByKind
from ..data.columns.schema import KINDS, NAMES_ROWS, NUMBERS_IN_TEXT, NUMERIC, Feature, Schema
from ..data.columns.temporal import DATE, DATETIME, NANOSECONDS, TEMPORAL_KINDS, UNITS, Temporal
from ..data.columns.time_texts import check_form
from ..data.columns.written_numbers import WrittenNumbers, check_number_form
from ..errors import ModelFileError, ParameterError
from ..statistics.responses.classes import EMPTY_LEAVES
from ..statistics.responses.registry import kinds
from ..statistics.responses.response import Response
from .response_fields import as_written_now, floats_of, own_settings
from .several_meaning import check_several, read_several, several_fields, several_to_json

#: Shrinkage lies in this range (or is 0): its square and the inverse of that must stay finite.
_SHRINK = (1e-100, 1e100)

#: Names of time zones, and offsets from UTC.
_ZONE = re.compile(r"[A-Za-z0-9_+:-]{1,40}(/[A-Za-z0-9_+-]{1,40}){0,3}")

#: Entries of ``made_by`` that words, pictures and pruning read.
_MADE_BY = ("algorithm", "measure", "missing", "moments", "version", "boxwood", "model")


def check_schema(schema: Schema) -> None:
    """Check that names and levels are texts and values that can be distinguished.

    Raises
    ------
    ModelFileError
        The message names the feature.
    """
    for j, feature in enumerate(schema):
        where = f"feature {j}"
        if feature.kind not in KINDS:
            _refuse(where, f"its kind {feature.kind!r} is not one of {', '.join(KINDS)}")
        if not all(isinstance(text, str) for text in (feature.name, feature.why)):
            _refuse(where, "its name must be text")
        where = f"feature {feature.name!r}"
        _CHECKS.of(feature)(where, feature)
        check_values(where, "level", feature.levels)
        check_values(where, "missing value", feature.missing_values)
    if len(set(schema.names)) != len(schema):
        _refuse("the schema", "two features have the same name")


def _check_numbers(where: str, feature: Feature) -> None:
    if feature.levels:
        _refuse(where, "exactly the ordinal and nominal features have levels")
    if feature.written is not None:
        if feature.kind != NUMERIC or feature.temporal or feature.why not in (NUMBERS_IN_TEXT, NAMES_ROWS):
            _refuse(where, "exactly numbers in text have the field 'form'")
        try:
            check_number_form(feature.written.form, "its form")
        except ParameterError as error:
            _refuse(where, str(error).removesuffix("."))


def _check_levels(where: str, feature: Feature) -> None:
    if not feature.levels:
        _refuse(where, "exactly the ordinal and nominal features have levels")


def _check_temporal(where: str, feature: Feature) -> None:
    """Check that a temporal feature counts something there is."""
    temporal = feature.temporal
    _check_numbers(where, feature)
    if feature.kind != NUMERIC or not feature.integer:
        _refuse(where, "dates and times must be whole numbers")
    units = {DATE: ("D",)}.get(temporal.kind, UNITS)
    if temporal.unit not in units or temporal.resolution not in NANOSECONDS:
        _refuse(
            where, f"its unit must be one of {', '.join(units)}, and its resolution one of {', '.join(NANOSECONDS)}"
        )
    if NANOSECONDS[temporal.resolution] < NANOSECONDS[temporal.unit]:
        _refuse(where, "its resolution is finer than its unit")
    zoned = temporal.zone is not None
    if zoned and (temporal.kind != DATETIME or temporal.resolution == "D" or not _ZONE.fullmatch(temporal.zone)):
        _refuse(where, "its zone must be the name of a time zone, of datetimes that are counted in seconds or less")
    if temporal.form is not None:
        try:
            check_form(temporal.form, "its form")
        except ParameterError as error:
            _refuse(where, str(error).removesuffix("."))


_CHECKS: ByKind[Callable[[str, Feature], None]] = ByKind(
    numeric=_check_numbers, ordinal=_check_levels, nominal=_check_levels, temporal=_check_temporal
)


def check_response(response: Response) -> None:
    """Check that the response can turn moments into values.

    Raises
    ------
    ModelFileError
        The message names the fault.
    """
    if not isinstance(response.name, str):
        _refuse("the response", f"its kind must be one of {', '.join(kinds())}, and its name text")
    check_values("the response", "label", response.labels)
    classes = len(response.labels)
    if not response.width or len(response.factors) != classes:
        _refuse("the response", "exactly a response of classes has labels, with one factor each")
    for factors in (response.factors, response.altered):
        if len(factors) not in (0, classes) or not all(math.isfinite(f) and f >= 0 for f in factors):
            _refuse("the response", "factors must be finite and not negative, one a label")
        if factors and not any(factors):
            _refuse("the response", "factors must not all be zero")
    if not math.isfinite(response.shrink) or (response.shrink and not _SHRINK[0] <= response.shrink <= _SHRINK[1]):
        _refuse("the response", "shrink must be 0 or a moderate positive number")
    _check_costs(response.costs, classes)
    for name, most in (("smoothing", _SHRINK[1]), ("class_weights", 1e300)):
        numbers = getattr(response, name)
        if len(numbers) not in (0, classes) or not all(0.0 <= number <= most for number in numbers):
            _refuse("the response", f"{name} must be numbers of at least 0, one a label")
    check_several(response, check_response, _refuse)
    if response.empty not in EMPTY_LEAVES:
        _refuse("the response", f"empty must be one of {', '.join(EMPTY_LEAVES)}, which only classes have")


def check_made_by(made_by: object) -> None:
    """Check what a tree records of its making: plain values by name, those that are read being text.

    Raises
    ------
    ModelFileError
        The message names the entry.
    """
    if type(made_by) is not dict or not all(isinstance(name, str) for name in made_by):
        _refuse("made_by", "it must be a dictionary with texts as keys")
    for name in _MADE_BY:
        if not isinstance(made_by.get(name, ""), str):
            _refuse("made_by", f"the entry {name!r} must be text; it is {made_by[name]!r}")


def _check_costs(costs: tuple | None, classes: int) -> None:
    """Costs are a finite square table, or nothing."""
    if costs is None:
        return
    if not classes or len(costs) != classes or any(len(row) != classes for row in costs):
        _refuse("the response", f"costs must be a table of {classes} rows and columns")
    if not all(math.isfinite(cost) and cost >= 0 for row in costs for cost in row):
        _refuse("the response", "costs must be finite and not negative")


def check_values(where: str, what: str, values: tuple) -> None:
    """Check that levels or labels are text, truth values or numbers, each once.

    Raises
    ------
    ModelFileError
    """
    for value in values:
        if not isinstance(value, (str, bool, int, float)) or (isinstance(value, float) and not math.isfinite(value)):
            _refuse(where, f"the {what} {value!r} must be text, a truth value or a finite number")
    if len({(isinstance(value, bool), value) for value in values}) != len(values):
        _refuse(where, f"a {what} is there twice")


def _refuse(where: str, fact: str) -> NoReturn:
    """Raise the one sentence all checks of this module share."""
    raise ModelFileError(f"this is not a sound tree: in {where}, {fact}.")


def schema_to_json(schema: Schema) -> dict:
    """The schema as plain JSON values; levels keep their type (text, truth value, whole number, number)."""
    features = [
        {"name": f.name, "kind": f.kind_name, "levels": list(f.levels), "why": f.why, "integer": bool(f.integer)}
        | ({"missing_values": list(f.missing_values)} if f.missing_values else {})
        | ({"temporal": _temporal_to_json(f.temporal)} if f.temporal else {})
        | ({"form": f.written.form} if f.written else {})
        | ({"zero_one": True} if f.zero_one else {})
        for f in schema
    ]
    return {"named": bool(schema.named), "features": features}


def schema_from_json(plain: object) -> Schema:
    """The schema back from plain JSON values; types are checked here, sense by :func:`check_schema`."""
    _need("schema", plain, {"named": bool, "features": list})
    features = []
    for j, item in enumerate(plain["features"]):
        fields = {"name": str, "kind": str, "levels": list, "why": str, "integer": bool}
        more = {"missing_values": list, "temporal": dict, "form": str, "zero_one": bool}
        _need(f"feature {j}", item, fields | {name: kind for name, kind in more.items() if name in _names(item)})
        kind, temporal = _temporal_from_json(f"feature {j}", item)
        written = WrittenNumbers(item["form"]) if "form" in item else None
        features.append(
            Feature(
                item["name"], kind, tuple(item["levels"]), item["why"], item["integer"],
                tuple(item.get("missing_values", ())), temporal, written, item.get("zero_one", False),
            )
        )  # fmt: skip
    return Schema(tuple(features), plain["named"])


def _names(item: object) -> set:
    return set(item) if type(item) is dict else set()


def _temporal_to_json(temporal: Temporal) -> dict:
    return {"unit": temporal.unit, "resolution": temporal.resolution, "zone": temporal.zone, "form": temporal.form}


def _temporal_from_json(where: str, item: dict) -> tuple[str, Temporal | None]:
    """The kind inside, and what a temporal feature counts; exactly features of a temporal kind have it."""
    if (item["kind"] in TEMPORAL_KINDS) != ("temporal" in item):
        _refuse(where, f"exactly the kinds {', '.join(TEMPORAL_KINDS)} have the field 'temporal'")
    if "temporal" not in item:
        return item["kind"], None
    text = (str, type(None))
    _need(f"{where}, temporal", item["temporal"], {"unit": str, "resolution": str, "zone": text, "form": text})
    return NUMERIC, Temporal(item["kind"], **item["temporal"])


def response_to_json(response: Response) -> dict:
    """The response as plain JSON values."""
    costs = None if response.costs is None else [[float(cost) for cost in row] for row in response.costs]
    own = {name: floats_of(getattr(response, name)) for name in own_settings(type(response))}
    return {
        "kind": response.kind,
        "name": response.name,
        "labels": list(response.labels),
        "factors": [float(factor) for factor in response.factors],
        "altered": [float(factor) for factor in response.altered],
        "costs": costs,
        "shrink": float(response.shrink),
        "smoothing": [float(added) for added in response.smoothing],
        "empty": response.empty,
        "class_weights": [float(weight) for weight in response.class_weights],
    } | own | several_to_json(response, response_to_json)  # fmt: skip


def response_from_json(plain: object) -> Response:
    """The response back from plain JSON values; types are checked here, sense by :func:`check_response`."""
    fields = {"kind": str, "name": str, "labels": list, "factors": list, "altered": list, "class_weights": list}
    plain = as_written_now(plain)
    kind = _kind_of(plain)
    own = {name: list if isinstance(getattr(kind, name), tuple) else float for name in own_settings(kind)}
    own |= dict.fromkeys(several_fields(kind), list)
    fields |= {"costs": (list, type(None)), "shrink": float, "smoothing": list, "empty": str}
    _need("response", plain, fields | own)
    costs = plain["costs"]
    numbers = plain["factors"] + plain["altered"] + plain["smoothing"] + plain["class_weights"]
    numbers += plain.get("levels", [])
    for row in [*(costs or ()), plain.get("weights", [])]:
        if type(row) is not list:
            _refuse("the response", "each row of costs must be a list")
        numbers += row
    if any(type(number) is not float for number in numbers):
        _refuse("the response", "factors and costs must be numbers with a decimal point")
    given = {name: tuple(value) if type(value) is list else value for name, value in plain.items()}
    given["costs"] = None if costs is None else tuple(map(tuple, costs))
    read_several(given, response_from_json)
    del given["kind"]
    known = {field.name for field in dataclasses.fields(kind)}
    for name in given.keys() - known:
        if given.pop(name) != getattr(kind, name):
            _refuse("the response", f"{name} must be {getattr(kind, name)!r} where y is {kind.described}")
    try:
        return kind(**given)
    except ParameterError as error:
        _refuse("the response", str(error).removesuffix("."))


def _kind_of(plain: object) -> type[Response]:
    """The kind that is stored."""
    name = plain.get("kind") if type(plain) is dict else None
    if not isinstance(name, str) or name not in kinds():
        _refuse("the response", f"its kind must be one of {', '.join(kinds())}, and its name text")
    return kinds()[name]


def _need(where: str, plain: object, fields: dict) -> None:
    """A JSON object with exactly these fields of these types."""
    if type(plain) is not dict or set(plain) != set(fields):
        _refuse(where, f"there must be exactly the fields {', '.join(fields)}")
    for name, kind in fields.items():
        if type(plain[name]) not in (kind if isinstance(kind, tuple) else (kind,)):
            _refuse(where, f"the field {name!r} has the wrong type")
