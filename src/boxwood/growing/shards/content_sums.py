"""Replies of shards about the content of their rows, added up: the same sum for any shards in any order."""

from __future__ import annotations

import numpy as np

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
    value = _lists(*({"value": as_pairs(each["value"], each["tail"])} for each in (one, other)), ("value",))["value"]
    if not has_tail:
        return {"value": value, "tail": np.zeros(0)}
    return {"value": value.real.copy(), "tail": value.imag.copy()}


def _hashes(one: dict, other: dict) -> dict:
    return _lists(one, other, ("hash", "rows"))


def _strata(one: dict, other: dict) -> dict:
    return {"rows": one["rows"] + other["rows"], "least": np.minimum(one["least"], other["least"])}


def _joined(one: dict, other: dict) -> dict:
    return {name: np.concatenate([one[name], other[name]]) for name in one}


#: Request about content -> how two replies become one.
MERGES = {
    "bins": _plus,
    "distinct": _distinct,
    "rank": _plus,
    "levels": _plus,
    "columns": _plus,
    "ends": _plus,
    "digest": _plus,
    "hash": _plus,
    "hashes": _hashes,
    "ties": _joined,
    "number": _plus,
    "strata": _strata,
    "inside": _joined,
    "assign": _plus,
}
