"""Small regression problems, and least squares by QR to compare with."""

from __future__ import annotations

import numpy as np


def problem(seed: int, n: int = 120, p: int = 4, few: bool = False):
    """Columns, y and weights of a problem with curves and a product; ``few``: columns of few values."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1.0, 3.0, size=(n, p)) * 10.0 ** rng.integers(-1, 3, size=p)
    if few:
        X = np.round(X, 0)
    z = (X - X.mean(axis=0)) / X.std(axis=0)
    y = np.maximum(z[:, 0], 0.2) - 2.0 * np.maximum(0.0, -z[:, 1]) * z[:, 2] + rng.normal(scale=0.3, size=n)
    return X, y, rng.integers(1, 4, size=n).astype(float)


def projected(basis: np.ndarray, y: np.ndarray) -> float:
    """Sum of squares of y that the columns of a basis explain."""
    q, r = np.linalg.qr(basis)
    solid = np.abs(np.diag(r)) > 1e-9 * np.abs(np.diag(r)).max()
    return float(np.sum((q[:, solid].T @ y) ** 2))
