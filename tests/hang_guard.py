"""A guard against tests that hang: after HANG_LIMIT seconds all stacks are printed and the process ends.

It is not a time limit of a test: the limit is many times what the longest one takes on a slow machine. The guard is a
thread of faulthandler, which needs no GIL, so it also ends a call that hangs in C++. A worker of pytest-xdist that ends
like this is reported as crashed in that test, and another one runs the rest.
"""

from __future__ import annotations

import faulthandler
import os

#: Seconds that one step of a test may take: its set-up, its call, its tear-down.
LIMIT = float(os.environ.get("HANG_LIMIT", "1200"))


class HangGuard:
    """Starts the clock anew with each step; ``waits_for_workers``: the process that hands out tests and runs none."""

    def __init__(self, waits_for_workers: bool):
        self.waits_for_workers = waits_for_workers
        self.stderr = os.dup(2)  # pytest replaces file 2 while a test runs

    def restart(self) -> None:
        """Wait for the next step; the workers' own guards must be faster than that of the process above them."""
        limit = 2 * LIMIT if self.waits_for_workers else LIMIT
        faulthandler.dump_traceback_later(limit, exit=True, file=self.stderr)

    def pytest_runtest_logstart(self) -> None:
        self.restart()

    def pytest_runtest_logreport(self) -> None:
        self.restart()

    def pytest_runtest_logfinish(self) -> None:
        if not self.waits_for_workers:  # a worker may have to wait for its next test
            faulthandler.cancel_dump_traceback_later()

    def pytest_sessionfinish(self) -> None:
        self.restart()  # for threads and fixtures that keep the process from ending


def pytest_configure(config) -> None:
    """Register the guard; output is not captured yet."""
    waits_for_workers = bool(getattr(config.option, "numprocesses", None)) and not hasattr(config, "workerinput")
    config.pluginmanager.register(HangGuard(waits_for_workers), "hang_guard_of_process")
