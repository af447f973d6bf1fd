"""Folders of code caches and of pieces of them: removed after use, also when a signal ends the process.

A folder holds a file that its process keeps locked; when the next one starts, a folder whose lock is free is removed.
"""

from __future__ import annotations

import glob
import os
import secrets
import shutil
import signal
import socket
import tempfile
import threading
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from ..._messages import remedy
from ...errors import BoxwoodWarning, FileError, level_outside
from .part_file import writing

try:
    import fcntl
except ImportError:  # not a POSIX system: nothing is locked, and no folder of another process removed
    fcntl = None

#: The file that is locked; it holds the name of the machine.
LOCK = "lock"
#: Folders in use, and the process that made them: a forked one has this table, but not these folders.
_live: dict[str, int] = {}


@contextmanager
def new_folder(target: str | None, place: str | None = None) -> Iterator[str]:
    """A folder to write a cache into: a temporary one that goes at the end, or the sibling of ``target``.

    Temporary folders are made in ``place``; None = where the system keeps temporary files.

    The sibling gets its name by :func:`.cache.publish`; whatever happens before, also an interrupt, removes it. So do
    SIGTERM and SIGHUP in the main thread, if they would end the process: a handler of the program's own stays.

    Warns
    -----
    BoxwoodWarning
        A folder that a killed process left behind was removed.

    Raises
    ------
    FileError
        The target exists already, or a folder cannot be made.
    """
    if target is None:
        prefix = os.path.join(place or tempfile.gettempdir(), "boxwood-cache-")
        _remove_abandoned(f"{glob.escape(prefix)}*")
        with writing(os.path.dirname(prefix)):
            folder = tempfile.mkdtemp(prefix=os.path.basename(prefix), dir=place)
    else:
        target = os.path.abspath(target)
        if "\0" in target:
            raise FileError(
                f"the folder name {target!r} names no folder; ", remedy("give the code cache another name."),
            )  # fmt: skip
        if os.path.lexists(target):
            raise FileError(
                f"{target!r} exists already; ", remedy("name a new folder for the code cache, or remove the old one."),
            )  # fmt: skip
        _remove_abandoned(f"{glob.escape(target)}.????????.partial")
        folder = f"{target}.{secrets.token_hex(4)}.partial"
        with writing(target):
            os.makedirs(folder)
    _live[folder] = os.getpid()
    try:
        with _removed_by_signals(), _locked(folder):
            yield folder
    finally:
        _remove(folder)
        del _live[folder]


@contextmanager
def _locked(folder: str) -> Iterator[None]:
    """Keep the lock of a folder while it is there; the lock gets its name when it is locked."""
    if fcntl is None:
        yield
        return
    path = os.path.join(folder, LOCK)
    with writing(folder):
        handle = os.open(f"{path}.new", os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600)
    try:
        with suppress(OSError):  # where there are no locks the folder has none, and nobody else removes it
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.write(handle, socket.gethostname().encode())
            os.rename(f"{path}.new", path)
        yield
    finally:
        _remove(folder)
        os.close(handle)


def unlock(folder: str) -> None:
    """Take the lock out of a folder that stays."""
    with suppress(OSError):
        os.unlink(os.path.join(folder, LOCK))


@contextmanager
def _removed_by_signals() -> Iterator[None]:
    """Signals that would end the process remove its folders first."""
    taken = []
    if threading.current_thread() is threading.main_thread():
        for number in (getattr(signal, name, None) for name in ("SIGTERM", "SIGHUP")):
            if number is not None and signal.getsignal(number) == signal.SIG_DFL:
                with suppress(ValueError):  # an interpreter inside another one
                    signal.signal(number, _end)
                    taken.append(number)
    try:
        yield
    finally:
        for number in taken:
            if signal.getsignal(number) is _end:
                with suppress(ValueError):  # the end comes in another thread
                    signal.signal(number, signal.SIG_DFL)


def _end(number: int, _frame: object) -> None:
    """Remove the folders of this process, and let the signal end it."""
    for folder in [folder for folder, process in _live.items() if process == os.getpid()]:
        _remove(folder)
    signal.signal(number, signal.SIG_DFL)
    signal.raise_signal(number)


def _remove(folder: str) -> None:
    """Remove a folder in which, after an interrupt, another thread may still be about to write its last file.

    The lock goes last: what remains when the process is killed meanwhile is removed by the next one.
    """
    for _ in range(50):
        if not os.path.lexists(folder):
            return
        with suppress(OSError):
            for name in os.listdir(folder):
                path = os.path.join(folder, name)
                if os.path.isdir(path):
                    shutil.rmtree(path, ignore_errors=True)
                elif name != LOCK:
                    os.unlink(path)
        shutil.rmtree(folder, ignore_errors=True)
        if not os.path.lexists(folder):
            return
        time.sleep(0.05)


def _remove_abandoned(pattern: str) -> None:
    """Remove the folders whose process has ended without doing so."""
    for folder in glob.glob(pattern) if fcntl is not None else ():
        try:
            size = _removed_bytes(folder)
        except OSError:  # it is in use, another user's, without a lock, or removed by now
            continue
        if size is not None:
            warnings.warn(
                f"removed {folder} ({size / 1e6:.1f} MB), the code cache of a process that was killed.",
                BoxwoodWarning,
                stacklevel=level_outside(),
            )


def _removed_bytes(folder: str) -> int | None:
    """Remove a folder of this user and machine whose lock is free, and count its bytes; None if it is not one."""
    if os.lstat(folder).st_uid != os.getuid() or os.path.islink(folder):
        return None
    lock = os.path.join(folder, LOCK)
    handle = os.open(lock, os.O_RDWR | os.O_NOFOLLOW)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.read(handle, 1024) != socket.gethostname().encode():
            return None
        os.lstat(lock)  # its owner may have removed it since it was opened
        files = [os.path.join(inside, name) for inside, _, names in os.walk(folder) for name in names]
        size = sum(os.lstat(file).st_size for file in files)
        _remove(folder)
        return size
    finally:
        os.close(handle)
