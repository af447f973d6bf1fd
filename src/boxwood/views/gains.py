"""The gains table: leaves sorted by their share of a class or their mean, the best first."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..tree.tree import Tree
from .figures import same_decimals
from .leaf_profit import LeafProfit
from .leaves import leaves_of
from .table import frame_of
from .words import amount, columns, level, plain, two_digits

#: Heads of the columns of the printed table, by name in the records.
_HEADS = {
    "node": "node", "n": "n", "percent": "%", "gain_n": "gain n", "gain_percent": "gain %", "response": "response %",
    "mean": "mean", "rate": "rate", "index": "index", "profit": "profit", "profit_per_row": "per row",
}  # fmt: skip
_SUMS = "cumulative_"


@dataclass(frozen=True, eq=False)
class GainTable:
    """A gains table: the leaves of a tree, sorted by their share of a class (or their mean), with cumulative sums.

    ``print`` shows it. In each row, the second half describes the leaf together with all leaves above it.

    Attributes
    ----------
    tree : Tree
        The tree.
    target : int or None
        Number of the class of interest; None for regression.
    node : int64, shape (E,)
        Numbers of the leaves that have training rows, the highest response first; ties by number.
    n : float64, shape (E,)
        Weight of the training rows in each leaf.
    gain : float64, shape (E,)
        Weight of the class of interest in each leaf; for regression the sum of the response, for rates the events.
    base : float64, shape (E,)
        Denominator of the response: n, or for rates the exposure.
    profits : LeafProfit or None
        Of a class, what it earns to predict it in each node.

    Examples
    --------
    >>> from boxwood import CARTRegressor
    >>> X = {"floor": ["low", "low", "high", "high"]}
    >>> gains = CARTRegressor(pruning=None).fit(X, [100, 100, 300, 300]).rules().gains()
    >>> gains.node.tolist(), gains.to_frame("dict", cumulative=False)["index"]
    ([2, 1], [150.0, 50.0])
    """

    tree: Tree = field(repr=False)
    target: int | None
    node: np.ndarray = field(repr=False)
    n: np.ndarray = field(repr=False)
    gain: np.ndarray = field(repr=False)
    base: np.ndarray = field(repr=False)
    profits: LeafProfit | None = None

    def to_records(self, cumulative: bool = True) -> dict[str, list]:
        """The table as columns of plain Python values.

        Parameters
        ----------
        cumulative : bool
            Also return the cumulative columns.

        Returns
        -------
        dict of str to list
            node; n (weight of the leaf) and percent (of all rows). For a class: gain_n (its weight in the leaf),
            gain_percent (of the weight of the class in all leaves) and response (per cent of the class in the leaf).
            For regression: mean or rate. index: the response in per cent of that of all rows; NaN if that is 0. With
            costs: profit, if the class is predicted in the leaf and not elsewhere, and profit_per_row. The cumulative
            columns have the same names after ``cumulative_``.
        """
        profit = np.zeros(len(self.node)) if self.profits is None else self.profits.profit[self.node]
        found = {"node": self.node.tolist()} | self._columns(self.n, self.gain, self.base, profit)
        if cumulative:
            sums = self._columns(*map(np.cumsum, (self.n, self.gain, self.base, profit)))
            found |= {_SUMS + name: values for name, values in sums.items()}
        return found

    def _columns(self, n: np.ndarray, gain: np.ndarray, base: np.ndarray, profit: np.ndarray) -> dict:
        total, whole = float(self.gain.sum()), float(self.base.sum())
        response = gain / base
        of_all = total / whole
        index = 100.0 * response / of_all if of_all else np.full(len(n), np.nan)
        found = {"n": n.tolist(), "percent": (100.0 * n / self.n.sum()).tolist()}
        if self.target is None:
            return found | {self._what: response.tolist(), "index": index.tolist()}
        share = 100.0 * gain / total if total else np.full(len(n), np.nan)
        found |= {"gain_n": gain.tolist(), "gain_percent": share.tolist()}
        found |= {"response": (100.0 * response).tolist(), "index": index.tolist()}
        if self.profits is None:
            return found
        return found | {"profit": profit.tolist(), "profit_per_row": (profit / n).tolist()}

    @property
    def _what(self) -> str:
        return self.tree.response.value_name

    def to_frame(self, backend: str | None = None, cumulative: bool = True) -> Any:
        """The table as a data frame, one row per leaf, with the columns of :meth:`to_records`.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow", "dict"}, optional
            Default: the first of pandas, polars and pyarrow that is installed.
        cumulative : bool
            Also return the cumulative columns.
        """
        return frame_of(self.to_records(cumulative), backend)

    def to_text(self) -> str:
        """The table as text: each leaf, and beside it the cumulative sums from the best leaf on."""
        records = self.to_records()
        names = list(records)
        heads = [_HEADS[name.removeprefix(_SUMS)] for name in names]
        cells = [_shown(name.removeprefix(_SUMS), records[name]) for name in names]
        widths = [max(columns(head), *map(columns, column)) for head, column in zip(heads, cells, strict=True)]
        first = sum(widths[: names.index(_SUMS + "n")]) + 2 * (names.index(_SUMS + "n") - 1)
        name = plain(self.tree.response.name)
        what = name if self.target is None else f"{name} = {level(self.tree.response.labels[self.target])}"
        costs = "" if self.profits is None else f" ({self.profits.costs})"
        lines = [f"Gains for {what}{costs}", f"{'node by node'.ljust(first)}  cumulative"]
        for row in [heads, *zip(*cells, strict=True)]:
            lines.append("  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)))
        return "\n".join(line.rstrip() for line in lines)

    def __str__(self) -> str:
        return self.to_text()


def _shown(name: str, values: list) -> list[str]:
    """The cells of a column of the printed table."""
    if name in ("percent", "gain_percent", "response", "index"):
        return [two_digits(value) if 0.0 < value < 1.0 else f"{value:.1f}" for value in values]
    return (
        same_decimals(values)
        if name in ("mean", "rate", "node", "profit_per_row")
        else [amount(value) for value in values]
    )


def gain_table(tree: Tree, target: int | None = None, profits: LeafProfit | None = None) -> GainTable:
    """The gains table of a tree, from the counts of the training set without priors and costs, or from other rows.

    Parameters
    ----------
    tree : Tree
    target : int, optional
        Number of the class of interest; None for regression.
    profits : LeafProfit, optional
        Of this class; its rows are those of the table.
    """
    if profits is not None:
        node, n, gain, base = np.arange(tree.n_nodes), profits.weight, profits.hits, profits.weight
    else:
        ends = leaves_of(tree)
        node, n, (gain, base) = ends.node, ends.weight, tree.response.amounts(ends.moments, target)
    some = np.flatnonzero(n > 0)
    order = some[np.lexsort((node[some], -gain[some] / base[some]))]
    return GainTable(tree, target, node[order], n[order], gain[order], base[order], profits)
