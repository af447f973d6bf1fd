"""A dossier compared with what can be computed from its model and rows."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ..._messages import Setting, remedy
from ...errors import DataError
from .facts import BLANKS, FORMAT, SEAL, fingerprint, to_text


@dataclass(frozen=True)
class Discrepancy:
    """One place where a dossier states something else than what was found.

    Attributes
    ----------
    place : str
        Such as ``evaluation.data.figures.0.value``.
    stated, found : object
        None where there is nothing.
    """

    place: str
    stated: Any
    found: Any

    def __str__(self) -> str:
        return f"{self.place}: stated {_short(self.stated)}, found {_short(self.found)}"


def read_dossier(text: str) -> dict[str, Any]:
    """The values of a dossier.

    Raises
    ------
    DataError
        It is no dossier.
    """
    try:
        found = json.loads(text)
        json.dumps(found, allow_nan=False)
    except (ValueError, RecursionError) as error:
        raise DataError(f"this is no dossier: {error}.") from error
    options = found.get("options") if isinstance(found, dict) else None
    names = [options.get(name) for name in ("by", "formats")] if isinstance(options, dict) else [None]
    known = all(isinstance(one, list) and all(isinstance(name, str) for name in one) for one in names)
    known = known and all(isinstance(options.get(name), str | None) for name in ("sample_weight", "exposure"))
    if not known or found.get("format") != FORMAT:
        raise DataError(
            Setting("dossier"), f" must be a JSON object with the format {FORMAT!r} and its options; ",
            remedy("make one with dossier()"), ".",
        )  # fmt: skip
    return found


def discrepancies(stated: dict[str, Any], found: dict[str, Any], text: str | None = None) -> tuple[Discrepancy, ...]:
    """All places where a dossier differs from one made again; what people filled in may be anything.

    Parameters
    ----------
    stated, found : dict
        The dossier, and one made again by its options.
    text : str, optional
        The text of the dossier, which must be as it was written.
    """
    differences = list(_differences("", _without_blanks(stated), _without_blanks(found)))
    seal = fingerprint(stated)
    if stated.get(SEAL) != seal:
        differences.append(Discrepancy(f"{SEAL} of the dossier itself", stated.get(SEAL), seal))
    if text is not None and not differences and text != to_text(stated):
        differences.append(Discrepancy("layout of the file", "other blanks, escapes or names twice", "as written"))
    return tuple(differences)


def _without_blanks(dossier: dict[str, Any]) -> dict[str, Any]:
    """All but what people fill in; of this the names of the items."""
    listed = dossier.get(BLANKS)
    return dossier | {BLANKS: list(listed) if isinstance(listed, dict) else listed}


def _differences(place: str, stated: Any, found: Any) -> Iterator[Discrepancy]:
    inside = f"{place}." if place else ""
    if isinstance(stated, dict) and isinstance(found, dict):
        for name in [*stated, *(name for name in found if name not in stated)]:
            yield from _differences(f"{inside}{name}", stated.get(name), found.get(name))
    elif isinstance(stated, list) and isinstance(found, list) and len(stated) == len(found):
        for i, pair in enumerate(zip(stated, found, strict=True)):
            yield from _differences(f"{inside}{i}", *pair)
    elif type(stated) is not type(found) or stated != found:
        yield Discrepancy(place, stated, found)


def _short(value: Any) -> str:
    """A value as text of one line."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:59]}…"
