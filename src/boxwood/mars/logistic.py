"""Logistic regression by iteratively reweighted least squares."""

from __future__ import annotations

import numpy as np

#: Steps and change of deviance at which R stops (glm.control).
_MOST_STEPS, _EPSILON = 25, 1e-8

#: The largest probability: a weight of 1e16 would start R's glm at 1, whose log odds are infinite.
_BELOW_1 = float(np.nextafter(1.0, 0.0))

#: Rows taken at a time, so that no second copy of the terms is made.
_RUN = 16_384


def logistic(
    basis: np.ndarray, y: np.ndarray, weight: np.ndarray | None = None, as_glm: bool = False
) -> tuple[np.ndarray, bool]:
    """Coefficients that make the observed classes most likely.

    Parameters
    ----------
    basis : float64, shape (n, M)
    y : float64, shape (n,)
        0 or 1.
    weight : float64, shape (n,), optional
    as_glm : bool
        Start and stop as R's glm does, not as near to the best as rounding allows.

    Returns
    -------
    coefficients : float64, shape (M,)
        On the scale of log odds.
    converged : bool
        False when the classes are separable, so that no finite coefficients are optimal.

    Notes
    -----
    McCullagh and Nelder, Generalized Linear Models, section 2.5. The start is (w y + 1/2) / (w + 1) in R; here w is 1
    there, so that a weight of 3 is the row three times.

    Examples
    --------
    >>> import numpy as np
    >>> from boxwood.mars.logistic import logistic
    >>> found, _ = logistic(np.ones((4, 1)), np.array([0.0, 1.0, 1.0, 1.0]))
    >>> round(float(found[0]), 6)  # the log odds of 3 : 1
    1.098612
    """
    w = np.ones(len(y)) if weight is None else weight
    prior = w if as_glm else 1.0
    mean = np.minimum((prior * y + 0.5) / (prior + 1.0), _BELOW_1)
    enough = _EPSILON if as_glm else _EPSILON * 1e-6
    eta = np.log(mean / (1.0 - mean))
    deviance, coefficients = _deviance(y, mean, w), np.zeros(basis.shape[1])
    for _ in range(_MOST_STEPS):
        slope = np.maximum(mean * (1.0 - mean), np.finfo(float).eps)
        root = np.sqrt(w * slope)
        coefficients = _least_squares(basis, eta + (y - mean) / slope, root)
        eta = basis @ coefficients
        mean = sigmoid(eta)
        before, deviance = deviance, _deviance(y, mean, w)
        if abs(deviance - before) / (abs(deviance) + 0.1) < enough:
            return coefficients, bool(deviance > 1e-6 * len(y))
    return coefficients, False


def _least_squares(basis: np.ndarray, z: np.ndarray, root: np.ndarray) -> np.ndarray:
    """Coefficients that bring ``root * basis`` nearest to ``root * z``, by QR of some rows at a time."""
    size = basis.shape[1]
    triangle = np.zeros((0, size + 1))
    for start in range(0, len(z), _RUN):
        rows = slice(start, start + _RUN)
        part = np.column_stack((basis[rows], z[rows])) * root[rows, None]
        triangle = np.linalg.qr(np.vstack((triangle, part)), mode="r")
    return np.linalg.lstsq(triangle[:size, :size], triangle[:size, size], rcond=1e-11)[0]


def sigmoid(eta: np.ndarray) -> np.ndarray:
    """1 / (1 + exp(-eta)), without overflow."""
    small = np.exp(-np.abs(eta))
    return np.where(eta >= 0.0, 1.0, small) / (1.0 + small)


def _deviance(y: np.ndarray, mean: np.ndarray, w: np.ndarray) -> float:
    right = np.where(y == 1.0, mean, 1.0 - mean)
    return float(-2.0 * np.sum(w * np.log(np.maximum(right, 1e-300))))
