"""What it earns to predict a class in each leaf, compared with predicting it for no row."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..tree.tree import Tree
from .costs import Costs
from .figures import number
from .leaves import leaves_of
from .words import amount, level


@dataclass(frozen=True, eq=False)
class LeafProfit:
    """The profit of predicting a class in each node, from the rows of training or from others.

    Attributes
    ----------
    tree : Tree
    target : int
        Number of the class.
    costs : Costs
    weight, hits, profit : float64, shape (T,)
        Of the rows that end in each node: their weight, that of the rows of the class, and the profit.
    of : str
        Which rows these are.
    """

    tree: Tree
    target: int
    costs: Costs
    weight: np.ndarray
    hits: np.ndarray
    profit: np.ndarray
    of: str

    @property
    def label(self) -> str:
        """The class as text."""
        return level(self.tree.response.labels[self.target])

    @property
    def total(self) -> float:
        """The profit of the predictions of the tree."""
        return float(self.profit[self.tree.value == self.target].sum())

    def best(self) -> tuple[float, float]:
        """The largest profit of predicting the class from a probability on, and this probability; infinite for no row.

        Of equal profits, that of the highest probability.
        """
        score, group = np.unique(-self.tree.probability[:, self.target], return_inverse=True)
        sums = np.concatenate(([0.0], np.cumsum(np.bincount(group, self.profit, len(score)))))
        at = int(np.argmax(sums.round(9)))
        return float(sums[at]), float("inf") if at == 0 else -float(score[at - 1])

    def rule_words(self, node: int) -> str:
        """The line of a rule; nothing where no row ends in its node."""
        weight, hits, profit = (float(values[node]) for values in (self.weight, self.hits, self.profit))
        if weight == 0.0:
            return f"no {self.of} here"
        rows = f", {amount(hits)} of {amount(weight)} {self.of} are {self.label}"
        return f"profit of predicting {self.label}: {amount(profit)} ({number(profit / weight)} per row){rows}"

    def to_records(self, nodes: list[int]) -> dict[str, list[float]]:
        """Columns profit and profit_per_row of some nodes."""
        weight, profit = self.weight[nodes], self.profit[nodes]
        each = np.divide(profit, weight, out=np.full(len(nodes), np.nan), where=weight > 0)
        return {"profit": profit.tolist(), "profit_per_row": each.tolist()}

    def to_dict(self) -> dict[str, object]:
        """The profit of all rules, and the best cut, by name."""
        most, threshold = self.best()
        return {"profit": self.total, "best_profit": most, "best_threshold": threshold}

    def total_words(self) -> str:
        """The profit of all rules, and of the best cut."""
        most, threshold = self.best()
        weight = float(self.weight.sum())
        cut = "for no row"
        if most > 0.0:
            cut = f"where its probability is at least {math.floor(threshold * 1e4) / 1e4:g}"
        return (
            f"Profit of predicting {self.label} where the rules do, for {amount(weight)} {self.of} ({self.costs}): "
            f"{amount(self.total)}, {number(self.total / weight)} per row.\n"
            f"Largest profit: {amount(most)}, by predicting {self.label} {cut}."
        )


def training_profit(tree: Tree, target: int, costs: Costs) -> LeafProfit:
    """The profit in the rows of the fit, from the counts of the nodes, without priors and class weights."""
    ends = leaves_of(tree)
    hits, weight = np.zeros(tree.n_nodes), np.zeros(tree.n_nodes)
    hits[ends.node], weight[ends.node] = tree.response.amounts(ends.moments, target)
    profit = costs.of_row[0] * hits - costs.of_row[1] * (weight - hits)
    return LeafProfit(tree, target, costs, weight, hits, profit, "rows of training")
