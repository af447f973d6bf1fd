"""A finding about a table: the column, what it is, how much, and what to do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..._messages import Message, Remedy

#: What may be found, the most important first, with what it is called where findings are counted. Findings of the first
#: group change what a tree means, so that a fit notes them.
IMPORTANT = {
    "leak": "determined by or determining the target",
    "follow_up": "follow-up time",
    "sentinel": "values that may mean missing",
    "spellings": "several spellings of a word",
    "codes": "codes read as numbers",
}
OTHERS = {
    "unseen": "levels that the first table lacks",
    "absent": "columns that the second table lacks",
    "unread": "columns of the second table that cannot be read",
    "drift": "drift",
    "kind": "doubtful kind",
    "identifier": "identifiers",
    "constant": "constant",
    "mostly_missing": "mostly missing",
    "duplicates": "duplicate rows",
}
KINDS = IMPORTANT | OTHERS


@dataclass(frozen=True)
class Finding:
    """Something that deserves a look before a tree is grown.

    Attributes
    ----------
    kind : str
        "leak", "follow_up", "sentinel", "spellings", "codes", "unseen", "absent", "unread", "drift", "kind",
        "identifier", "constant", "mostly_missing" or "duplicates".
    column : str or None
        None if it is about whole rows.
    amount : float
        How much: the AUC, R² or share of rows explained of a leak, the PSI of drift, otherwise the number of rows.
    message : str
        A sentence with the remedy.
    """

    kind: str
    column: str | None
    amount: float
    message: Message

    @property
    def remedy(self) -> str | None:
        """What to do, from the message."""
        return next((str(part) for part in self.message.parts if isinstance(part, Remedy)), None)

    @property
    def order(self) -> int:
        """The place of the kind in lists, the most important first."""
        return list(KINDS).index(self.kind)

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain values."""
        fields = {"kind": self.kind, "column": self.column, "amount": self.amount}
        return fields | {"message": str(self.message), "remedy": self.remedy}
