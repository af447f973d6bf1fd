"""Counts from which bins of columns are cut; they add up over parts of the data."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ... import _kernel
from ...data.columns.distinct import distinct

#: More than there are cells of the order of values.
CELLS = 65536


def counted(request: str, arguments: dict, values_of: Callable[[int], np.ndarray]) -> dict[str, np.ndarray]:
    """The counts of one part.

    Parameters
    ----------
    request : {"cells", "distinct", "parts", "ends"}
    arguments : dict of str to ndarray
        ``feature`` names the columns, once for each cell of the reply's lists or for each range.
    values_of : callable
        Column -> its values in this part, float64 or float32; whole numbers hold no values.
    """
    found = [_REPLIES[request](arguments, j, values_of) for j in dict.fromkeys(arguments["feature"].tolist())]
    return {name: np.concatenate([each[name] for each in found]) for name in found[0]}


def added(request: str, one: dict, other: dict) -> dict[str, np.ndarray]:
    """The counts of two parts together."""
    if request == "parts":
        ends = {"least": np.minimum(one["least"], other["least"]), "most": np.maximum(one["most"], other["most"])}
        return {"rows": one["rows"] + other["rows"], **ends}
    if request == "ends":
        return {"first": np.minimum(one["first"], other["first"]), "last": np.maximum(one["last"], other["last"])}
    if request == "cells":
        key, place = np.unique(np.concatenate([one["key"], other["key"]]), return_inverse=True)
        rows = np.zeros(len(key), dtype=np.int64)
        np.add.at(rows, place, np.concatenate([one["rows"], other["rows"]]))
        return {"key": key, "rows": rows}
    both = {name: np.concatenate([one[name], other[name]]) for name in one}
    order = np.lexsort((both["value"], both["feature"]))
    feature, value = both["feature"][order], both["value"][order]
    new = np.ones(len(value), dtype=bool)
    new[1:] = (feature[1:] != feature[:-1]) | (value[1:] != value[:-1])
    return {"feature": feature[new], "value": value[new]}


def _numbers(values: np.ndarray) -> np.ndarray:
    return values if values.dtype.kind == "f" else np.zeros(0)


def _cells(arguments: dict, j: int, values_of: Callable) -> dict:
    """Rows of each cell that has some; ``key``: feature and cell in one number."""
    cells, rows = _kernel.bin_cells(_numbers(values_of(j)))
    return {"key": j * CELLS + cells, "rows": rows}


def _distinct(arguments: dict, j: int, values_of: Callable) -> dict:
    """Different values, one more than ``most`` at most."""
    values = _numbers(values_of(j)).astype(np.float64)
    found = distinct(values[~np.isnan(values)] + 0.0)[: int(arguments["most"][0]) + 1]
    return {"feature": np.full(len(found), j), "value": found}


def _parts(arguments: dict, j: int, values_of: Callable) -> dict:
    """Least key, greatest key and rows of each part of the column's ranges."""
    mine = arguments["feature"] == j
    ranges = {name: np.ascontiguousarray(arguments[name][mine]) for name in ("start", "last", "shift")}
    width = int(arguments["width"][np.argmax(mine)])
    found = _kernel.bin_parts(_numbers(values_of(j)), **ranges, width=width)
    return dict(zip(("least", "most", "rows"), found, strict=True))


def _ends(arguments: dict, j: int, values_of: Callable) -> dict:
    first, last = _kernel.bin_ends(
        _numbers(values_of(j)), np.ascontiguousarray(arguments["cut"][arguments["feature"] == j])
    )
    return {"first": first, "last": last}


_REPLIES = {"cells": _cells, "distinct": _distinct, "parts": _parts, "ends": _ends}
