"""Times C4.5 on 100,000 rows of 20 numbers, unpruned and with its default pruning, beside recorded times of others.

Usage: python benchmarks/c45.py [--rows 100000] [--rounds 5] [--threads 2]

The recorded times are of 100,000 x 20 numbers and two classes on 2 cores of a Xeon server: Weka 3.9.7's J48 took 19.5 s
unpruned and 6.1 s by default, the Python package c50py 10.2 s. Neither is called here.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

#: Seconds of the other programs, by setting.
RECORDED = {"unpruned": {"J48": 19.5}, "default": {"J48": 6.1, "c50py": 10.2}}


def problem(n: int) -> tuple[np.ndarray, np.ndarray]:
    """20 normal columns; sums and products of four decide, and a tenth of the labels is noise."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 20))
    y = X[:, 0] + X[:, 1] * X[:, 2] + np.sin(3 * X[:, 3]) > 0
    noise = rng.random(n) < 0.1
    y[noise] = rng.random(np.count_nonzero(noise)) < 0.5
    return X, y.astype(int)


def seconds(model, X: np.ndarray, y: np.ndarray, rounds: int) -> float:
    """Median wall time of whole fits, reading the columns included."""
    times = []
    for _ in range(rounds):
        began = time.perf_counter()
        model.fit(X, y)
        times.append(time.perf_counter() - began)
    return statistics.median(times)


def main() -> None:
    """Print a line a setting."""
    from boxwood import C45Classifier

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    X, y = problem(options.rows)
    for setting, chosen in (("unpruned", {"pruning": None}), ("default", {})):
        model = C45Classifier(n_jobs=options.threads, **chosen)
        took = seconds(model, X, y, options.rounds)
        others = RECORDED[setting].items() if options.rows == 100_000 else ()
        beside = ", ".join(f"{name} {then:g} s recorded: {then / took:.0f} times as long" for name, then in others)
        print(f"C4.5 {setting}: {took:.3f} s, {model.get_n_leaves()} leaves; {beside}".rstrip("; "))


if __name__ == "__main__":
    main()
