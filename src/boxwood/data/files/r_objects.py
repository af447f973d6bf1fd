"""Objects of R in a file that `saveRDS` or `save` wrote (XDR, versions 2 and 3): vectors with their attributes."""

from __future__ import annotations

import struct

import numpy as np

#: Codes of types in a file (R Internals, "Serialization formats").
_SYMBOL, _ENVIRONMENT, _POINTER, _WEAK, _TEXT, _TEXTS, _RAW, _S4 = 1, 4, 22, 23, 9, 16, 24, 25
_REFERENCE, _ALTERNATIVE = 255, 238
#: Lists of pairs, calls and functions, all of which have the same four parts.
_PAIRS = (2, 3, 5, 6, 17, 239, 240)
#: Null, the environments that all sessions have, and a missing argument.
_EMPTY = (254, 253, 252, 251, 242, 241)
_NAMESPACES = (247, 248, 249)
_LOGICAL = 10
_NUMBERS = {_LOGICAL: ">i4", 13: ">i4", 14: ">f8", 15: ">c16", _RAW: "u1"}
_LISTS = (19, 20)
#: A table has fewer rows.
_LONGEST = 1 << 31
#: Bits of a text that name its encoding.
_LATIN_1, _UTF_8 = 1 << 14, 1 << 15


class Vector:
    """A vector of R: an array of numbers, or a list of texts or objects; and its attributes by name."""

    def __init__(self, values, attributes: dict, is_logical: bool = False):
        self.values, self.attributes, self.is_logical = values, attributes, is_logical

    def texts(self, attribute: str) -> list[str]:
        """An attribute that holds texts; empty if there is none."""
        found = self.attributes.get(attribute)
        return list(found.values) if found is not None else []


class Pairs(list):
    """A list of pairs of R: names, None where there is none, and objects."""


class ObjectReader:
    """Reads one object after the other.

    Parameters
    ----------
    data : bytes
        What follows the first line, "X".
    encoding : str, optional
        Of texts that have no mark; None = as the file has it.

    Raises
    ------
    ValueError, struct.error, IndexError, RecursionError
        The data are damaged, or hold what no table contains.
    """

    def __init__(self, data: bytes, encoding: str | None = None):
        self._data, self._at, self._known = data, 0, []
        version, _writer, _oldest = (self._int() for _ in range(3))
        native = self._bytes(self._int()).decode("ascii") if version == 3 else "utf-8"
        self._encoding = encoding or native

    def _int(self) -> int:
        self._at += 4
        return struct.unpack_from(">i", self._data, self._at - 4)[0]

    def _bytes(self, size: int) -> bytes:
        if size < 0 or self._at + size > len(self._data):
            raise ValueError("it is cut short")
        self._at += size
        return self._data[self._at - size : self._at]

    def _length(self) -> int:
        length = self._int()
        return length if length >= 0 else (self._int() << 32) + self._int()

    def read(self):
        """The next object: a Vector, Pairs, a text, or None."""
        flags = self._int()
        kind, attributes = flags & 0xFF, bool(flags & 0x200)
        if kind in _EMPTY:
            return None
        if kind == _REFERENCE:
            return self._known[(flags >> 8 or self._int()) - 1]
        if kind == _TEXT:
            return self._text(flags)
        if kind in _PAIRS:
            return self._pairs(flags)
        if kind == _ALTERNATIVE:
            return self._alternative()
        if kind == _S4:
            return Vector([], self._attributes())
        if kind in (_SYMBOL, _ENVIRONMENT, _POINTER, _WEAK, *_NAMESPACES):
            return self._shared(kind, attributes)
        return self._vector(kind, attributes)

    def _vector(self, kind: int, attributes: bool) -> Vector:
        length = self._length()
        if kind in _NUMBERS:
            dtype = np.dtype(_NUMBERS[kind])
            values = np.frombuffer(self._bytes(length * dtype.itemsize), dtype).astype(dtype.newbyteorder("="))
        elif kind == _TEXTS:
            values = [self._text(self._int()) for _ in range(length)]
        elif kind in _LISTS:
            values = [self.read() for _ in range(length)]
        else:
            raise ValueError("it holds a function or another object that is no data; save the data frame alone")
        return Vector(values, self._attributes() if attributes else {}, kind == _LOGICAL)

    def _text(self, flags: int) -> str | None:
        length = self._int()
        if length == -1:
            return None
        marked = "latin-1" if flags & _LATIN_1 else "utf-8" if flags & _UTF_8 else None
        return self._bytes(length).decode(marked or self._encoding)

    def _attributes(self) -> dict:
        return dict(self.read() or ())

    def _pairs(self, flags: int) -> Pairs:
        """The first pair, and those behind it; what ends the list is one more, without a name."""
        found = Pairs()
        while flags & 0xFF in _PAIRS:
            if flags & 0x200:
                self.read()
            name = self.read() if flags & 0x400 else None
            found.append((name, self.read()))
            flags = self._int()
        if flags & 0xFF not in _EMPTY:
            self._at -= 4
            found.append((None, self.read()))
        return found

    def _shared(self, kind: int, attributes: bool):
        """An object that later ones refer to."""
        place = len(self._known)
        self._known.append(None)
        if kind == _SYMBOL:
            self._known[place] = self.read()
        elif kind in _NAMESPACES:
            self._int()
            for _ in range(self._int()):
                self.read()
        else:
            if kind == _ENVIRONMENT:
                self._int()
            for _ in range({_ENVIRONMENT: 4, _POINTER: 2, _WEAK: 0}[kind]):
                self.read()
            if attributes and kind != _ENVIRONMENT:
                self._attributes()
        return self._known[place]

    def _alternative(self) -> Vector:
        """A vector in one of the compact forms of R 3.5 and later."""
        name, state, attributes = self.read()[0][1], self.read(), dict(self.read() or ())
        if name in ("compact_intseq", "compact_realseq"):
            length, start, step = state.values
            if not 0 <= length < _LONGEST:
                raise ValueError("it holds a sequence that is too long")
            values = start + step * np.arange(int(length))
            return Vector(values.astype(np.int32) if name == "compact_intseq" else values, attributes)
        wrapped = state[0][1] if isinstance(state, Pairs) else state.values[0]
        if name == "deferred_string":
            numbers = wrapped.values
            missing = numbers == np.int32(-(2**31)) if numbers.dtype.kind == "i" else np.isnan(numbers)
            texts = [None if gap else f"{v:.15g}" for v, gap in zip(numbers, missing, strict=True)]
            return Vector(texts, attributes)
        return Vector(wrapped.values, attributes or wrapped.attributes, wrapped.is_logical)
