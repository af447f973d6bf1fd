"""The rules of a tree with the profit of each, from rows that were evaluated."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..data.frames.class_labels import class_code
from ..errors import ParameterError
from ..tree.shares import Parts
from ..views.costs import all_costs
from ..views.leaf_profit import LeafProfit
from ..views.rules import Rules
from .evaluation import Evaluation


def with_profit_of(rules: Rules, found: Evaluation, parts: Parts, costs: Any = None, amount_costs: Any = None) -> Rules:
    """The rules with the profit of predicting the class of an evaluation in each.

    Parameters
    ----------
    rules : Rules
    found : Evaluation
        Of rows of classes.
    parts : Parts
        Where the given rows end in the tree of the rules.
    costs, amount_costs : pair of numbers, optional
        As for :meth:`.Evaluation.thresholds`.

    Raises
    ------
    ParameterError
        The response is numeric, no class is named, or the costs are invalid.
    """
    ranked = found.ranking()
    rows, target, tree = found.rows, class_code(found.rows.labels, ranked.label), rules.tree
    if rows.position is None:
        raise ParameterError("the profit of rules needs the single rows; evaluate new rows.")
    price = all_costs(costs, amount_costs, rows.amount is not None)
    at = np.full(int(parts.row.max(initial=-1)) + 1, -1)
    at[rows.position] = np.arange(len(rows.weight))
    of_part = at[parts.row]
    kept = of_part >= 0
    row, node = of_part[kept], parts.node[kept]
    share = parts.share[kept] * rows.weight[row]
    is_hit = ranked.positive[row]
    miss, alarm = price.of_rows(len(rows.weight), rows.amount)
    each = np.where(is_hit, miss[row], -alarm[row])
    weight, hits, profit = (np.bincount(node, v, tree.n_nodes) for v in (share, share * is_hit, share * each))
    return rules.with_profit_in(LeafProfit(tree, target, price, weight, hits, profit, "evaluated rows"))
