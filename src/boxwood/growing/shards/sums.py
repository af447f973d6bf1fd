"""Replies of shards added up: the same sum for any shards in any order."""

from __future__ import annotations

import numpy as np

from ...statistics.responses.registry import kinds
from .content_sums import MERGES


def added(request: str, kind: str, one: dict, other: dict) -> dict:
    """The reply of two shards together, from their replies to one request.

    Parameters
    ----------
    request : {"stats", "tables", "values", "floors", "leaves", "spans", "categories", "squares"},
        or one about content
        :data:`boxwood.growing.shards.content_sums.MERGES`.
    kind : str
        Of the response.
    one, other : dict of str to ndarray
    """
    if request == "stats":
        return _stats(kind, one, other)
    if request == "floors":
        a, b = one["floor"], other["floor"]
        higher = (b > a) | ((b == a) & (other["low"] > one["low"]))
        floors = {name: np.where(higher, other[name], one[name]) for name in ("floor", "low")}
        return floors | {"ceiling": np.minimum(one["ceiling"], other["ceiling"])}
    if request == "values":
        return _values(one, other)
    if request == "leaves":
        both = {name: np.concatenate([one[name], other[name]]) for name in one}
        return alike(both) if "count" in both else both
    if request in MERGES:
        return MERGES[request](one, other)
    ends = _ends(one, other) if request == "spans" else {}
    return ends | {name: one[name] + other[name] for name in one if name not in ends}


def _values(one: dict, other: dict) -> dict:
    """Values by group, rising; equal ones of a group become one entry, their sums added."""
    both = (one, other)
    n, groups = sum(len(each["value"]) for each in both), len(one["count"])
    group = np.concatenate([np.repeat(np.arange(groups), each["count"]) for each in both])
    value = np.concatenate([each["value"] for each in both])
    has_low = any(len(each["low"]) for each in both)
    low = np.concatenate([each["low"] if len(each["low"]) else np.zeros(len(each["value"])) for each in both])
    order = np.lexsort((low, value, group) if has_low else (value, group))  # rising runs are merged, not sorted
    group, value, low = group[order], value[order], low[order]
    fresh = (group[1:] != group[:-1]) | (value[1:] != value[:-1]) | (low[1:] != low[:-1])
    at = np.flatnonzero(np.concatenate([[True], fresh])[:n])
    out = {"count": np.bincount(group[at], minlength=groups), "value": value[at], "low": low[at if has_low else at[:0]]}
    for name in ("rows", "words", "spread"):
        sums = np.concatenate([each[name] for each in both])
        added = np.add.reduceat(sums.reshape(n, -1)[order], at) if len(sums) else sums
        out[name] = added.ravel()
    return out


def _ends(one: dict, other: dict) -> dict:
    """Least and greatest values, which are pairs with their low parts."""
    out = {}
    for name, sign in (("least", 1.0), ("greatest", -1.0)):
        a, b, c, d = (sign * each[part] for part in (name, f"{name}_low") for each in (one, other))
        first = (a < b) | ((a == b) & (c <= d))
        out |= {part: np.where(first, one[part], other[part]) for part in (name, f"{name}_low")}
    return out


def alike(rows: dict) -> dict:
    """Leaves of rows, those that are the same but for their ``count`` as one."""
    order = np.lexsort((rows["weight"], rows["y"], rows["node"]))
    ordered = {name: array[order] for name, array in rows.items()}
    fresh = np.ones(len(order), dtype=bool)
    if len(order):
        fresh[1:] = np.any([ordered[n][1:] != ordered[n][:-1] for n in ("node", "y", "weight")], axis=0)
    at = np.flatnonzero(fresh)
    out = {name: array[at] for name, array in ordered.items()}
    return out | {"count": np.add.reduceat(ordered["count"], at) if len(at) else ordered["count"]}


def _stats(kind: str, one: dict, other: dict) -> dict:
    words = one["words"] + other["words"]
    ends = kinds()[kind].joined_ends((one["ends"], other["ends"]), (one["words"], other["words"]))
    return {"words": words, "ends": ends}
