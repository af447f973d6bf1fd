"""How the columns of a second table differ from those of the first: PSI, a test, missing values, unseen levels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..._messages import Column, Message, Setting, remedy, short
from ...data.columns.columns import Columns
from ...data.columns.schema import Feature
from ...statistics.measures.significance import chi_squared
from ...statistics.two_samples import holm, kolmogorov_smirnov
from ...views.figures import number, percent
from ...views.words import p_value
from ..stability import stability
from .finding import Finding

#: PSI from which drift matters, by the convention of credit scoring, and from which it is large.
_MATTERS, _LARGE = 0.1, 0.25
#: ln of the adjusted p-value from which drift is more than chance.
_LOG_P = float(np.log(0.01))
#: Bins of numbers in the first table; levels with fewer rows in both tables together are pooled.
_BINS, _FEW = 10, 10
#: So many unseen levels are named.
_NAMED = 5


@dataclass(frozen=True)
class Drift:
    """How a column of the second table differs from that of the first.

    Attributes
    ----------
    column : str
    psi, expected_psi : float
        Population stability index over tenths of the first table, or levels, with a bin for missing values; and its
        mean in samples of these sizes without drift.
    test : {"KS", "chi-squared"}
        Of numbers, dates and ordered levels, a missing value being the lowest; or of levels.
    statistic, log_p, adjusted_log_p : float
        Of the test; the last is adjusted for the number of columns by Holm's method.
    missing : tuple of float
        Shares in the two tables.
    unseen : dict
        Levels that the first table lacks, with their rows.
    """

    column: str
    psi: float
    expected_psi: float
    test: str
    statistic: float
    log_p: float
    adjusted_log_p: float
    missing: tuple[float, float]
    unseen: dict[Any, int]

    @property
    def matters(self) -> bool:
        """Whether the drift is large enough and more than chance."""
        return self.psi >= max(_MATTERS, self.expected_psi) and self.adjusted_log_p <= _LOG_P

    def findings(self) -> Iterator[Finding]:
        """What deserves a look."""
        if self.unseen:
            rows = sum(self.unseen.values())
            names = ", ".join(short(level) for level in list(self.unseen)[:_NAMED])
            more = f" and {len(self.unseen) - _NAMED} more" if len(self.unseen) > _NAMED else ""
            one = "a level" if len(self.unseen) == 1 else f"{len(self.unseen)} levels"
            message = Message(
                Column(self.column, "Column"), f" has {one} in the second table that the first lacks, in {rows:,} row"
                f"{'s' * (rows != 1)}: {names}{more}. ", remedy("Correct them, or choose what ", Setting("unseen"),
                " does with them in predictions"), ".",
            )  # fmt: skip
            yield Finding("unseen", self.column, rows, message)
        if self.matters:
            much = "very " if self.psi >= _LARGE else ""
            gaps = f", missing {percent(self.missing[0])} before and {percent(self.missing[1])} now"
            message = Message(
                Column(self.column, "Column"), f" is distributed {much}differently in the second table: PSI "
                f"{number(self.psi)} (without drift {number(self.expected_psi)} on average in samples of these "
                f"sizes), {self.test} {number(self.statistic)}, adjusted p {p_value(self.adjusted_log_p)}"
                f"{gaps if self.missing[0] != self.missing[1] else ''}. ",
                remedy("Evaluate the model on the newer rows, and fit it to them"), ".",
            )  # fmt: skip
            yield Finding("drift", self.column, self.psi, message)


def drifts(first: Columns, second: Columns) -> list[Drift]:
    """The drift of each column of the second table, in its order, with p-values adjusted for their number."""
    of_first = {feature.name: values for feature, values in zip(first.schema, first.values, strict=True)}
    found = [
        _drift(feature, of_first[feature.name], values, second.unseen.get(feature.name, {}))
        for feature, values in zip(second.schema, second.values, strict=True)
    ]
    adjusted = holm(np.array([one.log_p for one in found])).tolist()
    return [replace(one, adjusted_log_p=log_p) for one, log_p in zip(found, adjusted, strict=True)]


def _drift(feature: Feature, first: np.ndarray, second: np.ndarray, unseen: dict[Any, int]) -> Drift:
    kind = feature.type
    known = [column[kind.known(column)] for column in (first, second)]
    _, at = np.unique(np.concatenate(known), return_inverse=True)
    size = int(at.max(initial=-1)) + 1
    cells = np.array([np.bincount(part, minlength=size) for part in np.split(at, [len(known[0])])])
    missing = np.array([np.count_nonzero(kind.missing(column)) for column in (first, second)])
    new = np.array([0, len(second) - len(known[1]) - missing[1]])
    bins = _tenths(cells) if kind.has_cuts else _pooled(cells)
    bins = np.column_stack([missing, bins, new])
    if kind.has_cuts:
        test, (statistic, log_p) = "KS", kolmogorov_smirnov(*np.column_stack([missing, cells]))
    else:
        test, found = "chi-squared", chi_squared(bins)
        statistic, log_p = float(found.statistic), float(found.log_p)
    index = stability(bins[1], float(len(second)), bins[0], float(len(first)))
    shares = (missing[0] / max(1, len(first)), missing[1] / max(1, len(second)))
    return Drift(feature.name, index.psi, index.expected, test, statistic, log_p, log_p, shares, unseen)


def _tenths(cells: np.ndarray) -> np.ndarray:
    """The rows in tenths of the first table, shape (2, B), from those of each value; equal values stay together."""
    first = cells[0]
    if not first.sum():
        return cells.sum(axis=1, keepdims=True)
    middle = (np.cumsum(first) - 0.5 * first) / first.sum()
    tenth = np.minimum((middle * _BINS).astype(np.int64), _BINS - 1)
    return np.array([np.bincount(tenth, weights=rows, minlength=_BINS) for rows in cells])


def _pooled(cells: np.ndarray) -> np.ndarray:
    """The rows of levels, those with few rows in one bin, shape (2, B)."""
    few = cells.sum(axis=0) < _FEW
    return np.column_stack([cells[:, ~few], cells[:, few].sum(axis=1)])
