"""Times what small data cost: fits on iris and on 1,000 rows, one row to predict, imports; paired with scikit-learn.

Usage: python benchmarks/small.py [--rounds 9]
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))


def calls() -> dict[str, tuple[Callable[[], object], Callable[[], object]]]:
    """Name -> boxwood's call and scikit-learn's."""
    import numpy as np
    import pandas as pd
    import polars as pl
    from sklearn.datasets import load_iris
    from sklearn.tree import DecisionTreeClassifier

    from benchmarks.problems import two_classes
    from boxwood import CARTClassifier

    X, y = load_iris(return_X_y=True)
    thousand = two_classes(1000)
    frame, labels = pd.DataFrame(X, columns=["a", "b", "c", "d"]), pd.Series(y, name="kind")
    row, rows, line, polars = X[:1].copy(), X[:1].tolist(), frame[:1], pl.DataFrame(X[:1], list(frame))
    record = line.to_dict("records")[0]
    ours, theirs = CARTClassifier(pruning=None, max_surrogates=0).fit(X, y), DecisionTreeClassifier().fit(X, y)
    of_frame, their_frame = (
        CARTClassifier(pruning=None, max_surrogates=0).fit(frame, y),
        DecisionTreeClassifier().fit(frame, y),
    )

    def ours_on(X, y):
        return lambda: CARTClassifier(pruning=None, max_surrogates=0).fit(X, y)

    def theirs_on(X, y):
        return lambda: DecisionTreeClassifier().fit(X, y)

    assert np.array_equal(ours.predict(X), theirs.predict(X))
    return {
        "fit iris, array": (ours_on(X, y), theirs_on(X, y)),
        "fit iris, frame": (ours_on(frame, labels), theirs_on(frame, labels)),
        "fit 1,000 x 20, array": (ours_on(*thousand), theirs_on(*thousand)),
        "predict a row, array": (lambda: ours.predict(row), lambda: theirs.predict(row)),
        "predict a row, list": (lambda: ours.predict(rows), lambda: theirs.predict(rows)),
        "predict a row, frame": (lambda: of_frame.predict(line), lambda: their_frame.predict(line)),
        "predict a row, polars": (lambda: of_frame.predict(polars), lambda: their_frame.predict(polars)),
        "predict a row, dictionary": (lambda: of_frame.predict(record), lambda: their_frame.predict(line)),
    }


def microseconds(call: Callable[[], object], times: int = 100) -> float:
    """Wall time of one call among many."""
    began = time.perf_counter()
    for _ in range(times):
        call()
    return (time.perf_counter() - began) / times * 1e6


def process_ms(*words: str) -> float:
    """Wall time of a Python process, the best of five."""
    found = []
    for _ in range(5):
        began = time.perf_counter()
        subprocess.run([sys.executable, *words], check=True, stdout=subprocess.DEVNULL)
        found.append((time.perf_counter() - began) * 1e3)
    return min(found)


def main() -> None:
    """Print medians of paired rounds, then the processes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=9)
    options = parser.parse_args()
    print("| call | boxwood, us | scikit-learn, us | ratio |\n| --- | --- | --- | --- |")
    for name, (ours, theirs) in calls().items():
        microseconds(ours), microseconds(theirs)
        times = [(microseconds(ours), microseconds(theirs)) for _ in range(options.rounds)]
        a, b = (statistics.median(column) for column in zip(*times, strict=True))
        print(f"| {name} | {a:.1f} | {b:.1f} | {statistics.median(y / x for x, y in times):.1f} |", flush=True)
    numpy = process_ms("-c", "import numpy")
    print(f"\nimport boxwood: {process_ms('-c', 'import numpy, boxwood') - numpy:.0f} ms over import numpy")
    print(f"boxwood --help: {process_ms('-m', 'boxwood', '--help'):.0f} ms in all")


if __name__ == "__main__":
    main()
