"""Times cross-validated pruning (10 folds): boxwood's fit with and without it, and rpart's when Rscript is there.

Both grow the full tree (no limits), without surrogates, prune by 10 folds and take the best tree; with cp = 0, and with
rpart's own cp = 0.01, which rpart's full tree stops at too.
Usage: python benchmarks/pruning.py [--rows 100000] [--threads 2] [--rounds 3]
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.problems import two_classes
from boxwood import CARTClassifier, pruners

_R = """
library(rpart)
data <- read.csv(commandArgs(TRUE)[1])
data$y <- factor(data$y)
for (cp in c(0, 0.01)) for (xval in c(0, 10)) {
  control <- rpart.control(minsplit = 2, minbucket = 1, cp = cp, maxsurrogate = 0, maxcompete = 0, maxdepth = 30,
                           xval = xval)
  cat(cp, xval, system.time(rpart(y ~ ., data, method = "class", control = control))[["elapsed"]], "\\n")
}
"""


def seconds(model, X, y, rounds: int) -> float:
    """Median wall time of a fit."""
    times = []
    for _ in range(rounds):
        began = time.perf_counter()
        model.fit(X, y)
        times.append(time.perf_counter() - began)
    return statistics.median(times)


def of_rpart(X: np.ndarray, y: np.ndarray) -> str:
    """What rpart takes for the same, or why it is not known."""
    if shutil.which("Rscript") is None:
        return "rpart: Rscript is not installed"
    with tempfile.TemporaryDirectory() as folder:
        table, script = Path(folder) / "data.csv", Path(folder) / "time.R"
        names = ",".join([*(f"x{j}" for j in range(X.shape[1])), "y"])
        np.savetxt(table, np.column_stack((X, y)), delimiter=",", header=names, comments="", fmt="%.17g")
        script.write_text(_R)
        done = subprocess.run(["Rscript", str(script), str(table)], capture_output=True, text=True, check=False)
    if done.returncode:
        return f"rpart: {done.stderr.strip().splitlines()[-1]}"
    lines = [line.split() for line in done.stdout.splitlines()]
    return "\n".join(f"rpart, cp = {cp}, {folds} folds, one thread {taken:>9} s" for cp, folds, taken in lines)


def main() -> None:
    """Print one line for each pruner, and rpart's."""
    parser = argparse.ArgumentParser(description="time cross-validated pruning")
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    wanted = parser.parse_args()
    X, y = two_classes(wanted.rows)
    choices = {"not pruned": None, "weakest links (errors)": pruners.CostComplexity(risk="error")}
    choices |= {f"the same, cp = {cp}": pruners.CostComplexity(risk="error", cp=cp) for cp in (1e-4, 1e-3, 1e-2)}
    choices |= {"one leaf removed": pruners.OneLeaf(), "critical value": pruners.CriticalValue()}
    choices |= {"error-based, 4 confidences": pruners.ErrorBased([0.01, 0.05, 0.25, 0.5])}
    choices |= {"reduced error, a third held out": pruners.ReducedError()}
    for name, pruning in choices.items():
        model = CARTClassifier(missing="majority", max_competitors=0, pruning=pruning, n_jobs=wanted.threads)
        taken = seconds(model, X, y, wanted.rounds)
        print(f"{name:32} {taken:7.3f} s  {model.get_n_leaves():6} leaves", flush=True)
    print(of_rpart(X, y))


if __name__ == "__main__":
    main()
