"""How long a newcomer waits for the first tree: `first_tree.py WHEEL` measures it in a new environment."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
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


def main(wheel: str) -> int:
    """Print the seconds of both steps; 1 when they exceed what is allowed."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = str(Path(folder) / ("Scripts" if sys.platform == "win32" else "bin") / "python")
        began = time.perf_counter()
        install = "-m pip install --quiet --disable-pip-version-check --only-binary=:all:"
        subprocess.run([python, *install.split(), f"{Path(wheel).resolve()}[cli]"], check=True, cwd=folder)
        installed = time.perf_counter()
        subprocess.run([python, "-c", TREE], check=True, cwd=folder, stdout=subprocess.DEVNULL)
        done = time.perf_counter()
    print(
        f"pip install {installed - began:.1f} s, the first tree {done - installed:.1f} s, together {done - began:.1f} s"
    )
    return int(done - began > ALLOWED)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: first_tree.py WHEEL")
    sys.exit(main(sys.argv[1]))
