"""How views show what nodes predict: numbers, or classes with their probabilities; one object for each kind of y."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import singledispatch
from typing import Any

import numpy as np

from .._messages import Setting, remedy
from ..errors import ParameterError
from ..statistics.responses.classes import Classes
from ..statistics.responses.response import Response
from ..statistics.responses.several import Several
from ..tree.one_response import of_response
from ..tree.tree import Tree
from .figures import amount, percent
from .words import level, plain, share


class NumberViews:
    """Views of nodes that predict a number."""

    #: What precedes the sentence about leaves of few rows.
    small_leaves = ""

    def value(self, tree: Tree, node: int) -> str:
        """What a node predicts, as text."""
        value = f"{tree.response.before_value}{amount(float(tree.value[node]))}"
        return ", ".join([value, *self.further(tree.response, tree.further[node])])

    def further(self, response: Response, numbers: np.ndarray) -> list[str]:
        """The names and numbers of what is predicted besides the value."""
        return [f"{name} {amount(float(each))}" for name, each in zip(response.further, numbers, strict=True)]

    def moments(self, response: Response, moments: np.ndarray) -> str:
        """The prediction from the moments of a node, or the counts of its classes, as text."""
        return f"{response.value_name} {amount(float(response.place(moments[None])[0]))}"

    def lines(self, tree: Tree, node: int) -> list[str]:
        """The prediction of a node in lines, class by class, the predicted class first."""
        return [f"{tree.response.value_name} {amount(float(tree.value[node]))}"]

    def check_histogram(self, response: Response, y: Any) -> None:
        """Check that y is given where histograms of rows need it, and only where they can show it.

        Raises
        ------
        ParameterError
        """
        if response.takes_exposure and y is not None:
            raise ParameterError(
                "histograms of a tree of rates show only the rows; ", remedy("leave ", Setting("y"), " out"), "."
            )

    def columns(self, tree: Tree) -> dict[str, list]:
        """The prediction of each node, a column for each field; of classes the label, probabilities and weights."""
        return dict(zip(tree.response.fields, tree.response.columns_of(tree).T.tolist(), strict=True))

    def compared(self, tree: Tree, nodes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The number of each node that is divided by the root's to give its lift, and the root's; shape (E,) each."""
        return tree.value[nodes], np.full(len(nodes), tree.value[0])


class ClassViews(NumberViews):
    """Views of nodes that predict a class."""

    small_leaves = "[ ] 95 % interval: "

    def value(self, tree: Tree, node: int) -> str:
        k = int(tree.value[node])
        return f"{level(tree.response.labels[k])} {share(float(tree.probability[node, k]))}"

    def moments(self, response: Response, moments: np.ndarray) -> str:
        pairs = zip(response.labels, moments, strict=True)
        return ", ".join(f"{level(label)} {amount(float(weight))}" for label, weight in pairs)

    def lines(self, tree: Tree, node: int) -> list[str]:
        value, p, counts = tree.value[node], tree.probability[node], tree.counts[node].tolist()
        order = [int(value), *(k for k in np.argsort(-p, kind="stable").tolist() if k != value)]
        of_rows = [amount(count) for count in counts]
        if tree.response.is_weighted and tree.rows[node]:
            total = float(tree.row_weight[node])
            of_rows = [f"{words}, {percent(count / total)}" for words, count in zip(of_rows, counts, strict=True)]
        lines = [f"{level(tree.response.labels[k])}: {share(float(p[k]))} ({of_rows[k]})" for k in order[:12]]
        return lines + ([f"and {len(order) - 12} more classes"] if len(order) > 12 else [])

    def check_histogram(self, response: Response, y: Any) -> None:
        if y is None:
            raise ParameterError(
                "histograms of a tree of classes need X and y; ", remedy("give ", Setting("y"), " too"), "."
            )

    def columns(self, tree: Tree) -> dict[str, list]:
        labels = tree.response.labels
        found = {"value": [labels[k] for k in tree.value.tolist()]}
        found |= super().columns(tree)
        return found | {f"n_{label}": tree.counts[:, k].tolist() for k, label in enumerate(labels)}

    def compared(self, tree: Tree, nodes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        k = tree.value[nodes]
        return tree.probability[nodes, k], tree.probability[0, k]


class SeveralViews(NumberViews):
    """Views of nodes that predict several responses, each as it is shown alone, after its name."""

    def value(self, tree: Tree, node: int) -> str:
        return ", ".join(f"{name} {views.value(one, node)}" for name, one, views in self._each(tree))

    def lines(self, tree: Tree, node: int) -> list[str]:
        return [f"{name} {views.value(one, node)}" for name, one, views in self._each(tree)]

    def columns(self, tree: Tree) -> dict[str, list]:
        return columns_by_response((name, views.columns(one)) for name, one, views in self._each(tree))

    @staticmethod
    def _each(tree: Tree) -> Iterator[tuple[str, Tree, NumberViews]]:
        """Name, tree and views of each response."""
        for r, response in enumerate(tree.response.responses):
            yield plain(response.name), of_response(tree, r), views_of(response)


def columns_by_response(each: Iterable[tuple[str, dict[str, list]]]) -> dict[str, list]:
    """Columns ``value`` and ``p_<label>`` of each response as ``value_<response>`` and ``p_<response>_<label>``."""
    found = {}
    for name, columns in each:
        parts = {column.partition("_"): values for column, values in columns.items()}
        found |= {f"{what}_{name}{mark}{label}": values for (what, mark, label), values in parts.items()}
    return found


_NUMBERS, _CLASSES, _SEVERAL = NumberViews(), ClassViews(), SeveralViews()


@singledispatch
def views_of(response: Response) -> NumberViews:
    """The views of a kind of y."""
    return _NUMBERS


@views_of.register
def _(response: Classes) -> NumberViews:
    return _CLASSES


@views_of.register
def _(response: Several) -> NumberViews:
    return _SEVERAL
