"""Which tree of a pruning sequence to take: the betas to try, and the choice by held-out losses."""

from __future__ import annotations

import numpy as np

from .._messages import Setting, remedy
from ..errors import ParameterError, check_one_of
from ..statistics.overflow import may_overflow

_RULES = ("min", "1se")
#: Losses this close, as a share of the least, are equal.
_EQUAL = 1e-9


def grid(alphas: np.ndarray) -> np.ndarray:
    """One beta for each row of a path at which folds are compared: the geometric mean of its alpha and the next.

    The last row (the root alone; rpart's first) gets infinity. A fold's tree of a share of the weight takes betas times
    this share, when risks are totals.

    Parameters
    ----------
    alphas : shape (S,)
        Rising, not negative, as in a path.

    Raises
    ------
    ParameterError
        The alphas do not rise or are negative.

    Examples
    --------
    >>> import numpy as np
    >>> grid(np.array([0.0, 1.0, 4.0])).tolist()
    [0.0, 2.0, inf]
    """
    alphas = np.asarray(alphas, dtype=np.float64)
    if not (alphas >= 0).all() or (alphas[1:] < alphas[:-1]).any():
        raise ParameterError("alphas must rise and not be negative; take them from a path.")
    return np.append(np.sqrt(alphas[:-1]) * np.sqrt(alphas[1:]), np.inf)


@may_overflow  # a loss and its standard error may add up to infinity
def choose(alphas: np.ndarray, mean: np.ndarray, error: np.ndarray | None = None, rule: str = "min") -> int:
    """The row to prune at: the largest alpha, that is the smallest tree, among rows whose loss is good enough.

    Parameters
    ----------
    alphas, mean : shape (S,)
        Mean held-out loss of the tree of each alpha.
    error : shape (S,), optional
        Its standard error; needed for the rule "1se".
    rule : {"min", "1se"}
        Good enough is the least loss (within 1e-9 of it, as a share), or the least loss plus its standard error.

    Returns
    -------
    int
        Position in ``alphas``.

    Raises
    ------
    ParameterError
        The rule is unknown, the rule "1se" lacks errors, or there is not one loss per row.

    Examples
    --------
    >>> choose([0.0, 1.0, 4.0], [0.30, 0.31, 0.50], [0.02, 0.02, 0.02], rule="1se")
    1
    """
    alphas, mean = np.asarray(alphas), np.asarray(mean, dtype=np.float64)
    check_one_of("rule", rule, _RULES)
    if alphas.shape != mean.shape or len(mean) == 0 or np.isnan(mean).any():
        raise ParameterError(Setting("mean"), f" must hold one number for each of the {len(alphas)} alphas.")
    if rule == "min":
        return _largest(alphas, mean <= _ceiling(mean))
    if error is None:
        raise ParameterError('rule "1se" needs the standard errors of the losses; ', remedy("give error."))
    return _largest(alphas, _within_one_error(alphas, mean, np.asarray(error, dtype=np.float64)))


@may_overflow
def sizes_within_one_error(n_leaves: np.ndarray, held_out: np.ndarray) -> tuple[int, int] | None:
    """The fewest and the most leaves of trees whose loss is within one standard error of the least.

    Parameters
    ----------
    n_leaves : shape (S,)
        From the largest tree to the smallest.
    held_out : shape (S, 2)
        Mean held-out loss and its standard error.

    Returns
    -------
    (int, int), or None
        None where losses are not known.

    Examples
    --------
    >>> import numpy as np
    >>> sizes_within_one_error(np.array([4, 2, 1]), np.array([[0.30, 0.02], [0.31, 0.02], [0.5, 0.02]]))
    (2, 4)
    """
    mean, error = np.asarray(held_out, dtype=np.float64).T
    if not len(mean) or np.isnan(held_out).any():
        return None
    sizes = np.asarray(n_leaves)[_within_one_error(np.arange(len(mean)), mean, error)]
    return int(sizes.min()), int(sizes.max())


def _ceiling(mean: np.ndarray) -> float:
    """The largest loss that counts as the least."""
    low = mean.min()
    return low + _EQUAL * abs(low)


def _within_one_error(alphas: np.ndarray, mean: np.ndarray, error: np.ndarray) -> np.ndarray:
    """Which rows have no more than the least loss and its standard error, bool, shape (S,)."""
    ceiling = _ceiling(mean)
    least = _largest(alphas, mean <= ceiling)
    return mean <= max(ceiling, mean[least] + error[least])


def _largest(alphas: np.ndarray, allowed: np.ndarray) -> int:
    """Position of the largest alpha among the allowed rows."""
    rows = np.flatnonzero(allowed)
    return int(rows[np.argmax(alphas[rows])])
