"""Cross-validation of MARS: folds that come from the data alone, and what the rows left out say of every size."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .learning import content_order


def content_folds(values, y: np.ndarray, n_folds: int, salt: int | None) -> list[np.ndarray]:
    """The rows of each fold, dealt out in the order of a hash of their content; another salt gives other folds."""
    order = content_order(values, y, None, np.arange(len(y)), salt or 0)
    return [order[f::n_folds] for f in range(n_folds)]


@dataclass(frozen=True, eq=False)
class Folds:
    """Rows left out, predicted by subsets of every size.

    Attributes
    ----------
    residuals : float64, shape (n, S, K)
        y less what was said; a fold with fewer sizes says its largest.
    r_squared : float64, shape (S,)
        Share explained on the rows left out.
    """

    residuals: np.ndarray
    r_squared: np.ndarray

    @staticmethod
    def of(parts: list, y: np.ndarray, weight: np.ndarray | None) -> Folds:
        """Put the folds together; each part is (rows left out, predictions by size)."""
        sizes = max(len(said) for _, said in parts)
        residuals, truth, w = [], [], []
        for rows, said in parts:
            filled = [said[min(k, len(said) - 1)] for k in range(sizes)]
            residuals.append(y[rows][:, None, :] - np.stack(filled, axis=1))
            truth.append(y[rows])
            w.append(np.ones(len(rows)) if weight is None else weight[rows])
        joined, y_out, w_out = np.concatenate(residuals), np.concatenate(truth), np.concatenate(w)
        mean = np.average(y_out, axis=0, weights=w_out)
        whole = float(np.sum(w_out[:, None] * (y_out - mean) ** 2))
        error = np.sum(w_out[:, None, None] * joined**2, axis=(0, 2))
        return Folds(joined, 1.0 - error / whole if whole > 0.0 else np.zeros(sizes))

    def quantiles(self, size: int, count: int) -> np.ndarray:
        """Quantiles of the residuals at a size, at equal steps of probability, shape (count, K)."""
        at = min(size, self.residuals.shape[1]) - 1
        return np.quantile(self.residuals[:, at, :], np.linspace(0.0, 1.0, count), axis=0)

    def facts(self) -> dict:
        """What a model keeps: rows left out, and R2 by size."""
        return {"rows": len(self.residuals), "r_squared": [float(v) for v in self.r_squared]}
