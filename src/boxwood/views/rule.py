"""One rule of a tree: the condition on each feature, the prediction, and its confidence interval."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ..tree.tree import Tree
from .boxes import FeatureRange
from .counted import of_class
from .english import missing_sentence, range_words
from .figures import number, percent
from .predicted import views_of
from .words import amount, level, plain, share


@dataclass(frozen=True, eq=False)
class Rule:
    """One rule: the conditions on the path to a leaf, and the prediction of the leaf.

    Attributes
    ----------
    node : int
        Number of the leaf, or of an inner node at which rows with a missing value stay.
    ranges : tuple of FeatureRange
        The condition on each feature, in the order of the first test; conditions on the same feature are merged.
    stays_for : str or None
        At an inner node, the feature whose value is missing; None at a leaf.
    rows : int
        Number of training rows that satisfy the rule.
    weight : float
        Weight of these rows; class weights do not enter.
    share : float
        Their share of the weight of all rows: the support of the rule.
    counts : float64, shape (K,), or None
        Weight of these rows by class: how many they are, where all weights are 1; None for regression.
    value : label or float
        The prediction. Of several responses, this and what follows up to ``lift`` are dictionaries by response.
    probability : float64, shape (K,), or None
        Class probabilities; None for regression.
    interval : tuple of two floats
        Confidence interval of the probability of the predicted class (Wilson), of the mean (Student) or of the rate
        (exact, for Poisson counts). NaN if there are too few rows, or if the numbers of rows are unknown.
    row_interval : tuple of two floats
        That of the share of the predicted class in the rows of the leaf; class weights and priors do not move it. NaN
        for regression.
    lift : float
        The probability of the predicted class (or the value), divided by that of the root; NaN if that is 0.
    level : float
        Confidence level of the interval.
    tree : Tree
        The tree.

    Examples
    --------
    >>> from boxwood import CARTClassifier, datasets
    >>> X = datasets.load("titanic")
    >>> y = X.pop("survived")
    >>> rule = CARTClassifier(max_depth=2, pruning=None).fit(X, y).rules()[1]
    >>> rule.conditions(), rule.value, rule.rows, round(rule.confidence, 3)
    (('sex = male', 'age > 9.5'), 'no', 691, 0.831)
    """

    node: int
    ranges: tuple[FeatureRange, ...]
    stays_for: str | None
    rows: int
    weight: float
    share: float
    value: object
    probability: np.ndarray | None
    counts: np.ndarray | None
    interval: tuple[float, float]
    row_interval: tuple[float, float]
    lift: float
    level: float = field(repr=False)
    tree: Tree = field(repr=False)

    @property
    def index(self) -> float:
        """The lift in per cent; 100 means the same probability (or mean) as in all rows."""
        return 100.0 * self.lift

    @property
    def confidence(self) -> float | None:
        """Probability of the predicted class; None for regression."""
        return None if self.probability is None else float(self.probability[int(self.tree.value[self.node])])

    def conditions(self, max_levels: int | None = None) -> tuple[str, ...]:
        """The conditions as short texts, one per feature. A row satisfies the rule if it satisfies all of them.

        Parameters
        ----------
        max_levels : int, optional
            Name at most this many levels and count the others; None names all.
        """
        words = [part.words(self.tree.schema, max_levels) for part in self.ranges]
        return (*words, *self._stay_words())

    def _stay_words(self) -> list[str]:
        """The condition of rows that stay."""
        if self.stays_for is None:
            return []
        j = self.tree.schema.names.index(self.stays_for)
        new = " or has a level not seen here" if self.tree.schema[j].levels else ""
        return [f"{plain(self.stays_for)} is missing{new}"]

    def to_text(self, max_levels: int | None = 4) -> str:
        """The rule as an English sentence, with its numbers and the missing values that lead to the leaf.

        Parameters
        ----------
        max_levels : int or None
            Name at most this many levels in a condition; None names all.
        """
        clauses = [range_words(part, self.tree, max_levels) for part in self.ranges] + self._stay_words()
        if clauses:
            head = f"If {' and '.join(clauses)}, then {self._value_words('the', 'is')}."
        else:
            head = f"{self._value_words('The', 'is always')}."
        missing = missing_sentence(self.ranges, self.tree)
        return "\n".join([head, *(f"  {line}" for line in (*self._numbers_lines(), missing) if line)])

    def _value_words(self, article: str, verb: str) -> str:
        """What is predicted, as a clause with a verb."""
        response = self.tree.response
        of_name = f"{article} {response.of_name} of " if response.of_name else ""
        value = level(self.value) if self.probability is not None else _number(self.tree, self.node, self.value)
        return f"{of_name}{plain(response.name)} {verb} {value}"

    def _numbers_lines(self) -> list[str]:
        """Probability or value with its interval, rows, share, lift."""
        words = share if self.probability is not None else amount
        what = "probability" if self.probability is not None else self.tree.response.kind
        known = not np.isnan(self.interval[0])
        sure = f" ({100 * self.level:g} % interval {' to '.join(map(words, self.interval))})" if known else ""
        value = self.confidence if self.probability is not None else self.value
        lift = f", lift {number(self.lift)}" if not np.isnan(self.lift) else ""
        return [f"{what} {words(value)}{sure}, {self._rows_words()}, {percent(self.share)} of all{lift}"]

    def _rows_words(self) -> str:
        """How many rows; where the probability is not their share of the class, how many of them are of it."""
        if self.counts is None or not self.tree.response.is_altered:
            weighted = f" (weight {amount(self.weight)})" if self.weight != self.rows else ""
            return f"{self.rows:,} row{'s' * (self.rows != 1)}{weighted}"
        words = of_class(self.tree, float(self.counts[int(self.tree.value[self.node])]), self.weight, self.rows)
        if not self.tree.response.is_weighted or np.isnan(self.row_interval[0]):
            return words
        return f"{words} (interval {' to '.join(map(percent, self.row_interval))})"

    def __str__(self) -> str:
        return self.to_text()


def _number(tree: Tree, node: int, value: float) -> str:
    """A mean or rate as text, with the further fields of the prediction in brackets."""
    further = ", ".join(views_of(tree.response).further(tree.response, tree.further[node]))
    return f"{tree.response.of_value}{amount(value)}{f' ({further})' if further else ''}"
