"""A learning set cut into shards of any size, with coarse codes of any fineness."""

from __future__ import annotations

import numpy as np

from boxwood.data.columns.columns import Columns
from boxwood.data.columns.schema import NUMERIC
from boxwood.growing.grow import grow
from boxwood.growing.recipe import Recipe
from boxwood.growing.shards.engine import LocalEngine
from boxwood.growing.shards.part import Part, coarse_codes
from boxwood.growing.shards.shard import Shard
from boxwood.growing.shards.source import ShardedSource
from boxwood.growing.shards.whole import Whole
from boxwood.statistics.exact import Exact
from boxwood.statistics.responses.response import Response
from boxwood.tree.tree import Tree


def some_cuts(values: np.ndarray, share: float, rng: np.random.Generator) -> np.ndarray:
    """Cuts between bins: a share of the distinct values."""
    distinct = np.unique(values[np.isfinite(values)]) + 0.0
    return np.unique(distinct[rng.random(len(distinct)) < share])[:4095]


def parts_of(columns: Columns, exact: Exact, places: np.ndarray, cuts: tuple) -> list[Part]:
    """One part for each number in ``places`` (int, shape (n,)), its rows in the order they have."""
    out = []
    for place in np.unique(places):
        rows = np.flatnonzero(places == place)
        taken = columns.take(rows)
        codes = tuple(None if c is None else coarse_codes(v, c) for v, c in zip(taken.values, cuts, strict=True))
        values = tuple(map(np.ascontiguousarray, taken.values))  # as files give them; a matrix has rows side by side
        out.append(Part(columns.schema, len(rows), values, codes, cuts, exact.take(rows), taken.low))
    return out


def sharded_source(
    columns: Columns, response: Response, exact: Exact, rng: np.random.Generator, capacity: int, share: float = 0.3
) -> ShardedSource:
    """The same learning set in one to seven shards, of which some may have one row only."""
    cuts = tuple(
        some_cuts(v, share, rng) if f.kind == NUMERIC else None
        for f, v in zip(columns.schema, columns.values, strict=True)
    )
    places = rng.integers(0, rng.choice([1, 2, 3, 5, 7]), columns.n)
    parts = parts_of(columns, exact, places, cuts)
    scaling = Exact(
        exact.kind, exact.n, unit=exact.unit, center=exact.center, scale=exact.scale,
        low_scale=exact.low_scale, log_scale=exact.log_scale,
    )  # fmt: skip
    whole = Whole(columns.schema, cuts, response, scaling, exact.weight is not None)
    shards = [Shard(part, response) for part in parts]
    engine = LocalEngine(shards, response.kind, reply_bytes=int(rng.choice([1, 2000, 1 << 28])))
    return ShardedSource(engine, whole, capacity)


def sharded_tree(columns: Columns, response: Response, exact: Exact, recipe: Recipe, seed: int, capacity: int) -> Tree:
    """The tree that grows from shards."""
    return grow(sharded_source(columns, response, exact, np.random.default_rng(seed), capacity), recipe, {})
