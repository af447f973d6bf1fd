"""Shards draw the folds and holdouts that memory draws, whatever the table and the shards, and what is at hand."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from boxwood.data.columns.schema import NUMERIC
from boxwood.growing.memory.source import EncodedColumns
from boxwood.growing.shards.engine import LocalEngine
from boxwood.growing.shards.part import Part, coarse_codes
from boxwood.growing.shards.shard import Shard
from boxwood.growing.shards.source import Whole
from boxwood.learning.folds import content_folds, content_holdout
from boxwood.learning.learning_set import LearningSet
from boxwood.pruning.shard_resampling import InShards
from effort import examples
from twins.brute_force import Problem, problems
from twins.sharded_problems import some_cuts


def in_shards(problem: Problem, seed: int) -> tuple[InShards, list[Shard], list[np.ndarray]]:
    """The rows in shards, the shards, and which rows each has."""
    columns, exact, rng = problem.columns, problem.exact, np.random.default_rng(seed)
    cuts = tuple(
        some_cuts(values, 0.3, rng) if feature.kind == NUMERIC else None
        for feature, values in zip(columns.schema, columns.values, strict=True)
    )
    places = rng.integers(0, rng.integers(1, 6), columns.n)
    rows = [np.flatnonzero(places == place) for place in np.unique(places)]
    shards = []
    for some in rows:
        taken = columns.take(some)
        codes = tuple(None if c is None else coarse_codes(v, c) for v, c in zip(taken.values, cuts, strict=True))
        part = Part(columns.schema, len(some), taken.values, codes, cuts, exact.take(some), taken.low)
        shards.append(Shard(part, problem.response))
    whole = Whole(columns.schema, cuts, problem.response, exact, exact.weight is not None)
    engine = LocalEngine(shards, problem.response.kind)
    return InShards(engine, whole, int(rng.integers(1, 20))), shards, rows


def equal_rows(problem: Problem) -> np.ndarray:
    """A number for each row, the same for rows of equal content."""
    columns, exact = problem.columns, problem.exact
    y = [column for _, column in problem.response.content(exact)]
    arrays = [*columns.values, *(low for low in columns.low if low is not None), *y]
    codes = [np.unique(np.asarray(array, dtype=np.float64), return_inverse=True)[1] for array in arrays]
    return np.unique(np.column_stack(codes), axis=0, return_inverse=True)[1].ravel()


def of_all(shards: list[Shard], rows: list[np.ndarray], name: str) -> np.ndarray:
    """What the shards keep of each row."""
    out = np.zeros(sum(map(len, rows)), dtype=np.uint64)
    for shard, some in zip(shards, rows, strict=True):
        out[some] = getattr(shard._contents, name)
    return out


def same_but_for_equal_rows(content: np.ndarray, one: np.ndarray, other: np.ndarray) -> bool:
    """Whether rows have the same labels, where those of equal content may exchange theirs."""
    one, other = (np.asarray(each)[np.lexsort((each, content))] for each in (one, other))
    return np.array_equal(one, other)


@settings(max_examples=examples(200), deadline=None)
@given(problems(), st.integers(0, 2**32), st.sampled_from((None, 0, 3)), st.sampled_from((0.1, 1 / 3, 0.5, 0.7)))
def test_shards_draw_what_memory_draws(problem, seed, salt, share):
    columns, exact, n = problem.columns, problem.exact, problem.columns.n
    learning = LearningSet(columns, EncodedColumns(columns, 1), np.arange(n), n, problem.response, exact, 1)
    resampled, shards, rows = in_shards(problem, seed)
    content = equal_rows(problem)
    fold, keeps = content_folds(learning, 2, salt), resampled.folds(2, salt)
    assert (keeps is None) == (fold is None) == (n < 4)
    if keeps is None:
        return
    assert same_but_for_equal_rows(content, of_all(shards, rows, "_number"), learning.row_numbers[0])
    drawn = of_all(shards, rows, "label").astype(int)
    assert same_but_for_equal_rows(content, drawn, fold)
    assert [keep.rows for keep in keeps] == [int(np.sum(fold != f)) for f in range(2)]
    weight = np.ones(n, dtype=np.int64) if exact.weight is None else exact.weight
    assert [keep.share for keep in keeps] == [int(weight[fold != f].sum()) / int(weight.sum()) for f in range(2)]
    held_out, keep = content_holdout(learning, share, salt), resampled.holdout(share, salt)
    assert (keep is None) == (held_out is None)
    if keep is not None:
        assert same_but_for_equal_rows(content, of_all(shards, rows, "label") == keep.label, held_out)
