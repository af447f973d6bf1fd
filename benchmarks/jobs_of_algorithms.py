"""Jobs of the other algorithms: C4.5, its rules, ID3, CHAID and MARS."""

from __future__ import annotations

from collections.abc import Callable

from benchmarks import c45, chaid, mars, tables
from benchmarks.job import Calls, beside_r, default, job
from benchmarks.libraries import bench_chaid_pypi, bench_j48
from benchmarks.libraries.session import Job as FitJob
from benchmarks.problems import PROBLEMS, Data, two_classes


@job("C4.5, default pruning, 100,000 x 20", "J48")
def c45_j48() -> Calls:
    from boxwood import C45Classifier

    X, y = c45.problem(100_000)
    problem = next(problem for problem in PROBLEMS if problem.name == "2 classes")
    if (absent := bench_j48.LIBRARY.absent()) is not None:
        raise RuntimeError(absent)
    session = bench_j48.Session(FitJob(problem, Data(X, y), None, 1), options=())
    return lambda: C45Classifier(n_jobs=1).fit(X, y), session.fit


@job("C4.5, default pruning, 20,000 x 20", "c50py")
def c45_c50py() -> Calls:
    from c50py import C5Classifier

    from boxwood import C45Classifier

    X, y = c45.problem(20_000)
    return lambda: C45Classifier(n_jobs=1).fit(X, y), lambda: C5Classifier().fit(X, y)


def _levels(kind: str, n: int, columns: int, levels: int, **settings) -> Callable[[], object]:
    X, y = tables.nominal(n, 0, columns, levels)
    return default(kind, X, y, **settings)


@job("C4.5, 1,000 levels, 50,000 x 10", "100 levels", peer_is_ours=True)
def c45_levels() -> Calls:
    return _levels("C45Classifier", 50_000, 10, 1_000), _levels("C45Classifier", 50_000, 10, 100)


@job("C4.5, group_levels, 300 levels, 20,000 x 10", "30 levels", peer_is_ours=True)
def c45_groups() -> Calls:
    grouped = {"group_levels": True}
    return _levels("C45Classifier", 20_000, 10, 300, **grouped), _levels("C45Classifier", 20_000, 10, 30, **grouped)


@job("C4.5, 1,000 levels, 50,000 x 10, beside Weka", "J48")
def c45_levels_j48() -> Calls:
    X, y = tables.nominal(50_000, 0, 10, 1_000)
    problem = next(problem for problem in PROBLEMS if problem.name == "2 classes")
    if (absent := bench_j48.LIBRARY.absent()) is not None:
        raise RuntimeError(absent)
    session = bench_j48.Session(FitJob(problem, Data(X, y), None, 1), options=())
    return default("C45Classifier", X, y), session.fit


@job("ID3, 5,000 levels, 50,000 x 5", "1,000 levels", peer_is_ours=True)
def id3_levels() -> Calls:
    return _levels("ID3Classifier", 50_000, 5, 5_000), _levels("ID3Classifier", 50_000, 5, 1_000)


@job("C4.5 rules, 30,000 x 20", "its unpruned tree", peer_is_ours=True)
def c45_rules() -> Calls:
    import boxwood

    X, y = two_classes(30_000)
    tree = boxwood.C45Classifier(pruning=None, n_jobs=1)
    return lambda: boxwood.C45Rules(n_jobs=1).fit(X, y), lambda: tree.fit(X, y)


@job("CHAID, depth 2, 10,000 x 20 levels", "CHAID (PyPI)")
def chaid_pypi() -> Calls:
    from boxwood import CHAIDClassifier

    codes, y = chaid.problem(10_000)
    X, frame = chaid.categories(codes), codes.assign(y=y)
    kinds = {name: "ordinal" if int(name[1:]) >= 10 else "nominal" for name in codes}
    model = CHAIDClassifier(max_depth=2, n_jobs=1)
    return lambda: model.fit(X, y), lambda: bench_chaid_pypi.grow(frame, kinds, "y", 2)


def _mars(n: int, degree: int, threads: int, **problem) -> Calls:
    from boxwood import MARSRegressor

    X, y = mars.problem(n, **problem)
    script = f'library(earth); cat(system.time(earth(y ~ ., data, degree={degree}))[["elapsed"]])'
    return lambda: MARSRegressor(max_degree=degree, n_jobs=threads).fit(X, y), beside_r(script, X, y)


@job("MARS, degree 1, 100,000 x 20", "earth", 2)
def mars_additive() -> Calls:
    return _mars(100_000, 1, 2)


@job("MARS, degree 2, 100,000 x 20", "earth", 2)
def mars_pairs() -> Calls:
    return _mars(100_000, 2, 2)


@job("MARS, degree 2, 30,000 x 20", "earth")
def mars_one_thread() -> Calls:
    return _mars(30_000, 2, 1)


@job("MARS, degree 1, 3,000 x 100, much noise", "earth")
def mars_wide_additive() -> Calls:
    return _mars(3_000, 1, 1, columns=100, noise=8.0)


@job("MARS, degree 2, 3,000 x 60, much noise", "earth")
def mars_wide_pairs() -> Calls:
    return _mars(3_000, 2, 1, columns=60, noise=8.0)


@job("MARS, degree 1, 10,000 x 20", "py-earth2")
def mars_python() -> Calls:
    from pyearth import Earth

    from boxwood import MARSRegressor

    X, y = mars.problem(10_000)
    return lambda: MARSRegressor(n_jobs=1).fit(X, y), lambda: Earth().fit(X, y)
