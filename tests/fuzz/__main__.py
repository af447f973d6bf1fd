"""Random hostile input for all that reads or writes: ``make fuzz``, or ``PYTHONPATH=tests python -m fuzz --help``."""

from __future__ import annotations

import argparse
import math
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from fuzz.campaign import Budget, campaign
from fuzz.case import replay
from fuzz.targets import CHECKED, TARGETS


def main(words: list[str] | None = None) -> int:
    """Run the targets side by side, or one case; 1 when there is a finding."""
    read = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__)
    read.add_argument("--seconds", type=float, default=600, help="time for all targets together (default 600)")
    read.add_argument("--cases", type=int, help="stop each target after this many cases")
    read.add_argument("--check", action="store_true", help="the cases of make check: so many, however long they take")
    read.add_argument("--seed", type=int, default=1, help="where the numbers of the cases begin (default 1)")
    read.add_argument("--only", action="append", choices=TARGETS, help="one target; may be repeated")
    read.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes (default: one a core)")
    read.add_argument("--replay", metavar="TARGET:CASE", help="run one case again: its number, or a file of the corpus")
    read.add_argument("--keep", metavar="FILE", help="with --replay: write the bytes of the case to a file")
    given = read.parse_args(words)
    if given.replay:
        return replay(given.replay, given.keep)
    names = given.only or list(TARGETS)
    jobs = max(1, min(given.jobs, len(names)))
    seconds = math.inf if given.check else given.seconds * jobs / len(names)
    cases = {name: CHECKED[name] if given.check else given.cases or sys.maxsize for name in names}
    started = time.monotonic()
    with ThreadPoolExecutor(jobs) as pool:
        budgets = [Budget(seconds, cases[name], given.seed * 10**9) for name in names]
        results = list(pool.map(lambda name, budget: campaign(name, budget, started), names, budgets))
    total, found = sum(r.cases for r in results), sum(len(r.findings) for r in results)
    print(f"\n{total} cases in {time.monotonic() - started:.0f} s, {found} findings")
    for result in results:
        print(f"  {result}")
        for finding in result.findings:
            print(f"\n{finding}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
