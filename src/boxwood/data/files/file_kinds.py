"""The kind of a file by its first bytes: a readable table, a compressed file, or a named other kind."""

from __future__ import annotations

import re

from ...errors import FileError

PARQUET, ORC, ARROW_FILE, ARROW_STREAM = "parquet", "orc", "arrow", "arrow stream"
WORKBOOK, JSON, TEXT = "workbook", "json", "text"
SPSS, SPSS_PORTABLE, STATA = "an SPSS file", "a portable SPSS file", "a Stata file"
SAS, SAS_TRANSPORT, R = "a SAS data set", "a SAS transport file", "a file of R"
#: Kinds of files that may have user-missing codes, and those of all statistics programs, as messages call them.
CODED = (SPSS, SPSS_PORTABLE, STATA, SAS, SAS_TRANSPORT)
STATISTICAL = (*CODED, R)
#: Kinds of files with types of columns, but for Parquet.
TYPED = (ORC, ARROW_FILE, ARROW_STREAM)

#: So many bytes identify the kind of a file.
START = 4096
#: What ends the first lines of a portable file of SPSS, which are broken after 80 characters.
_PORTABLE = b"SPSSPORT"
#: Stata 13 and later; versions 5 to 12 in either byte order, the older of which R's foreign writes.
_OLD_STATA = (105, 108, 110, 111, 113, 114, 115)
_STATA = (b"<stata_dta>", *(bytes((version, order, 1, 0)) for version in _OLD_STATA for order in (1, 2)))
_TABLES = (
    (b"PAR1", PARQUET), (b"ARROW1", ARROW_FILE), (b"\xff\xff\xff\xff", ARROW_STREAM),
    (b"ORC", ORC), (b"$FL2", SPSS), (b"$FL3", SPSS), *((start, STATA) for start in _STATA),
    (b"\0" * 12 + b"\xc2\xea\x81\x60", SAS), (b"HEADER RECORD*******", SAS_TRANSPORT),
    (b"X\n\0\0\0", R), (b"RDX2\nX\n", R), (b"RDX3\nX\n", R),
)  # fmt: skip
_JSON = re.compile(rb"\s*(?:\{|\[\s*\{)")
_COMPRESSED = ((b"\x1f\x8b", "gzip"), (b"\x28\xb5\x2f\xfd", "zstd"), (b"BZh", "bz2"), (b"\xfd7zXZ\0", "xz"))
_ZIP, _OLE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_PICKLES = (b"\x02", b"\x03", b"\x04", b"\x05")
#: What else people take for a table, and what to do with it.
_OTHERS = (
    (b"SQLite format 3\0", "an SQLite database", "export the table as CSV or Parquet"),
    (b"FEA1", "a Feather file of version 1", "write it again in version 2"),
    *((b"\x80" + version, "a pickle of Python", "write the table as Parquet or CSV") for version in _PICKLES),
    (b"\x89HDF\r\n\x1a\n", "an HDF5 file", "save it as Parquet"),
    (b"\x93NUMPY", "a numpy array", "load it in Python"),
    (b"\x89BOX\r\n\x1a\n", "a boxwood model", "name a data file instead"),
    (b"%PDF", "a PDF document", "copy its table into a CSV file"),
    (b"RDA", "an R workspace", "save the data frame with saveRDS"),
    (b"Obj\x01", "an Avro file", "save it as Parquet"), (b"\x89PNG", "a picture", "name a data file instead"),
    (b"\0\1\0\0Standard ", "a database of Microsoft Access", "export the table as CSV"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive", "unpack it"), (b"Rar!", "a RAR archive", "unpack it"),
)  # fmt: skip


def compression_of(start: bytes) -> str:
    """How a file is compressed: gzip, zstd, bz2, xz, or "" for not at all."""
    return next((name for magic, name in _COMPRESSED if start.startswith(magic)), "")


def kind_of(start: bytes, name: str) -> str:
    """What kind of table a file holds, from its first bytes (about 2 kB) and the end of its name.

    Examples
    --------
    >>> from boxwood.data.files.file_kinds import kind_of
    >>> kind_of(b"PAR1...", "a.parquet"), kind_of(b"age,sex", "a.csv"), kind_of(b'{"age": 3}', "a.json")
    ('parquet', 'text', 'json')
    """
    for magic, kind in _TABLES:
        if start.startswith(magic):
            return kind
    if start.startswith(_ZIP):
        is_workbook = b"[Content_Types].xml" in start or b"mimetypeapplication/vnd.oasis" in start or b"xl/" in start
        return WORKBOOK if is_workbook or name.lower().endswith((".xlsx", ".xlsm", ".xlsb", ".ods")) else TEXT
    if start.startswith(_OLE):
        return WORKBOOK
    if _PORTABLE in start[:600].replace(b"\r", b"").replace(b"\n", b""):
        return SPSS_PORTABLE
    return JSON if _JSON.match(start.removeprefix(b"\xef\xbb\xbf")) else TEXT


def what_it_is(start: bytes) -> tuple[str, str] | None:
    """What a file is that holds no table that can be read, and what to do; None = it may be text."""
    if start.startswith(_ZIP):
        return "a zip archive", "unpack it"
    head = start.lstrip().lower()
    if start[257:262] == b"ustar":
        return "a tar archive", "unpack it"
    if head.startswith((b"<!doctype html", b"<html")):
        return "a page of HTML", "download the file behind it"
    if head.startswith((b"<table", b"<body", b"<meta", b"<head", b"<div")):
        return "a page of HTML", "open it in a spreadsheet program and save it as CSV"
    if head.startswith(b"@relation"):
        return "a file of Weka", "save it as CSV"
    if head.startswith(b"<?xml"):
        return "an XML file", "save it as CSV"
    if head.startswith((b"%!ps", b"{\\rtf")):
        return "a text document", "save its table as CSV"
    return next(((what, remedy) for magic, what, remedy in _OTHERS if start.startswith(magic)), None)


def refuse_other(start: bytes, name: str) -> None:
    """Refuse a file that is neither text nor a table that can be read.

    Raises
    ------
    FileError
        The message names the kind, and what to do.
    """
    other = what_it_is(start)
    if other is not None:
        raise FileError(f"{name} is {other[0]}, not a data file; {other[1]}.")
