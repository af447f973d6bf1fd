"""What the page holds of y: of the response, the nodes and given rows; one object for each kind of y."""

from __future__ import annotations

from functools import singledispatch

import numpy as np

from ...statistics.responses.classes import Classes
from ...statistics.responses.means import Means
from ...statistics.responses.quantiles import Quantiles
from ...statistics.responses.response import Response
from ...tree.leaf_order import pools_of
from ...tree.predicting import predicting_moments
from ...tree.tree import Tree
from .json_numbers import numbers

#: Significant digits of what is only shown of nodes, and of given rows.
SHOWN, GIVEN = 5, 6


class RatePage:
    """Numbers per exposure."""

    def described(self, response: Response) -> dict:
        """What the page needs to know beyond kind, name and labels."""
        return {}

    def nodes(self, tree: Tree) -> dict:
        """What predicts, and what is shown beside it, for each node."""
        weight = {} if np.array_equal(tree.weight, tree.rows) else {"weight": numbers(tree.weight)}
        return weight | self._spread(tree)

    def _spread(self, tree: Tree) -> dict:
        return {"exposure": numbers(tree.moments[:, 1], SHOWN), "events": numbers(tree.moments[:, 2], SHOWN)}

    def truth(self, tree: Tree, node: np.ndarray, y: np.ndarray, weight: np.ndarray) -> dict:
        """What is true of rows, given the node in which each ends; of each node, null where no row comes."""
        exposure, events = self._sums(tree, node, weight, y[:, 0], y[:, 1])
        with np.errstate(divide="ignore", invalid="ignore"):
            return {"rate": numbers(events / exposure, GIVEN)}

    def groups(self, response: Response, y: np.ndarray) -> tuple[np.ndarray, int]:
        """Which of so many groups each row is shown in."""
        return np.zeros(len(y), dtype=np.int64), 1

    def _sums(self, tree: Tree, node: np.ndarray, weight: np.ndarray, *terms: np.ndarray) -> np.ndarray:
        """Weighted sums of terms over the rows at each node."""
        return added_up(tree, np.column_stack([np.bincount(node, weight * term, tree.n_nodes) for term in terms])).T


class MeanPage(RatePage):
    """Numbers about their mean."""

    def described(self, response: Response) -> dict:
        return {"words": ["mean", "standard deviation"]}

    def _spread(self, tree: Tree) -> dict:
        return {"spread": numbers(np.sqrt(np.maximum(tree.impurity("variance"), 0.0)), SHOWN)}

    def truth(self, tree: Tree, node: np.ndarray, y: np.ndarray, weight: np.ndarray) -> dict:
        # Sums about the root's value: no digits are lost when all y are far from zero.
        middle = float(tree.value[0])
        total, first, squares = self._sums(tree, node, weight, np.ones(len(y)), y - middle, (y - middle) ** 2)
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = first / total
            spread = np.sqrt(np.maximum(squares / total - mean**2, 0.0))
        return {"mean": numbers(mean + middle, GIVEN), "spread": numbers(spread, GIVEN)}


class QuantilePage(MeanPage):
    """Numbers about a quantile, which the page shows as it shows a mean."""

    def described(self, response: Response) -> dict:
        return {"kind": Means.kind, "words": [response.value_name, "mean distance"], "edits": False}

    def _spread(self, tree: Tree) -> dict:
        return {"spread": numbers(tree.response.spread(tree.moments), SHOWN)}

    def truth(self, tree: Tree, node: np.ndarray, y: np.ndarray, weight: np.ndarray) -> dict:
        rows = [np.flatnonzero(node == t) for t in range(tree.n_nodes)]
        for t in range(tree.n_nodes - 1, 0, -1):
            rows[tree.parent[t]] = np.concatenate((rows[tree.parent[t]], rows[t]))
        found = np.array([tree.response.moments_of(y[some], weight[some]) for some in rows])
        found[[len(some) == 0 for some in rows]] = np.nan
        with np.errstate(divide="ignore", invalid="ignore"):
            spread = tree.response.spread(found)
        return {"mean": numbers(found[:, 1], GIVEN), "spread": numbers(spread, GIVEN)}


class ClassPage(RatePage):
    """Classes."""

    def described(self, response: Response) -> dict:
        return {
            "factors": list(response.factors), "smoothing": list(response.smoothing), "empty": response.empty,
            "altered": response.is_altered + response.is_weighted,
            "costs": None if response.costs is None else [list(row) for row in response.costs],
        }  # fmt: skip

    def nodes(self, tree: Tree) -> dict:
        counts = {"counts": numbers(tree.counts)} if tree.response.class_weights else {}
        return {"moments": numbers(tree.moments)} | counts | self._shared(tree)

    def _shared(self, tree: Tree) -> dict:
        """The moments of leaves that share a value because predictions have an order."""
        if tree.monotonic is None:
            return {}
        nodes = np.flatnonzero(pools_of(tree).of_node >= 0)
        moments = predicting_moments(tree, nodes)
        return {"shared": [[t, numbers(own)] for t, own in zip(nodes.tolist(), moments, strict=True)]}

    def truth(self, tree: Tree, node: np.ndarray, y: np.ndarray, weight: np.ndarray) -> dict:
        k = len(tree.response.labels)
        sums = np.bincount(node.astype(np.int64) * k + y, weight, tree.n_nodes * k).reshape(-1, k)
        return {"moments": numbers(added_up(tree, sums), GIVEN)}

    def groups(self, response: Response, y: np.ndarray) -> tuple[np.ndarray, int]:
        return y, len(response.labels)


def added_up(tree: Tree, at_ends: np.ndarray) -> np.ndarray:
    """Sums of what ended in each node or below it; shape (T, m), changed in place."""
    for t in range(tree.n_nodes - 1, 0, -1):
        at_ends[tree.parent[t]] += at_ends[t]
    return at_ends


_RATES, _MEANS, _QUANTILES, _CLASSES = RatePage(), MeanPage(), QuantilePage(), ClassPage()


@singledispatch
def response_page(response: Response) -> RatePage:
    """What the page holds of a kind of y."""
    return _RATES


@response_page.register
def _(response: Means) -> RatePage:
    return _MEANS


@response_page.register
def _(response: Quantiles) -> RatePage:
    return _QUANTILES


@response_page.register
def _(response: Classes) -> RatePage:
    return _CLASSES
