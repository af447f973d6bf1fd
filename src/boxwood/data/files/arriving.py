"""Text from a pipe: what kind it is, and all that has come, again and again."""

from __future__ import annotations

import codecs
import io
import select
from collections.abc import Iterator

from .encodings import checked_encoding, not_of
from .file_kinds import JSON, START, TEXT, compression_of, kind_of

#: Bytes of a piece at most, about: with more that has come already, many rows are read at once.
_MOST = 1 << 24


def arriving_kind(stream: io.BufferedReader) -> str | None:
    """What a stream begins like, CSV (text) or JSON lines, in UTF-8 or an encoding without zero bytes; None = neither.

    Waits for its first bytes.
    """
    start = stream.peek(START)[:START]
    kind = kind_of(start, "")
    if compression_of(start) or b"\0" in start or kind not in (TEXT, JSON):
        return None
    if kind == JSON:
        line, ended, _ = start.removeprefix(codecs.BOM_UTF8).lstrip().partition(b"\n")
        if not line.startswith(b"{") or (ended and not line.rstrip().endswith(b"}")):
            return None  # a list, or an object over several lines, is read whole
    return kind


class Pieces:
    """All that has come through a stream, again and again, as UTF-8.

    Parameters
    ----------
    stream : binary stream with ``read1``
    name : str
        What messages call it.
    encoding : str or None
        None = UTF-8.
    """

    def __init__(self, stream: io.BufferedReader, name: str, encoding: str | None):
        self._stream, self._name, self._encoding = stream, name, checked_encoding(encoding)

    def __iter__(self) -> Iterator[bytes]:
        decoder = None if self._encoding is None else codecs.getincrementaldecoder(self._encoding)()
        while piece := self._stream.read1(_MOST):
            while len(piece) < _MOST and _has_more(self._stream) and (more := self._stream.read1(_MOST)):
                piece += more
            yield piece if decoder is None else self._decoded(decoder, piece)

    def _decoded(self, decoder, piece: bytes) -> bytes:
        try:
            return decoder.decode(piece).encode("utf-8")
        except UnicodeError as error:
            raise not_of(self._encoding, self._name, None) from error


def _has_more(stream: io.BufferedReader) -> bool:
    """Whether a stream has bytes that can be read without waiting, as far as the system can see."""
    try:
        return bool(select.select([stream], [], [], 0)[0])
    except (OSError, ValueError):  # a stream in memory, or a pipe of Windows
        return False
