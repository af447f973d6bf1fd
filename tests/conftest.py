"""Property tests draw the same examples in every run and are never timed; HYPOTHESIS=wide draws anew."""

import multiprocessing.util
import os
import shutil
import signal
import tempfile
from collections import Counter, defaultdict
from pathlib import Path
from zlib import crc32

import pytest
from hypothesis import settings

from effort import examples
from exports import postgres
from hang_guard import pytest_configure  # noqa: F401

settings.register_profile("repeatable", derandomize=True, deadline=None, max_examples=examples(100))
settings.register_profile("wide", derandomize=False, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS", "repeatable"))

# This process keeps one folder for its children until it ends: it must not lie in the folder of the first test.
multiprocessing.util.get_temp_dir()

# A shell starts background jobs with Ctrl-C ignored, and so do their children: tests that send it need the default.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Mark as long all but n cases of a test marked `sample(n)`; the lowest checksums of names stay."""
    cases = defaultdict(list)
    for item in items:
        if item.get_closest_marker("sample"):
            cases[item.path, item.originalname].append(item)
    for group in cases.values():
        group.sort(key=lambda item: crc32(item.name.encode()))
        for item in group[group[0].get_closest_marker("sample").args[0] :]:
            item.add_marker("long")


@pytest.fixture(autouse=True)
def _temporary_folder(monkeypatch, tmp_path_factory):
    """A temporary folder for each test: it does not see what another test's killed process left behind."""
    tmp_path_factory.getbasetemp()  # made once for all tests: not in the folder of the first one
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        monkeypatch.setenv("TMPDIR", folder)
        monkeypatch.setattr(tempfile, "tempdir", None)
        yield


@pytest.fixture(scope="session")
def database():
    """The variables of a private PostgreSQL server; its folder has a short name, as sockets need."""
    if postgres.programs() is None or shutil.which("psql") is None:
        pytest.skip("there is no PostgreSQL (apt: postgresql)")
    with tempfile.TemporaryDirectory(prefix="pg") as folder, postgres.server(Path(folder)) as variables:
        yield variables


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
