"""The models that can be compared: each is fitted to some rows of the same data and predicts others."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ..._messages import Column, Message, Setting
from ...data.columns.columns import Columns
from ...data.columns.identifiers import blank_identifiers
from ...data.columns.levels import LevelCodes
from ...data.frames.target import read_classes, read_numbers
from ...data.frames.weights import relative_weights
from ...errors import BoxwoodWarning, ParameterError, level_outside
from ...model.protocol import Model
from ..fitting.algorithm import Algorithm


@dataclass(frozen=True, eq=False)
class Truth:
    """The response and the weights that all models are evaluated by.

    Attributes
    ----------
    task : {"classification", "regression"}
    y : ndarray, shape (n,)
        Class codes, or numbers.
    labels : tuple
        Class labels; empty for regression.
    weight : float64, shape (n,), or None
    """

    task: str
    y: np.ndarray
    labels: tuple
    weight: np.ndarray | None

    @staticmethod
    def read(y, weight, task: str) -> Truth:
        """y and weights as users give them."""
        labels, values = read_classes(y) if task == "classification" else ((), read_numbers(y))
        return Truth(task, values, labels, relative_weights(weight, len(values)))

    def given(self, rows: np.ndarray) -> list | np.ndarray:
        """y of some rows as a user would give it."""
        return [self.labels[code] for code in self.y[rows].tolist()] if self.labels else self.y[rows]

    def coded(self, rows: np.ndarray) -> LevelCodes | np.ndarray:
        """The same for a fit of ours: classes keep the order that they have in all rows."""
        return LevelCodes(self.y[rows], self.labels) if self.labels else self.y[rows]

    def weights(self, rows: np.ndarray) -> np.ndarray:
        """Weights of some rows, ones if there are none."""
        return np.ones(len(rows)) if self.weight is None else self.weight[rows]


class Fitted(Protocol):
    """A model that was fitted to some rows."""

    leaves: float
    depth: float

    def evaluate(self, rows: np.ndarray, of_probability: bool) -> np.ndarray:
        """Class codes or numbers, shape (n,); or probabilities of all classes, shape (n, K)."""


class Entrant(Protocol):
    """Something that can be fitted to some rows."""

    @property
    def name(self) -> str:
        """What the results call it."""

    def fit(self, rows: np.ndarray) -> Fitted:
        """Fit to the rows at these positions."""


def with_missing_policy(name: str, algorithm: Algorithm, task: str, settings: dict, columns: Columns) -> dict:
    """The settings of a model that is given by name, with a policy for missing values if it refuses them.

    Such a model would fail on a table that has some. The first policy that the algorithm offers is taken, with a
    warning that names it.
    """
    declared = {parameter.name: parameter for parameter in algorithm.parameters.get(task, ())}
    policy = declared.get("missing")
    if policy is None or settings.get("missing", policy.default) != "error":
        return settings
    gaps = [j for j in range(len(columns.schema)) if columns.missing(j).any()]
    if not gaps:
        return settings
    chosen = next(choice for choice in policy.choices if choice != "error")
    others = [choice for choice in policy.choices if choice not in ("error", chosen)]
    more = f" (others: {', '.join(others)})" if others else ""
    warnings.warn(
        Message(
            f"{name} refuses missing values by default, and ", Column(columns.schema[gaps[0]].name, "column"),
            " has some; it is compared with ", Setting("missing", chosen), f"{more}.",
        ),
        BoxwoodWarning, stacklevel=level_outside(),
    )  # fmt: skip
    return settings | {"missing": chosen}


@dataclass(frozen=True, eq=False)
class TreeEntrant:
    """An algorithm of the registry with its settings.

    Attributes
    ----------
    name : str
    algorithm : Algorithm
    settings : dict
    columns : Columns
        All rows.
    truth : Truth
    exposure : ndarray, shape (n,), or None
        Of counts, for a model of rates; what it predicts is evaluated as counts: rate times exposure.
    """

    name: str
    algorithm: Algorithm
    settings: dict
    columns: Columns
    truth: Truth
    exposure: np.ndarray | None = None

    def fit(self, rows: np.ndarray) -> FittedModel:
        """Fit to the rows at these positions."""
        truth = self.truth
        if truth.task not in self.algorithm.tasks:
            raise ParameterError(
                f"{self.algorithm.name} does not support {truth.task}, only {self.algorithm.tasks[0]}."
            )
        settings = {name: value for name, value in self.settings.items() if name != "target_class"}  # may have no rows
        model = self.algorithm.fit(
            self.columns.take(rows), truth.coded(rows), task=truth.task, settings=settings,
            weight=None if truth.weight is None else truth.weight[rows],
            exposure=None if self.exposure is None else self.exposure[rows],
        )  # fmt: skip
        return FittedModel(model, self)


class FittedModel:
    """A fitted model of the registry; what is not a tree has no leaves and no depth."""

    def __init__(self, model: Model, entrant: TreeEntrant):
        self._model, self._columns, self._truth = model, entrant.columns, entrant.truth
        self._exposure = entrant.exposure
        tree = model.tree
        self.leaves: float = np.nan if tree is None else tree.n_leaves
        self.depth: float = np.nan if tree is None else tree.max_depth

    def evaluate(self, rows: np.ndarray, of_probability: bool) -> np.ndarray:
        """The model's predictions of some rows."""
        columns = blank_identifiers(self._columns, self._model.schema).take(rows)
        if not self._truth.labels:
            predicted = self._model.predict(columns)
            return predicted if self._exposure is None else predicted * self._exposure[rows]
        if of_probability:
            return aligned(self._model.predict_proba(columns), self._model.labels, self._truth.labels)
        return codes_of(self._model.predict(columns), self._truth.labels)


def aligned(probability: np.ndarray, labels, all_labels: tuple) -> np.ndarray:
    """Probabilities with a column for every class of the whole data; classes that a fold lacks have 0."""
    found = np.zeros((len(probability), len(all_labels)))
    found[:, [all_labels.index(label) for label in labels]] = probability
    return found


def codes_of(predicted, all_labels: tuple) -> np.ndarray:
    """Labels as positions in the labels of the whole data."""
    at = {label: code for code, label in enumerate(all_labels)}
    return np.array([at[label] for label in np.asarray(predicted).tolist()], dtype=np.int64)
