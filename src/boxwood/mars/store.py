"""A MARS model to and from the bytes of a model file, with every value checked (docs/format.md)."""

from __future__ import annotations

import numpy as np

from .._messages import Value, must_be
from ..errors import ModelFileError, ParameterTypeError
from ..tree.meaning import check_schema, check_values, schema_from_json, schema_to_json
from ..tree.sections import damaged, pack, unpack
from ..tree.stored import check_choice, check_fields, check_numbers, check_texts
from .backward import Subsets
from .design import ENCODINGS, LEVELS, MISSING, VALUE, Design, DesignColumn
from .terms import Terms

_FIELDS = {
    "task": str, "settings": dict, "response": str, "labels": list, "columns": list, "size": int, "n": float,
    "penalty": float, "members": list, "cv": (dict, type(None)), "stopped": str, "notes": list,
}  # fmt: skip
_ARRAYS = ("directions", "cuts", "rss", "gcv", "coefficients", "ranges", "fill")
_OPTIONAL = ("log_odds", "held_out")

#: Settings that prediction reads, and what they may be.
_SETTINGS = {"missing": ("error", "indicator"), "unseen": ("first", "error"), "compat": ("earth", None)}


def to_bytes(model) -> bytes:
    """A MARSModel as bytes; infinite GCVs are kept in the array, which may hold them."""
    design = model.design
    fields = {
        "task": model.task,
        "settings": model.settings,
        "response": model.response_name,
        "labels": list(model.labels),
        "columns": [[c.feature, c.what, list(c.levels)] for c in design.columns],
        "size": model.size,
        "n": float(model.n),
        "penalty": float(model.penalty),
        "members": [list(m) for m in model.subsets.members],
        "cv": model.cv,
        "stopped": model.stopped,
        "notes": list(model.notes),
    }
    arrays = {
        "directions": model.terms.directions, "cuts": model.terms.cuts, "rss": model.subsets.rss, "gcv": model.gcv,
        "coefficients": model.coefficients, "ranges": model.ranges, "fill": np.array(design.fill, dtype=np.float64),
    }  # fmt: skip
    arrays |= {name: getattr(model, name) for name in _OPTIONAL if getattr(model, name) is not None}
    return pack({"schema": schema_to_json(design.schema), "mars": fields}, arrays)


def fields_from_bytes(data: bytes) -> dict:
    """The fields of a MARSModel from bytes.

    Raises
    ------
    ModelFileError
        The data are damaged, hostile, or no MARS model.
    ParameterTypeError
        ``data`` are not bytes.
    """
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise ParameterTypeError(must_be("data", "bytes", Value(data, type(data).__name__)))
    header, arrays, _, _ = unpack(bytes(data))
    if set(header) != {"schema", "mars"}:
        raise ModelFileError("the model file holds no MARS model; it was saved by another algorithm.")
    fields = header["mars"]
    if type(fields) is not dict or set(fields) != set(_FIELDS):
        damaged("header", f"the part 'mars' needs the fields {', '.join(_FIELDS)}")
    check_fields("the part 'mars'", fields, _FIELDS)
    for name in _ARRAYS:
        if name not in arrays:
            damaged(name, "it is missing")
    if not set(arrays) <= {*_ARRAYS, *_OPTIONAL}:
        damaged("header", "there are unknown sections")
    schema = schema_from_json(header["schema"])
    check_schema(schema)
    _check(fields, arrays, schema)
    design = Design(schema, tuple(DesignColumn(f, what, tuple(v)) for f, what, v in fields["columns"]),
                    tuple(arrays["fill"].tolist()))  # fmt: skip
    subsets = Subsets(tuple(tuple(m) for m in fields["members"]), arrays["rss"])
    return {
        "task": fields["task"], "settings": fields["settings"], "response_name": fields["response"],
        "labels": tuple(fields["labels"]), "design": design, "subsets": subsets, "gcv": arrays["gcv"],
        "terms": Terms(arrays["directions"], arrays["cuts"]), "size": fields["size"],
        "coefficients": arrays["coefficients"], "log_odds": arrays.get("log_odds"), "n": fields["n"],
        "penalty": fields["penalty"], "ranges": arrays["ranges"], "held_out": arrays.get("held_out"),
        "cv": fields["cv"], "stopped": fields["stopped"], "notes": tuple(fields["notes"]),
    }  # fmt: skip


def _check(fields: dict, arrays: dict, schema) -> None:
    """Shapes fit together, and every number has its range and points at something."""
    m, p = np.shape(arrays["directions"]) if arrays["directions"].ndim == 2 else (0, -1)
    k = arrays["coefficients"].shape[1] if arrays["coefficients"].ndim == 2 else 0
    sizes, size = len(fields["members"]), fields["size"]
    if k < 1 or not 1 <= size <= sizes or p != len(fields["columns"]):
        damaged("header", "terms and columns do not fit together")
    check_numbers("directions", arrays["directions"], (m, p), np.int8, -1, 2)
    shapes = {
        "cuts": (m, p), "coefficients": (size, k), "log_odds": (size, k), "ranges": (p, 2), "fill": (len(schema),),
        "held_out": (len(arrays.get("held_out", ())), k),
    }  # fmt: skip
    for name in shapes.keys() & arrays.keys():
        check_numbers(name, arrays[name], shapes[name])
    check_numbers("rss", arrays["rss"], (sizes,), least=0.0)
    check_numbers("gcv", arrays["gcv"], (sizes,), least=0.0, endless=True)
    if m < 1 or arrays["directions"][0].any() or not arrays["directions"][1:].any(axis=1).all():
        damaged("directions", "only the first term is the constant")
    if (arrays["ranges"][:, 0] > arrays["ranges"][:, 1]).any() or not len(arrays.get("held_out", "-")):
        damaged("ranges", "a least value lies above the greatest, or there are no quantiles of residuals")
    if not fields["n"] > 0.0 or not (fields["penalty"] >= 0.0 or fields["penalty"] == -1.0):
        damaged("header", "the field 'n' must be above 0, the field 'penalty' at least 0 or -1")
    _check_members(fields["members"], m)
    for column in fields["columns"]:
        _check_column(column, schema)
    _check_task(fields, k, "log_odds" in arrays)
    _check_cv(fields["cv"])


def _check_members(members: list, m: int) -> None:
    for number, chosen in enumerate(members, 1):
        if type(chosen) is not list or any(type(i) is not int or not 0 <= i < m for i in chosen):
            damaged("header", "a subset names a term that is not there")
        if len(chosen) != number or sorted(set(chosen)) != chosen or chosen[0] != 0:
            damaged("header", "the subsets are not in order, or lack the constant")


def _check_task(fields: dict, k: int, has_log_odds: bool) -> None:
    labels = len(fields["labels"])
    check_values("the field 'labels'", "label", tuple(fields["labels"]))
    check_texts("the field 'notes'", fields["notes"])
    check_choice("task", fields["task"], ("classification" if labels else "regression",))
    if labels > 2 and labels != k:
        damaged("header", "it needs a column of coefficients for each label")
    if k != 1 and labels in (1, 2):
        damaged("header", "one or two labels have one column of coefficients")
    if has_log_odds and not labels:
        damaged("log_odds", "a model of numbers has none")
    for name, allowed in _SETTINGS.items():
        check_choice(f"the setting {name!r}", fields["settings"].get(name, ""), allowed)


def _check_cv(cv: dict | None) -> None:
    """Rows held out, and R2 for every size."""
    if cv is None:
        return
    check_fields("the field 'cv'", cv, {"rows": int, "r_squared": list})
    if not cv["r_squared"] or any(type(value) is not float for value in cv["r_squared"]):
        damaged("header", "the field 'cv' needs numbers as r_squared")


def _check_column(column, schema) -> None:
    if type(column) is not list or len(column) != 3 or type(column[0]) is not int or not 0 <= column[0] < len(schema):
        damaged("header", "a design column names a feature that is not there")
    feature, (_, what, levels) = schema[column[0]], column
    if what not in (VALUE, LEVELS, MISSING) or type(levels) is not list:
        damaged("header", "a design column is of no known kind")
    if (what == LEVELS) != bool(levels) or what not in (MISSING, ENCODINGS.of(feature).what):
        damaged("header", "a design column does not fit its feature")
    if any(type(v) is not int or not 0 <= v < len(feature.levels) for v in levels):
        damaged("header", "a design column names a level that is not there")
