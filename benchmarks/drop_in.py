"""The classes of boxwood.sklearn beside those of scikit-learn: processor time of all threads, of fit and predict.

python benchmarks/drop_in.py [rows ...]
"""

import sys
import time
from functools import partial

import numpy as np
from sklearn import tree as theirs
from threadpoolctl import threadpool_limits

from boxwood import sklearn as ours

FITS = [
    ("DecisionTreeClassifier", {}), ("DecisionTreeClassifier", {"max_depth": 8}),
    ("DecisionTreeClassifier", {"max_features": "sqrt"}), ("DecisionTreeRegressor", {}),
    ("DecisionTreeRegressor", {"max_depth": 8}), ("DecisionTreeRegressor", {"criterion": "poisson", "max_depth": 8}),
]  # fmt: skip


def problem(n, kind):
    """A table of 20 numbers, and y."""
    rng = np.random.default_rng(7)
    X = rng.normal(size=(n, 20)).astype(np.float32)
    signal = X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=n)
    return X, (signal > 0).astype(int) if kind.endswith("Classifier") else np.exp(signal)


def least(call):
    """Processor time, the least of at least three calls and a second."""
    found, began = [], time.perf_counter()
    while len(found) < 3 or time.perf_counter() - began < 1:
        start = time.process_time()
        call()
        found.append(time.process_time() - start)
    return min(found)


def main(sizes):
    """Print a table in Markdown."""
    print("| class | settings | rows | fit, ms | scikit-learn | predict, ms | scikit-learn |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for n in sizes:
        for kind, settings in FITS:
            X, y = problem(n, kind)
            cells = []
            for module in (ours, theirs):
                model = getattr(module, kind)(random_state=0, **settings)
                cells.append((least(partial(model.fit, X, y)), least(partial(model.predict, X))))
            shown = [f"{1000 * cells[m][step]:.2f}" for step in (0, 1) for m in (0, 1)]
            words = ", ".join(f"`{name}={value!r}`" for name, value in settings.items())
            print(f"| {kind} | {words} | {n:,} | {' | '.join(shown)} |")


if __name__ == "__main__":
    with threadpool_limits(1):
        main([int(rows) for rows in sys.argv[1:]] or [200, 1_000, 10_000, 100_000])
