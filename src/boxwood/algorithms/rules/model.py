"""A fitted or loaded set of rules, with what is needed to predict, report and store it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np

from ...data.columns.columns import Columns
from ...data.columns.schema import Schema
from ...evaluation.rows import EvaluatedRows
from ...model.given_evaluation import same_shares
from ...model.predictions import Predictions
from ...model.protocol import Model, first_lines
from ...statistics.responses.class_weights import without_class_weights
from ...views.score_columns import ScoreOptions
from .export import RulePlan
from .ruleset import RuleSet
from .store import fields_from_bytes, to_bytes


@dataclass(frozen=True, eq=False)
class RuleModel(Model):
    """A fitted set of rules, and how it was made.

    Attributes
    ----------
    rule_set : RuleSet
    settings : dict
        Plain parameters the rules were made with.
    response_name : str
    notes : tuple of str
        What a person should know about this fit.
    """

    kind: ClassVar[str] = "set of rules"
    part: ClassVar[str] = "rules"
    mark: ClassVar[str] = "rules"
    tree: ClassVar[None] = None

    rule_set: RuleSet
    settings: dict
    response_name: str
    notes: tuple[str, ...] = ()
    algorithm: str = field(default="c45-rules", init=False)
    task: str = field(default="classification", init=False)
    threads: int = field(default=1, compare=False)

    @property
    def schema(self) -> Schema:
        """The features the rules were learned from."""
        return self.rule_set.schema

    @property
    def labels(self) -> tuple:
        """Class labels in sorted order."""
        return self.rule_set.labels

    def predict(self, columns: Columns) -> np.ndarray:
        """Class labels, shape (n,)."""
        self._refuse(columns)
        return self.label_array[self.rule_set.predict(columns)]

    def predict_proba(self, columns: Columns) -> np.ndarray:
        """Class probabilities, float64, shape (n, K), see :meth:`RuleSet.probability`."""
        self._refuse(columns)
        return self.rule_set.probability(columns)

    def predictions(self, columns: Columns, proba: bool) -> Predictions:
        """Class labels, and their probabilities if requested."""
        return Predictions(self.predict(columns), self.predict_proba(columns) if proba else None)

    def score(self, columns: Columns, options: ScoreOptions) -> Predictions:
        """Class labels with what the options name; in the place of nodes the numbers of rules, in the column rule."""
        found = super().score(columns, replace(options, node=False))
        return replace(found, further={"rule": self.fired(columns)}) if options.node else found

    def fired(self, columns: Columns) -> np.ndarray:
        """Number of the rule that decides, int64, shape (n,); -1 = none."""
        self._refuse(columns)
        return self.rule_set.fired(columns)

    def to_text(self, max_lines: int | None = None, hint: str = "to_text()") -> str:
        """The rules in order."""
        return first_lines(self.rule_set.to_text(), max_lines, hint)

    def facts(self) -> dict:
        """The rules in order, each with its class, conditions, weights and accuracy."""
        found = self.rule_set
        rules = [
            {
                "class": rule.label,
                "conditions": found.words_of(rule),
                "weight": rule.weight,
                "errors": rule.errors,
                "accuracy": rule.accuracy,
                "class_weights": list(rule.classes),
            }
            for rule in found.rules
        ]
        return {
            "algorithm": {"algorithm": self.algorithm, "parameters": self.settings},
            "rules": {
                "class_weight": list(found.class_weights) or None,
                "text": found.to_text(),
                "labels": list(self.labels),
                "rules": rules,
                "default": self.labels[found.default],
                "default_class_weights": list(found.rest),
            },
        }

    def export_plan(self) -> RulePlan:
        """The rules as a chain of ifs, under the model's policies."""
        refused = [self.settings[name] == "error" for name in ("missing", "unseen")]
        return RulePlan(self.rule_set, self.response_name, *refused)

    def was_fitted_to(self, columns: Columns, rows: EvaluatedRows) -> bool:
        """Whether each rule covers as much of each class as in the fit."""
        rules, k = self.rule_set.rules, len(rows.labels)
        fitted = without_class_weights(np.array([rule.classes for rule in rules]), self.rule_set.class_weights)
        holds = [rule.holds(columns) for rule in rules]
        found = ([np.bincount(rows.truth, each * covers, k) for covers in holds] for each in (rows.weight, 1.0))
        return bool(rules) and any(same_shares(np.array(covered), fitted) for covered in found)

    def to_bytes(self) -> bytes:
        """The model file's bytes; the same rules always give the same."""
        return to_bytes(self)

    @staticmethod
    def from_bytes(data: bytes) -> RuleModel:
        """Rules out of the bytes of a model file.

        Raises
        ------
        ModelFileError
            The bytes are damaged, or hold no rules.
        """
        return RuleModel(**fields_from_bytes(data))

    def _refuse(self, columns: Columns) -> None:
        """Refuse missing values and new levels where the settings require it."""
        if self.settings["missing"] == "error":
            columns.refuse_missing()
        if self.settings["unseen"] == "error":
            columns.refuse_unseen()
