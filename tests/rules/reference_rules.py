"""C4.5rules in plain Python, each rule tried on each row at each step: what boxwood.algorithms.rules must equal."""

from __future__ import annotations

import math

import numpy as np

from boxwood.algorithms.rules.rule import RuleCondition, paths
from boxwood.data.columns.columns import Columns
from boxwood.pruning.error_based import Pessimism
from boxwood.statistics.exact import Exact
from boxwood.tree.tree import Tree

#: A rule: its conditions in order, its class, its estimated error rate.
Rule = tuple[tuple[RuleCondition, ...], int, float]


class ReferenceRules:
    """The rules of an unpruned tree, in order, and the default class."""

    def __init__(self, tree: Tree, columns: Columns, exact: Exact, pessimism: Pessimism, theory_weight: float):
        self.codes, self.unit, self.theory_weight = exact.codes, exact.unit, theory_weight
        self.weight = np.ones(exact.n, dtype=np.int64) if exact.weight is None else exact.weight
        found = paths(tree)
        self.holds = {c: c.holds(columns) for path in found for c in path.conditions}
        simple = dict.fromkeys(self.simplified(path.conditions, path.code, pessimism) for path in found)
        classes = range(len(tree.response.labels))
        chosen = [self.selected([rule for rule in simple if rule and rule[1] == k], k) for k in classes]
        self.rules, self.default = self.without_burdens(*self.in_order(chosen))

    def covered(self, conditions: tuple[RuleCondition, ...]) -> np.ndarray:
        return np.all([np.ones(len(self.codes), dtype=bool), *(self.holds[c] for c in conditions)], axis=0)

    def of(self, rows: np.ndarray) -> float:
        """Weight of some rows."""
        return float(self.weight[rows].sum()) * self.unit

    def simplified(self, conditions: tuple[RuleCondition, ...], code: int, pessimism: Pessimism) -> Rule | None:
        wrong, every = self.codes != code, np.ones(len(self.codes), dtype=bool)
        whole = 1.0 - (self.of(~wrong) + 1.0) / (self.of(every) + 3.0)

        def rates(some: tuple[RuleCondition, ...]) -> tuple[float, float]:
            rows = self.covered(some)
            weight, errors = self.of(rows), self.of(rows & wrong)
            if weight == 0.0:
                return whole, 0.0
            return float(pessimism.limits(np.array([weight]), np.array([errors]))[0]) / weight, errors / weight

        kept = tuple(dict.fromkeys(conditions))
        while True:
            now, shorter = rates(kept), [kept[:i] + kept[i + 1 :] for i in range(len(kept))]
            then = [rates(some) for some in shorter]
            can = [i for i, new in enumerate(then) if any(b <= a + 1e-12 for a, b in zip(now, new, strict=True))]
            if not can:
                break
            kept = shorter[min(can, key=lambda i: then[i][0])]
        return None if not kept or now[0] >= whole - 1e-12 else (tuple(sorted(kept)), code, now[0])

    def selected(self, rules: list[Rule], code: int) -> list[Rule]:
        covers = np.array([self.covered(rule[0]) for rule in rules]).reshape(len(rules), len(self.codes))
        costs = self.theory_weight * np.array(rule_bits(rules))
        every, wanted = np.ones(len(self.codes), dtype=bool), self.codes == code

        def bits(kept: np.ndarray) -> float:
            rows = covers[kept].any(axis=0)
            fires = self.of(rows)
            exceptions = choose(fires, self.of(rows & ~wanted)) + choose(
                self.of(every) - fires, self.of(~rows & wanted)
            )
            return float(costs[kept].sum()) - self.theory_weight * log2_factorial(int(kept.sum())) + exceptions

        def climb(start: bool) -> np.ndarray:
            kept = np.full(len(rules), start)
            best = bits(kept)
            while True:
                found, choice = best - 1e-9, -1
                for r in range(len(rules)):
                    kept[r] ^= True
                    new = bits(kept)
                    kept[r] ^= True
                    if new < found:
                        found, choice = new - 1e-9, r
                if choice < 0:
                    return kept
                kept[choice] ^= True
                best = found + 1e-9

        if len(rules) <= 10:
            subsets = [
                np.array([bool(s >> r & 1) for r in range(len(rules))], dtype=bool) for s in range(1 << len(rules))
            ]
            kept = min(subsets, key=lambda s: (round(bits(s) / 1e-9), int(s.sum())))
        else:
            full, none = climb(True), climb(False)
            kept = none if bits(none) < bits(full) - 1e-9 else full
        return [rule for rule, stays in zip(rules, kept, strict=True) if stays]

    def in_order(self, chosen: list[list[Rule]]) -> tuple[list[Rule], int]:
        covers = {k: np.any([self.covered(r[0]) for r in rules], axis=0) for k, rules in enumerate(chosen) if rules}
        free, rules = np.ones(len(self.codes), dtype=bool), []
        while covers:
            k = min(covers, key=lambda k: (self.of(free & covers[k] & (self.codes != k)), k))
            rules += sorted(chosen[k], key=lambda rule: (rule[2], rule[0]))
            free &= ~covers.pop(k)
        rest = free if free.any() else ~free
        return rules, int(np.argmax([self.weight[rest & (self.codes == k)].sum() for k in range(len(chosen))]))

    def without_burdens(self, rules: list[Rule], default: int) -> tuple[list[Rule], int]:
        while rules:
            shorter = [rules[:r] + rules[r + 1 :] for r in range(len(rules))]
            gains = [self.right(some, default) - self.right(rules, default) for some in shorter]
            if max(gains) <= 0:
                break
            rules = shorter[max(range(len(rules)), key=lambda r: (gains[r], r))]
        return rules, default

    def right(self, rules: list[Rule], default: int) -> int:
        """Weight of the rows that an ordered list predicts as they are."""
        predicted = np.full(len(self.codes), default)
        for conditions, code, _ in reversed(rules):
            predicted[self.covered(conditions)] = code
        return int(self.weight[predicted == self.codes].sum())


def rule_bits(rules: list[Rule]) -> list[float]:
    """Bits of the conditions of each rule of a class: which feature, and which of the conditions on it."""
    every = [c for conditions, _, _ in rules for c in conditions]
    found = []
    for conditions, _, _ in rules:
        bits = 0.0
        for condition in conditions:
            of_feature = [c for c in every if c.feature == condition.feature]
            bits += -math.log2(len(of_feature) / len(every)) + math.log2(len(set(of_feature)))
        found.append(bits - log2_factorial(len(conditions)))
    return found


def log2_factorial(n: float) -> float:
    return math.lgamma(n + 1.0) / math.log(2.0)


def choose(n: float, k: float) -> float:
    return max(log2_factorial(n) - log2_factorial(k) - log2_factorial(n - k), 0.0)
