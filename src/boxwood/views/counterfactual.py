"""Counterfactuals: which features change, from what to what, and the new prediction."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..data.columns.schema import Feature
from ..tree.tree import Tree
from .figures import number
from .kinds import VALUE_WORDS
from .words import amount, level, plain, share


@dataclass(frozen=True)
class Change:
    """The change of one feature in a :class:`Counterfactual`.

    Attributes
    ----------
    feature : str
        Name of the feature.
    old, new : number, level or None
        The value before and after the change; None is a missing value.
    cost : float
        For a number, the difference divided by its scale; for an ordinal level, the number of steps divided by the
        maximum; for a nominal level, 1. Also 1 if the old value is missing, infinite, or did not occur in training.
    others : tuple of levels
        Other nominal levels with the same effect as ``new``.
    """

    feature: str
    old: object
    new: object
    cost: float
    others: tuple[Any, ...] = ()


@dataclass(frozen=True, eq=False)
class Counterfactual:
    """A changed row with the desired prediction.

    Attributes
    ----------
    changes : tuple of Change
        The features that change.
    distance : float
        Sum of the costs of the changes.
    node : int
        The leaf of the changed row.
    prediction : label or float
        The prediction for the changed row.
    probability : float64, shape (K,), or None
        Class probabilities of the changed row; None for regression.
    row : dict of str to value
        The changed row by feature name; None is a missing value.
    """

    changes: tuple[Change, ...]
    distance: float
    node: int
    prediction: object
    probability: np.ndarray | None
    row: dict[str, Any]


@dataclass(frozen=True, eq=False)
class Counterfactuals:
    """The smallest changes that lead to the desired prediction, the smallest first; empty if no allowed change does.

    Print them, index them, or loop over them; each is a :class:`Counterfactual`.

    Attributes
    ----------
    answers : tuple of Counterfactual
        The counterfactuals.
    prediction : label or float
        The prediction for the row as given.
    probability : float64, shape (K,), or None
        Its class probabilities; None for regression.
    already : bool
        Whether the row already has the desired prediction.
    wanted : str
        The desired prediction as text, such as "y = yes".
    tree : Tree
        The tree.

    Examples
    --------
    >>> from boxwood import CARTClassifier, datasets
    >>> X = datasets.load("titanic")
    >>> y = X.pop("survived")
    >>> model = CARTClassifier(max_depth=3, pruning=None).fit(X, y)
    >>> man = {name: column[0] for name, column in X.items()} | {"class": "3rd", "sex": "male", "age": 30}
    >>> print(model.counterfactual(man, "yes", immutable=["sex"], allowed={"age": (1, 30)}))
    y = no (probability 0.880). For y = yes:
      1. age: 30 → 9 (1 change, distance 0.396): yes, probability 0.917
    >>> print(model.counterfactual(man, "yes", n=2))
    y = no (probability 0.880). For y = yes:
      1. age: 30 → 9 (1 change, distance 0.396): yes, probability 0.917
      2. class: 3rd → 1st (or 2nd), sex: male → female (2 changes, distance 2.000): yes, probability 0.944
    """

    answers: tuple[Counterfactual, ...]
    prediction: object
    probability: np.ndarray | None
    already: bool
    wanted: str
    tree: Tree = field(repr=False)

    def __len__(self) -> int:
        return len(self.answers)

    def __getitem__(self, at: int) -> Counterfactual:
        return self.answers[at]

    def __iter__(self) -> Iterator[Counterfactual]:
        return iter(self.answers)

    def to_records(self) -> dict[str, list[Any]]:
        """The changes as columns, one value per change.

        Returns
        -------
        dict of str to list
            answer (number of the counterfactual, from 1), feature, old, new, cost, distance, node and prediction.
        """
        pairs = [(i, answer, change) for i, answer in enumerate(self, 1) for change in answer.changes]
        found: dict[str, list[Any]] = {"answer": [i for i, _, _ in pairs]}
        found |= {name: [getattr(change, name) for _, _, change in pairs] for name in ("feature", "old", "new", "cost")}
        return found | {
            name: [getattr(answer, name) for _, answer, _ in pairs] for name in ("distance", "node", "prediction")
        }

    def to_text(self) -> str:
        """The counterfactuals as text, one line each."""
        name = plain(self.tree.response.name)
        now = f"{name} = {self._prediction_words(self.prediction, self.probability, ' (probability {})')}"
        if self.already:
            return f"{now}: that is {self.wanted} already."
        if not self.answers:
            return f"{now}. No allowed change leads to {self.wanted}."
        lines = [f"{now}. For {self.wanted}:"]
        for i, answer in enumerate(self, 1):
            many = f"{len(answer.changes)} change{'s' * (len(answer.changes) != 1)}, distance {number(answer.distance)}"
            words = self._prediction_words(answer.prediction, answer.probability, ", probability {}")
            lines.append(f"  {i}. {', '.join(map(self._words, answer.changes))} ({many}): {words}")
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.to_text()

    def _prediction_words(self, value: Any, probability: Any, how_sure: str) -> str:
        if probability is None:
            return amount(value)
        return level(value) + how_sure.format(share(float(probability[self.tree.response.labels.index(value)])))

    def _words(self, change: Change) -> str:
        feature = self.tree.schema[self.tree.schema.names.index(change.feature)]
        old, new = (_value_words(feature, value) for value in (change.old, change.new))
        others = f" (or {', '.join(map(level, change.others[:3]))}{' ...' if len(change.others) > 3 else ''})"
        return f"{plain(change.feature)}: {old} → {new}{others if change.others else ''}"


def _value_words(feature: Feature, value: Any) -> str:
    """A value of a feature as text."""
    if value is None:
        return "missing"
    return VALUE_WORDS.of(feature).given(feature, value)
