"""Which rules of a class to keep: those that describe the training rows in the fewest bits (Quinlan 1993, 5.2)."""

from __future__ import annotations

import math

import numpy as np

from .rule import RuleCondition
from .simplify import Cases, Simplified

#: With so many rules of a class or fewer, every subset is tried.
_EXHAUSTIVE = 10

#: Descriptions must be shorter by more than this, in bits.
_EQUAL = 1e-9


def selected(rules: list[Simplified], code: int, cases: Cases, theory_weight: float) -> list[Simplified]:
    """The rules of one class that together cost least: bits of the exceptions plus a part of the bits of the rules.

    Up to ten rules every subset is tried; else single rules are put in or taken out, starting from all rules and from
    none, as long as that saves bits.
    """
    if not rules:
        return []
    search = _SubsetSearch(rules, code, cases, theory_weight)
    if len(rules) <= _EXHAUSTIVE:
        subsets = (np.array([bool(s >> r & 1) for r in range(len(rules))]) for s in range(1 << len(rules)))
        best = min(((round(search.bits(s) / _EQUAL), int(s.sum())), i) for i, s in enumerate(subsets))[1]
        return [rule for r, rule in enumerate(rules) if best >> r & 1]
    found = [search.climb(np.full(len(rules), start)) for start in (True, False)]
    bits = [search.bits(kept) for kept in found]
    kept = found[1] if bits[1] < bits[0] - _EQUAL else found[0]
    return [rule for rule, stays in zip(rules, kept, strict=True) if stays]


class _SubsetSearch:
    """Description lengths of subsets of some rules."""

    def __init__(self, rules: list[Simplified], code: int, cases: Cases, theory_weight: float):
        self._covers = np.array([cases.covered(rule.conditions) for rule in rules])
        self._wanted, self._cases = cases.codes == code, cases
        every = [condition for rule in rules for condition in rule.conditions]
        self._costs = theory_weight * np.array([_rule_bits(rule, every) for rule in rules])
        self._weighs = theory_weight

    def bits(self, kept: np.ndarray) -> float:
        """Bits of a subset (bool, one a rule) and of the rows it gets wrong."""
        return self._total(self._covers[kept].any(axis=0), kept)

    def climb(self, kept: np.ndarray) -> np.ndarray:
        """Change the rule that saves most bits, the first on ties, until none does."""
        times = self._covers[kept].sum(axis=0)
        best = self._total(times > 0, kept)
        while True:
            found, choice = best - _EQUAL, -1
            for r in range(len(kept)):
                covered = times - self._covers[r] > 0 if kept[r] else (times > 0) | self._covers[r]
                kept[r] = not kept[r]
                bits = self._total(covered, kept)
                kept[r] = not kept[r]
                if bits < found:
                    found, choice = bits - _EQUAL, r
            if choice < 0:
                return kept
            kept[choice] = not kept[choice]
            times = times + self._covers[choice] if kept[choice] else times - self._covers[choice]
            best = found + _EQUAL

    def _total(self, covered: np.ndarray, kept: np.ndarray) -> float:
        weight, unit = self._cases.weight, self._cases.unit
        fires = float(weight[covered].sum()) * unit
        wrong = float(weight[covered & ~self._wanted].sum()) * unit
        missed = float(weight[~covered & self._wanted].sum()) * unit
        rest = self._cases.total - fires
        any_order = self._weighs * _log2_factorial(np.count_nonzero(kept))
        return float(self._costs[kept].sum()) - any_order + _choose(fires, wrong) + _choose(rest, missed)


def _rule_bits(rule: Simplified, every: list[RuleCondition]) -> float:
    """Bits of a rule's conditions among all that the rules of its class have; their order does not matter."""
    features = [condition.feature for condition in every]
    bits = 0.0
    for condition in rule.conditions:
        shares = features.count(condition.feature) / len(features)
        others = len({c for c in every if c.feature == condition.feature})
        bits += -math.log2(shares) + math.log2(others)
    return bits - _log2_factorial(len(rule.conditions))


def _log2_factorial(n: float) -> float:
    return math.lgamma(n + 1.0) / math.log(2.0)


def _choose(n: float, k: float) -> float:
    """log2 of the number of ways to choose k of n."""
    return max(_log2_factorial(n) - _log2_factorial(k) - _log2_factorial(n - k), 0.0)
