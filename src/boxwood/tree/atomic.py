"""Files written completely or not at all, and read whole."""

from __future__ import annotations

import errno
import os
import secrets
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO

from .._messages import Value, must_be
from ..errors import BoxwoodError, FileError, ParameterTypeError

#: The errors of folders that cannot be synchronised; the file itself is safe by then.
_NO_FOLDER_SYNC = {errno.EINVAL, errno.EACCES, errno.EPERM, errno.ENOTSUP}


def write_atomically(path: str | os.PathLike, data: bytes) -> None:
    """Write a file so that at any moment either the old or the new content is there, complete; see :func:`replacing`.

    Raises
    ------
    FileError, ParameterTypeError
        As for :func:`replacing`.
    """
    with replacing(path) as file:
        file.write(data)


@contextmanager
def replacing(path: str | os.PathLike) -> Iterator[BinaryIO]:
    """A file to write to, which takes the place of an older one when the block ends without an error.

    A sibling in the same folder is written, synchronised with the disk and renamed over the target. A symbolic link
    keeps pointing where it points; the mode of an existing file stays; the sibling goes when anything fails.

    Raises
    ------
    FileError
        The file cannot be written; the older file, if there was one, is untouched.
    ParameterTypeError
        ``path`` is not a path.
    """
    name = _name(path)
    try:
        target = os.path.realpath(name)
        mode = _mode_to_keep(name, target)
        folder = os.path.dirname(target)
        sibling = os.path.join(folder, f".boxwood-{secrets.token_hex(8)}.tmp")
        with _renamed(sibling, target, mode) as file:
            yield file
        _sync_folder(folder)
    except BoxwoodError:
        raise
    except (OSError, ValueError) as error:
        if isinstance(error, FileNotFoundError) and not os.path.exists(folder):
            folder = os.path.dirname(name) or folder
            raise FileError(f"cannot write {name!r}: the folder {folder!r} does not exist; create it first.") from error
        raise FileError(f"cannot write {name!r}: {_reason(error)}; the older file, if any, is untouched.") from error


def read_whole(path: str | os.PathLike, accept: Callable[[bytes, int], None], start_size: int) -> bytes:
    """The content of an ordinary file, read only after ``accept(first bytes, size)`` did not object.

    Raises
    ------
    FileError
        The file is missing, a folder, not ordinary or not readable.
    ParameterTypeError
        ``path`` is not a path.
    """
    name = _name(path)
    try:
        ordinary = stat.S_ISREG(os.stat(name).st_mode)
    except (OSError, ValueError) as error:
        raise FileError(f"cannot read {name!r}: {_reason(error)}; check the path.") from error
    if not ordinary:
        raise FileError(f"cannot read {name!r}: it is a folder or device; give the path of a file.")
    try:
        with open(name, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            start = file.read(start_size)
            accept(start, size)
            return start + file.read(max(size - len(start), 0))
    except OSError as error:
        raise FileError(f"cannot read {name!r}: {_reason(error)}; check the path.") from error


def _name(path: str | os.PathLike) -> str:
    """The path as text."""
    if not isinstance(path, (str, os.PathLike)):
        raise ParameterTypeError(must_be("path", "text or a path object", Value(path, type(path).__name__)))
    return os.fsdecode(path)


def _reason(error: Exception) -> str:
    """Why the operating system refused, in a few words."""
    return (getattr(error, "strerror", None) or str(error)).lower()


def _mode_to_keep(name: str, target: str) -> int | None:
    """Permissions of the file that is replaced, None for a new file."""
    try:
        mode = os.stat(target).st_mode
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(mode):
        raise FileError(f"cannot write {name!r}: it is a folder or device; give the path of a file.")
    if not os.access(target, os.W_OK):
        raise FileError(f"cannot write {name!r}: the file is write-protected; make it writable or give another path.")
    return stat.S_IMODE(mode)


@contextmanager
def _renamed(sibling: str, target: str, mode: int | None) -> Iterator[BinaryIO]:
    """A sibling to write to, which is pushed to the disk and given the target's name; on any failure it goes."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    handle = os.open(sibling, flags, 0o666)
    done = False
    try:
        with open(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            os.chmod(sibling, mode)
        os.replace(sibling, target)
        done = True
    finally:
        if not done:
            with suppress(FileNotFoundError):
                os.unlink(sibling)


def _sync_folder(folder: str) -> None:
    """Make the new name last through a power cut, where the system can synchronise folders."""
    if os.name == "nt":
        return
    try:
        handle = os.open(folder, os.O_RDONLY)
    except PermissionError:
        return
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in _NO_FOLDER_SYNC:
            raise
    finally:
        os.close(handle)
