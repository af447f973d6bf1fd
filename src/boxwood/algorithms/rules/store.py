"""Rules to and from the bytes of a model file, with every value checked (docs/format.md)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..._messages import Setting
from ...data.columns.schema import ORDINAL, Schema
from ...errors import ModelFileError, ParameterTypeError
from ...statistics.responses.classes import Classes
from ...tree.meaning import check_response, check_schema, schema_from_json, schema_to_json
from ...tree.sections import damaged, pack, unpack
from ...tree.stored import check_fields, check_numbers, check_texts
from .rule import OrderedRule, RuleCondition
from .ruleset import RuleSet

_FACTS = {"settings": dict, "response": str, "labels": list, "rules": list, "default": int, "notes": list,
          "class_weights": list}  # fmt: skip
_ARRAYS = ("classes", "accuracy", "cuts")
#: In files of earlier versions; no longer needed.
_FORMER = "neighbours"


def to_bytes(model) -> bytes:
    """A RuleModel as bytes."""
    found = model.rule_set
    facts = {
        "settings": model.settings,
        "response": model.response_name,
        "labels": list(found.labels),
        "rules": [[rule.code, [_written(c) for c in rule.conditions]] for rule in found.rules],
        "default": found.default,
        "notes": list(model.notes),
    }
    if found.class_weights:
        facts["class_weights"] = list(found.class_weights)
    arrays = {
        "classes": np.array([*(rule.classes for rule in found.rules), found.rest], dtype=np.float64),
        "accuracy": np.array([rule.accuracy for rule in found.rules], dtype=np.float64),
        "cuts": np.array([c.cut for rule in found.rules for c in rule.conditions if c.cut]).reshape(-1, 2),
    }
    return pack({"schema": schema_to_json(found.schema), "rules": facts}, arrays)


def _written(condition: RuleCondition) -> list:
    """A condition as plain values: feature, above, levels; its cut, which may be infinite, is in ``cuts``."""
    return [condition.feature, condition.above, list(condition.levels)]


def fields_from_bytes(data: bytes) -> dict:
    """The fields of a RuleModel from bytes.

    Raises
    ------
    ModelFileError
        The data are damaged, hostile, or hold no rules.
    ParameterTypeError
        ``data`` are not bytes.
    """
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise ParameterTypeError(Setting("data"), f" must be bytes; got {type(data).__name__}.")
    header, arrays, _, _ = unpack(bytes(data))
    if set(header) != {"schema", "rules"}:
        raise ModelFileError("the model file holds no rules; it was saved by another algorithm.")
    facts = header["rules"]
    facts = {"class_weights": []} | facts if type(facts) is dict else facts  # only in files that need it
    if type(facts) is not dict or set(facts) != set(_FACTS):
        damaged("header", f"the part 'rules' needs the fields {', '.join(_FACTS)}")
    check_fields("the part 'rules'", facts, _FACTS)
    schema = schema_from_json(header["schema"])
    check_schema(schema)
    labels = tuple(facts["labels"])
    if not all(type(weight) is float for weight in facts["class_weights"]):
        damaged("header", "class_weights must be numbers")
    weights = tuple(facts["class_weights"])
    check_response(Classes(facts["response"], labels, (1.0,) * len(labels), class_weights=weights))
    _check_settings(facts)
    _check_arrays(arrays, len(facts["rules"]), len(labels))
    if not 0 <= facts["default"] < len(labels):
        damaged("header", "the default class is none of the labels")
    classes, accuracy = arrays["classes"].tolist(), arrays["accuracy"].tolist()
    read = _read_rules(facts["rules"], map(tuple, arrays["cuts"].tolist()), len(labels), schema)
    rules = tuple(
        OrderedRule(conditions, code, labels[code], tuple(classes[r]), accuracy[r])
        for r, (code, conditions) in enumerate(read)
    )
    found = RuleSet(schema, labels, rules, facts["default"], tuple(classes[-1]), weights)
    return {
        "rule_set": found, "settings": facts["settings"], "response_name": facts["response"],
        "notes": tuple(facts["notes"]),
    }  # fmt: skip


def _check_settings(facts: dict) -> None:
    """What prediction reads of the settings is there; notes are text."""
    check_fields("the settings", facts["settings"], {"missing": str, "unseen": str})
    check_texts("the field 'notes'", facts["notes"])


def _check_arrays(arrays: dict, n_rules: int, n_labels: int) -> None:
    """Weights of the classes for every rule and the rest, and an accuracy for every rule."""
    if set(arrays) - {_FORMER} != set(_ARRAYS):
        damaged("header", f"there must be exactly the sections {', '.join(_ARRAYS)}")
    check_numbers("classes", arrays["classes"], (n_rules + 1, n_labels), least=0.0)
    check_numbers("accuracy", arrays["accuracy"], (n_rules,), least=0.0, most=1.0)
    cuts = arrays["cuts"]
    check_numbers("cuts", cuts, (len(cuts) if cuts.ndim else 0, 2), endless=True)
    endless = ~np.isfinite(cuts[:, 0])
    if not np.isfinite(cuts[:, 1]).all() or cuts[endless, 1].any():
        damaged("cuts", "a cut is not a number")
    with np.errstate(over="ignore"):
        totals = arrays["classes"].sum(axis=1)
    if not (np.isfinite(totals) & (totals > 0.0)).all():
        damaged("classes", "every rule needs some weight")


def _read_rules(
    plain: list, cuts: Iterator[tuple[float, float]], n_labels: int, schema: Schema
) -> list[tuple[int, tuple]]:
    """Class number and conditions of each rule; the cuts are taken one after the other."""
    found = []
    for rule in plain:
        if type(rule) is not list or len(rule) != 2 or type(rule[0]) is not int or type(rule[1]) is not list:
            damaged("header", "a rule needs a class number and a list of conditions")
        if not 0 <= rule[0] < n_labels or not rule[1]:
            damaged("header", "a rule has no condition, or predicts a class that is none of the labels")
        found.append((rule[0], tuple(_read_condition(c, cuts, schema) for c in rule[1])))
    if next(cuts, None) is not None:
        damaged("cuts", "there are more cuts than conditions on ordered features")
    return found


def _read_condition(plain, cuts: Iterator[tuple[float, float]], schema: Schema) -> RuleCondition:
    """A condition from its plain values, and the next cut if its feature is ordered."""
    kinds = (int, bool, list)
    if type(plain) is not list or len(plain) != 3 or any(type(v) is not k for v, k in zip(plain, kinds, strict=True)):
        damaged("header", "a condition needs feature, above and levels")
    j, above, levels = plain
    if not 0 <= j < len(schema):
        damaged("header", "a condition names a feature that is not there")
    feature = schema[j]
    if feature.type.has_cuts == bool(levels) or (levels and above):
        damaged("header", "a condition does not fit its feature")
    if any(type(v) is not int or not 0 <= v < len(feature.levels) for v in levels) or sorted(set(levels)) != levels:
        damaged("header", "a condition names a level that is not there")
    cut = () if levels else next(cuts, None)
    if cut is None or (feature.kind == ORDINAL and not 0.0 <= cut[0] < len(feature.levels)):
        damaged("cuts", "a cut is missing, or lies outside the levels of its feature")
    return RuleCondition(j, above, cut, tuple(levels))
