"""Progress: on a terminal rows and folds are shown on standard error, in pipes nothing is."""

from __future__ import annotations

import os
import pty
import shutil
import subprocess
import sys

import pytest

from boxwood.data import datasets


def run(words: list[str], terminal: bool) -> tuple[str, str]:
    """Standard output and standard error of a command, whose standard error is a terminal or a pipe."""
    master, slave = pty.openpty()
    command = [sys.executable, "-m", "boxwood", *words]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=slave if terminal else subprocess.PIPE, check=True)
    os.set_blocking(master, False)
    try:
        seen = os.read(master, 1 << 16) if terminal else done.stderr
    except BlockingIOError:
        seen = b""
    os.close(slave)
    os.close(master)
    return done.stdout.decode(), seen.decode()


@pytest.mark.parametrize("command", ["fit", "compare"])
def test_people_see_rows_and_folds_and_pipes_see_nothing(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shutil.copy(datasets.path("titanic"), "titanic.csv")  # a short name: a status is cut to the width of the terminal
    words = [command, "titanic.csv", "--target", "survived"]
    words += ["-o", str(tmp_path / "t.box")] if command == "fit" else ["--models", "cart", "--folds", "3"]
    said, piped = run(words, terminal=False)
    assert piped == ""
    again, shown = run(words, terminal=True)
    # Times differ in the table of a comparison, and nothing else.
    assert again.split()[:20] == said.split()[:20]
    assert "Reading " in shown
    assert "1,109 rows" in shown
    assert "fold 2 of" in shown
    assert shown.endswith("\r\x1b[K")
    assert "\x1b" not in again
    _, quiet = run([*words, "--quiet"], terminal=True)
    assert quiet == ""
