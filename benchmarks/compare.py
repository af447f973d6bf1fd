"""Compares two commits: both are built in folders of their own, both fit in turn, and a slowdown ends with status 1.

A case is slower when head takes more than 10 % longer than base by the lower bound of the median of pairs (95 %), and
does so again in new processes. Usage: python -m benchmarks.compare BASE [--head HEAD] [--rounds 11] [--only TEXT]
"""

from __future__ import annotations

import argparse
import json
import math
import os
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from benchmarks import builds
from benchmarks.problems import PROBLEMS
from benchmarks.report import lines, number
from benchmarks.run import POOLS

#: More than this share longer is a slowdown, more than this share shorter a gain.
TOLERANCE = 0.10


@dataclass(frozen=True)
class Verdict:
    """What the pairs of one case show.

    Attributes
    ----------
    base_s, head_s : float
        Median seconds.
    ratio, low, high : float
        Median of head / base over pairs, and bounds that hold it with 95 % or more.
    """

    base_s: float
    head_s: float
    ratio: float
    low: float
    high: float

    @property
    def word(self) -> str:
        """ "slower", "faster" or "same": whether the bounds lie beyond what is tolerated."""
        if self.low > 1 + TOLERANCE:
            return "slower"
        return "faster" if self.high < 1 / (1 + TOLERANCE) else "same"


def bounds(ratios: list[float]) -> tuple[float, float]:
    """Values that enclose the median with at least 95 % by the sign test; the extremes when there are under 6."""
    ordered, n = sorted(ratios), len(ratios)
    left_out, tail = -1, 0.0
    while (tail := tail + math.comb(n, left_out + 1) / 2**n) <= 0.025:
        left_out += 1
    left_out = max(left_out, 0)
    return ordered[left_out], ordered[n - 1 - left_out]


def verdict_of(pairs: list[tuple[float, float]]) -> Verdict:
    """The verdict of pairs of (base, head) seconds."""
    ratios = [head / base for base, head in pairs]
    base_s, head_s = (statistics.median(times) for times in zip(*pairs, strict=True))
    return Verdict(base_s, head_s, statistics.median(ratios), *bounds(ratios))


class Worker:
    """A process with one build and one table."""

    def __init__(self, source: Path, case: dict):
        environment = os.environ | dict.fromkeys(POOLS, str(case["threads"])) | {"PYTHONPATH": str(source)}
        command = [sys.executable, "-m", "benchmarks.worker", json.dumps(case)]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment, cwd=builds.ROOT
        )
        try:
            self._answer()
        except BaseException:
            self.close()
            raise

    def _answer(self) -> str:
        line = self._process.stdout.readline()
        if not line:
            raise builds.BuildError(f"a build could not fit (status {self._process.wait()}); its message is above.")
        return line

    def fit(self) -> float:
        """Seconds of one fit."""
        self._process.stdin.write("fit\n")
        self._process.stdin.flush()
        return float(self._answer())

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *about: object) -> None:
        self.close()

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.communicate()


def pairs_of(base: Path, head: Path, case: dict, rounds: int) -> list[tuple[float, float]]:
    """Seconds of both in turn, in new processes; the one that begins changes from pair to pair."""
    with ExitStack() as open_ones:
        first, second = (open_ones.enter_context(Worker(source, case)) for source in (base, head))
        out = []
        for k in range(rounds):
            if k % 2:
                late = second.fit()
                out.append((first.fit(), late))
            else:
                out.append((first.fit(), second.fit()))
    return out


def confirmed(measure: Callable[[], list[tuple[float, float]]]) -> Verdict:
    """The verdict; a slowdown is measured again in new processes, and what is seen only once is not believed."""
    found = measure()
    if verdict_of(found).word != "slower":
        return verdict_of(found)
    again = measure()
    return verdict_of(found + again) if verdict_of(again).word == "slower" else verdict_of(again)


def cases(threads: int, only: str, most_rows: int) -> Iterator[tuple[str, dict]]:
    """Name and settings of what is compared: all problems but the curves, up to so many rows."""
    for problem in PROBLEMS:
        for depth in problem.depths if problem.group != "curve" and problem.rows <= most_rows else ():
            name = f"{problem.name}, {problem.rows:,} rows, {'unpruned' if depth is None else f'depth {depth}'}"
            if only in name:
                yield name, {"problem": problem.name, "rows": problem.rows, "depth": depth, "threads": threads}


def table(found: dict[str, Verdict]) -> str:
    """A row a case, slowdowns first."""
    order = sorted(found.items(), key=lambda item: (item[1].word != "slower", -item[1].ratio))
    rows = [
        [name, number(v.base_s), number(v.head_s), f"{v.ratio:.3f}", f"{v.low:.3f} to {v.high:.3f}", v.word]
        for name, v in order
    ]
    return lines(["case", "base, s", "head, s", "head / base", "95 %", "verdict"], rows)


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("base", help="commit, branch or tag to compare with")
    parser.add_argument("--head", default="HEAD", help="commit that may have become slower")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=11, help="pairs a case")
    parser.add_argument("--most-rows", type=int, default=100_000, help="leave out larger problems")
    parser.add_argument("--only", default="", help="only cases whose name holds this text")
    parser.add_argument("--tidy", action="store_true", help="remove the two builds afterwards")
    return parser.parse_args()


def compare(options: argparse.Namespace) -> dict[str, Verdict]:
    """Build both and measure every case."""
    shas = [builds.commit(name) for name in (options.base, options.head)]
    if options.head == "HEAD" and builds.has_changes():
        print("changes that are not committed are not measured", file=sys.stderr)
    base, head = (builds.built(sha) for sha in shas)
    found = {}
    for name, case in cases(options.threads, options.only, options.most_rows):
        found[name] = confirmed(lambda case=case: pairs_of(base, head, case, options.rounds))
        print(f"{name}: {found[name].ratio:.3f} {found[name].word}", flush=True)
    if options.tidy:
        for sha in set(shas):
            builds.remove(sha)
    return found


def main() -> None:
    """Status 0 = nothing slower, 1 = something is, 2 = it could not be measured."""
    options = arguments()
    try:
        found = compare(options)
    except builds.BuildError as error:
        print(error, file=sys.stderr)
        raise SystemExit(2) from None
    slower = [name for name, verdict in found.items() if verdict.word == "slower"]
    print(f"\n{table(found)}\n")
    if not found:
        print("no case has that name", file=sys.stderr)
        raise SystemExit(2)
    print(f"slower by more than {TOLERANCE:.0%}: {', '.join(slower) or 'nothing'}")
    raise SystemExit(1 if slower else 0)


if __name__ == "__main__":
    main()
