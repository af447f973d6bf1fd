"""CSV as text: its encoding, separator and column names, and the row that causes a read error."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Iterator
from itertools import islice

import numpy as np

from ..._messages import Message, Setting, short
from ...errors import FileError

SEPARATORS = ",;\t|"
#: What is removed around names and texts; also the blanks of Japanese and of Excel, and those without width.
BLANKS = " \t\u00a0\u3000\u200b\ufeff"


def as_utf8(data: bytes, name: str) -> bytes:
    """The text as UTF-8 without a byte-order mark; FileError names the place of the first other byte."""
    encoding = _wide_encoding(data)
    if encoding:
        raise FileError(f"{name} is {encoding} text; save it as UTF-8, or name its encoding, such as 'utf-16-le'.")
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        try:
            return data.decode("utf-16").encode("utf-8")
        except UnicodeError as error:
            raise FileError(f"{name} starts like UTF-16 text but is not; save it as UTF-8.") from error
    while data.startswith(codecs.BOM_UTF8):  # some programs write two
        data = data.removeprefix(codecs.BOM_UTF8)
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise FileError(_where_not_utf8(data, error, name)) from error
    return data


def _wide_encoding(data: bytes) -> str:
    """UTF-32, or UTF-16 without a byte-order mark, by the zero bytes beside the first character; or ""."""
    if data[:4] in (b"\xff\xfe\x00\x00", b"\x00\x00\xfe\xff"):
        return "UTF-32"
    zero = [byte == 0 for byte in data[:4]]
    if zero in ([False, True, True, True], [True, True, True, False]):
        return "UTF-32"
    places = {at % 2 for at, byte in enumerate(data[:64]) if byte == 0}  # of UTF-16, the high or the low bytes
    if data[:2] != b"\x00\x00" and True in zero[:2] and len(places) == 1 and data[:64].count(0) > 1:
        return "UTF-16 (without a byte-order mark)"
    return ""


def _where_not_utf8(data: bytes, error: UnicodeDecodeError, name: str) -> str:
    # Latin-1 gives every byte a character, so the fields before the bad byte can be counted.
    before = data[: error.start].decode("latin-1")
    separator, _ = sniff(data[: error.start])
    rows = [fields for _, fields in rows_of_text(io.StringIO(before + "?", newline=""), separator)]
    place, column = len(rows) - 1, len(rows[-1]) - 1 if rows else 0
    known = place > 0 and column < len(rows[0])
    name_of = rows[0][column].encode("latin-1").decode("utf-8") if known else ""
    where = f"row {place}, column {short(name_of)}" if known else "the line of column names"
    byte = data[error.start]
    return Message(
        f"{name}: {where} holds a byte (0x{byte:02x}) that is not UTF-8; save the file as UTF-8 (CSV UTF-8), or name "
        "its encoding, such as ", Setting("encoding", "latin-1"), ".",
    )  # fmt: skip


def as_text_head(data: bytes) -> str:
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
    head = as_text_head(data)
    best, found = (0.0, 1), ","
    for separator in SEPARATORS:
        widths = [len(fields) for _, fields in islice(rows_of_text(io.StringIO(head, newline=""), separator), 30)]
        if widths and widths[0] > 1:
            rank = (sum(w == widths[0] for w in widths) / len(widths), widths[0])
            if rank > best:
                best, found = rank, separator
    return found, decimal_mark(head, found)


def decimal_mark(head: str, separator: str) -> str:
    """A comma beside semicolons, where some numbers have one and none has a point; else a point."""
    comma = separator == ";" and re.search(r'(?m)(^|;)\s*"?[-+]?\d+,\d+"?\s*(;|$)', head)
    return "," if comma and not re.search(r'(?m)(^|;)\s*"?[-+]?\d*\.\d+"?\s*(;|$)', head) else "."


def _text(data: bytes) -> io.TextIOWrapper:
    """UTF-8 data as text that is decoded only as far as it is read."""
    return io.TextIOWrapper(io.BytesIO(data), encoding="utf-8", newline="")


def rows_of_text(text: io.TextIOBase, separator: str) -> Iterator[tuple[int, list[str]]]:
    """Line number and fields of each row that is not empty, up to the first that is not a CSV at all."""
    reader = csv.reader(text, delimiter=separator)
    try:
        for fields in reader:
            if fields:
                yield reader.line_num, fields
    except csv.Error:
        return


def column_names(data: bytes, separator: str, name: str) -> list[str]:
    """Fields of the first line that is not empty."""
    for _, fields in rows_of_text(_text(data), separator):
        return fields
    raise FileError(f"{name} cannot be read as CSV: its first line is not a list of column names.")


def check_quotes(data: bytes, separator: str, name: str, lines: int = 0) -> None:
    """Raise FileError when a quote is never closed, or closes lines later in front of text: rows would be swallowed.

    ``lines``: of the file, before the data.
    """
    if b'"' not in data or quotes_are_plain(data, separator):
        return
    ends = f"{separator}\r\n".encode()
    edges = (b"", *(ends[i : i + 1] for i in range(len(ends))))
    opening, closing = re.compile(b"(?:\\A|[" + re.escape(ends) + b'])"'), re.compile(b'(?:[^"]++|"")*+"')
    outside, at = [], 0
    while found := opening.search(data, at):
        outside.append(data[at : found.end()])
        closed = closing.match(data, found.end())
        if closed is None:
            raise FileError(
                f"{name}: {_row_of(outside, data, found.end(), lines)} opens a quote that is never closed; close it."
            )
        at = closed.end()
        if data[at : at + 1] not in edges and len(closed.group().splitlines()) > 1:
            raise FileError(
                f"{name}: {_row_of(outside, data, found.end(), lines)} opens a quote that is closed only in line "
                f"{_line(data, at) + lines}, in the middle of a field; close it, and write a quote inside a field "
                "twice."
            )


def quotes_are_plain(data: bytes, separator: str) -> bool:
    """Whether quotes are only around whole fields, or doubled inside them; read without walking through the fields."""
    text = np.frombuffer(data, dtype=np.uint8)
    quotes = np.flatnonzero(text == ord('"'))
    if len(quotes) % 2:
        return False
    edge = np.zeros(256, dtype=bool)
    edge[list(f'{separator}\r\n"'.encode())] = True
    opening, closing = quotes[::2], quotes[1::2]
    # a quote twice closes the field and opens it again at once
    before, after = opening[opening > 0] - 1, closing[closing < len(text) - 1] + 1
    return bool(edge[text[before]].all() and edge[text[after]].all())


def _row_of(outside: list[bytes], data: bytes, end: int, lines: int) -> str:
    """The row that ends in the last of the pieces outside quotes, and its line."""
    row = sum(1 for line in b"".join(outside).splitlines() if line) - 1
    return f"row {row} (line {_line(data, end) + lines})" if row > 0 else "the line of column names"


def _line(data: bytes, end: int) -> int:
    return len((data[:end] + b"?").splitlines())


def explain_ragged(data: bytes, separator: str, name: str, lines: int = 0) -> None:
    """Raise the FileError that names the first row whose number of fields is not the header's, if there is one.

    ``lines``: of the file, before the data.
    """
    header: list[str] = []
    for row, (line, fields) in enumerate(rows_of_text(_text(data), separator)):
        header = header or fields
        if len(fields) < len(header):
            what = f"ends before column {short(header[len(fields)])}"
        elif len(fields) > len(header):
            what = f"goes on after the last column {short(header[-1])}"
        else:
            continue
        found = f"{len(fields)} field{'s' if len(fields) != 1 else ''}"
        words = [field for field in fields if field.strip()]
        if len(words) == 1 and len(fields) < len(header) and any(map(str.isalpha, words[0])):
            advice = f"if {short(words[0])} is a remark, remove this line."
        else:
            advice = "a field that holds the separator must stand in double quotes."
        where = f"{name}: row {row} (line {line + lines})"
        raise FileError(f"{where} has {found} where the first line has {len(header)}: it {what}; {advice}")
