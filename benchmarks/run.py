"""Times boxwood and its peers on the same problems in one process and writes a table.

Runs are paired (A B A B), medians are quoted, and everything a `fit` call does is inside: reading, checking, coding,
growing. Usage: python benchmarks/run.py [--quick] [--threads 2] [--rounds 3] [--only TEXT]
"""

from __future__ import annotations

import argparse
import gc
import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.libraries import bench_boxwood, bench_sklearn
from benchmarks.problems import PROBLEMS, Problem


def seconds(call) -> float:
    """Wall time of one call."""
    gc.collect()
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


def timed(problem: Problem, threads: int, rounds: int) -> dict:
    """Median seconds of fit and predict of every library, and boxwood's ratios to scikit-learn pair by pair."""
    X, y = problem.make()
    ours = bench_boxwood.model(problem.task, problem.max_depth, threads)
    bare = bench_boxwood.model(problem.task, problem.max_depth, threads, missing="majority")
    theirs = bench_sklearn.model(problem.task, problem.max_depth, threads)
    small = X[:1000], y[:1000]
    for model in (ours, bare, theirs):
        model.fit(*small)
    pairs = [[seconds(lambda m=m: m.fit(X, y)) for m in (ours, bare, theirs)] for _ in range(rounds)]
    predicts = [[seconds(lambda m=m: m.predict(X)) for m in (ours, theirs)] for _ in range(rounds)]
    fit, plain, peer = (statistics.median(column) for column in zip(*pairs, strict=True))
    return {
        "problem": problem.name,
        "leaves": ours.tree_.n_leaves,
        "boxwood": fit,
        "no surrogates": plain,
        "scikit-learn": peer,
        "ratio": statistics.median(c / a for a, _, c in pairs),
        "ratio, no surrogates": statistics.median(c / b for _, b, c in pairs),
        "predict ratio": statistics.median(b / a for a, b in predicts),
    }


def table(results: list[dict]) -> str:
    """The results as a Markdown table."""
    names = list(results[0])
    rows = ["| " + " | ".join(names) + " |", "| " + " | ".join("---" for _ in names) + " |"]
    for result in results:
        cells = [f"{v:.4g}" if isinstance(v, float) else str(v) for v in result.values()]
        rows.append("| " + " | ".join(cells) + " |")
    return "\n".join(rows)


def main() -> None:
    """Run what the command line asks for; print the table and write it to benchmarks/results/."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="only the problems of up to 100,000 rows, two rounds")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="", help="only problems whose name holds this text")
    options = parser.parse_args()
    rounds = 2 if options.quick else options.rounds
    results = []
    for problem in PROBLEMS:
        if options.only not in problem.name or (options.quick and not problem.quick):
            continue
        results.append(timed(problem, options.threads, rounds))
        print(results[-1], flush=True)
    head = f"Threads: {options.threads}. Seconds of whole fit calls, medians of {rounds} paired rounds."
    text = f"{head}\n\n{table(results)}\n"
    out = Path(__file__).resolve().parent / "results"
    out.mkdir(exist_ok=True)
    (out / "table.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
