"""A fitted or loaded set of rules, with what is needed to predict, report and store it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from ...data.columns.columns import Columns
from ...data.columns.schema import Schema
from ...model.file_mixin import FileMixin
from ...model.protocol import Predictions
from .ruleset import RuleSet
from .store import fields_from_bytes, to_bytes


@dataclass(frozen=True, eq=False)
class RuleModel(FileMixin):
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

    def fired(self, columns: Columns) -> np.ndarray:
        """Number of the rule that decides, int64, shape (n,); -1 = none."""
        self._refuse(columns)
        return self.rule_set.fired(columns)

    @property
    def label_array(self) -> np.ndarray:
        """Class labels as an array of their own type, shape (K,)."""
        return np.array(self.labels, dtype=np.str_ if any(isinstance(v, str) for v in self.labels) else None)

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
        """Refuse missing values and new levels where the settings say so."""
        if self.settings["missing"] == "error":
            columns.refuse_missing()
        if self.settings["unseen"] == "error":
            columns.refuse_unseen()
