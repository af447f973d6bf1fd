"""Drops rules from an ordered list as long as more training rows become right than wrong (Quinlan 1993, 5.3)."""

from __future__ import annotations

import numpy as np

from .coverage import Coverage
from .simplify import Cases, Simplified


def without_burdens(rules: list[Simplified], default: int, cases: Cases) -> list[Simplified]:
    """Drop the rule whose loss makes most rows right, the last on ties, until no loss does."""
    if not rules:
        return rules
    search = _Dropping(rules, default, cases)
    while True:
        r = len(rules) - 1 - int(np.argmax(search.gains[::-1]))
        if search.gains[r] <= 0:
            return [rule for rule, stays in zip(rules, search.kept, strict=True) if stays]
        search.drop(r)


class _Dropping:
    """What would be gained if a rule were dropped: of each row only its first two rules matter.

    Attributes
    ----------
    kept : bool, one a rule
    gains : int64, one a rule
        Weight that becomes right less weight that becomes wrong when the rule is dropped; never positive once it was.
    """

    def __init__(self, rules: list[Simplified], default: int, cases: Cases):
        self._cases, size = cases, len(rules)
        self._coverage = Coverage([rule.rows for rule in rules], len(cases.codes))
        self._predicted = np.array([*(rule.code for rule in rules), default])
        self._first, self._second = (np.full(len(cases.codes), size) for _ in range(2))
        self.kept = np.ones(size, dtype=bool)
        self._gains = np.zeros(size + 1, dtype=np.int64)
        self._decide(np.arange(len(cases.codes)))

    @property
    def gains(self) -> np.ndarray:
        return np.where(self.kept, self._gains[:-1], np.iinfo(np.int64).min)

    def drop(self, r: int) -> None:
        """Leave rule ``r`` out; only rows of which it was the first or second rule are decided anew."""
        self.kept[r] = False
        rows = self._coverage.rows[r]
        rows = rows[(self._first[rows] == r) | (self._second[rows] == r)]
        np.subtract.at(self._gains, self._first[rows], self._changes(rows))
        self._decide(rows)

    def _decide(self, rows: np.ndarray) -> None:
        """Find the first two rules of some rows, and what would be gained there."""
        place, rule = self._coverage.rules_of(rows)
        alive = self.kept[rule]
        place, rule = place[alive], rule[alive]
        self._first[rows] = self._second[rows] = len(self.kept)
        new = np.ones(len(place), dtype=bool)
        new[1:] = place[1:] != place[:-1]
        self._first[rows[place[new]]] = rule[new]
        next_one = ~new
        next_one[1:] &= new[:-1]
        self._second[rows[place[next_one]]] = rule[next_one]
        np.add.at(self._gains, self._first[rows], self._changes(rows))

    def _changes(self, rows: np.ndarray) -> np.ndarray:
        """What each row would gain without its first rule."""
        codes = self._cases.codes[rows]
        right, right_then = (self._predicted[of[rows]] == codes for of in (self._first, self._second))
        return (right_then.astype(np.int64) - right) * self._cases.weight[rows]
