"""The rules of a tree: one per leaf, with merged conditions, prediction and interval."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from .._messages import Message, Setting, Value, lines_of, must_be, remedy
from ..errors import ParameterError, ParameterTypeError
from ..statistics.intervals import check_level
from ..tree.one_response import of_response
from ..tree.tree import Tree
from .class_number import number_of_interest, target_number
from .costs import Costs, checked_costs
from .english import missing_sentence
from .gains import GainTable, gain_table
from .leaf_profit import LeafProfit, training_profit
from .leaf_rules import leaf_rules
from .predicted import columns_by_response
from .rule import Rule
from .several import SeveralRule
from .small_leaves import small_leaves_words
from .table import frame_of

#: Rules that a text shows by default.
MOST_RULES = 30


@dataclass(frozen=True, eq=False)
class Rules:
    """The rules of a tree, in the order of the printed tree: print them, index them, or use ``to_frame()``.

    Each row of new data satisfies exactly one rule. Only with C4.5's fractional rows, a row with a missing value may
    satisfy several rules in part. See docs/rules.md.

    Examples
    --------
    >>> from boxwood import CARTClassifier, datasets
    >>> X = datasets.load("titanic")
    >>> y = X.pop("survived")
    >>> rules = CARTClassifier(max_depth=2, pruning=None).fit(X, y).rules()
    >>> len(rules), rules[0].conditions(), rules[0].rows
    (4, ('sex = male', 'age <= 9.5'), 42)
    >>> print(rules[1])
    If sex is male and age is above 9.5, then y is no.
      probability 0.831 (95 % interval 0.801 to 0.857), 691 rows, 62.3 % of all, lift 1.329
      Missing values of sex and age lead here unless a surrogate decides otherwise.
    """

    tree: Tree = field(repr=False)
    level: float
    rules: tuple[Rule, ...] = field(repr=False)
    profits: LeafProfit | None = field(repr=False, default=None)
    #: Of several responses, the rules of each.
    each: dict[str, Rules] = field(repr=False, default_factory=dict)

    def __len__(self) -> int:
        return len(self.rules)

    def __getitem__(self, at: int) -> Rule:
        return self.rules[at]

    def __iter__(self) -> Iterator[Rule]:
        return iter(self.rules)

    def of(self, target_class: Any) -> Rules:
        """Select the rules that predict a class.

        Parameters
        ----------
        target_class : label
            The class.

        Returns
        -------
        Rules

        Raises
        ------
        ParameterError
            The tree has no such class.

        Examples
        --------
        >>> from boxwood import CARTClassifier
        >>> model = CARTClassifier(pruning=None).fit({"age": [20, 30, 50]}, ["no", "no", "yes"])
        >>> [rule.conditions() for rule in model.rules().of("yes")]
        [('age > 40',)]
        """
        self.tree.response.need_one("the choice of rules by a class")
        label = self.tree.response.labels[target_number(self.tree, target_class)]
        rules = tuple(rule for rule in self.rules if rule.value == label)
        return replace(self, rules=rules)

    def with_profit(self, costs: Any, target_class: Any = None) -> Rules:
        """The rules with the profit of predicting a class in each, from the rows of training.

        The profit is what it saves to predict the class, compared with predicting it for no row. Printed rules, records
        and the gains table show it. ``evaluate_rules`` of an estimator does the same with other rows and with amounts.

        Parameters
        ----------
        costs : pair of numbers
            Costs of a miss and of a false alarm.
        target_class : label, optional
            Default: the class of interest of the tree.

        Returns
        -------
        Rules

        Raises
        ------
        ParameterError
            The tree has no such class, no class of interest was chosen, it predicts numbers, or the costs are invalid.

        Examples
        --------
        >>> from boxwood import CARTClassifier
        >>> model = CARTClassifier(pruning=None).fit({"age": [20, 30, 50]}, ["no", "no", "yes"])
        >>> model.rules().with_profit((5, 1), "yes").to_records()["profit"]
        [-2.0, 5.0]
        """
        self.tree.response.need_one("the profit of rules")
        target = number_of_interest(self.tree, target_class)
        if target is None:
            raise ParameterError(Setting("costs"), " are of classes; ", remedy("leave them out"), ".")
        return self.with_profit_in(training_profit(self.tree, target, Costs(checked_costs(costs))))

    def with_profit_in(self, profits: LeafProfit) -> Rules:
        """The rules with the profit in the nodes of their tree."""
        return replace(self, profits=profits)

    def gains(self, target_class: Any = None, costs: Any = None) -> GainTable:
        """The gains table: the leaves sorted by their share of a class (or their mean), with cumulative sums.

        Parameters
        ----------
        target_class : label, optional
            Default: the class of interest of the tree. Omit it for regression.
        costs : pair of numbers, optional
            Costs of a miss and of a false alarm: the table also has the profit of predicting the class in each leaf,
            compared with never predicting it.

        Returns
        -------
        GainTable
            Print it, or use ``to_frame()``.

        Raises
        ------
        ParameterError
            The tree has no such class, no class of interest was chosen, a regression tree was given one, or costs are
            invalid.

        Examples
        --------
        >>> from boxwood import CARTClassifier
        >>> model = CARTClassifier(pruning=None, max_depth=1).fit({"a": [1, 1, 2, 2]}, ["no", "yes", "yes", "yes"])
        >>> print(model.rules().gains("yes"))
        Gains for y = yes
        node by node                                     cumulative
        node  n     %  gain n  gain %  response %  index  n      %  gain n  gain %  response %  index
           2  2  50.0       2    66.7       100.0  133.3  2   50.0       2    66.7       100.0  133.3
           1  2  50.0       1    33.3        50.0   66.7  4  100.0       3   100.0        75.0  100.0
        """
        self.tree.response.need_one("the gains table")
        if costs is not None:
            return self.with_profit(costs, target_class).gains()
        if self.profits is not None and target_class is None:
            return gain_table(self.tree, self.profits.target, self.profits)
        return gain_table(self.tree, number_of_interest(self.tree, target_class))

    def to_records(self) -> dict[str, list[Any]]:
        """The rules as columns, one value per rule.

        Returns
        -------
        dict of str to list
            node, conditions, n_conditions, rows, weight, share, value (the prediction), ``p_<label>`` and ``n_<label>``
            (the weight of its rows; how many, where all weights are 1) for each class, low and high (the interval of
            the prediction), lift, index, and missing (which missing values lead here). With a profit, also profit and
            profit_per_row (NaN where no row ends). Of several responses, value, low, high, lift and index have a column
            for each: ``value_<response>``, ``p_<response>_<label>``.
        """
        rules = self.rules
        found: dict[str, list[Any]] = {
            "node": [rule.node for rule in rules],
            "conditions": [" and ".join(rule.conditions()) for rule in rules],
            "n_conditions": [len(rule.conditions()) for rule in rules],
            "rows": [rule.rows for rule in rules],
            "weight": [rule.weight for rule in rules],
            "share": [rule.share for rule in rules],
        }
        found |= self._predicted()
        if self.profits is not None:
            found |= self.profits.to_records([rule.node for rule in rules])
        return found | {"missing": [missing_sentence(rule.ranges, self.tree) or None for rule in rules]}

    def _predicted(self) -> dict[str, list[Any]]:
        """The predictions of the rules as columns."""
        if self.each:
            return columns_by_response((name, one._predicted()) for name, one in self.each.items())
        rules, labels = self.rules, self.tree.response.labels
        found: dict[str, list[Any]] = {"value": [rule.value for rule in rules]}
        found |= {f"p_{label}": [float(rule.probability[k]) for rule in rules] for k, label in enumerate(labels)}
        found |= {f"n_{label}": [float(rule.counts[k]) for rule in rules] for k, label in enumerate(labels)}
        found |= {"low": [rule.interval[0] for rule in rules], "high": [rule.interval[1] for rule in rules]}
        return found | {"lift": [rule.lift for rule in rules], "index": [rule.index for rule in rules]}

    def to_frame(self, backend: str | None = None) -> Any:
        """The rules as a data frame, one row per rule, with the columns of :meth:`to_records`.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow", "dict"}, optional
            Default: the first of pandas, polars and pyarrow that is installed.
        """
        return frame_of(self.to_records(), backend)

    def to_text(
        self, max_rules: int | None = MOST_RULES, max_levels: int | None = 4, hint: str = "to_text(max_rules=None)"
    ) -> str:
        """The rules as English sentences.

        Parameters
        ----------
        max_rules : int or None
            Maximum number of rules to show; None shows all.
        max_levels : int or None
            Maximum number of levels to name in a condition; None names all.
        hint : str
            What shows all rules; named where some are left out.

        Raises
        ------
        ParameterError, ParameterTypeError
            ``max_rules`` is below 1 or not a whole number.
        """
        if max_rules is not None and not isinstance(max_rules, (int, np.integer)):
            raise ParameterTypeError(
                must_be("max_rules", "a whole number or None", Value(max_rules, type(max_rules).__name__))
            )
        if max_rules is not None and max_rules < 1:
            raise ParameterError(must_be("max_rules", "at least 1 or None", max_rules))
        lines: list[str] = []
        for rule in self.rules[:max_rules]:
            profit = "" if self.profits is None else f"\n  {self.profits.rule_words(rule.node)}"
            lines.append(rule.to_text(max_levels) + profit)
        if len(lines) < len(self):
            more = len(self) - len(lines)
            lines.append(f"... {more} more rule{'s' * (more > 1)}; {hint} shows all")
        small = small_leaves_words(self.tree)
        if small:
            first, *others = small.parts
            lines.append(Message(f"{first}"[0].upper() + f"{first}"[1:], *others, "."))
        if self.profits is not None:
            lines.append(self.profits.total_words())
        return lines_of(lines)

    def __str__(self) -> str:
        return self.to_text()


def rules_of(tree: Tree, level: float = 0.95) -> Rules:
    """The rules of a tree.

    Parameters
    ----------
    tree : Tree
    level : float
        Confidence level of the intervals, between 0 and 1.

    Raises
    ------
    ParameterError
        The level is out of range.
    """
    check_level(level)
    if tree.response.responses:
        each = {one.name: rules_of(of_response(tree, one.name), level) for one in tree.response.responses}
        together = zip(*each.values(), strict=True)
        rules = tuple(SeveralRule.beside(tree, dict(zip(each, of_leaf, strict=True))) for of_leaf in together)
        return Rules(tree, level, rules, each=each)
    return Rules(tree, level, leaf_rules(tree, level))
