"""Peak memory of a fit beside its data, each fit in a process of its own (Linux): `python -m benchmarks.memory`.

The table is 300,000 x 20 float64; figures are multiples of its 48 MB. Usage: [--rows 300000] [--page]
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

import numpy as np

from benchmarks import page
from benchmarks.cell import resident
from benchmarks.problems import signal
from benchmarks.report import lines
from benchmarks.run import ROOT

#: Name -> kind of estimator and settings; all with one thread.
FITS: dict[str, tuple[str, dict]] = {
    "CART, full tree": ("CARTClassifier", {"pruning": None, "max_surrogates": 0}),
    "CART, full tree, depth 8": ("CARTClassifier", {"pruning": None, "max_surrogates": 0, "max_depth": 8}),
    "CART, default (folds, surrogates)": ("CARTClassifier", {}),
    "CART, classification error, depth 8": ("CARTClassifier", {"criterion": "error", "pruning": None, "max_depth": 8}),
    'CART, compat="rpart"': ("CARTClassifier", {"compat": "rpart"}),
    "CART, 60 classes, depth 8": ("CARTClassifier", {"pruning": None, "max_surrogates": 0, "max_depth": 8}),
    "CART, 60 classes, full tree": ("CARTClassifier", {"pruning": None, "max_surrogates": 0}),
    "CART, 60 classes, default": ("CARTClassifier", {}),
    "CART, regression, default": ("CARTRegressor", {}),
    "C4.5, not pruned": ("C45Classifier", {"pruning": None}),
    "C4.5, default": ("C45Classifier", {}),
    "CHAID": ("CHAIDClassifier", {}),
    "MARS, degree 2": ("MARSRegressor", {"max_degree": 2}),
}


def measure(name: str, rows: int) -> None:
    """Print the multiple of the data and the number of leaves, if it is a tree."""
    import boxwood

    kind, settings = FITS[name]
    X, score = signal(rows)
    y = score if kind.endswith("Regressor") else (score > 0).astype(int)
    if "60 classes" in name:
        y = np.digitize(score, np.quantile(score, np.arange(1, 60) / 60))
    model = getattr(boxwood, kind)(n_jobs=1, **settings)
    model.fit(X[:2000], y[:2000])  # what is imported and allocated once
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    before = resident("VmRSS")
    model.fit(X, y)
    leaves = f"{model.get_n_leaves():,}" if hasattr(model, "get_n_leaves") else "-"
    print(f"{(resident('VmHWM') - before) / X.nbytes:.1f} {leaves}")


def main() -> None:
    """Measure every fit and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=300_000)
    parser.add_argument("--page", action="store_true", help='write the part "Memory" of docs/benchmarks.md')
    parser.add_argument("--one", choices=FITS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        measure(options.one, options.rows)
        return
    rows = []
    for name in FITS:
        command = [sys.executable, "-m", "benchmarks.memory", "--one", name, "--rows", str(options.rows)]
        done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True)
        rows.append([name, *done.stdout.split()])
        print(" | ".join(rows[-1]), flush=True)
    if options.page:
        page.put(lines(["fit", "times the data", "leaves"], rows), [], ROOT / "docs" / "benchmarks.md", "memory")


if __name__ == "__main__":
    main()
