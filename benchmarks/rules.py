"""Times C45Rules on 20 normal columns, four of which matter, and measures its memory, beside the unpruned tree alone.

Usage: python benchmarks/rules.py [--rows 3000 10000 30000 100000] [--rounds 3]

Each measurement is a process of its own, with one thread: the least processor time of some fits, and by how much the
resident memory grew at most over the size of the table (Linux). No other program beside which the rules could be timed
is called here.
"""

from __future__ import annotations

import argparse
import math
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.cell import resident
from benchmarks.problems import two_classes


def measure(kind: str, rows: int, rounds: int) -> None:
    """Print seconds of a fit and its memory over the data's."""
    from boxwood import C45Classifier, C45Rules

    def fit(X, y):
        return (C45Rules(n_jobs=1) if kind == "rules" else C45Classifier(pruning=None, n_jobs=1)).fit(X, y)

    X, y = two_classes(rows)
    fit(X[:500], y[:500])  # what is imported and allocated once
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    before = resident("VmRSS")
    fit(X, y)
    memory = (resident("VmHWM") - before) / X.nbytes
    times = []
    for _ in range(rounds):
        began = time.process_time()
        fit(X, y)
        times.append(time.process_time() - began)
    print(min(times), memory)


def main() -> None:
    """Print a line for each size."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, nargs="+", default=[3_000, 10_000, 30_000, 100_000])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--one", choices=("rules", "tree"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        measure(options.one, options.rows[0], options.rounds)
        return
    before: tuple[int, float] | None = None
    for n in options.rows:
        found = {}
        for kind in ("tree", "rules"):
            command = [sys.executable, __file__, "--one", kind, "--rows", str(n), "--rounds", str(options.rounds)]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            found[kind] = tuple(map(float, done.stdout.split()))
        seconds, memory = found["rules"]
        growth = f", n^{math.log(seconds / before[1]) / math.log(n / before[0]):.2f}" if before else ""
        print(
            f"{n:,} rows: rules {seconds:.3f} s{growth}, {memory:.1f} times the data; "
            f"the tree alone {found['tree'][0]:.3f} s, {found['tree'][1]:.1f} times",
            flush=True,
        )
        before = n, seconds


if __name__ == "__main__":
    main()
