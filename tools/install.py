"""Installs boxwood into a virtual environment and shows what is going on meanwhile: `install.py .venv cli,test`."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
import time
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
#: Seconds between two lines of progress where the output is not a terminal.
QUIET = 15.0
#: What a line of pip begins with, and what pip does from then on.
STAGES = {
    "Installing build dependencies": "getting the build tools",
    "Collecting": "getting packages",
    "Building wheel for boxwood": "compiling the kernel",
    "Installing collected packages": "installing packages",
}


class Progress:
    """What the installer is doing, from the lines that pip prints and the objects in the build folder."""

    def __init__(self) -> None:
        self.began = time.time()
        self.doing = "starting pip"

    def read(self, lines) -> None:
        for line in lines:
            for start, doing in STAGES.items():
                if line.strip().startswith(start):
                    self.doing = doing

    def seconds(self) -> float:
        return time.time() - self.began

    def __str__(self) -> str:
        compiling = self.doing == STAGES["Building wheel for boxwood"]
        return f"  {self.doing}{compiled(self.began) if compiling else ''}, {self.seconds():.0f} s"


def compiled(since: float) -> str:
    """How many objects are at least as new as the start of this installation, and how many the kernel has."""
    plans = [plan for plan in (ROOT / "build").glob("*/build.ninja") if plan.stat().st_mtime >= since]
    parts = sum(len(re.findall(r"^build \S+\.o:", plan.read_text(), re.MULTILINE)) for plan in plans)
    done = sum(1 for file in (ROOT / "build").rglob("*.o") if file.stat().st_mtime >= since)
    return f": {done} of {parts} parts done" if 0 < done <= parts else ""


def follow(process: subprocess.Popen) -> None:
    """Show what is done and for how long until the process ends: in place on a terminal, else a line now and then."""
    progress, live, shown, last = Progress(), sys.stderr.isatty(), 0.0, ""
    threading.Thread(target=progress.read, args=(process.stdout,), daemon=True).start()
    while process.poll() is None:
        time.sleep(0.5)
        if live:
            print(f"\r\x1b[K{progress}", end="", file=sys.stderr, flush=True)
        elif progress.doing != last or progress.seconds() - shown >= QUIET:
            shown, last = progress.seconds(), progress.doing
            print(progress, file=sys.stderr, flush=True)
    if live:
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
    print(f"  installed in {progress.seconds():.0f} s" if process.returncode == 0 else "  failed", file=sys.stderr)


def main(folder: str, extras: str) -> int:
    """Create the environment if need be and install the project with its extras; the exit status of pip."""
    print(f"installing boxwood[{extras}] into {folder}", file=sys.stderr, flush=True)
    python = Path(folder) / ("Scripts" if os.name == "nt" else "bin") / "python"
    if not python.exists():
        venv.create(folder, with_pip=True)
    # Python compiles what it imports, once; pip would compile every module of every package, which takes longer.
    quick = ["--disable-pip-version-check", "--progress-bar=off", "--no-compile"]
    command = [str(python), "-m", "pip", "install", *quick, f".[{extras}]"]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        follow(process)
    except KeyboardInterrupt:
        process.wait()
        return 130
    return process.returncode


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: install.py FOLDER EXTRAS")
    sys.exit(main(*sys.argv[1:]))
