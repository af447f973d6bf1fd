"""Fonts for matplotlib: its own where they suffice, installed ones for Chinese, Japanese, Korean and others."""

from __future__ import annotations

import contextlib
import logging
import threading
import unicodedata
import warnings
from collections.abc import Iterable, Iterator
from functools import lru_cache

from .._messages import Message, Value, remedy
from ..errors import FontWarning, level_outside

#: The font that comes with matplotlib, by whose widths texts are measured.
USUAL = "DejaVu Sans"
#: These have a box for every character and the sign of none; matplotlib brings one along.
_BOXES = ("Last Resort", "LastResort", ".LastResort", "Adobe Blank")
#: Tried first for what the usual font lacks; then every font installed, by name.
_PREFERRED = (
    "Noto Sans CJK",
    "Source Han Sans",
    "Noto Sans SC",
    "Noto Sans JP",
    "Noto Sans KR",
    "WenQuanYi",
    "PingFang",
    "Hiragino",
    "Microsoft YaHei",
    "Yu Gothic",
    "Malgun Gothic",
    "SimHei",
    "Droid Sans Fallback",
    "Noto Sans",
)


def families(texts: Iterable[str]) -> list[str]:
    """Names of fonts that together have every character of some texts, the usual font first.

    Warns
    -----
    FontWarning
        No installed font has some of the characters; the warning names them and what to do.
    """
    needed = {sign for text in texts for sign in text if not sign.isspace() and unicodedata.category(sign) != "Cf"}
    found = [USUAL]
    lacking = needed - _signs_of(USUAL)
    for name in _installed() if lacking else ():
        own = lacking & _signs_of(name)
        if own:
            found.append(name)
            lacking -= own
        if not lacking:
            break
    if lacking:
        some = "".join(sorted(lacking)[:10])
        warnings.warn(
            Message(
                f"no installed font has {len(lacking)} of the characters of this picture, such as ", Value(some), "; ",
                remedy("install one that has (for Chinese, Japanese and Korean for example the package "
                       "fonts-noto-cjk), or save the picture as .svg"), ", which takes the fonts of its reader.",
            ),
            FontWarning,
            stacklevel=level_outside(),
        )  # fmt: skip
    return found


@contextlib.contextmanager
def missing_weights_unsaid() -> Iterator[None]:
    """While a text is drawn: matplotlib does not log that a font lacks the weight of the text.

    Many fonts for Chinese and Korean have no bold face. matplotlib then takes the one there is, and logs that at every
    drawing. All other messages, and those of other threads, are logged as usual.
    """
    logger, here = logging.getLogger("matplotlib.font_manager"), threading.get_ident()

    def is_other(record: logging.LogRecord) -> bool:
        return record.thread != here or not str(record.msg).startswith("findfont: Failed to find font weight")

    logger.addFilter(is_other)
    try:
        yield
    finally:
        logger.removeFilter(is_other)


def _installed() -> list[str]:
    """Names of the installed fonts, those that are tried first at the beginning."""
    from matplotlib.font_manager import findSystemFonts, fontManager

    known = {entry.fname for entry in fontManager.ttflist}
    for file in sorted(set(findSystemFonts()) - known):
        # Installed since matplotlib made its list.
        with contextlib.suppress(OSError, RuntimeError, ValueError):
            fontManager.addfont(file)

    def rank(name: str) -> tuple:
        first = next((i for i, start in enumerate(_PREFERRED) if name.startswith(start)), len(_PREFERRED))
        return first, name

    names = {entry.name for entry in fontManager.ttflist} - {USUAL}
    return sorted((name for name in names if not name.startswith(_BOXES)), key=rank)


@lru_cache(maxsize=256)
def _signs_of(family: str) -> frozenset[str]:
    """The characters that a font has; none where its file cannot be read."""
    from matplotlib.font_manager import fontManager
    from matplotlib.ft2font import FT2Font

    files = [entry.fname for entry in fontManager.ttflist if entry.name == family and entry.style == "normal"]
    try:
        return frozenset(map(chr, FT2Font(files[0]).get_charmap())) if files else frozenset()
    except (OSError, RuntimeError, ValueError):
        return frozenset()
