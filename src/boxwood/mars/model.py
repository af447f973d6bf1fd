"""A fitted MARS model: terms, the subset chosen, coefficients, and what is needed to predict, report and store it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

import numpy as np

from ..data.columns import Columns
from ..data.schema import UNSEEN, Schema
from ..errors import NotAvailableError, UnseenLevelError
from ..model.file_mixin import FileMixin
from ..model.protocol import Predictions
from .backward import Subsets
from .design import Design
from .gcv import share_explained
from .importance import Importance, importance
from .logistic import sigmoid
from .refusals import refuse_infinite, refuse_missing
from .store import fields_from_bytes, to_bytes
from .terms import Terms

#: Stands in for a design column that no term holds.
_NOTHING = np.zeros(0)


@dataclass(frozen=True, eq=False)
class MARSModel(FileMixin):
    """A MARS model that has been fitted or read from a file.

    Attributes
    ----------
    task : {"classification", "regression"}
    settings : dict
        Plain parameters the model was made with.
    response_name : str
    labels : tuple
        Class labels; empty for regression.
    design : Design
    terms : Terms
        All independent terms of the forward pass, the constant first.
    subsets : Subsets
        The best subset of every size, its RSS in the units of y.
    gcv : float64, shape (S,)
        GCV of each.
    size : int
        Number of terms chosen.
    coefficients : float64, shape (size, K)
        On the terms ``chosen``, one column per response.
    log_odds : float64, shape (size, K), or None
        Logistic coefficients; None = least squares.
    n, penalty : float
        Training rows, by weight; price of a knot.
    ranges : float64, shape (p, 2)
        Least and greatest value of each design column in training.
    held_out : float64, shape (Q, K), or None
        Quantiles of residuals of rows held out, at equal steps of probability from 0 to 1.
    cv : dict or None
        Cross-validated R2 by size, when folds were requested.
    stopped : str
        Why the forward pass ended.
    notes : tuple of str
    """

    kind: ClassVar[str] = "MARS model"
    tree: ClassVar[None] = None

    task: str
    settings: dict
    response_name: str
    labels: tuple
    design: Design
    terms: Terms
    subsets: Subsets
    gcv: np.ndarray
    size: int
    coefficients: np.ndarray
    log_odds: np.ndarray | None
    n: float
    penalty: float
    ranges: np.ndarray
    held_out: np.ndarray | None = None
    cv: dict | None = None
    stopped: str = ""
    notes: tuple[str, ...] = ()
    algorithm: str = field(default="mars", init=False)
    threads: int = field(default=1, compare=False)

    @property
    def schema(self) -> Schema:
        """The features the model was fitted with."""
        return self.design.schema

    @property
    def chosen(self) -> list[int]:
        """Positions of the chosen terms in ``terms``."""
        return list(self.subsets.members[self.size - 1])

    @cached_property
    def kept(self) -> Terms:
        """The chosen terms."""
        return self.terms.take(np.array(self.chosen))

    @property
    def rss(self) -> float:
        """Residual sum of squares of the chosen terms, over all responses."""
        return float(self.subsets.rss[self.size - 1])

    @property
    def r_squared(self) -> float:
        """RSq: share of the sum of squares explained."""
        return float(share_explained(self.rss, float(self.subsets.rss[0])))

    @property
    def gr_squared(self) -> float:
        """GRSq: the same of GCV, an estimate of the share explained on new rows."""
        return float(share_explained(self.gcv[self.size - 1], float(self.gcv[0])))

    def basis(self, columns: Columns) -> np.ndarray:
        """The chosen terms at some rows, float64, shape (n, size)."""
        self._refuse(columns)
        return self.kept.values(self.design.values(columns), columns.n)

    def linear(self, columns: Columns) -> np.ndarray:
        """The sum of the terms, float64, shape (n, K): numbers, or log odds of classes."""
        self._refuse(columns)
        kept, values = self.kept, [_NOTHING] * len(self.design)
        for j in np.flatnonzero(kept.directions.any(axis=0)):
            values[j] = self.design.value(columns, j)
        return kept.sums(values, columns.n, self.coefficients if self.log_odds is None else self.log_odds)

    def predict(self, columns: Columns) -> np.ndarray:
        """Numbers of shape (n,), of shape (n, K) for several responses, or class labels."""
        if self.labels:
            return self.label_array[np.argmax(self.predict_proba(columns), axis=1)]
        predicted = self.linear(columns)
        return predicted[:, 0] if predicted.shape[1] == 1 else predicted

    def predict_proba(self, columns: Columns) -> np.ndarray:
        """Class probabilities, shape (n, number of labels): rows add to 1."""
        predicted = self.linear(columns)
        each = np.clip(predicted, 0.0, 1.0) if self.log_odds is None else sigmoid(predicted)
        if len(self.labels) == 1:
            return np.ones((len(each), 1))
        if len(self.labels) == 2:
            return np.column_stack((1.0 - each[:, 0], each[:, 0]))
        total = each.sum(axis=1, keepdims=True)
        return np.where(total > 0.0, each / np.where(total > 0.0, total, 1.0), 1.0 / len(self.labels))

    def predictions(self, columns: Columns, proba: bool) -> Predictions:
        """Class labels or numbers, and probabilities if requested."""
        return Predictions(self.predict(columns), self.predict_proba(columns) if proba and self.labels else None)

    def interval(self, columns: Columns, level: float) -> np.ndarray:
        """Where a new value lies with probability ``level``, shape (n, 2) or (n, K, 2), from residuals held out."""
        if self.held_out is None:
            raise NotAvailableError(
                "this model was fitted without folds and has no held-out residuals; fit with cv_folds=10."
            )
        predicted = self.linear(columns)
        steps = np.linspace(0.0, 1.0, len(self.held_out))
        quantiles = [(1.0 - level) / 2.0, (1.0 + level) / 2.0]
        off = np.array([np.interp(quantiles, steps, self.held_out[:, k]) for k in range(predicted.shape[1])])
        around = predicted[:, :, None] + off[None, :, :]
        return around[:, 0, :] if predicted.shape[1] == 1 else around

    @cached_property
    def label_array(self) -> np.ndarray:
        """Class labels as an array in their own type."""
        if all(isinstance(v, str) for v in self.labels):
            return np.array(self.labels, dtype=str)
        return np.array(self.labels)

    def importance(self, by_column: bool = False) -> Importance:
        """Importance of the features, or of the single design columns (as earth's evimp has it)."""
        owner = np.array([j if by_column else c.feature for j, c in enumerate(self.design.columns)], dtype=np.int64)
        return importance(self.terms, self.subsets, self.gcv, self.size, owner)

    def to_bytes(self) -> bytes:
        """The model file's bytes; the same model always gives the same."""
        return to_bytes(self)

    @staticmethod
    def from_bytes(data: bytes) -> MARSModel:
        """A model out of the bytes of a model file.

        Raises
        ------
        ModelFileError
            The bytes are damaged, or are not a MARS model.
        """
        return MARSModel(**fields_from_bytes(data))

    def _refuse(self, columns: Columns) -> None:
        """Missing values, infinities and unseen levels, where the settings reject them."""
        if self.settings["missing"] == "error":
            refuse_missing(columns)
        refuse_infinite(columns)
        if self.settings["unseen"] == "error" and columns.unseen:
            name, levels = next(iter(columns.unseen.items()))
            row = int(np.argmax(columns.values[self.schema.names.index(name)] == UNSEEN))
            raise UnseenLevelError(
                f"column {name!r} holds the level {next(iter(levels))!r} in row {row} (counted from 0), which did not "
                "occur in training, and unseen='error' does not allow it; correct it, or choose unseen='first'."
            )
