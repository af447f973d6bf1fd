"""Times boxwood and its peers on the same problems and writes a table and a figure.

Each cell (problem, depth, library) runs in a process of its own, where ours and the other fit in turn (A B A B);
medians are quoted. Everything a `fit` does is inside: reading, checking, conversion, binning, growing. Finished cells
are skipped when a run is taken up again.
Usage: python -m benchmarks.run [--quick] [--curves] [--page] [--threads 2] [--rounds 3] [--only TEXT]
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import asdict
from pathlib import Path

from benchmarks import figures, page, report
from benchmarks.cells import Cell, fingerprint, planned, refusal
from benchmarks.problems import PROBLEMS
from benchmarks.results import Results

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks" / "results"
GROUPS = ("standard", "combination", "curve")
#: Problems whose table is on the page; benchmarks/results/table.md has all.
STANDARD = {problem.name for problem in PROBLEMS if problem.group == "standard"}
#: Environment variables that limit the libraries' thread pools.
POOLS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS")


def measure(cell: Cell, options: argparse.Namespace) -> dict:
    """Run a cell in its own process and session, which ends with all it started when we stop or time runs out."""
    given = {"cell": asdict(cell), "rounds": options.rounds, "budget": options.budget}
    environment = os.environ | dict.fromkeys(POOLS, str(cell.threads))
    command = [sys.executable, "-m", "benchmarks.cell", json.dumps(given)]
    child = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        cwd=ROOT,
        start_new_session=True,  # Ctrl-C is for us alone; we end the child with all it started
    )
    try:
        out, err = child.communicate(timeout=options.limit)
    except subprocess.TimeoutExpired:
        return {"over_s": options.limit}
    finally:
        if child.poll() is None:
            os.killpg(child.pid, signal.SIGKILL)
            child.communicate()
    if child.returncode:
        return {"failed": (err.strip().splitlines() or [f"status {child.returncode}"])[-1]}
    return json.loads(out.strip().splitlines()[-1])


def line(cell: Cell, found: dict) -> str:
    """A result for people to watch."""
    if "failed" in found:
        return f"{cell}: failed, {found['failed']}"
    if "over_s" in found:
        return f"{cell}: not done in {found['over_s']:g} s"
    if cell.kind == "memory":
        return f"{cell}: {found['extra_bytes'] / 2**20:.0f} MiB over {found['data_bytes'] / 2**20:.0f} MiB of data"
    return f"{cell}: {found['ratio']:.3g} times ours ({found['ours_s']:.4g} s)"


def work(cells: list[Cell], results: Results, code: str, options: argparse.Namespace) -> None:
    """Measure what can be measured here and is not there yet."""
    began = time.monotonic()
    for number, cell in enumerate(cells, 1):
        if refusal(cell) is None and not results.has(cell, code):
            found = results.add(cell, code, measure(cell, options))
            spent = time.monotonic() - began
            print(f"[{number}/{len(cells)}, {spent:.0f} s] {line(cell, found)}", flush=True)


def write(results: Results, code: str, options: argparse.Namespace) -> None:
    """Tables and figures of all that is there, whatever this run measured; also on the page, if wanted."""
    cells = planned(("standard",) if options.quick else GROUPS, options.threads, quick=options.quick)
    found = results.of(cells, code)
    if not found:
        print("nothing is measured yet")
        return
    refused = {cell: why for cell in cells if cell.problem in {r["problem"] for r in found} and (why := refusal(cell))}
    text = report.text(found, refused, options.threads)
    shown = [record for record in found if record["problem"] in STANDARD]
    RESULTS.mkdir(parents=True, exist_ok=True)
    (RESULTS / "table.md").write_text(text, encoding="utf-8")
    drawn = figures.draw(found, RESULTS)
    if options.page:
        page.put(report.fits(shown, options.threads), drawn, ROOT / "docs" / "benchmarks.md")
    print(f"\n{text}\nwritten: {', '.join(str(p.relative_to(ROOT)) for p in [RESULTS / 'table.md', *drawn])}")


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="two minutes: some problems, short")
    parser.add_argument("--curves", action="store_true", help="growth with rows, columns, classes and levels as well")
    parser.add_argument("--page", action="store_true", help='write the part "Fit" of docs/benchmarks.md')
    parser.add_argument("--fresh", action="store_true", help="forget what was measured before")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3, help="pairs of each cell; short ones get more")
    parser.add_argument("--budget", type=float, default=60.0, help="seconds after which a cell starts no more pairs")
    parser.add_argument("--limit", type=float, default=600.0, help="seconds after which a cell is given up")
    parser.add_argument("--only", default="", help="only cells whose text holds this")
    parser.add_argument("--peers", default="", help="only these libraries, separated by commas")
    options = parser.parse_args()
    if options.quick:
        options.rounds, options.budget, options.limit = 2, 2.0, 30.0
    return options


def main() -> None:
    """Measure, and write even when stopped by Ctrl-C."""
    options = arguments()
    groups = ("standard",) if options.quick else GROUPS[: 3 if options.curves else 2]
    cells = planned(groups, options.threads, quick=options.quick, only=options.only)
    peers = {name for name in options.peers.split(",") if name}
    cells = [cell for cell in cells if not peers or cell.library in peers]
    path = RESULTS / ("quick.jsonl" if options.quick else "runs.jsonl")
    if options.fresh:
        path.unlink(missing_ok=True)
    results, code = Results(path), fingerprint()
    try:
        work(cells, results, code, options)
    except KeyboardInterrupt:
        print("\nstopped; the same command goes on from here", file=sys.stderr)
        write(results, code, options)
        raise SystemExit(130) from None
    write(results, code, options)


if __name__ == "__main__":
    main()
