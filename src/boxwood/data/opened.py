"""A data file as bytes, local or remote, decompressed; text also as a plain UTF-8 file."""

from __future__ import annotations

import bz2
import codecs
import gzip
import io
import lzma
import os
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from ..errors import FileError, NotAvailableError
from .arrow_tables import need_pyarrow, one_line, reason_of
from .encodings import not_of
from .file_kinds import compression_of

STANDARD_STREAM = "-"
#: Schemes that pyarrow opens by itself; fsspec opens the others.
_ARROW_SCHEMES = ("s3", "gs", "gcs", "hdfs", "abfs", "abfss")
_BLOCK = 1 << 20


@dataclass(frozen=True)
class Form:
    """What is said of data files beside their names.

    Attributes
    ----------
    encoding : str or None
        Of text files; None = UTF-8, or found.
    sheet : str or None
        Of workbooks: a name, or a number counted from 1; None = the first.
    """

    encoding: str | None = None
    sheet: str | None = None


AS_FOUND = Form()


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


@contextmanager
def opened(path: str | os.PathLike, name: str) -> Iterator[io.BufferedIOBase]:
    """A file to read from, decompressed if it is compressed; "-" is standard input.

    Raises
    ------
    FileError
        It cannot be opened, or its compressed data are damaged.
    NotAvailableError
        Its address needs a package that is not installed.
    """
    text = local_path(os.fspath(path))
    if text == STANDARD_STREAM:
        with _decompressed(sys.stdin.buffer, name) as file:
            yield file
        return
    if not text or "\0" in text:
        raise FileError(f"the file name {name!r} names no file; give the name of a data file.")
    try:
        raw = _remote(text, name) if scheme_of(text) else open(text, "rb")  # noqa: SIM115
    except FileNotFoundError as error:
        raise FileError(f"{name} does not exist; check the name and the folder.") from error
    except IsADirectoryError as error:
        raise FileError(f"{name} is a folder; name a data file in it.") from error
    except OSError as error:
        raise FileError(f"{name} cannot be read: {reason_of(error)}.") from error
    with raw, _decompressed(raw, name) as file:
        yield file


@contextmanager
def _decompressed(raw, name: str) -> Iterator[io.BufferedIOBase]:
    buffered = raw if hasattr(raw, "peek") else io.BufferedReader(raw)
    packed = compression_of(buffered.peek(8)[:8])
    try:
        if packed == "zstd":
            stream = need_pyarrow().CompressedInputStream(buffered, "zstd")
        else:
            stream = {"gzip": gzip.open, "bz2": bz2.open, "xz": lzma.open}.get(packed, _as_it_is)(buffered)
        yield stream
    except FileError:  # which is an OSError, and says what is wrong already
        raise
    except (EOFError, zlib.error, lzma.LZMAError, gzip.BadGzipFile) as error:
        raise FileError(f"{name} is compressed with {packed} but cannot be unpacked; it may be cut short.") from error
    except OSError as error:
        if packed:
            raise FileError(f"{name} is compressed with {packed} but cannot be unpacked: {one_line(error)}.") from error
        raise FileError(f"{name} cannot be read: {reason_of(error)}.") from error


def _as_it_is(file):
    return file


def _remote(path: str, name: str):
    """A file at an address, opened by pyarrow or fsspec."""
    scheme = scheme_of(path)
    if scheme in _ARROW_SCHEMES:
        pa = need_pyarrow()
        from pyarrow import fs

        try:
            system, inside = fs.FileSystem.from_uri(path)
            return io.BufferedReader(_Raw(system.open_input_file(inside)))
        except pa.ArrowException as error:
            raise FileError(f"{name} cannot be read: {one_line(error)}.") from error
    try:
        import fsspec
    except ImportError as error:
        raise NotAvailableError(f"{scheme}:// addresses need fsspec; install it with: pip install fsspec.") from error
    try:
        return fsspec.open(path, "rb").open()
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


def read_bytes(path: str | os.PathLike, name: str) -> bytes:
    """All bytes of a file, decompressed; see :func:`opened` for the errors."""
    with opened(path, name) as file:
        return bytes(file.read())


def first_bytes(path: str | os.PathLike, name: str, size: int) -> bytes:
    """The first bytes of a file, decompressed; see :func:`opened` for the errors."""
    with opened(path, name) as file:
        parts, left = [], size
        while left and (part := file.read(left)):
            parts.append(bytes(part))
            left -= len(part)
        return b"".join(parts)


def write_plain(path: str | os.PathLike, name: str, encoding: str | None, target: str) -> None:
    """Write the decompressed content of a file to another one; text of an encoding as UTF-8.

    Raises
    ------
    FileError
        The file cannot be read, or is not a text of the encoding.
    """
    decoder = None if encoding is None else codecs.getincrementaldecoder(encoding)()
    with opened(path, name) as file, open(target, "wb") as plain:
        while part := file.read(_BLOCK):
            plain.write(bytes(part) if decoder is None else _decoded(decoder, part, False, encoding, name))
        if decoder is not None:
            plain.write(_decoded(decoder, b"", True, encoding, name))


def _decoded(decoder, part: bytes, last: bool, encoding: str, name: str) -> bytes:
    try:
        return decoder.decode(bytes(part), last).encode("utf-8")
    except UnicodeError as error:
        raise not_of(encoding, name, None) from error
