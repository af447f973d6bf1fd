"""The protocol of fitted models: what trees, rules and splines have in common."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

import numpy as np

from ..data.columns.columns import Columns
from ..data.columns.schema import Schema
from .readable import ReadableTree


@dataclass(frozen=True, eq=False)
class Predictions:
    """Predictions of rows.

    Attributes
    ----------
    values : ndarray, shape (n,)
        Class labels or numbers.
    probability : float64, shape (n, K), or None
        Class probabilities, if requested and the model has classes.
    met : dict of str to int
        How many rows met a missing value, an unseen level and so on; see :meth:`boxwood.tree.descend.Routing.count`.
        Empty for a model that is not a tree.
    """

    values: np.ndarray
    probability: np.ndarray | None = None
    met: dict[str, int] = field(default_factory=dict)


@runtime_checkable
class Model(Protocol):
    """A fitted model of any algorithm.

    Attributes
    ----------
    algorithm, task : str
    settings : dict
        Plain parameters the model was made with.
    response_name : str
    labels : tuple
        Class labels; empty for regression.
    notes : tuple of str
        What a person should know about the fit.
    schema : Schema
    kind : {"tree", "set of rules", "MARS model"}
    tree : ReadableTree or None
        The selected tree; None for a model that is not a tree.
    """

    algorithm: str
    task: str
    settings: dict
    response_name: str
    labels: tuple
    notes: tuple[str, ...]
    schema: Schema
    kind: str
    tree: ReadableTree | None

    def predict(self, columns: Columns) -> np.ndarray:
        """Class labels or numbers, shape (n,)."""

    def predict_proba(self, columns: Columns) -> np.ndarray:
        """Class probabilities, shape (n, K)."""

    def predictions(self, columns: Columns, proba: bool) -> Predictions:
        """Predictions, probabilities if requested, and counts of missing and unseen values on the paths."""

    def to_bytes(self) -> bytes:
        """The bytes of the model file."""

    def save(self, path: str | os.PathLike) -> None:
        """Write the model file."""
