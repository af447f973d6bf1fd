"""The sentence about levels not seen in training that estimators and the command line show."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .._messages import Column, Message, Phrase, Value, remedy
from ..data.columns.columns import Columns
from ..data.columns.schema import ORDINAL, UNSEEN

_MOST = 5
_DONE = {
    "missing": "treated as missing",
    "majority": "sent to the branch with the most weight",
    "first": "counted as the first level",
    "stay": "kept at the node that tests them",
}
#: Levels that are not texts, in words.
_TYPES = {bool: "booleans", int: "numbers", float: "numbers"}


def unseen_sentence(columns: Columns, policy: str) -> Message | None:
    """How many rows hold levels not seen in training, which ones, and what is done with them.

    Parameters
    ----------
    columns : Columns
        Read for prediction.
    policy : {"missing", "majority", "first", "stay", "error"}
        The model's setting ``unseen``.

    Returns
    -------
    Message or None
        Two sentences, the last without its full stop, so that the caller can add the remedy. None when every level is
        known, or when the policy makes them an error.
    """
    if not columns.unseen or policy not in _DONE:
        return None
    rows = np.zeros(columns.n, dtype=bool)
    for feature, values in zip(columns.schema, columns.values, strict=True):
        if feature.name in columns.unseen:
            rows |= values == UNSEEN
    count = int(np.count_nonzero(rows))
    levels = _listed([_of_column(name, levels) for name, levels in columns.unseen.items()], "; ")
    done = _DONE[policy]
    if policy == "first":
        done = _as_first({feature.kind for feature in columns.schema if feature.name in columns.unseen})
    have = "row has" if count == 1 else "rows have"
    start = f"{count} {have} levels that did not occur in training: "
    return Message(start, levels, ". ", _other_type(columns), f"They are {done}")


def _other_type(columns: Columns) -> Phrase:
    """A sentence about a column whose new levels are texts that look like levels of training of another type."""
    for feature in columns.schema:
        kinds = {str(level): type(level) for level in feature.levels if not isinstance(level, str)}
        for new in columns.unseen.get(feature.name, ()):
            if isinstance(new, str) and new in kinds:
                words = _TYPES[kinds[new]]
                return Message(
                    Column(feature.name, "Column"), " holds the text ", Value(new),
                    f" here but held {words} in training; ", remedy(f"convert it to {words}"), ". ",
                )  # fmt: skip
    return ""


def _as_first(kinds: set[str]) -> str:
    """What "first" means for columns of these kinds: an ordered one has a middle."""
    if kinds == {ORDINAL}:
        return "given the mean place in the order of their column"
    return _DONE["first"] + (", in ordered columns as the mean place" if ORDINAL in kinds else "")


def _of_column(name: str, levels: dict) -> Message:
    """A column with its new levels, the first ones of them."""
    return Message(Column(name, "column"), " ", _listed([Value(level, repr(level)) for level in levels], ", "))


def _listed(words: Sequence[Phrase], between: str) -> Message:
    more = len(words) - _MOST
    shown = [*words[:_MOST], *([f"and {more} more"] if more > 0 else [])]
    return Message(*[part for word in shown for part in (between, word)][1:])
