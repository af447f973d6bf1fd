"""Times CHAID on 10,000 rows of 20 nominal and ordinal columns at depth 2, beside the CHAID package when it is here.

Usage: python benchmarks/chaid.py [--rows 10000] [--rounds 5] [--threads 1]
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.libraries import bench_chaid_pypi


def problem(n: int) -> tuple[pd.DataFrame, np.ndarray]:
    """20 columns of 5 to 8 levels, the last ten ordered; two of them matter, and a fifth of the labels is noise."""
    rng = np.random.default_rng(0)
    codes = {f"x{j}": rng.integers(0, 5 if j % 2 else 8, n) for j in range(20)}
    y = ((codes["x0"] > 3) & (codes["x3"] > 1)) ^ (rng.random(n) < 0.2)
    return pd.DataFrame(codes), y.astype(int)


def categories(codes: pd.DataFrame) -> pd.DataFrame:
    """The same columns as pandas categoricals, which boxwood reads with their order."""
    return pd.DataFrame({
        name: pd.Categorical.from_codes(column, [f"l{k}" for k in range(column.max() + 1)], ordered=int(name[1:]) >= 10)
        for name, column in codes.items()
    })  # fmt: skip


def median_ms(call, rounds: int) -> float:
    """Median wall time of some calls, in milliseconds."""
    times = []
    for _ in range(rounds):
        began = time.perf_counter()
        call()
        times.append(time.perf_counter() - began)
    return 1000 * statistics.median(times)


def main() -> None:
    """Print a line a library and variant."""
    from boxwood import CHAIDClassifier

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    codes, y = problem(options.rows)
    X = categories(codes)
    for exhaustive in (False, True):
        model = CHAIDClassifier(max_depth=2, exhaustive=exhaustive, n_jobs=options.threads)
        print(f"boxwood, exhaustive={exhaustive}: {median_ms(lambda m=model: m.fit(X, y), options.rounds):.1f} ms")
    if not bench_chaid_pypi.available():
        print(f"{bench_chaid_pypi.NAME} is not installed: pip install CHAID")
        return
    kinds = {name: "ordinal" if int(name[1:]) >= 10 else "nominal" for name in codes}
    frame = codes.assign(y=y)
    ms = median_ms(lambda: bench_chaid_pypi.grow(frame, kinds, "y", 2), max(options.rounds // 2, 1))
    print(f"{bench_chaid_pypi.NAME}: {ms:.1f} ms")


if __name__ == "__main__":
    main()
