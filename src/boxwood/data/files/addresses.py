"""Files at addresses such as s3://bucket/a.csv: opened, and found in folders, by pyarrow or fsspec."""

from __future__ import annotations

import io
import os
import re
from contextlib import contextmanager
from fnmatch import fnmatchcase
from urllib.parse import quote, unquote, urlsplit

from ...errors import FileError, NotAvailableError
from ..frames.arrow_tables import need_pyarrow, one_line, reason_of

#: Schemes that pyarrow opens by itself; fsspec opens the others.
_ARROW_SCHEMES = ("s3", "gs", "gcs", "hdfs", "abfs", "abfss")
#: Schemes of pages, which have no folders; a question mark or a bracket is part of their names.
_PAGES = ("http", "https")
#: Wildcards of a pattern; a question mark begins the options of an address.
_WILDCARD = re.compile(r"[*\[]")


def scheme_of(path: str) -> str:
    """The scheme of an address such as s3://bucket/a.csv; "" for a path of this machine."""
    scheme, mark, _ = path.partition("://")
    return scheme.lower() if mark and scheme.isalnum() and len(scheme) > 1 else ""


def local_path(path: str) -> str:
    """The path behind an address that begins with file://; any other as it is.

    Raises
    ------
    FileError
        It is no address.
    """
    if scheme_of(path) != "file":
        return path
    try:
        found = unquote(urlsplit(path).path)
    except ValueError as error:
        raise FileError(f"{path!r} is not an address; give a path, or an address such as file:///data.csv.") from error
    return found[1:] if os.name == "nt" else found


def open_address(path: str, name: str):
    """A file at an address, to read bytes from.

    Raises
    ------
    FileError
        It cannot be read.
    NotAvailableError
        Its scheme needs a package that is not installed.
    """
    if scheme_of(path) in _ARROW_SCHEMES:
        with _errors(name):
            system, inside = _arrow_system(path)
            return io.BufferedReader(_Raw(system.open_input_file(inside)))
    fsspec = _fsspec(path)
    with _errors(name):
        return fsspec.open(path, "rb").open()


def files_at(path: str, name: str) -> list[str] | None:
    """Addresses of all files below a folder, or of those that match a pattern; None where an address names one file.

    A pattern has ``*``, ``[...]``, or ``**`` for folders of any depth.

    Raises
    ------
    FileError, NotAvailableError
        As :func:`open_address`.

    Examples
    --------
    >>> import fsspec
    >>> from boxwood.data.files.addresses import files_at
    >>> for key in ("year=2023/a.csv", "year=2024/a.csv"):
    ...     with fsspec.open(f"memory://sales/{key}", "w") as file:
    ...         _ = file.write("x,y")
    >>> files_at("memory://sales", "sales")
    ['memory://sales/year=2023/a.csv', 'memory://sales/year=2024/a.csv']
    >>> files_at("memory://sales/*4/*.csv", "sales")
    ['memory://sales/year=2024/a.csv']
    """
    if scheme_of(path) in _PAGES:
        return None
    address, options = _parts(path)
    wildcard = _WILDCARD.search(address)
    root = (address[: wildcard.start()].rpartition("/")[0] if wildcard else address).rstrip("/")
    try:
        with _errors(name):
            below = _below(root, options)
    except FileError:  # which is an OSError, and names the cause already
        raise
    except OSError as error:
        raise FileError(f"{name} cannot be read: {reason_of(error)}.") from error
    if below is None:
        return None
    if wildcard:
        parts = shown_address(address)[len(shown_address(root)) :].split("/")
        below = [each for each in below if _matches(each.split("/"), parts)]
    escaped = quote if scheme_of(path) in _ARROW_SCHEMES else str
    return [root + escaped(each) + options for each in sorted(below)]


def is_pattern(address: str) -> bool:
    """Whether an address names all files that match it."""
    return scheme_of(address) not in _PAGES and _WILDCARD.search(_parts(address)[0]) is not None


def shown_address(path: str) -> str:
    """An address without escapes and options."""
    return unquote(_parts(path)[0]) if scheme_of(path) in _ARROW_SCHEMES else path


def _parts(path: str) -> tuple[str, str]:
    """An address and, from a question mark on, its options; only pyarrow reads escapes and options."""
    address, mark, options = path.partition("?")
    return (address, mark + options) if scheme_of(path) in _ARROW_SCHEMES else (path, "")


def _below(root: str, options: str) -> list[str] | None:
    """What follows the address of a folder in those of all files below it; None if it is no folder."""
    if scheme_of(root) in _ARROW_SCHEMES:
        from pyarrow import fs

        system, inside = _arrow_system(root + options)
        if system.get_file_info(inside).type != fs.FileType.Directory:
            return None
        found = system.get_file_info(fs.FileSelector(inside, recursive=True))
        files = [each.path for each in found if each.type == fs.FileType.File]
    else:
        system, inside = _fsspec(root).core.url_to_fs(root + options)
        if not system.isdir(inside):
            return None
        files = system.find(inside)
    return [file[len(inside.rstrip("/")) :] for file in files]


def _matches(path: list[str], pattern: list[str]) -> bool:
    """Whether the parts of a path match those of a pattern."""
    if not pattern or not path:
        return not pattern and not path
    if pattern[0] == "**":
        return _matches(path, pattern[1:]) or (len(path) > 1 and _matches(path[1:], pattern))
    return fnmatchcase(path[0], pattern[0]) and _matches(path[1:], pattern[1:])


def _arrow_system(path: str):
    """The file system of an address, and the path in it."""
    need_pyarrow()
    from pyarrow import fs

    return fs.FileSystem.from_uri(quote(path, safe="/:?=&%@,;+!$'()~"))


def _fsspec(path: str):
    try:
        import fsspec
    except ImportError as error:
        scheme = scheme_of(path)
        raise NotAvailableError(f"{scheme}:// addresses need fsspec; install it with: pip install fsspec.") from error
    return fsspec


@contextmanager
def _errors(name: str):
    """Errors of pyarrow and fsspec in our words."""
    pa = need_pyarrow()
    try:
        yield
    except pa.ArrowException as error:
        raise FileError(f"{name} cannot be read: {one_line(error)}.") from error
    except (ImportError, ValueError) as error:
        raise NotAvailableError(f"{name} cannot be read by fsspec: {one_line(error)}.") from error


class _Raw(io.RawIOBase):
    """An Arrow file as Python's own kind of file."""

    def __init__(self, file):
        self._file = file

    def readable(self) -> bool:
        """It is there to be read."""
        return True

    def readinto(self, buffer) -> int:
        """Fill a buffer; the number of bytes read."""
        data = self._file.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        """Close both."""
        self._file.close()
        super().close()
