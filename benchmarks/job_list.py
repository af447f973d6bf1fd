"""The jobs of `benchmarks.jobs`: what is done, beside whom, by how many threads, and how both sides are called."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks import c45, chaid, mars, predict, sparse, tables, zeros
from benchmarks.libraries import bench_chaid_pypi, bench_j48
from benchmarks.libraries.session import Job as FitJob
from benchmarks.problems import PROBLEMS, Data, signal, two_classes

Calls = tuple[Callable[[], object], Callable[[], object]]


@dataclass(frozen=True)
class Job:
    """One job beside one other program.

    Attributes
    ----------
    name : str
    peer : str
    threads : (int, int)
        Of ours and of the other.
    make : callable
        Both calls, with data of their own; a call that returns seconds is not timed from outside.
    peer_is_ours : bool
        Whether the other side is another fit of boxwood.
    """

    name: str
    peer: str
    threads: tuple[int, int]
    make: Callable[[], Calls]
    peer_is_ours: bool = False


JOBS: list[Job] = []


def job(name: str, peer: str, ours: int = 1, other: int = 1, peer_is_ours: bool = False):
    """Put a function that makes both calls on the list; ``ours``, ``other``: threads."""

    def listed(make: Callable[[], Calls]) -> Callable[[], Calls]:
        JOBS.append(Job(name, peer, (ours, other), make, peer_is_ours))
        return make

    return listed


def _plain(X, y, **settings) -> Callable[[], object]:
    """The plain fit of classes, which other jobs of ours are multiples of."""
    from boxwood import CARTClassifier

    return lambda: CARTClassifier(pruning=None, max_surrogates=0, n_jobs=1, **settings).fit(X, y)


def _default(kind: str, X, y, **settings) -> Callable[[], object]:
    import boxwood

    return lambda: getattr(boxwood, kind)(n_jobs=1, **settings).fit(X, y)


@job("default fit (folds, surrogates), two classes, 100,000 x 20", "plain fit", peer_is_ours=True)
def default_classes() -> Calls:
    X, y = two_classes(100_000)
    return _default("CARTClassifier", X, y), _plain(X, y)


@job("default fit, depth 8", "plain fit, depth 8", peer_is_ours=True)
def default_depth() -> Calls:
    X, y = two_classes(100_000)
    return _default("CARTClassifier", X, y, max_depth=8), _plain(X, y, max_depth=8)


def _of_classes(classes: int, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Quantiles of the signal as classes."""
    X, score = signal(n)
    return X, np.digitize(score, np.quantile(score, np.arange(1, classes) / classes))


def _beside_plain(classes: int, n: int, ours: dict, theirs: dict) -> Calls:
    """A fit of ours beside a plain fit of scikit-learn."""
    from sklearn.tree import DecisionTreeClassifier

    X, y = _of_classes(classes, n)
    tree = DecisionTreeClassifier(random_state=0, **theirs)
    return _default("CARTClassifier", X, y, **ours), lambda: tree.fit(X, y)


@job("default fit, 200 classes, 20,000 x 20", "scikit-learn, plain fit")
def default_many_classes() -> Calls:
    return _beside_plain(200, 20_000, {}, {})


@job("entropy, 50 classes, 100,000 x 20, depth 8", "scikit-learn, entropy")
def entropy_many_classes() -> Calls:
    settings = {"criterion": "entropy", "max_depth": 8}
    return _beside_plain(50, 100_000, {"pruning": None, **settings}, settings)


@job("Tsallis(1.5), 7 classes, 50,000 x 20", "scikit-learn, entropy")
def tsallis() -> Calls:
    return _beside_plain(7, 50_000, {"pruning": None, "criterion": "tsallis:1.5"}, {"criterion": "entropy"})


@job("default fit, 1,000 x 20", "plain fit", peer_is_ours=True)
def default_small() -> Calls:
    X, y = two_classes(1_000)
    return _default("CARTClassifier", X, y), _plain(X, y)


@job("default fits of 50 tables of 200 x 20", "scikit-learn, plain fits")
def default_tiny() -> Calls:
    from sklearn.tree import DecisionTreeClassifier

    from boxwood import CARTClassifier

    X, y = two_classes(10_000)
    tables = list(zip(np.split(X, 50), np.split(y, 50), strict=True))
    ours, theirs = CARTClassifier(n_jobs=1), DecisionTreeClassifier(random_state=0)
    return lambda: [ours.fit(*table) for table in tables], lambda: [theirs.fit(*table) for table in tables]


@job("default fit, regression, 100,000 x 20", "YDF, default", 2, 2)
def default_regression() -> Calls:
    import ydf

    import boxwood

    ydf.verbose(0)
    X, y = signal(100_000)
    columns = {f"x{j}": np.ascontiguousarray(X[:, j]) for j in range(X.shape[1])} | {"y": y}
    learner = ydf.CartLearner(label="y", task=ydf.Task.REGRESSION, num_threads=2)
    return lambda: boxwood.CARTRegressor(n_jobs=2).fit(X, y), lambda: learner.train(columns)


@job('10 folds, cp 0, 20,000 x 20, compat="rpart"', "rpart")
def rpart_folds() -> Calls:
    from boxwood import CARTClassifier

    X, y = two_classes(20_000)
    settings = {"min_samples_split": 2, "min_samples_leaf": 1, "max_surrogates": 0, "max_competitors": 0, "n_jobs": 1}
    model = CARTClassifier(compat="rpart", max_depth=30, **settings)
    script = (
        "library(rpart);"
        "control <- rpart.control(minsplit=2, minbucket=1, cp=0, maxsurrogate=0, maxcompete=0, xval=10);"
        'cat(system.time(rpart(factor(y) ~ ., data, method="class", control=control))[["elapsed"]])'
    )
    return lambda: model.fit(X, y), _r(script, X, y)


@job("max_leaf_nodes=31, 300,000 x 20", "plain fit, depth 6", peer_is_ours=True)
def leaf_limit() -> Calls:
    X, y = two_classes(300_000)
    return _plain(X, y, max_leaf_nodes=31), _plain(X, y, max_depth=6)


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
    return _default(kind, X, y, **settings)


@job("C4.5, 10 columns of 1,000 levels, 50,000 rows", "100 levels", peer_is_ours=True)
def c45_levels() -> Calls:
    return _levels("C45Classifier", 50_000, 10, 1_000), _levels("C45Classifier", 50_000, 10, 100)


@job("C4.5, group_levels, 10 columns of 300 levels, 20,000 rows", "30 levels", peer_is_ours=True)
def c45_groups() -> Calls:
    grouped = {"group_levels": True}
    return _levels("C45Classifier", 20_000, 10, 300, **grouped), _levels("C45Classifier", 20_000, 10, 30, **grouped)


@job("C4.5, 10 columns of 1,000 levels, 50,000 rows", "J48")
def c45_levels_j48() -> Calls:
    X, y = tables.nominal(50_000, 0, 10, 1_000)
    problem = next(problem for problem in PROBLEMS if problem.name == "2 classes")
    if (absent := bench_j48.LIBRARY.absent()) is not None:
        raise RuntimeError(absent)
    session = bench_j48.Session(FitJob(problem, Data(X, y), None, 1), options=())
    return _default("C45Classifier", X, y), session.fit


@job("ID3, 5 columns of 5,000 levels, 50,000 rows", "1,000 levels", peer_is_ours=True)
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
    return lambda: MARSRegressor(max_degree=degree, n_jobs=threads).fit(X, y), _r(script, X, y)


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


@job("sparse 20,000 x 2,000, 1 % ones, depth 8", "scikit-learn")
def sparse_ones() -> Calls:
    fits = sparse.fits(*sparse.problem(ones=True, classes=True), True)
    return fits["boxwood"], fits["scikit-learn"]


@job("the same sparse table", "LightGBM, one round")
def sparse_lightgbm() -> Calls:
    fits = sparse.fits(*sparse.problem(ones=True, classes=True), True)
    return fits["boxwood"], fits["LightGBM"]


def _zeros(peer: str, classes: bool = True, depth: int | None = None) -> Calls:
    fits = zeros.fits(*zeros.problem(100_000, classes), classes, depth)
    return fits["boxwood"], fits[peer]


@job("90 % zeros, two classes, 100,000 x 20", "scikit-learn")
def zeros_free() -> Calls:
    return _zeros("scikit-learn")


@job("90 % zeros, regression, 100,000 x 20", "scikit-learn")
def zeros_regression() -> Calls:
    return _zeros("scikit-learn", classes=False)


@job("90 % zeros, two classes, 100,000 x 20, depth 8", "LightGBM, one round")
def zeros_depth() -> Calls:
    return _zeros("LightGBM", depth=8)


@job("default fit, 90 % zeros, 100,000 x 20", "plain fit", peer_is_ours=True)
def zeros_default() -> Calls:
    X, y = zeros.problem(100_000, True)
    return _default("CARTClassifier", X, y), _plain(X, y)


def _bins(most: int) -> Calls:
    X, y = two_classes(100_000)
    return _plain(X, y, max_depth=8, max_bins=most), _plain(X, y, max_depth=8)


@job("max_bins=255, 100,000 x 20, depth 8", "every value", peer_is_ours=True)
def bins_or_values() -> Calls:
    return _bins(255)


@job("max_bins=1024, 100,000 x 20, depth 8", "every value", peer_is_ours=True)
def many_bins_or_values() -> Calls:
    return _bins(1024)


@job("max_bins=255, 1,000,000 x 20, depth 8", "LightGBM, one round", 2, 2)
def binned() -> Calls:
    from lightgbm import LGBMClassifier

    from boxwood import CARTClassifier

    X, y = two_classes(1_000_000)
    ours = CARTClassifier(max_bins=255, max_depth=8, pruning=None, max_surrogates=0, n_jobs=2)
    theirs = LGBMClassifier(n_estimators=1, max_depth=8, num_leaves=255, min_child_samples=1, n_jobs=2, verbose=-1)
    return lambda: ours.fit(X, y), lambda: theirs.fit(X, y)


def _predict(name: str, n: int = 1_000_000) -> Calls:
    pair = next(pair for pair in predict.pairs(n, 1) if pair.name == name)
    return pair.ours, pair.theirs


@job("predict, depth 8, 1,000,000 x 20", "scikit-learn, float32")
def predict_shallow() -> Calls:
    return _predict("depth 8: predict, float64")


@job("predict, 34,000 leaves, 1,000,000 x 20", "scikit-learn, float32")
def predict_deep() -> Calls:
    return _predict("depth free: predict, float64")


def _polars(n: int, times: int) -> Calls:
    """Predictions for a polars frame of so many rows, again and again."""
    import polars as pl
    from sklearn.tree import DecisionTreeClassifier

    from boxwood import CARTClassifier

    X, y = two_classes(2_000)
    frame = pl.DataFrame(X, schema=[f"x{j}" for j in range(X.shape[1])])
    ours = CARTClassifier(pruning=None, max_surrogates=0, n_jobs=1).fit(frame, y)
    theirs, rows = DecisionTreeClassifier(random_state=0).fit(frame, y), frame[:n]
    return lambda: [ours.predict(rows) for _ in range(times)], lambda: [theirs.predict(rows) for _ in range(times)]


@job("predict a polars frame of 1 row, 1,000 times", "scikit-learn")
def polars_row() -> Calls:
    return _polars(1, 1_000)


@job("predict a polars frame of 1,000 rows, 1,000 times", "scikit-learn")
def polars_rows() -> Calls:
    return _polars(1_000, 1_000)


def _many_classes(method: str, classes: int, n: int) -> Calls:
    X, y = _of_classes(classes, n)
    ours, theirs = predict.fitted(X[:20_000], y[:20_000], 8, 1)
    return lambda: getattr(ours, method)(X), lambda: getattr(theirs, method)(X)


@job("predict_proba, 200 classes, 100,000 rows", "scikit-learn")
def probabilities() -> Calls:
    return _many_classes("predict_proba", 200, 100_000)


@job("decision_path, depth 8, 50,000 rows", "scikit-learn")
def paths() -> Calls:
    return _many_classes("decision_path", 2, 50_000)


def _shap(leaves: int, background: int, rows: int) -> Calls:
    import shap
    from sklearn.tree import DecisionTreeClassifier

    from boxwood import CARTClassifier

    X, y = two_classes(20_000)
    model = CARTClassifier(pruning=None, max_leaf_nodes=leaves, n_jobs=1).fit(X, y)
    data = X[:background] if background else None
    way = "interventional" if background else "tree_path_dependent"
    tree = DecisionTreeClassifier(max_leaf_nodes=leaves, random_state=0).fit(X, y)
    explainer = shap.TreeExplainer(tree, data=data, feature_perturbation=way)
    return lambda: model.shap_values(X[:rows], background=data), lambda: explainer.shap_values(X[:rows])


@job("Shapley values by paths, 200 leaves, 5,000 rows", "shap")
def shapley_paths() -> Calls:
    return _shap(200, 0, 5_000)


@job("Shapley values of 1 row by paths, 200 leaves, 1,000 times", "shap")
def shapley_row() -> Calls:
    ours, theirs = _shap(200, 0, 1)
    return lambda: [ours() for _ in range(1_000)], lambda: [theirs() for _ in range(1_000)]


@job("Shapley values by 100 background rows, 1,000 rows", "shap")
def shapley_background() -> Calls:
    return _shap(200, 100, 1_000)


@job("fit of 10 columns of text, 100,000 rows, depth 8", "OrdinalEncoder, scikit-learn")
def texts() -> Calls:
    import pandas as pd
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OrdinalEncoder
    from sklearn.tree import DecisionTreeClassifier

    rng = np.random.default_rng(0)
    codes = rng.integers(0, 50, (100_000, 10))
    X = pd.DataFrame({f"x{j}": np.array([f"level {k}" for k in range(50)])[codes[:, j]] for j in range(10)})
    y = ((codes[:, 0] + codes[:, 1]) % 50 + 5 * rng.normal(size=len(X)) > 25).astype(int)
    theirs = make_pipeline(OrdinalEncoder(), DecisionTreeClassifier(max_depth=8, random_state=0))
    return _plain(X, y, max_depth=8), lambda: theirs.fit(X, y)


def _r(script: str, X: np.ndarray, y: np.ndarray) -> Callable[[], float]:
    """A call of R that returns the seconds which the script prints; `data` holds the table with the target `y`."""
    home = tempfile.TemporaryDirectory()
    path = Path(home.name) / "data.bin"
    np.column_stack((X, y)).astype(np.float64).T.tofile(path)
    read = (
        f'data <- as.data.frame(matrix(readBin("{path}", "double", {X.size + len(y)}), nrow={len(y)}));'
        f'names(data)[{X.shape[1] + 1}] <- "y";'
    )

    def call(kept=home) -> float:
        done = subprocess.run(["Rscript", "-e", read + script], capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(done.stderr.strip().splitlines()[-1])
        return float(done.stdout.split()[-1])

    return call
