"""Property tests draw the same examples in every run and are never timed; HYPOTHESIS=wide draws anew."""

import os
import signal
from collections import Counter

from hypothesis import settings

from hang_guard import pytest_configure  # noqa: F401

settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.register_profile("wide", derandomize=False, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS", "repeatable"))

# A shell starts background jobs with Ctrl-C ignored, and so do their children: tests that send it need the default.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_terminal_summary(terminalreporter):
    """List why tests were skipped, and how many for each reason."""
    reasons = Counter()
    for report in terminalreporter.stats.get("skipped", ()):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        reasons[reason.removeprefix("Skipped: ")] += 1
    if reasons:
        terminalreporter.section(f"{reasons.total()} tests skipped", sep="-")
        for reason, count in reasons.most_common():
            terminalreporter.write_line(f"{count:6}  {reason}")
