"""Which rules of a class to keep: those that describe the training rows in the fewest bits (Quinlan 1993, 5.2)."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np

from .coverage import Coverage
from .simplify import Cases, Simplified

#: With so many rules of a class or fewer, every subset is tried.
_EXHAUSTIVE = 10

#: Descriptions must be shorter by more than this, in bits.
_EQUAL = 1e-9


#: Twice the error of an estimated description that costs nothing, in bits (``_log2_factorials``).
_NEAR = 0.01


def selected(rules: list[Simplified], code: int, cases: Cases, theory_weight: float) -> list[Simplified]:
    """The rules of one class that together cost least: bits of the exceptions plus a part of the bits of the rules.

    Up to ten rules every subset is tried; else single rules are put in or taken out, starting from all rules and from
    none, as long as that saves bits.
    """
    if not rules:
        return []
    description = _Description(rules, code, cases, theory_weight)
    if len(rules) <= _EXHAUSTIVE:
        kept = _best_subset(description, [rule.rows for rule in rules])
    else:
        coverage = Coverage([rule.rows for rule in rules], len(cases.codes))
        found = [_Climb(description, coverage, start).climbed() for start in (True, False)]
        kept = found[1][1] if found[1][0] < found[0][0] - _EQUAL else found[0][1]
    return [rule for rule, stays in zip(rules, kept, strict=True) if stays]


class _Description:
    """How many bits a subset of the rules of a class takes, with the rows that it gets wrong.

    Sums of weights are whole numbers: ``covered``, and of these ``false``, of other classes.
    """

    def __init__(self, rules: list[Simplified], code: int, cases: Cases, theory_weight: float):
        self.weight, self._unit, self._total = cases.weight, cases.unit, cases.total
        self.wanted = cases.codes == code
        self.false_weight = np.where(self.wanted, 0, cases.weight)
        self._all_wanted = int(cases.weight[self.wanted].sum())
        self.costs = theory_weight * np.array(_all_rule_bits(rules))
        self._weighs = theory_weight

    def bits(self, cost: float, n_rules: int, covered: int, false: int) -> float:
        """Bits of rules that cost ``cost`` together, and of their exceptions."""
        fires, wrong, missed = self._exceptions(covered, false)
        any_order = self._weighs * _log2_factorial(n_rules)
        return cost - any_order + _choose(fires, wrong) + _choose(self._total - fires, missed)

    def estimates(self, cost: np.ndarray, n_rules: np.ndarray, covered: np.ndarray, false: np.ndarray) -> np.ndarray:
        """The same for many subsets, to within half of ``doubt``."""
        fires, wrong, missed = self._exceptions(covered, false)
        rest = self._total - fires
        parts = np.stack([n_rules, fires, wrong, fires - wrong, rest, missed, rest - missed])
        order, *logs = _log2_factorials(parts)
        of_covered, of_rest = (np.maximum(a - b - c, 0.0) for a, b, c in (logs[:3], logs[3:]))
        return cost - self._weighs * order + of_covered + of_rest

    def doubt(self, estimates: np.ndarray) -> float:
        """By how many bits an estimate may lie above the least and still be that of the shortest description."""
        return _NEAR * (1.0 + self._weighs) + 1e-11 * float(np.abs(estimates).max())

    def _exceptions(self, covered, false):
        """Weight covered, of it false, and weight of the class that is missed."""
        missed = self._all_wanted - (covered - false)
        if isinstance(covered, np.ndarray):
            return covered * self._unit, false * self._unit, missed * self._unit
        return float(covered) * self._unit, float(false) * self._unit, float(missed) * self._unit


def _best_subset(description: _Description, rows: list[np.ndarray]) -> np.ndarray:
    """The subset with the shortest description, the one with fewest rules on ties, bool, one a rule.

    Rows covered by the same rules are one; a subset misses those whose rules all lie outside of it.
    """
    size = len(rows)
    pattern = np.zeros(len(description.weight), dtype=np.int64)
    for r, own in enumerate(rows):
        pattern[own] |= 1 << r
    sums = np.zeros((2, 1 << size), dtype=np.int64)
    for total, weight in zip(sums, (description.weight, description.false_weight), strict=True):
        np.add.at(total, pattern, weight)
        for r in range(size):  # sums over all subsets of each set
            halves = total.reshape(-1, 2, 1 << r)
            halves[:, 1] += halves[:, 0]
    covered, false = (sums[:, -1:] - sums[:, ::-1]).tolist()
    best, found = (np.inf, 0), np.zeros(size, dtype=bool)
    for s in range(1 << size):
        kept = (s >> np.arange(size) & 1).astype(bool)
        n_rules = s.bit_count()
        bits = description.bits(float(description.costs[kept].sum()), n_rules, covered[s], false[s])
        if (round(bits / _EQUAL), n_rules) < best:
            best, found = (round(bits / _EQUAL), n_rules), kept
    return found


class _Climb:
    """Changes the rule that saves most bits, the first on ties, until none does.

    It holds what each rule alone covers (if kept) or would add (if not); a change is an update for the rows of the
    changed rule that no other or one other rule covers.
    """

    def __init__(self, description: _Description, coverage: Coverage, start: bool):
        self._description, self._coverage = description, coverage
        size = len(coverage.rows)
        self._kept = np.full(size, start)
        self._times = coverage.times if start else np.zeros(coverage.n, dtype=np.int64)
        own = [rows[self._times[rows] == 1] if start else rows for rows in coverage.rows]
        self._alone = np.array([description.weight[rows].sum() for rows in own])
        self._false_alone = np.array([description.false_weight[rows].sum() for rows in own])
        some = self._times > 0
        self._covered, self._false = int(description.weight[some].sum()), int(description.false_weight[some].sum())

    def climbed(self) -> tuple[float, np.ndarray]:
        """Bits of the subset at the end, and the subset, bool, one a rule."""
        best = self._description.bits(*self._now())
        while True:
            best, choice = self._best_change(best)
            if choice < 0:
                return self._description.bits(*self._now()), self._kept
            self._change(choice)

    def _now(self) -> tuple[float, int, int, int]:
        """What describes the subset: costs, number of rules, weight covered, of it false."""
        return float(self._description.costs[self._kept].sum()), int(self._kept.sum()), self._covered, self._false

    def _best_change(self, best: float) -> tuple[float, int]:
        """Bits after the change that saves most, and its rule; -1 if none saves any."""
        cost, n_rules, covered, false = self._now()
        sign = np.where(self._kept, -1, 1)
        changed = (
            cost + sign * self._description.costs, n_rules + sign,
            covered + sign * self._alone, false + sign * self._false_alone,
        )  # fmt: skip
        estimates = self._description.estimates(*changed)
        near = estimates.min() + self._description.doubt(estimates)
        found, choice = best - _EQUAL, -1
        for r in np.flatnonzero(estimates <= near).tolist():
            bits = self._description.bits(*(part[r].item() for part in changed))
            if bits < found:
                found, choice = bits - _EQUAL, r
        return found + _EQUAL, choice

    def _change(self, r: int) -> None:
        """Put rule ``r`` in or take it out."""
        sign = -1 if self._kept[r] else 1
        self._covered += sign * int(self._alone[r])
        self._false += sign * int(self._false_alone[r])
        self._kept[r] = not self._kept[r]
        rows = self._coverage.rows[r]
        others = self._times[rows] - (sign < 0)
        self._times[rows] += sign
        rows, others = rows[others <= 1], others[others <= 1]
        place, rule = self._coverage.rules_of(rows)
        # Rows that no other rule covers concern the rules outside; rows of one other rule concern that one.
        concerned = (self._kept[rule] == (others == 1)[place]) & (rule != r)
        rule, rows = rule[concerned], rows[place[concerned]]
        np.subtract.at(self._alone, rule, sign * self._description.weight[rows])
        np.subtract.at(self._false_alone, rule, sign * self._description.false_weight[rows])


def _all_rule_bits(rules: list[Simplified]) -> list[float]:
    """Bits of each rule's conditions among all that the rules of its class have; their order does not matter."""
    every = [condition for rule in rules for condition in rule.conditions]
    times = Counter(condition.feature for condition in every)
    others = Counter(condition.feature for condition in set(every))
    found = []
    for rule in rules:
        bits = 0.0
        for condition in rule.conditions:
            bits += -math.log2(times[condition.feature] / len(every)) + math.log2(others[condition.feature])
        found.append(bits - _log2_factorial(len(rule.conditions)))
    return found


def _log2_factorial(n: float) -> float:
    return math.lgamma(n + 1.0) / math.log(2.0)


def _log2_factorials(n: np.ndarray) -> np.ndarray:
    """Stirling's series: each is less than 0.0008 bits off, and the six of a description less than ``_NEAR`` / 2."""
    z = n + 1.0
    logs = (z - 0.5) * np.log(z) - z + 0.5 * math.log(2.0 * math.pi) + 1.0 / (12.0 * z) - 1.0 / (360.0 * z * z * z)
    return logs / math.log(2.0)


def _choose(n: float, k: float) -> float:
    """log2 of the number of ways to choose k of n."""
    return max(_log2_factorial(n) - _log2_factorial(k) - _log2_factorial(n - k), 0.0)
