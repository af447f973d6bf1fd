"""A private PostgreSQL server in a folder of its own, for the tests that query one."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def programs() -> Path | None:
    """The folder of initdb, pg_ctl and the like; None when there is no server."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if found:
        return found[-1].parent
    there = shutil.which("initdb")
    return Path(there).parent if there else None


def _as_user(folder: Path) -> list[str]:
    """What comes before a command so that the server does not run as root, which it refuses."""
    if os.geteuid() != 0:
        return []
    shutil.chown(folder, "postgres")
    return [shutil.which("runuser") or "/usr/sbin/runuser", "-u", "postgres", "--"]


@contextmanager
def server(folder: Path) -> Iterator[dict[str, str]]:
    """A running server; gives the variables that psql reads."""
    user, bin_, data = _as_user(folder), programs(), folder / "data"
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    run = {"cwd": folder, "check": True, "stdout": subprocess.DEVNULL, "stderr": subprocess.STDOUT}
    subprocess.run([*user, bin_ / "initdb", "-D", data, "-U", "boxwood", "-A", "trust", "-E", "UTF8", "-N"], **run)
    options = f"-p {port} -k {folder} -c listen_addresses='' -c fsync=off"
    subprocess.run([*user, bin_ / "pg_ctl", "-D", data, "-o", options, "-w", "start"], **run)
    try:
        yield {"PGHOST": str(folder), "PGPORT": str(port), "PGUSER": "boxwood", "PGDATABASE": "postgres"}
    finally:
        subprocess.run([*user, bin_ / "pg_ctl", "-D", data, "-m", "immediate", "stop"], **run)
