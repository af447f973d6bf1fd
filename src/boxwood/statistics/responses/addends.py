"""What samples of whole weight add to a table, in whole numbers, and moments from such sums."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..exact import Exact


@dataclass(frozen=True)
class Addends:
    """The samples of one node as addends.

    Attributes
    ----------
    parts : int64 or object array, shape (n, S)
        What each sample adds to the sums of whichever branch it takes.
    moments : callable
        Sums (..., S) -> moments (..., M) in float64, each rounded after the sum; zeros where there is no sample.
    """

    parts: np.ndarray
    moments: Callable[[np.ndarray], np.ndarray]


def addends_of_terms(exact: Exact, unit: float, rows: np.ndarray, weight: np.ndarray) -> Addends:
    """Weights, and weights times each term of the rows."""
    terms = exact.terms
    w = roomy(weight, max(bits(term[rows]) for term, _ in terms))
    units = np.array([1.0, *(scale for _, scale in terms)]) * unit
    return Addends(
        np.column_stack((w, *(w * term[rows] for term, _ in terms))), lambda sums: sums.astype(np.float64) * units
    )


def bits(part: np.ndarray) -> int:
    """Bits of the largest of some whole numbers."""
    return int(np.abs(part).max(initial=0)).bit_length()


def roomy(weight: np.ndarray, bits: int) -> np.ndarray:
    """The weights in a type in which sums of weights times factors of so many bits cannot overflow."""
    fits = int(weight.sum()).bit_length() + bits < 63
    return weight if fits else weight.astype(object)
