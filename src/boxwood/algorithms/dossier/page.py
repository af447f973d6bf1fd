"""A dossier as sections of the report's page."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...model.explorer.summary import FigureTable, Sentences
from .facts import BLANKS, SEAL


def dossier_sections(dossier: dict[str, Any]) -> tuple[FigureTable | Sentences, ...]:
    """What the report does not have: fingerprints, exports, edits, the certificate, and the items of TRIPOD+AI."""
    model, rows = dossier["model"], dossier["rows"]
    hashes = [("Dossier", dossier[SEAL]), ("Model file", model["sha256"])]
    hashes += [(f"Values of {role}", one["sha256"]) for role, one in rows.items()]
    hashes += [(f"File of {role}", digest) for role, digest in dossier["files"].items()]
    found: list[FigureTable | Sentences] = [_texts("Fingerprints", "of", "SHA-256", hashes)]
    if "holdout" in dossier["evaluation"]:
        found.append(Sentences("Held-out rows", (dossier["evaluation"]["holdout"]["headline"],)))
    if dossier["exports"]:
        cells = tuple(
            (name, f"{one['rows']:,}", f"{one['made']:,}", f"{one['mismatches']:,}", one["sha256"][:12])
            for name, one in dossier["exports"].items()
        )
        head = ("Export", "rows compared", "rows made", "different", "SHA-256")
        found.append(FigureTable("Exports, run and compared with the model", head, cells))
    if dossier["certificate"] is not None:
        found.append(Sentences("Order of predictions", (dossier["certificate"]["text"],)))
    if dossier["edits"]:
        lines = (
            f"{edit['verb']} at node {edit['node']}: {edit.get('why') or 'no reason given'}"
            for edit in dossier["edits"]
        )
        found.append(Sentences("Edits", tuple(lines)))
    found.append(_texts("TRIPOD+AI", "item", "what is known", dossier["tripod_ai"].items()))
    empty = [(item, text or "to be filled in") for item, text in dossier[BLANKS].items()]
    return (*found, _texts("TRIPOD+AI: what only people know", "item", "text", empty))


def _texts(heading: str, of: str, what: str, pairs: Iterable[tuple[str, str]]) -> FigureTable:
    """A table of two columns of text."""
    return FigureTable(heading, (of, what), tuple(pairs), texts=2)
