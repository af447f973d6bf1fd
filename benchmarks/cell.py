"""Measures one cell in this process and prints the result as a line of JSON; started by run.py, once a cell."""

from __future__ import annotations

import json
import os
import statistics
import sys
import time
from pathlib import Path

import numpy as np

from benchmarks.cells import Cell, problem_of
from benchmarks.libraries import LIBRARIES, OURS
from benchmarks.libraries.session import InProcess, Job, Session, is_frame
from benchmarks.problems import CLASSIFICATION, Data

#: Rows of the fit that warms up: imports, first touches of code.
WARM_ROWS = 2_000
#: A pair that takes less than this is repeated more often, in seconds.
SHORT, MOST_ROUNDS = 0.5, 15
#: A fit of ours that takes less than this is timed among so many in a row, the peer's as well: alone, it would show how
#: long ago the caches were lost, by the peer's fit or by a collection of garbage, rather than what a fit costs.
BRIEF, IN_A_ROW = 0.005, 20


def pin(threads: int) -> None:
    """Keep this process to as many cores as it has threads, so that nobody gains by more."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:threads])


def head(data: Data, n: int) -> Data:
    """The first rows."""
    X = data.X.iloc[:n] if is_frame(data.X) else data.X[:n]
    return Data(X, data.y[:n], None if data.weight is None else data.weight[:n])


def warm(cell: Cell, name: str, data: Data) -> None:
    """One small fit."""
    session = LIBRARIES[name].open(Job(problem_of(cell), head(data, WARM_ROWS), cell.depth, cell.threads))
    session.fit()
    session.close()


def paired(ours: Session, other: Session, rounds: int, budget: float) -> list[tuple[float, float]]:
    """Seconds of both in turn: A B A B, as often as given, less when the budget is spent, more when they are short."""
    began, times = time.perf_counter(), []
    in_a_row = isinstance(ours, InProcess) and isinstance(other, InProcess) and ours.fit() < BRIEF
    while True:
        if in_a_row:
            times.append((ours.fit_in_a_row(IN_A_ROW), other.fit_in_a_row(IN_A_ROW)))
        else:
            times.append((ours.fit(), other.fit()))
        spent = time.perf_counter() - began
        if len(times) >= MOST_ROUNDS or spent > budget:
            return times
        if len(times) >= rounds and sum(times[-1]) > SHORT:
            return times


def worth(session: Session, task: str, held_out: Data) -> float | None:
    """Held-out accuracy of classes, or R² of numbers."""
    predicted = session.predict(held_out.X)
    if predicted is None:
        return None
    if task == CLASSIFICATION:
        return float(np.mean(predicted == held_out.y))
    return float(1 - np.mean((predicted - held_out.y) ** 2) / np.var(held_out.y))


def pair(cell: Cell, rounds: int, budget: float) -> dict:
    """Times of both, the ratio pair by pair, and the held-out score of their trees."""
    problem = problem_of(cell)
    data, held_out = problem.data(), problem.held_out()
    for name in (OURS.name, cell.library):
        warm(cell, name, data)
    job = Job(problem, data, cell.depth, cell.threads)
    ours, other = OURS.open(job), LIBRARIES[cell.library].open(job)
    times = paired(ours, other, rounds, budget)
    ratios = [b / a for a, b in times]
    found = {
        "rounds": len(times),
        "ours_s": statistics.median(a for a, _ in times),
        "other_s": statistics.median(b for _, b in times),
        "ratio": statistics.median(ratios),
        "low": min(ratios),
        "high": max(ratios),
        "ours_worth": worth(ours, problem.task, held_out),
        "other_worth": worth(other, problem.task, held_out),
    }
    ours.close()
    other.close()
    return found


def resident(what: str) -> int:
    """Bytes of this process (Linux): VmRSS = now, VmHWM = at most so far."""
    with open("/proc/self/status", encoding="ascii") as lines:
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(what))


def memory(cell: Cell) -> dict:
    """Bytes that one fit takes at most beyond the data, and those of the data."""
    problem = problem_of(cell)
    data = problem.data()
    warm(cell, cell.library, data)
    session = LIBRARIES[cell.library].open(Job(problem, data, cell.depth, cell.threads))
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # the highest mark starts from here
    before = resident("VmRSS")
    session.fit()
    extra = max(resident("VmHWM") - before, 0)
    size = int(data.X.memory_usage(index=False).sum()) if is_frame(data.X) else data.X.nbytes
    return {"extra_bytes": extra, "data_bytes": size}


def main() -> None:
    """Read the cell from the command line."""
    given = json.loads(sys.argv[1])
    cell = Cell(**given["cell"])
    pin(cell.threads)
    found = memory(cell) if cell.kind == "memory" else pair(cell, given["rounds"], given["budget"])
    print("\n" + json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
