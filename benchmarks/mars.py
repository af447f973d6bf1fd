"""Times MARS on Friedman's problem with 20 features and prints a table: wall, processor time, memory, terms, R2.

Usage: python benchmarks/mars.py [rows] [threads]. earth 5.3 took 4.3 s (degree 1) and 45 s (degree 2) at 100,000 rows.
"""

from __future__ import annotations

import subprocess
import sys
import time

import numpy as np


def problem(n: int, columns: int = 20, noise: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    """Friedman's first problem (1991, section 4.3), with features and a standard deviation of noise to choose."""
    rng = np.random.default_rng(0)
    X = rng.uniform(size=(n, columns))
    y = 10 * np.sin(np.pi * X[:, 0] * X[:, 1]) + 20 * (X[:, 2] - 0.5) ** 2 + 10 * X[:, 3] + 5 * X[:, 4]
    return X, y + noise * rng.normal(size=n)


def memory(what: str) -> int:
    """Bytes of this process (Linux): VmRSS = now, VmHWM = at most so far."""
    with open("/proc/self/status", encoding="ascii") as lines:
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(what))


def one(n: int, degree: int, threads: int) -> str:
    """A fit in this process, as a line of the table."""
    from boxwood import MARSRegressor

    X, y = problem(n)
    MARSRegressor(max_degree=degree).fit(X[:500], y[:500])
    before = memory("VmRSS")
    wall, busy = time.perf_counter(), time.process_time()
    model = MARSRegressor(max_degree=degree, n_jobs=threads).fit(X, y).model_
    wall, busy = time.perf_counter() - wall, time.process_time() - busy
    extra = (memory("VmHWM") - before) / X.nbytes
    terms = f"{len(model.terms)} / {model.size}"
    return f"| {n} | {degree} | {wall:.2f} | {busy:.2f} | {extra:.2f} | {terms} | {model.r_squared:.4f} |"


def main() -> None:
    """Each fit in a process of its own, so that memory is its own."""
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    threads = int(sys.argv[2]) if len(sys.argv) > 2 else 2
    print("| rows | degree | wall s | processor s | memory / data | terms found / kept | R2 |")
    print("| --- | --- | --- | --- | --- | --- | --- |", flush=True)
    for degree in (1, 2):
        line = f"import sys; sys.path.insert(0, 'benchmarks'); import mars; print(mars.one({n}, {degree}, {threads}))"
        subprocess.run([sys.executable, "-c", line], check=True)


if __name__ == "__main__":
    main()
