"""Replies of shards about the content of their rows, added up: the same sum for any shards in any order."""

from __future__ import annotations

import numpy as np

from ...data.distinct import distinct
from .part import as_pairs


def _plus(one: dict, other: dict) -> dict:
    return {name: one[name] + other[name] for name in one}


def _lists(one: dict, other: dict, names: tuple[str, ...]) -> dict:
    """Rising lists joined (the first name); of equal entries the others are added up."""
    key = np.concatenate([one[names[0]], other[names[0]]])
    order = np.argsort(key, kind="stable")  # two rising runs are merged, not sorted
    key = key[order]
    at = np.flatnonzero(np.concatenate([[True], key[1:] != key[:-1]])[: len(key)])
    out = {names[0]: key[at]}
    for name in names[1:]:
        both = np.concatenate([one[name], other[name]])[order]
        out[name] = np.add.reduceat(both, at) if len(at) else both
    return out


def _distinct(one: dict, other: dict) -> dict:
    """Values that rise, as pairs with their low parts if any have some; complex numbers are ordered as pairs."""
    has_tail = len(one["tail"]) or len(other["tail"])
    both = [{"value": as_pairs(each["value"], each["tail"]), "rows": each["rows"]} for each in (one, other)]
    found = _lists(*both, ("value", "rows"))
    if not has_tail:
        return found | {"tail": np.zeros(0)}
    value = found["value"]
    return {"value": value.real.copy(), "tail": value.imag.copy(), "rows": found["rows"]}


def _keys(one: dict, other: dict) -> dict:
    return _lists(one, other, ("key", "copies"))


def _hashes(one: dict, other: dict) -> dict:
    return _lists(one, other, ("hash",))


def _strata(one: dict, other: dict) -> dict:
    return {"weight": one["weight"] + other["weight"], "least": np.minimum(one["least"], other["least"])}


def _smallest(one: dict, other: dict) -> dict:
    found = distinct(np.concatenate([one["smallest"], other["smallest"]]))
    return {"smallest": found[: int(one["most"])], "most": one["most"]}


def _joined(one: dict, other: dict) -> dict:
    return {name: np.concatenate([one[name], other[name]]) for name in one}


#: Request about content -> how two replies become one.
MERGES = {
    "bins": _plus,
    "distinct": _distinct,
    "rank": _plus,
    "levels": _plus,
    "columns": _plus,
    "keys": _keys,
    "ends": _plus,
    "digest": _plus,
    "same": _plus,
    "hash": _plus,
    "distinct_hashes": _hashes,
    "strata": _strata,
    "smallest": _smallest,
    "inside": _joined,
    "assign": _plus,
}
