"""A shard: rows that stay where they are and answer with sums that add up over all shards."""

from __future__ import annotations

import numpy as np

from ... import _kernel
from ...statistics.exact import Exact
from ...statistics.response import MEAN, Response
from ...tree.tree import Tree
from ..kernel_form import kernel_response
from .part import Part


class Shard:
    """The rows of a part, each at its node of the tree so far.

    Every answer is a dictionary of arrays. What is asked for is a dictionary of plain values and arrays, so that both
    can travel. Nothing is kept but the node of each row, which the tree tells again at any time.

    Parameters
    ----------
    part : Part
    response : Response
    threads : int
        At most this many; answers do not depend on it.
    """

    def __init__(self, part: Part, response: Response, threads: int = 1):
        self._part, self._response, self._threads = part, response, threads
        self._node = np.zeros(part.n, dtype=np.int32)
        self._n_nodes = 1

    def send(self, tree: Tree | None) -> None:
        """Every row goes to its node in the tree so far; None: a tree begins, and all are at its root."""
        if tree is None:
            self._node[:], self._n_nodes = 0, 1
            return
        self._node, self._n_nodes = self._sent(tree), tree.n_nodes
        self._part.release()

    def answer(self, question: str, asked: dict) -> dict[str, np.ndarray]:
        """The answer to one of "facts", "tables", "values", "floors", "spans", "categories" and "rows"."""
        found = getattr(self, f"_{question}")(asked)
        self._part.release()
        return found

    def _facts(self, asked: dict) -> dict:
        """Sums of the response at each of ``nodes``."""
        nodes = asked["nodes"]
        words, ends = _kernel.shard_facts(self._places(nodes), len(nodes), self._given, self._threads)
        return {"words": words, "ends": ends}

    def _tables(self, asked: dict) -> dict:
        """Sums at each of ``nodes`` by bin or level of each of ``features``, one feature after the other."""
        nodes = asked["nodes"]
        columns = [(self._codes(j), self._size(j)) for j in asked["features"].tolist()]
        found = _kernel.shard_tables(self._places(nodes), len(nodes), columns, self._summed(asked), self._threads)
        return {name: np.concatenate([f[i] for f in found]) for i, name in enumerate(("rows", "words", "spread"))}

    def _values(self, asked: dict) -> dict:
        """Sums at each of ``nodes`` by exact value inside the bins ``opened`` of each of ``features``."""
        nodes, opened, columns, at = asked["nodes"], asked["opened"], [], 0
        for j in asked["features"].tolist():
            size = self._size(j) * len(nodes)
            columns.append((self._codes(j), self._size(j), self._part.values[j], opened[at : at + size]))
            at += size
        found = _kernel.shard_values(self._places(nodes), len(nodes), columns, self._summed(asked), self._threads)
        names = ("value", "rows", "words", "spread")
        return {
            "count": np.concatenate([np.diff(f[0]) for f in found]),
            **{name: np.concatenate([f[i + 1] for f in found]) for i, name in enumerate(names)},
        }

    def _floors(self, asked: dict) -> dict:
        """The largest value at or below each of the rising ``limits`` of each of ``features``; ``count``: how many."""
        stop = np.cumsum(asked["count"])
        out = np.full(len(asked["limits"]), -np.inf)
        for j, end, count in zip(asked["features"].tolist(), stop.tolist(), asked["count"].tolist(), strict=True):
            limits, values = asked["limits"][end - count : end], self._part.values[j]
            values = values[~np.isnan(values)]
            above = np.searchsorted(limits, values)
            highest = np.full(count + 1, -np.inf)
            np.maximum.at(highest, above, values)
            out[end - count : end] = np.maximum.accumulate(highest[:count])
        return {"floor": out + 0.0}

    def _spans(self, asked: dict) -> dict:
        """Rows, weight, least and greatest value of all rows in every bin of each of the numeric ``features``."""
        features, weight = asked["features"].tolist(), self._part.exact.weight
        columns = [(self._codes(j), self._size(j), self._part.values[j]) for j in features]
        found = _kernel.shard_spans(columns, weight, self._part.n, self._threads)
        names = ("rows", "weight", "least", "greatest")
        return {name: np.concatenate([f[i] for f in found]) for i, name in enumerate(names)}

    def _categories(self, asked: dict) -> dict:
        """Sums at each of ``nodes`` by CHAID's categories of every feature, missing last.

        A feature has ``sizes`` categories: its levels, or bins with ``cuts`` between them, one feature after the other.
        ``cases``: classes have the sums of their rows and of their weights.
        """
        nodes, columns, at = asked["nodes"], [], 0
        for j, size in enumerate(asked["sizes"].tolist()):
            count = max(0, size - 1) if self._part.codes[j] is not None else 0
            cuts = None if self._part.codes[j] is None else asked["cuts"][at : at + count]
            columns.append((self._part.values[j], size, cuts))
            at += count
        given = self._summed(asked), bool(asked["cases"][0])
        found = _kernel.shard_categories(self._places(nodes), len(nodes), columns, *given, self._threads)
        return {name: np.concatenate([f[i] for f in found]) for i, name in enumerate(("rows", "words"))}

    def _rows(self, asked: dict) -> dict:
        """The rows of ``nodes`` themselves, node by node: how many, the values of all features, the response."""
        nodes = asked["nodes"]
        places = self._places(nodes)
        rows = np.flatnonzero(places >= 0)
        rows = rows[np.argsort(places[rows], kind="stable")]
        exact = self._part.exact
        response = {name: getattr(exact, name) for name in ("weight", "codes", "high", "low", "log")}
        arrays = {f"x{j}": values for j, values in enumerate(self._part.values)}
        arrays |= {name: array for name, array in response.items() if array is not None}
        count = np.bincount(places[rows], minlength=len(nodes))
        return {"count": count, **{name: array[rows] for name, array in arrays.items()}}

    @property
    def _given(self) -> dict:
        return kernel_response(self._response, self._part.exact)

    def _summed(self, asked: dict) -> dict:
        """What is summed: the response, about each node's own middle; or the branch that a split sends rows to."""
        if "split" in asked:
            return {"kind": "votes", "branch": self._branches(asked), "weight": self._part.exact.weight}
        if self._response.kind != MEAN:
            return self._given
        return self._given | {"shift": asked["shift"], "fine": asked["fine"]}

    def _branches(self, asked: dict) -> np.ndarray:
        """Branch 0 or 1 of each row by its node's split alone, 2 = the split does not know it; uint8, shape (n,)."""
        tree, before = asked["split"], self._node
        after = self._sent(tree)
        return np.where(after == before, 2, after - tree.first_child[before]).astype(np.uint8)

    def _sent(self, tree: Tree) -> np.ndarray:
        """Where each row ends that goes on from its node in a larger tree."""
        features = zip(self._part.schema, self._part.values, strict=True)
        columns = [(feature.kind, np.ascontiguousarray(values)) for feature, values in features]
        return _kernel.shard_route(tree, columns, self._node, self._threads)

    def _places(self, nodes: np.ndarray) -> np.ndarray:
        """Position of each row's node among ``nodes``, -1 = it is not there; int16, shape (n,)."""
        place = np.full(self._n_nodes, -1, dtype=np.int16)
        place[nodes] = np.arange(len(nodes))
        return place[self._node]

    def _codes(self, j: int) -> np.ndarray:
        codes = self._part.codes[j]
        return self._part.values[j] if codes is None else codes

    def _size(self, j: int) -> int:
        cuts = self._part.cuts[j]
        return len(self._part.schema[j].levels) if cuts is None else len(cuts) + 1


def exact_of(rows: dict, n: int, scaling: Exact) -> Exact:
    """The response of n rows that shards handed out, in the fixed point of the whole data."""
    arrays = {name: rows.get(name) for name in ("weight", "codes", "high", "low", "log")}
    return Exact(
        scaling.kind, n, unit=scaling.unit, center=scaling.center, scale=scaling.scale,
        low_scale=scaling.low_scale, log_scale=scaling.log_scale, **arrays,
    )  # fmt: skip
