"""A set of rules in order with a default class; the first rule that holds decides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..data.columns import Columns
from ..data.schema import Schema
from ..pruning.error_based import Pessimism
from ..statistics.exact import Exact
from ..tree.tree import Tree
from ..views.words import amount, share
from .rule import OrderedRule, paths
from .selection import selected
from .simplify import Cases, Simplified, simplified


@dataclass(frozen=True, eq=False)
class RuleSet:
    """Rules in order of asking, and the class of rows that none of them covers.

    Attributes
    ----------
    schema : Schema
    labels : tuple
        Class labels in sorted order.
    rules : tuple of OrderedRule
    default : int
        Class number said when no rule holds.
    rest : tuple of float
        Weight of each class among the training rows that no rule covers; of all rows where every row is covered.
    """

    schema: Schema
    labels: tuple[Any, ...]
    rules: tuple[OrderedRule, ...]
    default: int
    rest: tuple[float, ...]

    def fired(self, columns: Columns) -> np.ndarray:
        """Number of the first rule that holds for each row, int64, shape (n,); -1 = none."""
        out = np.full(columns.n, -1, dtype=np.int64)
        for r in range(len(self.rules) - 1, -1, -1):
            out[self.rules[r].holds(columns)] = r
        return out

    def predict(self, columns: Columns) -> np.ndarray:
        """Class number of each row, int64, shape (n,)."""
        said = np.array([rule.code for rule in self.rules] + [self.default], dtype=np.int64)
        return said[self.fired(columns)]

    def probability(self, columns: Columns) -> np.ndarray:
        """Shares of the classes among the training rows that the deciding rule covers, float64, shape (n, K)."""
        weights = np.array([rule.classes for rule in self.rules] + [self.rest])
        return (weights / weights.sum(axis=1, keepdims=True))[self.fired(columns)]

    def to_text(self) -> str:
        """The rules as text, one a paragraph."""
        blocks = []
        for r, rule in enumerate(self.rules):
            tests = [f"    {condition.text(self.schema[condition.feature])}" for condition in rule.conditions]
            right = (
                f"{share(rule.accuracy)} expected, {amount(rule.weight - rule.errors)} of {amount(rule.weight)} rows"
            )
            blocks.append("\n".join([f"rule {r}: {rule.label} ({right})", *tests]))
        return "\n".join([*blocks, f"otherwise: {self.labels[self.default]}"])


def rule_set(tree: Tree, columns: Columns, exact: Exact, pessimism: Pessimism, theory_weight: float = 0.5) -> RuleSet:
    """Rules out of a tree that was not pruned, in the manner of C4.5rules (SPECS 4.8).

    Every leaf gives a rule; conditions that do not pay go; of each class the rules are kept that describe the rows in
    the fewest bits; classes with fewer false alarms are asked first; what lowers the number of right rows goes.

    Parameters
    ----------
    tree : Tree
        Of classes.
    columns : Columns
        The rows it was grown from.
    exact : Exact
        Their classes and weights.
    pessimism : Pessimism
        How error rates are estimated.
    theory_weight : float
        Part of the bits of the rules that counts against the bits of exceptions.
    """
    cases, kept = candidates(tree, columns, exact, pessimism)
    of_classes = [[rule for rule in kept if rule.code == k] for k in range(cases.n_classes)]
    chosen = [selected(rules, k, cases, theory_weight) for k, rules in enumerate(of_classes)]
    rules, default = _without_burdens(*_in_order(chosen, cases), cases)
    labels, covers = tree.response.labels, [cases.covered(rule.conditions) for rule in rules]
    out = tuple(
        OrderedRule(r.conditions, r.code, labels[r.code], cases.weights(rows), 1.0 - r.rate)
        for r, rows in zip(rules, covers, strict=True)
    )
    return RuleSet(tree.schema, labels, out, default, cases.weights(_uncovered(covers, cases)))


def candidates(tree: Tree, columns: Columns, exact: Exact, pessimism: Pessimism) -> tuple[Cases, list[Simplified]]:
    """The rows as rules see them, and every leaf's rule without the conditions that do not pay, each once."""
    found = paths(tree)
    weight = np.ones(exact.n, dtype=np.int64) if exact.weight is None else exact.weight
    holds = {c: c.holds(columns) for _, way in found for c in way}
    cases = Cases(holds, exact.codes, weight, exact.unit, len(tree.response.labels))
    rules = [simplified(way, int(tree.value[leaf]), cases, pessimism) for leaf, way in found]
    return cases, [rule for rule in dict.fromkeys(rules) if rule is not None]


def _in_order(chosen: list[list[Simplified]], cases: Cases) -> tuple[list[Simplified], int]:
    """Classes by false alarms among the rows not yet covered, fewest first; within a class the surest rule first."""
    waiting = {
        k: np.any([cases.covered(r.conditions) for r in rules], axis=0) for k, rules in enumerate(chosen) if rules
    }
    open_rows = np.ones(len(cases.codes), dtype=bool)
    rules: list[Simplified] = []
    while waiting:
        alarms = {k: int(cases.weight[open_rows & covers & (cases.codes != k)].sum()) for k, covers in waiting.items()}
        k = min(alarms, key=lambda c: (alarms[c], c))
        rules += sorted(chosen[k], key=lambda r: (r.rate, r.conditions))
        open_rows &= ~waiting.pop(k)
    rest = cases.weights(open_rows if open_rows.any() else np.ones(len(open_rows), dtype=bool))
    return rules, int(np.argmax(rest))


def _uncovered(covers: list[np.ndarray], cases: Cases) -> np.ndarray:
    """Rows that no rule covers, or all rows if there is none, bool, shape (n,)."""
    rows = np.ones(len(cases.codes), dtype=bool)
    for covered in covers:
        rows &= ~covered
    return rows if rows.any() else ~rows


def _without_burdens(rules: list[Simplified], default: int, cases: Cases) -> tuple[list[Simplified], int]:
    """Drop the rule whose loss makes most rows right, the last on ties, until no loss does."""
    rules = list(rules)
    while rules:
        gains = _gains(rules, default, cases)
        r = len(gains) - 1 - int(np.argmax(gains[::-1]))
        if gains[r] <= 0:
            break
        del rules[r]
    return rules, default


def _gains(rules: list[Simplified], default: int, cases: Cases) -> np.ndarray:
    """Weight that becomes right less weight that becomes wrong when each rule is left out, int64."""
    covers = np.array([cases.covered(rule.conditions) for rule in rules])
    said = np.array([rule.code for rule in rules] + [default])
    first = np.where(covers.any(axis=0), covers.argmax(axis=0), len(rules))
    later = covers.copy()
    fired = np.flatnonzero(first < len(rules))
    later[first[fired], fired] = False
    second = np.where(later.any(axis=0), later.argmax(axis=0), len(rules))
    change = ((said[second] == cases.codes).astype(np.int64) - (said[first] == cases.codes)) * cases.weight
    out = np.zeros(len(rules) + 1, dtype=np.int64)
    np.add.at(out, first, change)
    return out[:-1]
