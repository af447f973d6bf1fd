"""Cross-validation of MARS: folds drawn from the data only, and the held-out error of every size."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .. import _kernel
from ..data.columns.schema import NUMERIC
from ..statistics.places import drawn_by
from .terms import Terms


def content_folds(
    values, y: np.ndarray, weight: np.ndarray | None, n_folds: int, salt: int | None, threads: int
) -> list[np.ndarray]:
    """The rows of each fold, dealt out in the order of a hash of their content; another salt gives other folds."""
    table, more = _kernel.Table(len(y)), _kernel.Table(len(y))
    for coded, columns in ((table, values), (more, y.T if weight is None else [*y.T, weight])):
        coded.encode([(NUMERIC, np.ascontiguousarray(x), None) for x in columns], threads, True)
    number, order = table.row_numbers(more, threads)
    order = order.astype(np.int64) if salt is None else np.argsort(drawn_by(number, salt))
    return [order[f::n_folds] for f in range(n_folds)]


@dataclass(frozen=True, eq=False)
class FoldModel:
    """Predictions of one fit for its held-out rows.

    Attributes
    ----------
    out : int64, shape (m,)
        These rows.
    terms : Terms
    members : tuple of tuple of int
        Size k (from 1) -> positions of its terms.
    coefficients : list of float64 arrays of shape (k, K)
    """

    out: np.ndarray
    terms: Terms
    members: tuple[tuple[int, ...], ...]
    coefficients: list[np.ndarray]

    def residuals(self, values, y: np.ndarray, sizes: range) -> np.ndarray:
        """y less the predictions of subsets of these sizes, shape (len(sizes), m, K); larger sizes mean the largest."""
        basis = self.terms.values([x[self.out] for x in values], len(self.out))
        truth, residuals = y[self.out], []
        for size in sizes:
            at = min(size, len(self.members)) - 1
            residuals.append(truth - basis[:, list(self.members[at])] @ self.coefficients[at])
        return np.array(residuals)


@dataclass(frozen=True, eq=False)
class Folds:
    """The models of all folds.

    Attributes
    ----------
    models : list of FoldModel
    r_squared : float64, shape (S,)
        Share explained on the rows left out, by size.
    """

    models: list[FoldModel]
    r_squared: np.ndarray

    @staticmethod
    def of(models: list[FoldModel], values, y: np.ndarray, weight: np.ndarray | None) -> Folds:
        """The predictions of every fold for its rows."""
        out = np.concatenate([model.out for model in models])
        w = np.ones(len(y)) if weight is None else weight
        mean = np.average(y[out], axis=0, weights=w[out])
        whole = float(np.sum(w[out, None] * (y[out] - mean) ** 2))
        sizes = range(1, 1 + max(len(model.members) for model in models))
        error = np.zeros(len(sizes))
        for model in models:
            error += np.sum(w[model.out, None] * model.residuals(values, y, sizes) ** 2, axis=(1, 2))
        return Folds(models, 1.0 - error / whole if whole > 0.0 else np.zeros(len(sizes)))

    def quantiles(self, values, y: np.ndarray, size: int, count: int) -> np.ndarray:
        """Quantiles of the residuals at a size, at equal steps of probability, shape (count, K)."""
        residuals = np.concatenate([model.residuals(values, y, range(size, size + 1))[0] for model in self.models])
        return np.quantile(residuals, np.linspace(0.0, 1.0, count), axis=0) + 0.0  # -0.0 is 0.0

    def summary(self) -> dict:
        """What a model keeps: rows left out, and R2 by size."""
        return {"rows": sum(len(m.out) for m in self.models), "r_squared": [float(v) for v in self.r_squared]}
