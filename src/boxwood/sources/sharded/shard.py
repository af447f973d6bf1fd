"""A shard: rows that stay where they are and answer with sums that add up over all shards."""

from __future__ import annotations

import numpy as np

from ... import _kernel
from ...data.columns import Columns
from ...statistics.exact import Exact
from ...statistics.response import CLASSES, MEAN, Response
from ...tree.descend import UNSEEN_POLICIES, land_in_parts
from ...tree.tree import Tree
from ..kernel_form import kernel_response
from .content_sums import MERGES
from .contents import Contents
from .kept import Keeper
from .part import Part
from .sums import alike
from .view import EVERYTHING, View


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
    keeper : Keeper, optional
        Where arrays of one value a row are kept that folds need; memory by default.
    """

    def __init__(self, part: Part, response: Response, threads: int = 1, keeper: Keeper | None = None):
        self._whole = self._part = part
        self._response, self._threads = response, threads
        self._contents = Contents(part, threads, Keeper() if keeper is None else keeper)
        self._view = EVERYTHING
        self._node = np.zeros(part.n, dtype=np.int32)
        self._n_nodes = 1

    def send(self, tree: Tree | None, view: View = EVERYTHING) -> None:
        """Every row goes to its node in the tree so far; None: a tree begins, and all are at its root."""
        self._look(view)
        if tree is None:
            self._node, self._n_nodes = np.zeros(self._part.n, dtype=np.int32), 1
            return
        self._node, self._n_nodes = self._sent(tree), tree.n_nodes
        self._release()

    def answer(self, question: str, asked: dict) -> dict[str, np.ndarray]:
        """The answer to one of "facts", "tables", "values", "floors", "rows" and "lands", or about the rows' content.

        The latter: :class:`boxwood.sources.sharded.contents.Contents`.
        """
        if question in MERGES:
            found = getattr(self._contents, question)(asked)
        else:
            self._look(View.from_array(asked.get("view")))
            found = getattr(self, f"_{question}")(asked)
        self._release()
        return found

    def _look(self, view: View) -> None:
        """Look at the rows in another way from now on."""
        if view == self._view:
            return
        self._part = self._contents.by_rank() if view.by_rank else self._whole
        self._view = view

    def _release(self) -> None:
        self._whole.release()
        self._contents.release()

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
            values = values[~np.isnan(values) & self._kept]
            above = np.searchsorted(limits, values)
            highest = np.full(count + 1, -np.inf)
            np.maximum.at(highest, above, values)
            out[end - count : end] = np.maximum.accumulate(highest[:count])
        return {"floor": out + 0.0}

    def _rows(self, asked: dict) -> dict:
        """The rows of ``nodes`` themselves: which node, the values of all features, the response."""
        places = self._places(asked["nodes"])
        rows = np.flatnonzero(places >= 0)
        exact = self._part.exact
        arrays = {f"x{j}": values[rows] for j, values in enumerate(self._part.values)}
        response = {name: getattr(exact, name) for name in ("weight", "codes", "high", "low", "log")}
        return {"place": places[rows], **arrays, **{n: a[rows] for n, a in response.items() if a is not None}}

    def _lands(self, asked: dict) -> dict:
        """Where the rows that are left out end in a ``tree``: node, response, true weight; of classes, how many alike.

        ``unseen``: number of the policy among :data:`boxwood.tree.descend.UNSEEN_POLICIES`.
        """
        rows = np.flatnonzero(~self._kept)
        exact, p = self._part.exact.take(rows), len(self._part.schema)
        taken = (values[rows] for values in self._part.values)
        values = tuple(v.astype(np.float64, copy=False) if v.dtype.kind == "f" else v for v in taken)
        columns = Columns(self._part.schema, exact.n, values, (None,) * p, {})
        parts = land_in_parts(asked["tree"], columns, UNSEEN_POLICIES[int(asked["unseen"])], self._threads)
        weight = np.ones(exact.n) if exact.weight is None else exact.weight * exact.unit
        found = {"node": parts.node.astype(np.int64), "weight": weight[parts.row] * parts.share}
        if exact.kind == CLASSES:
            count = np.ones(len(parts.row), dtype=np.int64)
            return alike(found | {"y": exact.codes[parts.row].astype(np.int64), "count": count})
        if exact.kind == MEAN:
            return found | {"y": exact.values()[parts.row]}
        exposure, events = exact.high * exact.scale, exact.low * exact.low_scale
        return found | {"y": exposure[parts.row], "events": events[parts.row]}

    @property
    def _kept(self) -> np.ndarray | bool:
        """Which rows are not left out, bool, shape (n,)."""
        if self._view.without < 0:
            return np.ones(self._part.n, dtype=bool)
        return self._contents.label != self._view.without

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
        found = place[self._node]
        if self._view.without >= 0:
            found[self._contents.label == self._view.without] = -1
        return found

    def _codes(self, j: int) -> np.ndarray:
        codes = self._part.codes[j]
        return self._part.values[j] if codes is None else codes

    def _size(self, j: int) -> int:
        cuts = self._part.cuts[j]
        return len(self._part.schema[j].levels) if cuts is None else len(cuts) + 1


def exact_of(rows: dict, scaling: Exact) -> Exact:
    """The response of rows that a shard handed out, in the fixed point of the whole data."""
    arrays = {name: rows.get(name) for name in ("weight", "codes", "high", "low", "log")}
    return Exact(
        scaling.kind, len(rows["place"]), unit=scaling.unit, center=scaling.center, scale=scaling.scale,
        low_scale=scaling.low_scale, log_scale=scaling.log_scale, **arrays,
    )  # fmt: skip
