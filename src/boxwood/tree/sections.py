"""The container of a model file: a fixed start, a JSON header and named arrays with checksums (docs/format.md)."""

from __future__ import annotations

import hashlib
import json
import math
import struct
import zlib
from collections.abc import Iterable
from typing import NoReturn

import numpy as np

from .._messages import Value, must_be
from ..errors import ModelFileError, ParameterTypeError

#: First bytes of every model file: a byte above ASCII, the name, and line ends that a text transfer would change.
MAGIC = b"\x89BOX\r\n\x1a\n"
MAJOR, MINOR = 1, 1

#: magic, major, minor, crc32 of the header, length of the file, length of the header, sha256 of all other bytes.
_START = struct.Struct("<8sHHIQQ32s")
START_SIZE = _START.size
_DIGEST_AT = START_SIZE - 32
_ALIGN = 8

_TYPES = {
    np.dtype(kind).name: np.dtype(kind).newbyteorder("<")
    for kind in ("bool", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8")
}
_ENTRY = {"name": str, "dtype": str, "shape": list, "offset": int, "crc32": int, "required": bool}


def pack(header: dict, arrays: dict[str, np.ndarray], is_message: bool = False) -> bytes:
    """Header and arrays as the bytes of a model file; the same input always gives the same bytes.

    Parameters
    ----------
    header : dict
        Plain JSON values; the key ``sections`` is ours.
    arrays : dict of str to ndarray
        Truth values, integers or floats of 1 to 8 bytes, any shape.
    is_message : bool
        It is read at once and thrown away: the sha256 is that of start and header, which has the crc32 of each array.

    Raises
    ------
    ModelFileError
        The header holds something that is not plain JSON (NaN, infinity, a text that is not Unicode).
    ParameterTypeError
        An array has a type that cannot be written.
    """
    parts = {name: _plain_array(name, array) for name, array in arrays.items()}
    entries = [_entry(name, part) for name, part in parts.items()]
    raw = _assign_offsets(header, entries)
    size = START_SIZE + _padded(len(raw)) + sum(_padded(part.nbytes) for part in parts.values())
    start = _START.pack(MAGIC, MAJOR, MINOR, zlib.crc32(raw), size, len(raw), bytes(32))
    pieces = []  # nothing is copied but into the result
    for piece in (memoryview(raw), *(part.ravel().view(np.uint8).data for part in parts.values())):
        pieces += [piece, bytes(_padded(piece.nbytes) - piece.nbytes)]
    sealed = pieces[:1] if is_message else pieces
    return b"".join([start[:_DIGEST_AT], _digest([start[:_DIGEST_AT], *sealed]), *pieces])


def _plain_array(name: str, array: np.ndarray) -> np.ndarray:
    """The array in little-endian C order."""
    if not isinstance(array, np.ndarray) or array.dtype.name not in _TYPES:
        found = array.dtype.name if isinstance(array, np.ndarray) else type(array).__name__
        allowed = f"a numpy array of one of {', '.join(_TYPES)}"
        raise ParameterTypeError(must_be("arrays", allowed, Value(array, found), key=name))
    return np.asarray(array, dtype=_TYPES[array.dtype.name], order="C")


def _entry(name: str, part: np.ndarray) -> dict:
    """The entry of the header for one array, its place still open."""
    crc = zlib.crc32(part.ravel().view(np.uint8))
    shape = list(part.shape)
    return {"name": name, "dtype": part.dtype.name, "shape": shape, "offset": 0, "crc32": crc, "required": True}


def _assign_offsets(header: dict, entries: list[dict]) -> bytes:
    """The header's bytes with the place of every array, counted from the end of the padded header."""
    at = 0
    for entry in entries:
        entry["offset"] = at
        at += _padded(_TYPES[entry["dtype"]].itemsize * math.prod(entry["shape"]))
    try:
        raw = _dump({**header, "sections": entries})
        if _dump(json.loads(raw)) != raw:
            raise ValueError("keys of dictionaries must be text")
        return raw
    except (TypeError, ValueError, RecursionError) as error:
        raise ModelFileError(
            f"this model holds a name or value that cannot be stored ({error}); "
            "use Unicode text, finite numbers, truth values, lists and dictionaries."
        ) from error


def _dump(header: dict) -> bytes:
    """The one spelling of a header: sorted keys, no blanks, UTF-8."""
    text = json.dumps(header, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return text.encode("utf-8")


def _padded(size: int) -> int:
    """Size with the zero bytes that follow, so that every array begins at a multiple of 8."""
    return -(-size // _ALIGN) * _ALIGN


def _digest(pieces: Iterable) -> bytes:
    """sha256 of some bytes after each other: everything but the digest itself."""
    whole = hashlib.sha256()
    for piece in pieces:
        whole.update(piece)
    return whole.digest()


def damaged(section: str, fact: str) -> NoReturn:
    """Refuse a file by the name of its damaged section."""
    raise ModelFileError(
        f"the model file is damaged in section {section!r}: {fact}; use an intact copy or save the model again."
    )


def check_start(start: bytes, size: int) -> None:
    """Check the first bytes of a file of ``size`` bytes: a boxwood model, of a version read here, and complete.

    Raises
    ------
    ModelFileError
        The file is empty, something else, too new, cut short or too long.
    """
    if size == 0:
        raise ModelFileError("the model file is empty; use an intact copy or save the model again.")
    if start[: len(MAGIC)] != MAGIC[: len(start)]:
        raise ModelFileError("this is not a boxwood model file; give a file that boxwood saved.")
    if len(start) < START_SIZE:
        damaged("start", f"it has {size} bytes where at least {START_SIZE} are needed")
    _, major, minor, _, length, header_length, _ = _START.unpack(start[:START_SIZE])
    if major > MAJOR:
        raise ModelFileError(
            f"the model file has format {major}.{minor}, but this boxwood reads formats to {MAJOR}.x; update boxwood."
        )
    if major < 1:
        damaged("start", f"there is no format {major}.{minor}")
    if length != size:
        damaged("start", f"the file has {size} bytes, but it was saved with {length}")
    if START_SIZE + _padded(header_length) > size:
        damaged("start", f"a header of {header_length} bytes does not fit")


def unpack(
    data: bytes | memoryview, is_message: bool = False
) -> tuple[dict, dict[str, np.ndarray], frozenset[str], bool]:
    """Header and arrays out of the bytes of a model file, after all checksums were compared.

    Every size is compared with the length of the file before anything is allocated.

    Parameters
    ----------
    data : bytes or memoryview
    is_message : bool
        As it was packed; the arrays of a message are views of ``data``.

    Returns
    -------
    header : dict
        Without the key ``sections``.
    arrays : dict of str to ndarray
        Read-only, in the byte order of this machine.
    required : frozenset of str
        Names of the arrays that a reader must know.
    newer : bool
        The file was written in a newer minor version and may hold more than this reader supports.

    Raises
    ------
    ModelFileError
        The file is damaged, forged or too new; the message names the section.
    """
    check_start(bytes(data[:START_SIZE]), len(data))
    _, _, minor, crc, _, header_length, digest = _START.unpack(data[:START_SIZE])
    raw = bytes(data[START_SIZE : START_SIZE + header_length])
    if zlib.crc32(raw) != crc:
        damaged("header", "its checksum is wrong")
    header = _load(raw)
    entries = header.pop("sections", None)
    if type(entries) is not list:
        damaged("header", "there is no list of sections")
    base = START_SIZE + _padded(header_length)
    arrays, at = {}, 0
    for entry in entries:
        name, array, at = _read_array(data, base, at, entry, not is_message)
        if name in arrays:
            damaged(name, "it is there twice")
        arrays[name] = array
    if base + at != len(data) or any(data[START_SIZE + header_length : base]):
        damaged("start", "there are bytes that belong to no section")
    view = memoryview(data)
    if _digest([view[:_DIGEST_AT], raw if is_message else view[START_SIZE:]]) != digest:
        damaged("start", "the checksum of the whole file is wrong")
    return header, arrays, frozenset(e["name"] for e in entries if e["required"]), minor > MINOR


def _load(raw: bytes) -> dict:
    """The header as a dict; only the one spelling that :func:`_dump` writes is read."""
    try:
        header = json.loads(raw.decode("utf-8"))
        same = type(header) is dict and _dump(header) == raw
    except (ValueError, RecursionError):
        same = False
    if not same:
        damaged("header", "it is not the JSON text that boxwood writes")
    return header


def _read_array(data: bytes | memoryview, base: int, at: int, entry: object, copy: bool) -> tuple[str, np.ndarray, int]:
    """One array whose place must be ``at``; returns its name, itself or a view, and the place of the next."""
    if type(entry) is not dict or set(entry) != set(_ENTRY) or any(type(entry[k]) is not t for k, t in _ENTRY.items()):
        damaged("header", f"each section needs the fields {', '.join(_ENTRY)}")
    name, shape, dtype = entry["name"], entry["shape"], _TYPES.get(entry["dtype"])
    if dtype is None or entry["offset"] != at:
        damaged(name, "its type is unknown or its place is wrong")
    if len(shape) > 4 or any(type(length) is not int or not 0 <= length <= len(data) for length in shape):
        damaged(name, "its shape cannot be")
    if math.prod(max(length, 1) for length in shape) > len(data):
        damaged(name, "its shape is larger than the file")
    size = dtype.itemsize * math.prod(shape)
    begin, end = base + at, base + at + size
    after = base + at + _padded(size)
    if after > len(data):
        damaged(name, "it reaches beyond the end of the file")
    piece = memoryview(data)[begin:end]
    if zlib.crc32(piece) != entry["crc32"] or any(data[end:after]):
        damaged(name, "its checksum is wrong")
    array = np.frombuffer(piece, dtype=dtype).astype(dtype.newbyteorder("="), copy=copy).reshape(shape)
    if dtype.kind == "b" and (np.frombuffer(piece, dtype=np.uint8) > 1).any():
        damaged(name, "a truth value must be 0 or 1")
    array.flags.writeable = False
    return name, array, at + _padded(size)
