"""Rules as complete JSON: reading it gives the same rules."""

from __future__ import annotations

import json

from ..._version import __version__
from ...errors import ModelFileError
from ...exports.answers import Answers
from ...exports.edge_rows import read_anew
from ...exports.json_tree import read_number, written_number
from ...exports.raw_rows import RawRows
from ...tree.meaning import schema_from_json, schema_to_json
from .export import RulePlan
from .rule import OrderedRule, RuleCondition
from .ruleset import RuleSet

#: Version of the form; a change that older readers would misread raises it.
VERSION = 1
_FORMAT = "boxwood rules"


def write(plan: RulePlan, options: dict) -> str:
    """The rules in order, one a line, and the default class; docs/exports.md describes the fields."""
    found = plan.rule_set
    head = {
        "format": _FORMAT,
        "version": VERSION,
        "written_by": f"boxwood {__version__}",
        "policies": {"refuse_missing": plan.refuse_missing, "refuse_unseen": plan.refuse_unseen},
        "response": plan.response_name,
        "labels": list(found.labels),
        "schema": schema_to_json(found.schema),
        "default": {"class": found.default, "weights": list(found.rest)},
        "class_weights": list(found.class_weights),
    }
    lines = [f"{_text(name)}: {_text(value)}," for name, value in head.items()]
    rules = ",\n".join(_text(_rule(rule)) for rule in found.rules)
    return "{\n" + "\n".join(lines) + f'\n"rules": [\n{rules}\n]\n}}\n'


def _text(value) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _rule(rule: OrderedRule) -> dict:
    conditions = [
        {"feature": c.feature}
        | ({"above": c.above, "cut": list(map(written_number, c.cut))} if c.cut else {"levels": list(c.levels)})
        for c in rule.conditions
    ]
    return {
        "class": rule.code, "conditions": conditions, "weights": list(rule.classes), "accuracy": rule.accuracy,
    }  # fmt: skip


def read(text: str | bytes) -> RulePlan:
    """The rules of a JSON text, with their policies.

    Raises
    ------
    ModelFileError
        The text is no such JSON.
    """
    try:
        plain = json.loads(text)
        if plain["format"] != _FORMAT or plain["version"] != VERSION:
            raise ValueError(f"its format must be {_FORMAT!r}, version {VERSION}")
        labels = tuple(plain["labels"])
        rules = tuple(
            OrderedRule(
                tuple(_condition(c) for c in rule["conditions"]), rule["class"], labels[rule["class"]],
                tuple(rule["weights"]), rule["accuracy"],
            )
            for rule in plain["rules"]
        )  # fmt: skip
        default = plain["default"]
        found = RuleSet(
            schema_from_json(plain["schema"]), labels, rules, default["class"], tuple(default["weights"]),
            tuple(plain["class_weights"]),
        )  # fmt: skip
        return RulePlan(found, plain["response"], **plain["policies"])
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise ModelFileError(f"this JSON holds no rules: {type(error).__name__} at {error}.") from error


def _condition(c: dict) -> RuleCondition:
    return RuleCondition(
        c["feature"], c.get("above", False), tuple(map(read_number, c.get("cut", ()))), tuple(c.get("levels", ()))
    )


def run(content: str, plan: RulePlan, rows: RawRows, options: dict) -> tuple[Answers, str]:
    """The predictions of the rules that are read back."""
    again = read(content)
    rows = read_anew(rows, again.schema, plan.features)
    return again.expected(rows.columns, rows.refused), f"the rules read back by boxwood {__version__}"
