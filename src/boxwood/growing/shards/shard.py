"""A shard: rows that stay where they are and reply to requests with sums that add up over all shards."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ... import _kernel
from ...data.columns.schema import NUMERIC
from ...statistics.exact import Exact
from ...statistics.responses.response import Response
from ...tree.descend import UNSEEN_POLICIES, route_shares
from ...tree.lazy_arrays import with_arrays
from ...tree.shares import Parts
from ...tree.tree import Tree
from ...tree.weight_squares import square_sums
from ..memory.kernel_form import kernel_response
from .array_store import ArrayStore
from .content_sums import MERGES
from .contents import RowContents
from .part import Part, pair_codes
from .shares import Shares
from .sums import alike
from .view import EVERYTHING, View


class Shard:
    """The rows of a part, each at its node of the tree so far.

    A request has arguments, a dictionary of plain values and arrays; a reply is a dictionary of arrays. A shard stores
    the node of each row, which follows from the tree at any time; where rows are divided among branches, it stores the
    row, node and weight of each part of a row.

    Parameters
    ----------
    part : Part
    response : Response
    threads : int
        At most this many; replies do not depend on it.
    store : ArrayStore, optional
        Where arrays of one value per row are kept that folds need; memory by default.
    """

    def __init__(self, part: Part, response: Response, threads: int = 1, store: ArrayStore | None = None):
        self._whole = self._part = part
        self._response, self._threads = response, threads
        self._contents = RowContents(part, response, threads, ArrayStore() if store is None else store)
        self._view, self._taken = EVERYTHING, (None, np.zeros(0, dtype=np.uint8))
        self._begin(None)

    def _begin(self, shares: Shares | None) -> None:
        """All rows are at the root."""
        part, self._n_nodes, self._row_of = self._part, 1, None
        self._exact, self._node = part.exact, np.zeros(part.n, dtype=np.int32)
        if shares is not None:
            self._row_of = np.flatnonzero(self._kept).astype(np.uint32)
            exact = part.exact.take(self._row_of)
            weight = np.ones(exact.n, dtype=np.int64) if exact.weight is None else exact.weight
            self._exact = replace(shares.raised(exact), weight=weight << shares.shift)
            self._node = np.zeros(exact.n, dtype=np.int32)

    def update(self, tree: Tree | None, shares: Shares | None = None, view: View = EVERYTHING) -> None:
        """Every row goes to its node in the tree so far; None: a tree begins, and all are at its root.

        With ``shares`` a row of unknown value goes down every branch with its share.
        """
        self._set_view(view)
        if tree is None or (shares is not None and self._row_of is None):
            self._begin(shares)
        if tree is None:
            return
        if shares is None:
            self._node, self._n_nodes = self._sent(tree), tree.n_nodes
        else:
            self._share_out(tree, shares)
        self._release()

    def _share_out(self, tree: Tree, shares: Shares) -> None:
        exact, given = self._exact, (self._row_of, self._node, self._exact.weight, shares.known)
        self._row_of, self._node, weight = _kernel.shard_share_out(
            with_arrays(tree), self._columns(), *given, self._threads
        )
        self._n_nodes = tree.n_nodes
        self._exact = replace(exact, n=len(weight), weight=weight, codes=self._part.exact.codes[self._row_of])

    def reply(self, request: str, arguments: dict) -> dict[str, np.ndarray]:
        """The reply to a request about nodes, or about the content of the rows.

        The former: stats, tables, values, floors, spans, categories, rows, leaves and squares. The latter:
        :class:`boxwood.growing.shards.contents.Contents`.
        """
        if request in MERGES:
            found = getattr(self._contents, request)(arguments)
        else:
            self._set_view(View.from_array(arguments.get("view")))
            found = getattr(self, f"_{request}")(arguments)
        self._release()
        return found

    def _set_view(self, view: View) -> None:
        """Take another view of the rows from now on."""
        if view == self._view:
            return
        self._part = self._contents.by_rank() if view.by_rank else self._whole
        self._view = view

    def _release(self) -> None:
        self._whole.release()
        self._contents.release()

    def _stats(self, arguments: dict) -> dict:
        """Sums of the response at each of ``nodes``."""
        nodes = arguments["nodes"]
        words, ends = _kernel.shard_stats(self._places(nodes), len(nodes), self._given, self._threads)
        return {"words": words, "ends": ends}

    def _tables(self, arguments: dict) -> dict:
        """Sums at each of ``nodes`` by bin or level of each of ``features``, one feature after the other."""
        nodes = arguments["nodes"]
        columns = [(self._codes(j), self._size(j), None, None, None) for j in arguments["features"].tolist()]
        places = self._places(nodes)
        found = _kernel.shard_tables(places, len(nodes), self._row_of, columns, self._summed(arguments), self._threads)
        return {name: np.concatenate([f[i] for f in found]) for i, name in enumerate(("rows", "words", "spread"))}

    def _values(self, arguments: dict) -> dict:
        """Sums at each of ``nodes`` by exact value inside the bins ``opened`` of each of ``features``."""
        nodes, opened, columns, at = arguments["nodes"], arguments["opened"], [], 0
        for j in arguments["features"].tolist():
            size = self._size(j) * len(nodes)
            exact = self._part.values[j], self._part.low_of(j), opened[at : at + size]
            columns.append((self._codes(j), self._size(j), *exact))
            at += size
        places = self._places(nodes)
        found = _kernel.shard_values(places, len(nodes), self._row_of, columns, self._summed(arguments), self._threads)
        names = ("value", "rows", "words", "spread")
        lows = [f[2] if len(f[2]) else np.zeros(len(f[1])) for f in found] if any(len(f[2]) for f in found) else []
        return {
            "count": np.concatenate([np.diff(f[0]) for f in found]),
            "low": np.concatenate(lows) if lows else np.zeros(0),
            **{name: np.concatenate([f[i] for f in found]) for i, name in zip((1, 3, 4, 5), names, strict=True)},
        }

    def _floors(self, arguments: dict) -> dict:
        """The largest value at or below each of the rising ``limits`` of each of ``features``; ``count``: how many.

        Limits and values are pairs with the low parts of whole numbers beyond 2**53 (``low``). ``ceiling``: the
        smallest value above, without its low part.
        """
        stop, n = np.cumsum(arguments["count"]), len(arguments["limits"])
        floor, lows, ceiling = np.full(n, -np.inf), np.zeros(n), np.full(n, np.inf)
        counts = arguments["count"].tolist()
        for j, end, count in zip(arguments["features"].tolist(), stop.tolist(), counts, strict=True):
            part = slice(end - count, end)
            limits, values, low = arguments["limits"][part], self._part.values[j], self._part.low_of(j)
            known = ~np.isnan(values) & self._kept
            values = values[known]
            if low is not None:  # complex numbers are ordered as pairs
                limits, values = limits + 1j * arguments["low"][part], values + 1j * low[known]
            highest, lowest = np.full(count + 1, -np.inf, dtype=limits.dtype), np.full(count + 1, np.inf)
            above = np.searchsorted(limits, values)
            np.maximum.at(highest, above, values)
            np.minimum.at(lowest, above, values.real)
            highest = np.maximum.accumulate(highest[:count])
            floor[part], lows[part] = highest.real, highest.imag
            ceiling[part] = np.minimum.accumulate(lowest[::-1])[::-1][1:]
        return {"floor": floor + 0.0, "low": lows + 0.0, "ceiling": ceiling + 0.0}

    def _spans(self, arguments: dict) -> dict:
        """Rows, weight, least and greatest value of the root's rows in each bin of the numeric ``features``."""
        rows = np.flatnonzero(self._kept)
        found = [self._part.spans(j, rows) for j in arguments["features"].tolist()]
        return {name: np.concatenate([each[name] for each in found]) for name in found[0]}

    def _categories(self, arguments: dict) -> dict:
        """Sums at each of ``nodes`` by CHAID's categories of every feature, missing last.

        A feature has ``sizes`` categories: its levels, or bins with ``cuts`` between them (and their low parts), one
        feature after the other.
        ``cases``: classes have the sums of their rows and of their weights.
        """
        nodes, columns, at = arguments["nodes"], [], 0
        for j, size in enumerate(arguments["sizes"].tolist()):
            if self._part.codes[j] is None:
                columns.append((self._part.values[j], size, None, None, None))
                continue
            part = slice(at, at + max(0, size - 1))
            cuts = arguments["cuts"][part], arguments["cuts_low"][part]
            columns.append((pair_codes(self._part.values[j], self._part.low_of(j), *cuts), size, None, None, None))
            at = part.stop
        summed = self._summed(arguments) | {"exact": True, "cases": bool(arguments["cases"][0])}
        found = _kernel.shard_tables(self._places(nodes), len(nodes), None, columns, summed, self._threads)
        return {name: np.concatenate([f[i] for f in found]) for i, name in enumerate(("rows", "words"))}

    def _rows(self, arguments: dict) -> dict:
        """The rows of ``nodes`` themselves, node by node: how many, the values of all features, the response."""
        nodes = arguments["nodes"]
        places = self._places(nodes)
        if len(nodes) == 1 and not places.any():  # all are needed, in their order: nothing is copied
            samples = slice(None)
        else:
            samples = np.flatnonzero(places >= 0)
            samples = samples[np.argsort(places[samples], kind="stable")]
        rows = samples if self._row_of is None else self._row_of[samples]
        response = {name: getattr(self._exact, name) for name in ("weight", "codes", "high", "low", "log")}
        found = {"count": np.bincount(places[samples], minlength=len(nodes))}
        found |= {f"x{j}": values[rows] for j, values in enumerate(self._part.values)}
        found |= {f"l{j}": low[rows] for j, low in enumerate(self._part.low) if low is not None}
        return found | {name: array[samples] for name, array in response.items() if array is not None}

    def _leaves(self, arguments: dict) -> dict:
        """Where the rows that are left out end in a ``tree``: node, response, true weight; of classes, how many alike.

        ``unseen``: number of the policy among :data:`boxwood.tree.descend.UNSEEN_POLICIES`.
        """
        exact, parts = self._ends(np.flatnonzero(~self._kept), arguments)
        weight = np.ones(exact.n) if exact.weight is None else exact.weight * exact.unit
        found = {"node": parts.node.astype(np.int64), "weight": weight[parts.row] * parts.share}
        truth = self._response.truth(exact)[parts.row]
        if self._response.repeats:
            return alike(found | {"y": truth.astype(np.int64), "count": np.ones(len(parts.row), dtype=np.int64)})
        return found | dict(zip(("y", "events"), np.atleast_2d(truth.T), strict=False))

    def _squares(self, arguments: dict) -> dict:
        """Sums of the squared weights of the rows, at the nodes of a ``tree`` where they end."""
        exact, parts = self._ends(np.flatnonzero(self._kept), arguments)
        return {"sums": square_sums(arguments["tree"], parts, exact.weight, exact.codes)}

    def _ends(self, rows: np.ndarray, arguments: dict) -> tuple[Exact, Parts]:
        """The response of some rows, and where they end in a ``tree``; ``unseen``: as in :meth:`_leaves`."""
        columns, unseen = self._part.columns(rows), UNSEEN_POLICIES[int(arguments["unseen"])]
        return self._part.exact.take(rows), route_shares(arguments["tree"], columns, unseen, self._threads)

    @property
    def _kept(self) -> np.ndarray:
        """Which rows are not left out, bool, shape (n,)."""
        if self._view.without < 0:
            return np.ones(self._part.n, dtype=bool)
        return self._contents.label != self._view.without

    @property
    def _given(self) -> dict:
        return kernel_response(self._response, self._exact)

    def _summed(self, arguments: dict) -> dict:
        """What is summed: the response, or the branch that a split sends rows to."""
        if "split" in arguments:
            return {"kind": "branches", "branch": self._branches(arguments), "weight": self._part.exact.weight}
        return self._given | {"exact": False, "cases": False, "by_low": arguments["by_low"]}

    def _branches(self, arguments: dict) -> np.ndarray:
        """Branch 0 or 1 of each row only by its node's split, 2 = the split does not cover it; uint8, shape (n,)."""
        tree, before = arguments["split"], self._node
        if self._taken[0] is not tree:  # several requests are about one split
            after = self._sent(tree)
            self._taken = tree, np.where(after == before, 2, after - tree.first_child[before]).astype(np.uint8)
        return self._taken[1]

    def _sent(self, tree: Tree) -> np.ndarray:
        """Where each row ends that goes on from its node in a larger tree."""
        return _kernel.apply(with_arrays(tree), None, self._columns(), None, self._threads, self._node)[0]

    def _columns(self) -> list[tuple]:
        """Kind and values of each feature, as the kernel sends rows down by them."""
        features = enumerate(zip(self._part.schema, self._part.values, strict=True))
        return [
            (f.kind, np.ascontiguousarray(values), self._part.low_of(j) if f.kind == NUMERIC else len(f.levels))
            for j, (f, values) in features
        ]

    def _places(self, nodes: np.ndarray) -> np.ndarray:
        """Position of each sample's node among ``nodes``, -1 = it is not there; int16, shape (samples,)."""
        place = np.full(self._n_nodes, -1, dtype=np.int16)
        place[nodes] = np.arange(len(nodes))
        found = place[self._node]
        if self._view.without >= 0 and self._row_of is None:
            found[self._contents.label == self._view.without] = -1
        return found

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
