"""Times what users do beyond the plain fit, each job beside the program that does it best elsewhere.

Each job runs in a process of its own, pinned to as many cores as the side with more threads has; both sides take turns
(A B A B), and the ratio is the median over pairs. R and Weka are timed by their own clocks, the reading of files left
out. Usage: python -m benchmarks.jobs [--only TEXT] [--rounds 3] [--page]
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from benchmarks import job_list, page
from benchmarks.cell import pin
from benchmarks.report import lines, number
from benchmarks.run import POOLS, RESULTS, ROOT

#: Pairs of jobs that are shorter than this, in seconds, are repeated up to so often.
SHORT, MOST_ROUNDS = 0.3, 15


@dataclass(frozen=True)
class Found:
    """What a job took.

    Attributes
    ----------
    ours_s, other_s : float
        Median seconds.
    ratio : float
        Median of other / ours over pairs.
    """

    ours_s: float
    other_s: float
    ratio: float


def seconds(call: Callable[[], object]) -> float:
    """The time that the call returns, or its wall time."""
    began = time.perf_counter()
    returned = call()
    return returned if isinstance(returned, float) else time.perf_counter() - began


def measured(job: job_list.Job, rounds: int) -> Found:
    """Both sides in turn, after one round that warms up."""
    ours, other = job.make()
    seconds(ours)
    pairs = [(seconds(ours), seconds(other))]
    if sum(pairs[0]) < SHORT:
        pairs, rounds = [], MOST_ROUNDS
    while len(pairs) < rounds:
        pairs.append((seconds(ours), seconds(other)))
    ours_s, other_s = (statistics.median(side) for side in zip(*pairs, strict=True))
    return Found(ours_s, other_s, statistics.median(b / a for a, b in pairs))


def in_a_process(job: job_list.Job, rounds: int) -> Found | str:
    """A job in a new process: what it took, or why it was not measured."""
    environment = os.environ | dict.fromkeys(POOLS, str(max(job.threads)))
    command = [sys.executable, "-m", "benchmarks.jobs", "--one", job.name, "--rounds", str(rounds)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=ROOT, check=False)
    if done.returncode:
        return (done.stderr.strip().splitlines() or [f"status {done.returncode}"])[-1]
    return Found(**json.loads(done.stdout.strip().splitlines()[-1]))


def row(job: job_list.Job, found: Found) -> list[str]:
    """A line of the table; beside a fit of ours, how many times as long ours takes."""
    ours, other = job.threads
    ratio = 1 / found.ratio if job.peer_is_ours else found.ratio
    return [job.name, number(found.ours_s), str(ours), job.peer, number(found.other_s), str(other), number(ratio)]


def table(found: dict[job_list.Job, Found], ours: bool) -> str:
    """The jobs beside other programs, or those beside other fits of ours, in the order of the list."""
    head = ["job", "boxwood, s", "threads", "beside", "its s", "threads"]
    rows = [row(job, one) for job, one in found.items() if job.peer_is_ours == ours]
    return lines([*head, "times as long" if ours else "times as fast"], rows)


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="only jobs whose name or peer holds this text")
    parser.add_argument("--rounds", type=int, default=3, help="pairs of each job; short ones get more")
    parser.add_argument("--page", action="store_true", help='write the part "Other jobs" of docs/benchmarks.md')
    parser.add_argument("--one", help=argparse.SUPPRESS)
    return parser.parse_args()


def main() -> None:
    """Measure all requested jobs and print the table."""
    options = arguments()
    if options.one:
        job = next(job for job in job_list.JOBS if job.name == options.one)
        pin(max(job.threads))
        print("\n" + json.dumps(vars(measured(job, options.rounds))), flush=True)
        return
    found: dict[job_list.Job, Found] = {}
    for job in job_list.JOBS:
        if options.only not in f"{job.name}, {job.peer}":
            continue
        one = in_a_process(job, options.rounds)
        if isinstance(one, str):
            print(f"{job.name}: not measured, {one}", file=sys.stderr, flush=True)
            continue
        found[job] = one
        print(" | ".join(row(job, one)), flush=True)
    RESULTS.mkdir(parents=True, exist_ok=True)
    text = f"{table(found, False)}\n\nBeside another fit of boxwood itself:\n\n{table(found, True)}\n"
    Path(RESULTS / "jobs.md").write_text(text, encoding="utf-8")
    if options.page:
        page.put(text, [], ROOT / "docs" / "benchmarks.md", "jobs")


if __name__ == "__main__":
    main()
