"""A test that hangs ends with the stacks of all threads, and the others still run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.long

TESTS = Path(__file__).parents[1]
HANGS = """
import threading

def test_first():
    pass

def test_hangs():
    threading.Event().wait()

def test_last():
    pass
"""
HANGS_AT_THE_END = """
import atexit, threading

def test_first():
    atexit.register(threading.Event().wait)
"""


def run(folder: Path, text: str, *words: str) -> subprocess.CompletedProcess:
    """Run a file of tests under the guard, in a pytest of its own."""
    (folder / "test_file.py").write_text(text)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    environment |= {"HANG_LIMIT": "3", "PYTHONPATH": str(TESTS)}
    command = [sys.executable, "-m", "pytest", "-p", "hang_guard", "-p", "no:cacheprovider", *words, "test_file.py"]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_a_hung_test_ends_the_process_and_shows_where(tmp_path):
    done = run(tmp_path, HANGS)
    assert done.returncode == 1, done.stdout
    assert 'test_file.py", line 8 in test_hangs' in done.stderr


def test_a_hung_worker_is_replaced(tmp_path):
    done = run(tmp_path, HANGS, "-n", "1")
    assert "1 failed, 2 passed" in done.stdout, done.stdout
    assert "crashed while running 'test_file.py::test_hangs'" in done.stdout
    assert 'test_file.py", line 8 in test_hangs' in done.stderr


def test_a_process_that_does_not_end_is_ended(tmp_path):
    done = run(tmp_path, HANGS_AT_THE_END)
    assert done.returncode == 1, done.stdout
    assert "most recent call first" in done.stderr
