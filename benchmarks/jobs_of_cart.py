"""Jobs of CART: default fits, pruning, columns of zeros, bins, sparse tables, text."""

from __future__ import annotations

import numpy as np

from benchmarks import sparse, zeros
from benchmarks.job import Calls, beside_r, default, job, of_classes, plain
from benchmarks.problems import signal, two_classes


@job("default fit (folds, surrogates), two classes, 100,000 x 20", "plain fit", peer_is_ours=True)
def default_classes() -> Calls:
    X, y = two_classes(100_000)
    return default("CARTClassifier", X, y), plain(X, y)


@job("default fit, depth 8", "plain fit, depth 8", peer_is_ours=True)
def default_depth() -> Calls:
    X, y = two_classes(100_000)
    return default("CARTClassifier", X, y, max_depth=8), plain(X, y, max_depth=8)


def _beside_plain(classes: int, n: int, ours: dict, theirs: dict) -> Calls:
    """A fit of ours beside a plain fit of scikit-learn."""
    from sklearn.tree import DecisionTreeClassifier

    X, y = of_classes(classes, n)
    tree = DecisionTreeClassifier(random_state=0, **theirs)
    return default("CARTClassifier", X, y, **ours), lambda: tree.fit(X, y)


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
    return default("CARTClassifier", X, y), plain(X, y)


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
    return lambda: model.fit(X, y), beside_r(script, X, y)


@job("max_leaf_nodes=31, 300,000 x 20", "plain fit, depth 6", peer_is_ours=True)
def leaf_limit() -> Calls:
    X, y = two_classes(300_000)
    return plain(X, y, max_leaf_nodes=31), plain(X, y, max_depth=6)


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
    return default("CARTClassifier", X, y), plain(X, y)


def _bins(most: int) -> Calls:
    X, y = two_classes(100_000)
    return plain(X, y, max_depth=8, max_bins=most), plain(X, y, max_depth=8)


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


@job("sparse 20,000 x 2,000, 1 % ones, depth 8", "scikit-learn")
def sparse_ones() -> Calls:
    fits = sparse.fits(*sparse.problem(ones=True, classes=True), True)
    return fits["boxwood"], fits["scikit-learn"]


@job("the same sparse table", "LightGBM, one round")
def sparse_lightgbm() -> Calls:
    fits = sparse.fits(*sparse.problem(ones=True, classes=True), True)
    return fits["boxwood"], fits["LightGBM"]


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
    return plain(X, y, max_depth=8), lambda: theirs.fit(X, y)
