"""A process that runs cases one after another and writes down each number first, so that a crash has a name."""

from __future__ import annotations

import faulthandler
import json
import os
import resource
import sys
import time

from fuzz.case import Fault, assess, drawn, target

#: A case that takes longer hangs; a process that requests more memory than this gets a MemoryError.
SECONDS_A_CASE, MEMORY = 60, 6 << 30


def main(name: str, first: str, cases: str, seconds: str, folder: str) -> None:
    """Run cases from a number on, until the time or the cases are used up."""
    faulthandler.enable()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    getattr(target(name), "prepare", lambda: None)()
    journal = os.open(os.path.join(folder, "journal"), os.O_CREAT | os.O_WRONLY)
    ends, results = time.monotonic() + float(seconds), os.path.join(folder, "results")
    with open(results, "a", encoding="utf-8") as out:
        for number in range(int(first), int(first) + int(cases)):
            if time.monotonic() > ends:
                break
            os.pwrite(journal, b"%020d" % number, 0)
            faulthandler.dump_traceback_later(SECONDS_A_CASE, exit=True)
            found = assess(name, drawn(name, number))
            faulthandler.cancel_dump_traceback_later()
            fault = [found.where, found.trace] if isinstance(found, Fault) else None
            print(json.dumps([number, found if fault is None else "fault", fault]), file=out, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
