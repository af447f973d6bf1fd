"""Installs boxwood into a virtual environment and shows what is going on meanwhile: `install.py .venv cli,test`."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
#: Seconds between two lines of progress where the output is not a terminal.
QUIET = 15.0


def compiled(since: float) -> int:
    """How many object files of the kernel are at least as new as the start of this installation."""
    return sum(1 for file in (ROOT / "build").rglob("*.o") if file.stat().st_mtime >= since)


def stage(since: float, sources: int) -> str:
    """What the installer is doing, as far as the build folder shows it."""
    done = compiled(since)
    if 0 < done < sources:
        return f"compiling the kernel: {done} of {sources} files"
    return "installing packages" if done else "getting packages and compiling the kernel"


def follow(process: subprocess.Popen, sources: int) -> None:
    """Show the stage and the time until the process ends: in place on a terminal, else a line now and then."""
    began, live, shown = time.time(), sys.stderr.isatty(), 0.0
    while process.poll() is None:
        time.sleep(0.5)
        seconds = time.time() - began
        line = f"  {stage(began, sources)}, {seconds:.0f} s"
        if live:
            print(f"\r\x1b[K{line}", end="", file=sys.stderr, flush=True)
        elif seconds - shown >= QUIET:
            shown = seconds
            print(line, file=sys.stderr, flush=True)
    if live:
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
    print(f"  installed in {time.time() - began:.0f} s" if process.returncode == 0 else "  failed", file=sys.stderr)


def main(folder: str, extras: str) -> int:
    """Create the environment if need be and install the project with its extras; the exit status of pip."""
    print(f"installing boxwood[{extras}] into {folder}", file=sys.stderr, flush=True)
    python = Path(folder) / ("Scripts" if os.name == "nt" else "bin") / "python"
    if not python.exists():
        venv.create(folder, with_pip=True)
    command = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", f".[{extras}]"]
    process = subprocess.Popen(command, cwd=ROOT)
    try:
        follow(process, 1 + len(list((ROOT / "kernel").rglob("*.cpp"))))
    except KeyboardInterrupt:
        process.wait()
        return 130
    return process.returncode


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: install.py FOLDER EXTRAS")
    sys.exit(main(*sys.argv[1:]))
