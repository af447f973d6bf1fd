"""Builds of boxwood as it was at some commit: its own folder, its own kernel; made once a commit."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
#: Where the folders are; "make clean" removes them with the other builds.
HOME = ROOT / "build" / "compare"


class BuildError(Exception):
    """A commit that is not there or does not compile; the message says what to do."""


def _run(*command: str, folder: Path) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        output = "\n".join((done.stderr or done.stdout).strip().splitlines()[-5:])
        raise BuildError(f"`{' '.join(command)}` ended with status {done.returncode}:\n{output}")
    return done.stdout.strip()


def commit(name: str, root: Path = ROOT) -> str:
    """The full name of a commit, branch or tag."""
    try:
        return _run("git", "rev-parse", "--verify", f"{name}^{{commit}}", folder=root)
    except BuildError:
        raise BuildError(f"{name!r} is not a commit, branch or tag of this repository; see `git log`.") from None


def has_changes(root: Path = ROOT) -> bool:
    """Whether files under version control differ from the last commit."""
    return bool(_run("git", "status", "--porcelain", "--untracked-files=no", folder=root))


def built(sha: str, root: Path = ROOT, home: Path = HOME) -> Path:
    """The folder to put on PYTHONPATH for boxwood as of a commit; compiled at the first request."""
    folder = home / sha[:12]
    if not folder.exists():
        _run("git", "worktree", "prune", folder=root)
        home.mkdir(parents=True, exist_ok=True)
        _run("git", "worktree", "add", "--detach", "--force", str(folder), sha, folder=root)
    package = folder / "src" / "boxwood"
    if not any((package / f"_kernel{suffix}").exists() for suffix in EXTENSION_SUFFIXES):  # beside it lies the stub
        print(f"compiling {sha[:12]} (a minute or two)", file=sys.stderr, flush=True)
        tools = str(Path(sys.executable).parent)
        _run("make", f"-j{os.cpu_count()}", "kernel", f"BIN={tools}", f"VENV={Path(tools).parent}", folder=folder)
    return folder / "src"


def remove(sha: str, root: Path = ROOT, home: Path = HOME) -> None:
    """Give the folder of a commit back."""
    _run("git", "worktree", "remove", "--force", str(home / sha[:12]), folder=root)
