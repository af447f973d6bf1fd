"""Every adapter fits a small problem of every kind and predicts other rows sensibly."""

from __future__ import annotations

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

from benchmarks import tables
from benchmarks.cell import worth
from benchmarks.libraries import LIBRARIES
from benchmarks.libraries.session import Job
from benchmarks.problems import CLASSIFICATION, PROBLEMS, REGRESSION, Data, Problem, signal

ROWS = 1_500


def numbers(n: int, seed: int) -> Data:
    X, score = signal(n, 6, seed)
    return Data(X, (score > 0).astype(np.int64), np.random.default_rng(seed).uniform(1, 2, n))


def amounts(n: int, seed: int) -> Data:
    return Data(*signal(n, 6, seed))


def mixed(n: int, seed: int) -> Data:
    X, y = tables.categories(n, seed, 5)
    X.iloc[::7, 0] = None
    X.iloc[::5, 1] = np.nan
    return Data(X, y)


def seven(n: int, seed: int) -> Data:
    X, score = signal(n, 6, seed)
    return Data(X, np.digitize(score, [-2, -1, -0.5, 0, 0.5, 1]))


SMALL = (
    Problem("weighted classes", CLASSIFICATION, numbers, rows=ROWS, weighted=True),
    Problem("numbers", REGRESSION, amounts, rows=ROWS, classes=0),
    Problem("mixed", CLASSIFICATION, mixed, rows=ROWS, levels=5, missing=True),
    Problem("seven classes", CLASSIFICATION, seven, rows=ROWS, classes=7),
)


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")  # of the peers, about themselves
@pytest.mark.parametrize("depth", [4, None])
@pytest.mark.parametrize("problem", SMALL, ids=lambda p: p.name)
@pytest.mark.parametrize("name", LIBRARIES)
def test_fits_and_predicts(name: str, problem: Problem, depth: int | None):
    library = LIBRARIES[name]
    why = library.unable(problem, depth) or library.absent()
    if why:
        pytest.skip(f"{name}: {why}")
    session = library.open(Job(problem, problem.data(), depth, 1))
    try:
        with threadpool_limits(1):
            assert session.fit() >= 0.0
            assert session.fit() >= 0.0, "a session fits as often as it is called"
            found = worth(session, problem.task, problem.make(500, 1))
    finally:
        session.close()
    if name == "J48":
        assert found is None
    else:
        floor = 0.1 if problem.task == REGRESSION else 0.6 if problem.classes == 2 else 0.3
        assert found > floor


@pytest.mark.long
def test_every_problem_can_be_made_and_is_the_same_each_time():
    for problem in PROBLEMS:
        first, again, other = problem.make(300, 0), problem.make(300, 0), problem.make(300, 1)
        assert len(first.X) == len(first.y) == 300
        assert np.array_equal(first.y, again.y)
        assert not np.array_equal(np.asarray(first.X, dtype=str), np.asarray(other.X, dtype=str))
        assert problem.weighted == (first.weight is not None)
        assert (problem.classes == 0) == (problem.task == REGRESSION)
        if problem.classes:
            assert first.y.min() >= 0
            assert first.y.max() < problem.classes
        holed = np.asarray(first.X) != np.asarray(first.X) if problem.levels == 0 else first.X.isna().to_numpy()
        assert holed.any() == problem.missing
        if problem.levels:
            kinds = [k for k in first.X.dtypes if k == "category"]
            assert max(len(k.categories) for k in kinds) == problem.levels
            assert any(k.ordered for k in kinds) == problem.ordered


def test_the_flights_have_the_size_of_the_real_ones():
    X, y = tables.flights(20_000, 0)
    assert X.shape[1] == 29
    assert sum(k == "category" for k in X.dtypes) == 8
    assert abs(X.isna().to_numpy().sum() / 20_000 * 261_877 - 975_000) < 30_000
    assert 0.2 < y.mean() < 0.3
