"""A set of rules in order with a default class; the first rule that holds decides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...data.columns.columns import Columns
from ...data.columns.distinct import distinct
from ...data.columns.schema import Schema
from ...pruning.error_based import Pessimism
from ...statistics.exact import Exact
from ...statistics.responses.class_weights import without_class_weights
from ...tree.tree import Tree
from ...views.words import amount, share
from .burdens import without_burdens
from .rule import OrderedRule, paths
from .selection import selected
from .simplify import Cases, Simplified, simplified


@dataclass(frozen=True, eq=False)
class RuleSet:
    """Rules in the order in which they are tried, and the class of rows that none of them covers.

    Attributes
    ----------
    schema : Schema
    labels : tuple
        Class labels in sorted order.
    rules : tuple of OrderedRule
    default : int
        Class number predicted when no rule holds.
    rest : tuple of float
        Weight of each class among the training rows that no rule covers; of all rows where every row is covered.
    class_weights : tuple of float
        What the weights of the rows of each class were multiplied with; empty = nothing.
    """

    schema: Schema
    labels: tuple[Any, ...]
    rules: tuple[OrderedRule, ...]
    default: int
    rest: tuple[float, ...]
    class_weights: tuple[float, ...] = ()

    def fired(self, columns: Columns) -> np.ndarray:
        """Number of the first rule that holds for each row, int64, shape (n,); -1 = none."""
        out = np.full(columns.n, -1, dtype=np.int64)
        for r in range(len(self.rules) - 1, -1, -1):
            out[self.rules[r].holds(columns)] = r
        return out

    def predict(self, columns: Columns) -> np.ndarray:
        """Class number of each row, int64, shape (n,)."""
        predicted = np.array([rule.code for rule in self.rules] + [self.default], dtype=np.int64)
        return predicted[self.fired(columns)]

    def probability(self, columns: Columns) -> np.ndarray:
        """Shares of the classes among the training rows that the deciding rule covers, float64, shape (n, K)."""
        return self.shares[self.fired(columns)]

    @property
    def shares(self) -> np.ndarray:
        """Shares of the classes among the training rows of each rule and of the rest, shape (rules + 1, K)."""
        weights = np.array([rule.classes for rule in self.rules] + [self.rest])
        return weights / weights.sum(axis=1, keepdims=True)

    def words_of(self, rule: OrderedRule) -> list[str]:
        """The conditions of one of the rules as text."""
        return [condition.text(self.schema[condition.feature]) for condition in rule.conditions]

    def to_text(self) -> str:
        """The rules as text, one a paragraph."""
        blocks = []
        for r, rule in enumerate(self.rules):
            tests = [f"    {words}" for words in self.words_of(rule)]
            counts = without_class_weights(np.array([rule.classes]), self.class_weights)[0]
            rows = f"{amount(counts[rule.code])} of {amount(counts.sum())} rows"
            right = f"{share(rule.accuracy)} expected, {rows}"
            blocks.append("\n".join([f"rule {r}: {rule.label} ({right})", *tests]))
        return "\n".join([*blocks, f"otherwise: {self.labels[self.default]}"])


def rule_set(tree: Tree, columns: Columns, exact: Exact, pessimism: Pessimism, theory_weight: float = 0.5) -> RuleSet:
    """Rules out of a tree that was not pruned, in the manner of C4.5rules (docs/c45.md).

    Every leaf gives a rule; conditions that do not pay go; of each class the rules are kept that describe the rows in
    the fewest bits; classes with fewer false alarms are tried first; what lowers the number of right rows goes.

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
    rules, default = _in_order(chosen, cases)
    rules = without_burdens(rules, default, cases)
    labels = tree.response.labels
    out = tuple(OrderedRule(r.conditions, r.code, labels[r.code], cases.weights(r.rows), 1.0 - r.rate) for r in rules)
    rest = cases.weights(_uncovered(rules, cases))
    return RuleSet(tree.schema, labels, out, default, rest, tree.response.class_weights)


def candidates(tree: Tree, columns: Columns, exact: Exact, pessimism: Pessimism) -> tuple[Cases, list[Simplified]]:
    """The rows as rules see them, and every leaf's rule without the conditions that do not pay, each once."""
    weight = (
        np.ones(exact.n, dtype=np.int64) if exact.weight is None else np.ascontiguousarray(exact.weight, dtype=np.int64)
    )
    cases = Cases(exact.codes, weight, exact.unit, len(tree.response.labels))
    rules = simplified(paths(tree), columns, cases, pessimism)
    return cases, [rule for rule in dict.fromkeys(rules) if rule is not None]


def _in_order(chosen: list[list[Simplified]], cases: Cases) -> tuple[list[Simplified], int]:
    """Classes by false alarms among the rows not yet covered, fewest first; within a class the surest rule first."""
    n = len(cases.codes)
    waiting = {k: distinct(np.concatenate([r.rows for r in rules])) for k, rules in enumerate(chosen) if rules}
    waiting = {k: (rows, rows[cases.codes[rows] != k]) for k, rows in waiting.items()}
    open_rows = np.ones(n, dtype=bool)
    rules: list[Simplified] = []
    while waiting:
        alarms = {k: int((cases.weight[false] * open_rows[false]).sum()) for k, (_, false) in waiting.items()}
        k = min(alarms, key=lambda c: (alarms[c], c))
        rules += sorted(chosen[k], key=lambda r: (r.rate, r.conditions))
        open_rows[waiting.pop(k)[0]] = False
    rest = cases.weights(np.flatnonzero(open_rows) if open_rows.any() else np.arange(n))
    return rules, int(np.argmax(rest))


def _uncovered(rules: list[Simplified], cases: Cases) -> np.ndarray:
    """Rows that no rule covers, or all rows if there is none, rising."""
    free = np.ones(len(cases.codes), dtype=bool)
    for rule in rules:
        free[rule.rows] = False
    return np.flatnonzero(free if free.any() else ~free)
