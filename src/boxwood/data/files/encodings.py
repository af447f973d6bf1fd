"""The encoding of a text file: given by the user, by a byte-order mark, or detected by charset-normalizer."""

from __future__ import annotations

import codecs
import warnings

from ..._messages import Message, Setting, remedy
from ...errors import FileError, FormatWarning, ParameterError, level_outside

#: Encodings that are looked for; each holds all characters of those that it extends (GBK, Big5, Shift-JIS, EUC-KR).
_CANDIDATES = ["gb18030", "big5", "cp932", "cp949", "euc_jp", "cp1252", "cp1251"]
#: Names that people know.
_NAMES = {
    "gb18030": "gb18030 (GBK)", "cp932": "cp932 (Shift-JIS)", "cp949": "cp949 (EUC-KR)", "cp1252": "cp1252 (Latin-1)"
}  # fmt: skip
#: So many bytes identify the encoding.
ENOUGH = 1 << 18
#: Fewer characters beyond ASCII do not identify it.
_TOO_FEW = 4


def checked_encoding(encoding: str | None) -> str | None:
    """The name of an encoding as Python writes it.

    Raises
    ------
    ParameterError
        There is no encoding of text of this name.
    """
    if encoding is None:
        return None
    try:
        name = codecs.lookup(encoding).name
        "".encode(name)
    except (LookupError, TypeError, ValueError):
        raise ParameterError(
            Setting("encoding", encoding), " is not an encoding of text; ",
            remedy("name one such as 'gb18030' or 'latin-1'."),
        ) from None  # fmt: skip
    return name


def found_encoding(data: bytes, name: str) -> str | None:
    """The encoding that the first bytes of a text file have, None = UTF-8 or unknown; a warning names others.

    Parameters
    ----------
    data : bytes
        From the start of the file; may end in the middle of a character.
    name : str
        What messages call the file.
    """
    if data[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE) and data[:4] != codecs.BOM_UTF32_LE:
        return "utf-16"
    if _is_utf8(data) or b"\0" in data[:4] or _is_damaged(data):
        return None
    try:
        from charset_normalizer import from_bytes
    except ImportError:
        return None
    cut = data.rfind(b"\n", 0, ENOUGH)
    best = from_bytes(data[: cut + 1] if cut > 0 else data[:ENOUGH], cp_isolation=_CANDIDATES).best()
    if best is None:
        return None
    shown = _NAMES.get(best.encoding, best.encoding)
    other = "gb18030" if best.encoding == "big5" else "big5"
    warnings.warn(
        Message(
            f"{name} is not UTF-8; it is read as {shown}, which its bytes look like. If names look wrong, give the "
            "encoding, such as ", Setting("encoding", other), ".",
        ),
        FormatWarning,
        stacklevel=level_outside(),
    )  # fmt: skip
    return best.encoding


def _is_utf8(data: bytes) -> bool:
    try:
        codecs.getincrementaldecoder("utf-8")().decode(data)
    except UnicodeDecodeError:
        return False
    return True


def _is_damaged(data: bytes) -> bool:
    """Whether text is rather UTF-8 with some wrong bytes, or holds too few characters beyond ASCII to decide."""
    beyond = [sign for sign in data.decode("utf-8", "replace") if not sign.isascii()]
    return len(beyond) < _TOO_FEW or 2 * beyond.count("\ufffd") < len(beyond)


def to_utf8(data: bytes, encoding: str, name: str) -> bytes:
    """Text of an encoding as UTF-8.

    Raises
    ------
    FileError
        The text does not have this encoding; the message names the first byte that does not fit.
    """
    try:
        return data.decode(encoding).encode("utf-8")
    except UnicodeError as error:
        raise not_of(encoding, name, error) from error


def not_of(encoding: str, name: str, error: UnicodeError | None) -> FileError:
    """The error for text that is not of an encoding."""
    at = f" at byte {error.start}" if isinstance(error, UnicodeDecodeError) else ""
    other = remedy("name another encoding, such as ", Setting("encoding", "gb18030"), ".")
    return FileError(f"{name} is not {encoding} text{at}; ", other)
