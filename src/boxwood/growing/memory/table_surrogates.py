"""Surrogates of a split in two, from tables of value by the branch taken: the same search as kernel/surrogate/."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ..draft import Draft, Key
from ..missing import Missing
from ..tables import UNKNOWN, CodedFeature, FeatureTable, tabulate

#: A surrogate must agree more than all rows on one branch would, by this share of the rest.
_BETTER = 1e-10
#: Rows that a surrogate must have on each side.
_LEAST_ROWS = 2


@dataclass(frozen=True, eq=False)
class SplitTaken:
    """The branch that a split takes as a response.

    Attributes
    ----------
    feature : int
        Of the split.
    branch : int64, shape (n,)
        Of each sample: 0, 1, or UNKNOWN.
    weight : int64, shape (n,)
        Of each sample, whole.
    """

    feature: int
    branch: np.ndarray
    weight: np.ndarray

    def table(self, codes: np.ndarray) -> FeatureTable:
        """Sums by value of another feature: weight on each branch, then rows on each."""
        parts = np.zeros((len(codes), 4), dtype=np.int64)
        known = np.flatnonzero(self.branch != UNKNOWN)
        parts[known, self.branch[known]] = self.weight[known]
        parts[known, 2 + self.branch[known]] = 1
        return tabulate(codes, parts)


@dataclass(frozen=True, eq=False)
class Surrogate:
    """A split of another feature, how well it agrees, and the branch of each sample by it, or UNKNOWN."""

    draft: Draft
    agreement: float
    adjusted: float
    branch: np.ndarray


def find_surrogates(
    features: Sequence[CodedFeature],
    rows: np.ndarray,
    taken: SplitTaken,
    missing: Missing,
    cut: Callable[[int, int, int], Key],
) -> list[Surrogate]:
    """The surrogates of a split among some rows, best first; of equal ones that of the earlier feature comes first.

    ``cut(j, below, above)`` is the break between two neighbouring codes of a feature.
    """
    primary = taken.table(np.zeros(len(rows), dtype=np.int64)).known
    found = sorted(_candidates(features, rows, taken, primary, missing, cut), key=lambda one: -one.agreement)
    return found[: missing.max_surrogates]


def _candidates(features, rows, taken: SplitTaken, primary, missing: Missing, cut) -> Iterator[Surrogate]:
    """The surrogate of each feature that has one."""
    for j, feature in enumerate(features):
        if j == taken.feature:
            continue
        codes = feature.codes[rows]
        table = taken.table(codes)
        best = _best_cut(table.sums) if feature.feature.type.has_cuts else _best_sets(table.sums)
        if best is None:
            continue
        agreed, branch = best
        rated = _rated(agreed, primary if missing.style == 0 else table.known)
        if rated is not None:
            of_sample = np.append(branch, UNKNOWN)[np.where(codes == UNKNOWN, -1, np.searchsorted(table.codes, codes))]
            yield Surrogate(_draft(j, feature, table.codes, branch, cut), *rated, of_sample)


def _best_cut(counts: np.ndarray) -> tuple[int, np.ndarray] | None:
    """What the lowest of the cuts that agree most agrees, and the branch of each value; None where none is better."""
    whole, below = counts.sum(axis=0), counts.cumsum(axis=0)[:-1]
    lead, rows = below[:, 0] - below[:, 1], below[:, 2] + below[:, 3]
    straight, turned = whole[1] + lead, whole[0] - lead
    allowed = (rows >= _LEAST_ROWS) & (rows <= whole[2:].sum() - _LEAST_ROWS)
    agreed = np.where(allowed, np.maximum(straight, turned), -1)
    at = int(np.argmax(agreed)) if len(agreed) else 0
    if not len(agreed) or agreed[at] <= whole[:2].max():
        return None
    above = np.arange(len(counts)) > at
    return int(agreed[at]), (above != (turned[at] > straight[at])).astype(np.int64)


def _best_sets(counts: np.ndarray) -> tuple[int, np.ndarray] | None:
    """Every level to its heavier branch; ties to the branch that is heavier in all, then to branch 1."""
    whole = counts.sum(axis=0)
    lead = counts[:, 0] - counts[:, 1]
    branch = np.where(lead == 0, int(whole[0] <= whole[1]), lead < 0).astype(np.int64)
    rows = counts[:, 2] + counts[:, 3]
    if any(rows[branch == side].sum() < _LEAST_ROWS for side in (0, 1)):
        return None
    agreed = int(counts[np.arange(len(counts)), branch].sum())
    return agreed, np.where(rows > 0, branch, UNKNOWN)


def _rated(agreed: int, counts: np.ndarray) -> tuple[float, float] | None:
    """Agreement, and the same over sending all rows to one branch; None where that would do as well."""
    zero, one = float(counts[0]), float(counts[1])
    agreement, majority = agreed / (zero + one), max(zero, one) / (zero + one)
    adjusted = (agreement - majority) / (1.0 - majority) if majority < 1.0 else 0.0
    return (agreement, adjusted) if adjusted > _BETTER else None


def _draft(j: int, feature: CodedFeature, codes: np.ndarray, branch: np.ndarray, cut) -> Draft:
    """A surrogate as data."""
    if not feature.feature.type.has_cuts:
        index = np.full(len(feature.feature.levels), -1)
        index[codes] = branch
        return Draft(j, (), tuple(index.tolist()))
    (at,) = np.flatnonzero(np.diff(branch))
    return Draft(j, (cut(j, int(codes[at]), int(codes[at + 1])),), (int(branch[0]), int(branch[-1])))
