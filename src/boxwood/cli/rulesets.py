"""The output for a model that is a set of rules: facts for `--json`, then text."""

from __future__ import annotations

import click

from .output import heading


def rule_facts(model) -> dict:
    """The rules in the order of asking, each with its class, conditions, weights and accuracy, as plain values."""
    found = model.rule_set
    return {
        "algorithm": {"algorithm": model.algorithm, "parameters": model.settings},
        "rules": {
            "class_weight": list(found.class_weights) or None,
            "text": found.to_text(),
            "labels": list(model.labels),
            "rules": [
                {
                    "class": rule.label,
                    "conditions": [condition.text(model.schema[condition.feature]) for condition in rule.conditions],
                    "weight": rule.weight,
                    "errors": rule.errors,
                    "accuracy": rule.accuracy,
                    "class_weights": list(rule.classes),
                }
                for rule in found.rules
            ],
            "default": model.labels[found.default],
            "default_class_weights": list(found.rest),
        },
    }


def print_rules(facts: dict) -> None:
    """Print the rules of a fit."""
    heading("The rules")
    click.echo(facts["rules"]["text"])
