"""CSV as text: its encoding, its separator, its column names, and which row is to blame when it cannot be read."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from itertools import islice

from ..errors import FileError

SEPARATORS = ",;\t|"


def as_utf8(data: bytes, name: str) -> bytes:
    """The text as UTF-8 without a byte-order mark; FileError names row and column of the first byte that is none."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        try:
            return data.decode("utf-16").encode("utf-8")
        except UnicodeError as error:
            raise FileError(f"{name} starts like UTF-16 text but is not; save it as UTF-8.") from error
    data = data.removeprefix(b"\xef\xbb\xbf")
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise FileError(_where_not_utf8(data, error, name)) from error
    return data


def _where_not_utf8(data: bytes, error: UnicodeDecodeError, name: str) -> str:
    # Latin-1 gives every byte a character, so the fields before the bad byte can be counted.
    before = data[: error.start].decode("latin-1")
    separator, _ = sniff(data[: error.start])
    rows = [fields for _, fields in _rows(before + "?", separator)]
    place, column = len(rows) - 1, len(rows[-1]) - 1 if rows else 0
    known = place > 0 and column < len(rows[0])
    name_of = rows[0][column].encode("latin-1").decode("utf-8") if known else ""
    where = f"row {place}, column {name_of!r}" if known else "the line of column names"
    byte = data[error.start]
    return f"{name}: {where} holds a byte (0x{byte:02x}) that is not UTF-8; save the file as UTF-8 (CSV UTF-8)."


def _head(data: bytes) -> str:
    """About the first 64 kB as text, cut at a line end where there is one."""
    if len(data) <= 65536:
        return data.decode("utf-8")
    cut = data.rfind(b"\n", 0, 65536)
    return data[: cut + 1 if cut > 0 else 65536].decode("utf-8", "ignore")


def sniff(data: bytes) -> tuple[str, str]:
    """Separator and decimal mark of CSV text.

    The separator is the one that gives the most lines as many fields as the first line, and the most of them. A decimal
    comma is believed only beside ``;`` and only when no number has a point.
    """
    head = _head(data) if data else ""
    best, found = (0.0, 1), ","
    for separator in SEPARATORS:
        widths = [len(fields) for _, fields in islice(_rows(head, separator), 30)]
        if widths and widths[0] > 1:
            rank = (sum(w == widths[0] for w in widths) / len(widths), widths[0])
            if rank > best:
                best, found = rank, separator
    comma = found == ";" and re.search(r"(?m)(^|;)\s*[-+]?\d+,\d+\s*(;|$)", head)
    return found, "," if comma and not re.search(r"(?m)(^|;)\s*[-+]?\d*\.\d+\s*(;|$)", head) else "."


def _rows(text: str, separator: str) -> Iterator[tuple[int, list[str]]]:
    """Line number and fields of each row that is not empty, up to the first that is no CSV at all."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    try:
        for fields in reader:
            if fields:
                yield reader.line_num, fields
    except csv.Error:
        return


def column_names(data: bytes, separator: str, name: str) -> list[str]:
    """Fields of the first line that is not empty."""
    for _, fields in _rows(_head(data), separator):
        return fields
    raise FileError(f"{name} cannot be read as CSV: its first line is no list of column names.")


def explain_ragged(data: bytes, separator: str, name: str) -> None:
    """Raise the FileError that names the first row whose number of fields is not the header's, if there is one."""
    header: list[str] = []
    for row, (line, fields) in enumerate(_rows(data.decode("utf-8"), separator)):
        header = header or fields
        if len(fields) < len(header):
            what = f"ends before column {header[len(fields)]!r}"
        elif len(fields) > len(header):
            what = f"goes on after the last column {header[-1]!r}"
        else:
            continue
        found = f"{len(fields)} field{'s' if len(fields) != 1 else ''}"
        raise FileError(
            f"{name}: row {row} (line {line}) has {found} where the first line has {len(header)}: it {what}; "
            "a field that holds the separator must stand in double quotes."
        )
