"""Forged model files: any header and sections with all checksums right, for tests of the reader."""

from __future__ import annotations

import hashlib
import json
import struct
import zlib


def padded(size: int) -> int:
    """Size up to the next multiple of 8."""
    return -(-size // 8) * 8


def open_up(data: bytes) -> tuple[dict, list[bytes]]:
    """The header and the raw bytes of each section."""
    length = struct.unpack_from("<Q", data, 24)[0]
    header = json.loads(data[64 : 64 + length])
    base = 64 + padded(length)
    ends = [entry["offset"] for entry in header["sections"][1:]] + [len(data) - base]
    return header, [data[base + e["offset"] : base + end] for e, end in zip(header["sections"], ends, strict=True)]


def spell(header: object) -> bytes:
    """The one spelling of a header."""
    return json.dumps(header, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def close_up(raw: bytes, body: bytes, version: tuple[int, int] = (1, 1)) -> bytes:
    """A file of this header and body, with the start and checksums that belong to it."""
    size = 64 + padded(len(raw)) + len(body)
    start = struct.pack("<8sHHIQQ", b"\x89BOX\r\n\x1a\n", *version, zlib.crc32(raw), size, len(raw))
    rest = raw.ljust(padded(len(raw)), b"\0") + body
    return start + hashlib.sha256(start + rest).digest() + rest


def forge(header: dict, sections: list[bytes], version: tuple[int, int] = (1, 1)) -> bytes:
    """A file of these sections: offsets, sizes and checksums are set right, all else is as given."""
    at = 0
    for entry, piece in zip(header["sections"], sections, strict=True):
        entry["offset"] = at
        entry["crc32"] = zlib.crc32(piece[: byte_count(entry, len(piece))])
        at += len(piece)
    return close_up(spell(header), b"".join(sections), version)


def byte_count(entry: dict, most: int) -> int:
    """Bytes that dtype and shape of an entry speak of, as far as they make sense."""
    width = {"bool": 1, "int8": 1, "uint8": 1, "int16": 2, "uint16": 2, "int64": 8, "uint64": 8, "float64": 8}
    count = width.get(entry["dtype"], 4)
    for length in entry["shape"]:
        count *= length if isinstance(length, int) and length >= 0 else 1
    return min(count, most)


def places(value):
    """Every container inside a JSON value that holds something."""
    found, open_ones = [], [value]
    while open_ones:
        value = open_ones.pop()
        if isinstance(value, (dict, list)) and value:
            found.append(value)
            open_ones += list(value.values()) if isinstance(value, dict) else value
    return found
