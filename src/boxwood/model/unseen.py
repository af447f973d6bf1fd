"""The sentence about levels not seen in training that estimators and the command line show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from .._messages import Column, Message, Phrase, Value, remedy
from ..data.columns.columns import Columns
from ..data.columns.schema import ORDINAL, UNSEEN, Schema

_MOST = 5
_DONE = {
    "missing": "treated as missing",
    "majority": "sent to the branch with the most weight",
    "first": "counted as the first level",
    "stay": "kept at the node that tests them",
}
#: Levels that are not texts, in words.
_TYPES = {bool: "booleans", int: "numbers", float: "numbers"}


@dataclass(frozen=True)
class UnseenLevels:
    """Levels that did not occur in training.

    Attributes
    ----------
    rows : int
        How many rows hold one.
    levels : dict
        Column -> its new levels.
    """

    rows: int = 0
    levels: dict[str, dict] = field(default_factory=dict)

    @staticmethod
    def of(columns: Columns) -> UnseenLevels:
        """Those of rows read for prediction."""
        if not columns.unseen:
            return UnseenLevels()
        rows = np.zeros(columns.n, dtype=bool)
        for feature, values in zip(columns.schema, columns.values, strict=True):
            if feature.name in columns.unseen:
                rows |= values == UNSEEN
        return UnseenLevels(int(np.count_nonzero(rows)), columns.unseen)

    def and_of(self, other: UnseenLevels) -> UnseenLevels:
        """Those of both parts of the rows."""
        if not other.rows:
            return self
        names = {**self.levels, **other.levels}
        joint = {name: {**self.levels.get(name, {}), **other.levels.get(name, {})} for name in names}
        return UnseenLevels(self.rows + other.rows, joint)

    def sentence(self, schema: Schema, policy: str) -> Message | None:
        """How many rows hold them, which ones, and what is done with them.

        Parameters
        ----------
        schema : Schema
        policy : {"missing", "majority", "first", "stay", "error"}
            The model's setting ``unseen``.

        Returns
        -------
        Message or None
            Two sentences, the last without its full stop, so that the caller can add the remedy. None when every level
            is known, or when the policy makes them an error.
        """
        if not self.levels or policy not in _DONE:
            return None
        levels = _listed([_of_column(name, levels) for name, levels in self.levels.items()], "; ")
        done = _DONE[policy]
        if policy == "first":
            done = _as_first({feature.kind for feature in schema if feature.name in self.levels})
        have = "row has" if self.rows == 1 else "rows have"
        start = f"{self.rows} {have} levels that did not occur in training: "
        return Message(start, levels, ". ", self._other_type(schema), f"They are {done}")

    def _other_type(self, schema: Schema) -> Phrase:
        """A sentence about a column whose new levels are texts that look like levels of training of another type."""
        for feature in schema:
            kinds = {str(level): type(level) for level in feature.levels if not isinstance(level, str)}
            for new in self.levels.get(feature.name, ()):
                if isinstance(new, str) and new in kinds:
                    words = _TYPES[kinds[new]]
                    return Message(
                        Column(feature.name, "Column"), " holds the text ", Value(new),
                        f" here but held {words} in training; ", remedy(f"convert it to {words}"), ". ",
                    )  # fmt: skip
        return ""


def unseen_sentence(columns: Columns, policy: str) -> Message | None:
    """The sentence about rows read for prediction; see :meth:`UnseenLevels.sentence`."""
    return UnseenLevels.of(columns).sentence(columns.schema, policy)


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
