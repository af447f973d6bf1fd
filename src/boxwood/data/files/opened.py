"""A data file as bytes, local or remote, decompressed; text also as a plain UTF-8 file."""

from __future__ import annotations

import codecs
import gzip
import importlib
import io
import os
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields

from ..._free_memory import raise_if_ran_out
from ..._messages import Setting, must_be, remedy
from ...errors import FileError, NotAvailableError, ParameterError
from ..frames.arrow_tables import need_pyarrow, one_line, reason_of
from .addresses import local_path, open_address, scheme_of
from .encodings import not_of
from .file_kinds import CODED, JSON, STATISTICAL, TEXT, WORKBOOK, R, compression_of

STANDARD_STREAM = "-"
_BLOCK = 1 << 20
#: The files that each option is for.
_TABLES = ("text files and workbooks", (TEXT, WORKBOOK))
_FILES_OF = {
    "encoding": ("text files", (TEXT, JSON, *STATISTICAL)), "sheet": ("workbooks", (WORKBOOK, R)),
    "skip_rows": _TABLES, "header_rows": _TABLES,
    "user_missing": ("files of SPSS, Stata and SAS", CODED),
}  # fmt: skip


_USER_MISSING = ("missing", "levels")


@dataclass(frozen=True)
class Form:
    """The options of data files.

    Attributes
    ----------
    encoding : str or None
        Of text files; None = UTF-8, or found.
    sheet : str or None
        Of workbooks: a name, or a number counted from 1; None = the first.
    skip_rows : int or None
        Lines of text, or rows of a sheet, above the header; None = found (:mod:`.layout`).
    header_rows : int or None
        Rows of the header, whose names are joined; 0 = there is none; None = found.
    user_missing : {"missing", "levels"} or None
        Codes that files of SPSS, Stata and SAS declare as missing: missing, or levels of nominal columns; None =
        missing, with a note.
    """

    encoding: str | None = None
    sheet: str | None = None
    skip_rows: int | None = None
    header_rows: int | None = None
    user_missing: str | None = None

    @property
    def first(self) -> Setting:
        """The first option that is given."""
        given = {field.name: getattr(self, field.name) for field in fields(self)}
        return next(Setting(name, value) for name, value in given.items() if value is not None)

    def __post_init__(self) -> None:
        for name in ("skip_rows", "header_rows"):
            given = getattr(self, name)
            if given is not None and (isinstance(given, bool) or not isinstance(given, int) or given < 0):
                raise ParameterError(must_be(name, "a whole number from 0 on", given))
        given = self.user_missing
        if given is not None and not (isinstance(given, str) and given in _USER_MISSING):
            raise ParameterError(must_be("user_missing", "'missing', 'levels' or None", self.user_missing))

    def check(self, kind: str, name: str) -> None:
        """Refuse an option that is for files of another kind.

        Raises
        ------
        ParameterError
        """
        for option, (files, kinds) in _FILES_OF.items():
            given = getattr(self, option)
            if given is not None and kind not in kinds:
                not_one = f" is for {files}, but {name} is not one; "
                raise ParameterError(Setting(option, given), not_one, remedy("leave it out."))


AS_FOUND = Form()


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
        raise FileError(f"{name!r} is not the name of a file; give the name of a data file.")
    try:
        raw = open_address(text, name) if scheme_of(text) else open(text, "rb")  # noqa: SIM115
    except FileNotFoundError as error:
        raise FileError(f"{name} does not exist; check the name and the folder.") from error
    except IsADirectoryError as error:
        raise FileError(f"{name} is a folder; name a data file in it.") from error
    except OSError as error:
        raise_if_ran_out(error)
        raise FileError(f"{name} cannot be read: {reason_of(error)}.") from error
    with raw, _decompressed(raw, name) as file:
        yield file


@contextmanager
def _decompressed(raw, name: str) -> Iterator[io.BufferedIOBase]:
    buffered = raw if hasattr(raw, "peek") else io.BufferedReader(raw)
    packed = compression_of(buffered.peek(8)[:8])
    try:
        yield _unpacked(buffered, packed, name)
    except FileError:  # which is an OSError, and names the cause already
        raise
    except (EOFError, zlib.error, gzip.BadGzipFile, _xz_error()) as error:
        raise FileError(f"{name} is compressed with {packed} but cannot be unpacked; it may be cut short.") from error
    except OSError as error:
        raise_if_ran_out(error)
        if packed:
            raise FileError(f"{name} is compressed with {packed} but cannot be unpacked: {one_line(error)}.") from error
        raise FileError(f"{name} cannot be read: {reason_of(error)}.") from error


def _unpacked(file: io.BufferedIOBase, packed: str, name: str):
    """A file as it is, or the content of a compressed one; Python may have been built without bz2 and lzma."""
    if not packed:
        return file
    if packed == "zstd":
        return need_pyarrow().CompressedInputStream(file, "zstd")
    try:
        return importlib.import_module("lzma" if packed == "xz" else packed).open(file)
    except ImportError as error:
        raise NotAvailableError(
            f"{name} is compressed with {packed}, and this Python was built without it; unpack the file first."
        ) from error


def _xz_error() -> type[Exception]:
    """What lzma raises; without it, an error of other kinds of compression."""
    return getattr(sys.modules.get("lzma"), "LZMAError", EOFError)


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
