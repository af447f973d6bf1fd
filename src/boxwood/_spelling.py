"""The nearest word that is known, for messages about one that is not."""

from __future__ import annotations

import typing

if typing.TYPE_CHECKING:
    from collections.abc import Iterable

#: Longer words are not compared: they are hardly typing errors, and the comparison takes long.
_LONGEST = 100


def did_you_mean(given: object, known: Iterable[object]) -> str:
    """The end of a message about a word that is not known: the nearest one that is, or a full stop if none is near.

    Parameters
    ----------
    given : object
        What was given, of any type.
    known : iterable
        What could have been given; only text is compared, and capitals do not matter.

    Examples
    --------
    >>> from boxwood._spelling import did_you_mean
    >>> did_you_mean("gni", ["gini", "entropy"]), did_you_mean("x", ["gini", "entropy"]), did_you_mean(3, ["gini"])
    ("; did you mean 'gini'?", '.', '.')
    """
    from difflib import get_close_matches

    words = {word.casefold(): word for word in known if isinstance(word, str) and len(word) <= _LONGEST}
    if not isinstance(given, str) or len(given) > _LONGEST:
        return "."
    near = get_close_matches(given.casefold(), words, n=1)
    return f"; did you mean {words[near[0]]!r}?" if near else "."
