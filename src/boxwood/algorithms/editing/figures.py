"""How good a tree is on rows with a known response: its loss and AUC, before and after an edit."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from ...data.columns.columns import Columns
from ...evaluation.number_figures import deviance_name, deviances
from ...evaluation.ranking import auc
from ...evaluation.rows import EvaluatedRows, coded_rows, number_rows
from ...learning.target import Target
from ...model.tree_model import TreeModel
from ...statistics.responses.registry import power_of
from ...tree.descend import answer
from ...tree.tree import Tree
from ...views.aligned import aligned
from ...views.words import amount

#: Significant digits of figures in a log, which the order of the rows does not change.
_DIGITS = 10


@dataclass(frozen=True, eq=False)
class KnownRows:
    """Rows with a known response.

    Attributes
    ----------
    columns : Columns
    target : Target
        Their response in the terms of the model.
    """

    columns: Columns
    target: Target

    def figures(self, model: TreeModel, tree: Tree) -> dict[str, float | None]:
        """Loss of a tree in the place of a model's, and of classes the AUC; None where it is not defined."""
        rows, loss, areas = _evaluated(self, model, tree)
        found = {loss[0]: rows.mean(loss[1])}
        if areas:
            found["auc"] = auc(rows, areas)[0]
        return {name: _few(value) if math.isfinite(value) else None for name, value in found.items()}


def _evaluated(known: KnownRows, model: TreeModel, tree: Tree) -> tuple[EvaluatedRows, tuple, tuple[int, ...]]:
    """The rows with the predictions of a tree, the loss by name, and the classes whose AUC counts."""
    target, labels = known.target, tree.response.labels
    unseen, threads = model.unseen, model.threads
    if not labels:
        power = power_of(model.settings)
        predicted = answer(tree, "value", known.columns, unseen, threads)
        rows = number_rows(target.y, predicted, target.weight, target.exposure, power)
        if power is None:
            return rows, ("mse", (rows.truth - rows.predicted) ** 2), ()
        return rows, (deviance_name(power), deviances(rows.truth, rows.predicted, power)), ()
    probability = answer(tree, "probability", known.columns, unseen, threads)
    value = answer(tree, "value", known.columns, unseen, threads)
    rows = coded_rows(labels, target.y, value, probability, target.weight)
    classes = (1,) if len(labels) == 2 else tuple(range(len(labels)))
    if tree.response.costs is not None:
        rows = rows.with_costs(tree.response.costs)
        return rows, ("cost", rows.losses(rows.predicted)), classes
    return rows, ("error", rows.losses(rows.predicted)), classes


@dataclass(frozen=True)
class EditPrice:
    """What an edit costs: the size of the tree, its loss and AUC before and after.

    Attributes
    ----------
    before, after : dict
        ``leaves``, ``depth``, and by name of the rows (``training``, ``holdout``, ``folds``) a dict of figures.

    Examples
    --------
    >>> from boxwood.edits import PruneNode
    >>> from boxwood import CARTClassifier, datasets
    >>> X = datasets.load("titanic")
    >>> y = X.pop("survived")
    >>> print(CARTClassifier(max_depth=2).fit(X, y).edit(X, y).price(PruneNode(1)))
                      before     after
    leaves                 4         3
    depth                  2         2
    training error  0.212804  0.216411
    training auc    0.806227  0.786096
    """

    before: dict[str, Any] = field(hash=False)
    after: dict[str, Any] = field(hash=False)

    def to_json(self) -> dict[str, Any]:
        """As plain JSON values."""
        return {"before": self.before, "after": self.after}

    @cached_property
    def rows(self) -> list[tuple[str, Any, Any]]:
        """Each figure with its two values."""
        found = []
        for name, value in self.before.items():
            if isinstance(value, dict):
                found += [(f"{name} {figure}", value[figure], self.after[name][figure]) for figure in value]
            else:
                found.append((name, value, self.after[name]))
        return found

    def __str__(self) -> str:
        cells = [["", "before", "after"]]
        cells += [[name, *("" if v is None else amount(float(v)) for v in values)] for name, *values in self.rows]
        return "\n".join(aligned(cells, {0}))


def figures_of(model: TreeModel, tree: Tree, known: dict[str, KnownRows]) -> dict[str, Any]:
    """Size and figures of a tree in the place of a model's."""
    figures = {name: rows.figures(model, tree) for name, rows in known.items()}
    return {"leaves": tree.n_leaves, "depth": tree.max_depth} | figures


def effect_of(tree: Tree, node: int) -> tuple[float, ...]:
    """What the branches of a node predict: of two classes the share of the second, or the number."""
    children = int(tree.first_child[node]) + np.arange(int(tree.n_children[node]))
    if not len(children) or len(tree.response.labels) > 2:
        return ()
    place = tree.response.place(tree.moments[tree.moments_node[children]])
    return tuple(map(_few, place))


def mean_figures(found: list[dict[str, float | None]], rows: list[int]) -> dict[str, float | None]:
    """The means of figures of parts of the rows, where they are defined."""
    means: dict[str, float | None] = {}
    for name in found[0]:
        known = [(one[name], n) for one, n in zip(found, rows, strict=True) if one[name] is not None]
        total = sum(n for _, n in known)
        means[name] = _few(sum(value * n for value, n in known) / total) if known else None
    return means


def _few(value: float) -> float:
    return float(f"{value:.{_DIGITS}g}")
