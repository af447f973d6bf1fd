"""A dossier as sections of the report's page."""

from __future__ import annotations

from typing import Any

from ...model.explorer.summary import Facts, FigureTable, Sentences
from .facts import BLANKS, SEAL


def dossier_sections(dossier: dict[str, Any]) -> tuple[Facts | FigureTable | Sentences, ...]:
    """What the report does not have: fingerprints, exports, edits, the certificate, and the items of TRIPOD+AI."""
    model, rows = dossier["model"], dossier["rows"]
    hashes = [("Dossier", dossier[SEAL]), ("Model file", model["sha256"])]
    hashes += [(f"Values of {role}", one["sha256"]) for role, one in rows.items()]
    hashes += [(f"File of {role}", digest) for role, digest in dossier["files"].items()]
    found: list[Facts | FigureTable | Sentences] = [Facts("Fingerprints (SHA-256)", tuple(hashes))]
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
    found.append(Facts("TRIPOD+AI", tuple(dossier["tripod_ai"].items())))
    empty = tuple((item, text or "to be filled in") for item, text in dossier[BLANKS].items())
    return (*found, Facts("TRIPOD+AI: what only people know", empty))
