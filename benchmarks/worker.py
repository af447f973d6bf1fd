"""One build of boxwood at work on one case: fits when a line comes, answers with the seconds; started by compare.py."""

from __future__ import annotations

import json
import sys

from benchmarks.cell import head, pin
from benchmarks.libraries import OURS
from benchmarks.libraries.session import Job
from benchmarks.problems import PROBLEMS


def main() -> None:
    """Make the table, warm up, print "ready", then answer lines until there are no more."""
    given = json.loads(sys.argv[1])
    pin(given["threads"])
    problem = next(p for p in PROBLEMS if (p.name, p.rows) == (given["problem"], given["rows"]))
    data = problem.data()
    small = OURS.open(Job(problem, head(data, 2_000), given["depth"], given["threads"]))
    small.fit()
    session = OURS.open(Job(problem, data, given["depth"], given["threads"]))
    print("ready", flush=True)
    for _ in sys.stdin:
        print(repr(session.fit()), flush=True)


if __name__ == "__main__":
    main()
