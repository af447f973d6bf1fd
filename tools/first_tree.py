"""How long a newcomer waits for the first tree: `first_tree.py WHEEL` measures it in a new environment."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

#: Seconds that installing the wheel and growing a tree may take.
ALLOWED = 30.0
TREE = """
import boxwood
passengers = boxwood.datasets.path("titanic")
from boxwood.cli import main
raise SystemExit(main(["fit", str(passengers), "--target", "survived", "-o", "titanic.box"]))
"""


def clock() -> tuple[float, float]:
    """Seconds on the wall, and of processor time of the steps so far: the latter hardly depends on what else runs."""
    times = os.times()
    return times.elapsed, times.children_user + times.children_system


def words(step: str, began: tuple[float, float], done: tuple[float, float]) -> str:
    """What a step took."""
    return f"{step} {done[0] - began[0]:.1f} s ({done[1] - began[1]:.1f} s of processor time)"


def main(wheel: str) -> int:
    """Print the seconds of both steps; 1 when they exceed what is allowed."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = str(Path(folder) / ("Scripts" if sys.platform == "win32" else "bin") / "python")
        began = clock()
        install = "-m pip install --quiet --disable-pip-version-check --only-binary=:all:"
        subprocess.run([python, *install.split(), f"{Path(wheel).resolve()}[cli]"], check=True, cwd=folder)
        installed = clock()
        subprocess.run([python, "-c", TREE], check=True, cwd=folder, stdout=subprocess.DEVNULL)
        done = clock()
    print(words("pip install", began, installed), words("the first tree", installed, done), sep=", ", end="; ")
    print(words("together", began, done))
    return int(done[0] - began[0] > ALLOWED)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: first_tree.py WHEEL")
    sys.exit(main(sys.argv[1]))
