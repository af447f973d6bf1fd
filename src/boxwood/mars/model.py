"""A fitted MARS model: terms, the subset chosen, coefficients, and what is needed to predict, report and store it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

import numpy as np

from .._messages import Column, FromZero, Row, Setting, Value, remedy
from ..data.columns.columns import Columns
from ..data.columns.schema import UNSEEN, Schema
from ..errors import NotAvailableError, UnseenLevelError
from ..model.predictions import Predictions
from .backward import Subsets
from .design import Design
from .gcv import share_explained
from .importance import Importance, importance
from .logistic import sigmoid
from .refusals import refuse_infinite, refuse_missing
from .report import MARSReport
from .store import fields_from_bytes, to_bytes
from .terms import Terms

#: Replaces a design column that no term holds.
_NOTHING = np.zeros(0)


@dataclass(frozen=True, eq=False)
class MARSModel(MARSReport):
    """A MARS model that has been fitted or read from a file: the attribute ``model_`` of the MARS estimators.

    In the shapes below, n is the number of rows, q the number of design columns, M the number of terms of the forward
    pass, and K the number of responses (with two classes, one response: the second class).

    Attributes
    ----------
    task : {"classification", "regression"}
        Kind of the response.
    settings : dict
        Parameters of the fit, by name.
    response_name : str
        Name of y, or "y" if it had none.
    labels : tuple
        Class labels in sorted order; empty for regression.
    design : Design
        The q numeric columns to which the p features were converted.
    terms : Terms
        The M linearly independent terms of the forward pass, the constant first.
    subsets : Subsets
        The best subset of terms of each size from 1 to M, with its RSS in squared units of y.
    gcv : float64, shape (M,)
        GCV of each of these subsets, in squared units of y; infinite where the model has too few rows for its size.
    size : int
        Number of selected terms, the constant included.
    coefficients : float64, shape (size, K)
        Least-squares coefficients of the terms ``kept``, in units of y per unit of the term.
    log_odds : float64, shape (size, K), or None
        Logistic coefficients of the same terms, in log odds per unit of the term; None if there was no logistic step.
    n : float
        Number of training rows, or the sum of their weights.
    penalty : float
        GCV penalty per knot.
    ranges : float64, shape (q, 2)
        Minimum and maximum of each design column in the training data.
    held_out : float64, shape (1001, K), or None
        Quantiles of the held-out residuals at the probabilities 0, 0.001, ..., 1, in units of y; None without folds.
    cv : dict or None
        "rows": number of held-out rows; "r_squared": R2 on these rows for each number of terms. None without folds.
    stopped : str
        The reason why the forward pass ended.
    notes : tuple of str
        Warnings about the fit.
    threads : int
        Number of threads of the fit; not part of the model file.

    Examples
    --------
    >>> from boxwood import MARSRegressor, datasets
    >>> X = datasets.load("trees")
    >>> y = X.pop("volume")
    >>> model = MARSRegressor().fit(X, y).model_
    >>> model.size, len(model.terms), model.gcv.round(2).tolist()
    (4, 5, [279.21, 48.41, 14.34, 11.25, 12.76])
    >>> model.coefficients[:, 0].round(3).tolist()
    [29.06, 6.23, -3.42, 0.581]
    >>> model.chosen, round(model.rss, 3), round(model.r_squared, 3), round(model.gr_squared, 3)
    ([0, 1, 2, 3], 209.114, 0.974, 0.96)
    """

    mark: ClassVar[str] = "mars"
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
        """The p features of X in column order, with their kinds and levels."""
        return self.design.schema

    @property
    def chosen(self) -> list[int]:
        """Positions of the selected terms in ``terms``, ascending; the constant, position 0, is always one of them."""
        return list(self.subsets.members[self.size - 1])

    @cached_property
    def kept(self) -> Terms:
        """The selected terms, in the order of the rows of ``coefficients``.

        Examples
        --------
        >>> from boxwood import MARSRegressor, datasets
        >>> X = datasets.load("trees")
        >>> y = X.pop("volume")
        >>> model = MARSRegressor().fit(X, y).model_
        >>> kept = model.kept
        >>> [[(model.design.name(j), d, cut) for j, d, cut in kept.factors(m)] for m in range(len(kept))]
        [[], [('girth', 1, 14.2)], [('girth', -1, 14.2)], [('height', 1, 75.0)]]
        """
        return self.terms.take(np.array(self.chosen))

    @property
    def rss(self) -> float:
        """Residual sum of squares of the selected terms, summed over the responses, in squared units of y."""
        return float(self.subsets.rss[self.size - 1])

    @property
    def r_squared(self) -> float:
        """RSq (R2): share of the sum of squares of y that the model explains in the training data."""
        return float(share_explained(self.rss, float(self.subsets.rss[0])))

    @property
    def gr_squared(self) -> float:
        """GRSq: the same share computed from GCV, an estimate of R2 on new rows."""
        return float(share_explained(self.gcv[self.size - 1], float(self.gcv[0])))

    def basis(self, columns: Columns) -> np.ndarray:
        """Values of the selected terms for each row, float64, shape (n, size); the first column is 1.

        Examples
        --------
        >>> from boxwood import MARSRegressor, datasets
        >>> X = datasets.load("trees")
        >>> y = X.pop("volume")
        >>> model = MARSRegressor().fit(X, y).model_
        >>> from boxwood.data.frames.frame import read_columns
        >>> rows = read_columns({"girth": [10.0, 18.0], "height": [70.0, 80.0]}, model.schema)
        >>> model.basis(rows).round(3).tolist()
        [[1.0, 0.0, 4.2, 0.0], [1.0, 3.8, 0.0, 5.0]]
        """
        self._refuse(columns)
        return self.kept.values(self.design.values(columns), columns.n)

    def linear(self, columns: Columns) -> np.ndarray:
        """The weighted sum of the terms, float64, shape (n, K), in units of y, or in log odds after a logistic step."""
        self._refuse(columns)
        return self.sums(columns)

    def sums(self, columns: Columns) -> np.ndarray:
        """The same for rows none of which is refused; features in no selected term are not read."""
        kept, values = self.kept, [_NOTHING] * len(self.design)
        for j in np.flatnonzero(kept.directions.any(axis=0)):
            values[j] = self.design.value(columns, j)
        return kept.sums(values, columns.n, self.predicting)

    @property
    def predicting(self) -> np.ndarray:
        """The coefficients that predict: logistic where there are such, else least squares, shape (size, K)."""
        return self.coefficients if self.log_odds is None else self.log_odds

    def predict(self, columns: Columns) -> np.ndarray:
        """Class labels of shape (n,), or numbers of shape (n,), or (n, K) for several responses."""
        if self.labels:
            return self.label_array[np.argmax(self.predict_proba(columns), axis=1)]
        predicted = self.linear(columns)
        return predicted[:, 0] if predicted.shape[1] == 1 else predicted

    def predict_proba(self, columns: Columns) -> np.ndarray:
        """Class probabilities, float64, shape (n, number of labels), in the order of ``labels``; each row sums to 1."""
        return self.shares(self.linear(columns))

    def shares(self, predicted: np.ndarray) -> np.ndarray:
        """Class probabilities from the weighted sums of the terms, float64, shape (n, number of labels)."""
        each = np.clip(predicted, 0.0, 1.0) if self.log_odds is None else sigmoid(predicted)
        if len(self.labels) == 1:
            return np.ones((len(each), 1))
        if len(self.labels) == 2:
            return np.column_stack((1.0 - each[:, 0], each[:, 0]))
        total = each.sum(axis=1, keepdims=True)
        return np.where(total > 0.0, each / np.where(total > 0.0, total, 1.0), 1.0 / len(self.labels))

    def predictions(self, columns: Columns, proba: bool) -> Predictions:
        """The results of ``predict`` and, if ``proba`` is true and the model has classes, of ``predict_proba``."""
        return Predictions(self.predict(columns), self.predict_proba(columns) if proba and self.labels else None)

    def interval(self, columns: Columns, level: float) -> np.ndarray:
        """Lower and upper bounds for new values, from quantiles of held-out residuals.

        Parameters
        ----------
        columns : Columns
            n rows.
        level : float
            Probability that a new value lies between the bounds.

        Returns
        -------
        float64, shape (n, 2), or (n, K, 2) for several responses
            In units of y.

        Raises
        ------
        NotAvailableError
            The model was fitted without folds.
        """
        if self.held_out is None:
            raise NotAvailableError(
                "this model was fitted without folds and has no held-out residuals; ",
                remedy("fit with ", Setting("cv_folds", 10)), ".",
            )  # fmt: skip
        predicted = self.linear(columns)
        steps = np.linspace(0.0, 1.0, len(self.held_out))
        quantiles = [(1.0 - level) / 2.0, (1.0 + level) / 2.0]
        off = np.array([np.interp(quantiles, steps, self.held_out[:, k]) for k in range(predicted.shape[1])])
        around = predicted[:, :, None] + off[None, :, :]
        return around[:, 0, :] if predicted.shape[1] == 1 else around

    def importance(self, by_column: bool = False) -> Importance:
        """Importance of each feature, or of each design column (as by earth's evimp).

        Parameters
        ----------
        by_column : bool
            Compute one number per design column instead of one per feature.

        Returns
        -------
        Importance

        Examples
        --------
        >>> from boxwood import MARSRegressor, datasets
        >>> X = datasets.load("trees")
        >>> y = X.pop("volume")
        >>> model = MARSRegressor().fit(X, y).model_
        >>> found = model.importance()
        >>> [(model.schema.names[j], int(found.n_subsets[j]), round(float(found.gcv[j]), 1)) for j in found.order]
        [('girth', 3, 100.0), ('height', 1, 10.7)]
        """
        owner = np.array([j if by_column else c.feature for j, c in enumerate(self.design.columns)], dtype=np.int64)
        return importance(self.terms, self.subsets, self.gcv, self.size, owner)

    def to_bytes(self) -> bytes:
        """The bytes of the model file; equal models give equal bytes."""
        return to_bytes(self)

    @staticmethod
    def from_bytes(data: bytes) -> MARSModel:
        """Read a model from the bytes of a model file.

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
                Column(name, "column"), " holds the level ", Value(next(iter(levels))), " in ", Row(row), FromZero(),
                ", which did not occur in training, and ", Setting("unseen", "error"), " does not allow it; ",
                remedy("correct it, or choose ", Setting("unseen", "first")), ".",
            )  # fmt: skip
