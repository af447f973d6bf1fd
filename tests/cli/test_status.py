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
    output, piped = run(words, terminal=False)
    assert piped == ""
    again, shown = run(words, terminal=True)
    # Times differ in the table of a comparison, and nothing else.
    assert again.split()[:20] == output.split()[:20]
    assert "Reading " in shown
    assert "1,109 rows" in shown
    assert "fold 1 of" in shown
    assert "fold 2 of" in shown
    assert shown.endswith("\r\x1b[K")
    assert "\x1b" not in again
    _, quiet = run([*words, "--quiet"], terminal=True)
    assert quiet == ""


@pytest.mark.sample(4)
@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["fit", "titanic.csv", "--memory", "1GB", "--target", "survived", "-o", "again.box"], "encoded: 1109 rows"),
        (["encode", "titanic.csv", "--target", "survived", "-o", "cache"], "encoded: 1109 rows"),
        (["predict", "titanic.box", "titanic.csv", "-o", "-"], "Predicting 1,109 rows"),
        (["evaluate", "titanic.box", "titanic.csv"], "Reading titanic.csv"),
        (["explore", "titanic.box", "titanic.csv", "-o", "page.html"], "Making the report"),
        (["plot", "titanic.box", "-o", "tree.svg"], "Drawing tree.svg"),
        (["show", "titanic.box"], "Reading titanic.box"),
        (["rules", "titanic.box"], "Writing the rules"),
        (["explain", "titanic.box", "titanic.csv"], "Explaining 1,109 rows"),
        (["explain-split", "titanic.box", "titanic.csv"], "Searching the splits of node 0"),
        (["counterfactual", "titanic.box", "titanic.csv"], "Searching the smallest changes"),
        (["export", "titanic.box", "-o", "t.py", "--verify", "titanic.csv"], "Running the export on the rows of"),
        (["prune", "titanic.box", "--n-leaves", "3", "-o", "small.box"], "Pruning"),
    ],
    ids=lambda words: words[0] if isinstance(words, list) else "",
)
def test_every_command_that_may_take_long(words, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shutil.copy(datasets.path("titanic"), "titanic.csv")
    run(["fit", "titanic.csv", "--target", "survived", "--max-depth", "3", "-o", "titanic.box"], terminal=False)
    _, shown = run(words, terminal=True)
    assert message in shown
    assert shown.endswith("\r\x1b[K")
    if words[0] in ("encode", "predict", "fit"):
        for more in ("piped.parquet", "quiet.parquet"):
            again = [more if word == words[words.index("-o") + 1] else word for word in words]
            options = [*again, "--quiet"] if more == "quiet.parquet" else again
            assert run(options, terminal=more == "quiet.parquet")[1] == ""
