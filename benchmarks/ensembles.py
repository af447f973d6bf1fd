"""scikit-learn's ensembles of boxwood's trees beside its random forest and its own AdaBoost: time, accuracy, log loss.

python benchmarks/ensembles.py [rows [trees [seeds [threads [tables]]]]]

All ensembles have the same number of trees, leaf sizes, depths and threads. Seconds are those of all processors, of the
fit; half as many rows again are predicted.
"""

import sys
import time

import numpy as np
from joblib import parallel_config
from sklearn.datasets import make_classification
from sklearn.ensemble import AdaBoostClassifier, BaggingClassifier, RandomForestClassifier
from sklearn.metrics import accuracy_score, log_loss
from sklearn.tree import DecisionTreeClassifier

from boxwood import CARTClassifier

FEATURES, LEAF, DEPTH = 20, 5, 3


def clusters(n, seed):
    """Two classes in clusters, 10 informative features."""
    return make_classification(
        n, FEATURES, n_informative=10, n_redundant=4, n_clusters_per_class=4, flip_y=0.05, random_state=seed
    )


def rings(n, seed):
    """Two classes by the distance from the centre, which no feature shows alone."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, FEATURES))
    return X, ((X[:, :6] ** 2).sum(axis=1) + rng.normal(size=n) > 5.5).astype(int)


def steps(n, seed):
    """Four classes by whole numbers and their interactions, 14 features of noise."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 30, (n, FEATURES)).astype(np.float64)
    score = X[:, 0] + 2 * X[:, 1] * (X[:, 2] > 14) + X[:, 3] * (X[:, 4] > 20) - X[:, 5] + rng.normal(size=n) * 8
    return X, np.digitize(score, np.quantile(score, [0.25, 0.5, 0.75]))


def ensembles(trees, seed, threads):
    """(name, ensemble): bagging beside the forest, AdaBoost beside AdaBoost and a forest of the same depth."""
    ours = {"pruning": None, "max_surrogates": 0, "n_jobs": threads}
    given = {"n_estimators": trees, "random_state": seed}
    drawn = CARTClassifier(max_features="sqrt", min_samples_leaf=LEAF, **ours)
    yield "bagging, boxwood", BaggingClassifier(drawn, **given)
    yield "random forest", RandomForestClassifier(min_samples_leaf=LEAF, n_jobs=threads, **given)
    yield f"AdaBoost {DEPTH}, boxwood", AdaBoostClassifier(CARTClassifier(max_depth=DEPTH, **ours), **given)
    yield f"AdaBoost {DEPTH}, scikit-learn", AdaBoostClassifier(DecisionTreeClassifier(max_depth=DEPTH), **given)
    yield f"random forest {DEPTH}", RandomForestClassifier(max_depth=DEPTH, n_jobs=threads, **given)


def main(rows=100_000, trees=100, seeds=1, threads=1, tables=3):
    for table in (clusters, rings, steps)[:tables]:
        found = {}
        for seed in range(seeds):
            X, y = table(rows * 3 // 2, seed)
            new, truth, X, y = X[rows:], y[rows:], np.ascontiguousarray(X[:rows]), y[:rows]
            for name, model in ensembles(trees, seed, threads):
                used, began = time.process_time(), time.perf_counter()
                with parallel_config("threading"):
                    model.fit(X, y)
                seconds = time.process_time() - used, time.perf_counter() - began
                shares = model.predict_proba(new)
                quality = accuracy_score(truth, shares.argmax(axis=1)), log_loss(truth, shares)
                found.setdefault(name, []).append((*seconds, *quality))
        print(f"{table.__name__}: {rows} rows, {trees} trees, {seeds} seeds, {threads} threads", flush=True)
        for name, runs in found.items():
            used, wall, accuracy, loss = np.mean(runs, axis=0)
            print(f"  {name:26} {used:8.2f} s, by the clock {wall:8.2f} s   accuracy {accuracy:.4f} loss {loss:.4f}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
