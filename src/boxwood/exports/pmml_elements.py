"""Elements of an XML document, written line by line without recursion, for trees of any depth."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

from .._messages import short
from ..errors import ParameterError

#: Characters that no XML 1.0 document can hold.
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Element(NamedTuple):
    """An element: its name, its attributes, and the elements, or the one text, inside it."""

    name: str
    attributes: dict
    inside: tuple = ()


def opening(name: str, attributes: dict, empty: bool = False) -> str:
    """An opening tag, or a whole element without content."""
    given = "".join(f" {key}={quoteattr(value)}" for key, value in attributes.items())
    return f"<{name}{given}{'/' if empty else ''}>"


def lines(element: Element) -> Iterator[str]:
    """An element with all that is in it, one tag per line."""
    waiting: list = [element]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            yield item
        elif not item.inside:
            yield opening(item.name, item.attributes, empty=True)
        elif isinstance(item.inside[0], str):
            yield f"{opening(item.name, item.attributes)}{escape(item.inside[0])}</{item.name}>"
        else:
            yield opening(item.name, item.attributes)
            waiting += [f"</{item.name}>", *reversed(item.inside)]


def sound(text: str, what: str) -> str:
    """The text, when XML can hold it.

    Raises
    ------
    ParameterError
        It holds a character that no XML document can; the message gives the place.
    """
    found = _NO_XML.search(text)
    if found:
        raise ParameterError(
            f"{what}, {short(text)}, holds the character {found[0]!r}, which no XML document can hold; rename it."
        )
    return text


def number(value: float) -> str:
    """A whole number without a needless fraction, any other in its shortest exact form."""
    value = float(value)
    return str(int(value)) if value.is_integer() and abs(value) < 2**53 else repr(value)
