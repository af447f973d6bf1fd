"""What parts of the data tell of where columns are cut into bins: answers that add up, whoever holds the parts."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ... import _kernel

#: More than there are cells of the order of values.
CELLS = 65536


def answer(question: str, asked: dict, values_of: Callable[[int], np.ndarray]) -> dict[str, np.ndarray]:
    """What one part tells.

    Parameters
    ----------
    question : {"cells", "distinct", "parts", "ends"}
    asked : dict of str to ndarray
        ``feature`` names the columns, once for each cell of the answer's lists or for each stretch.
    values_of : callable
        Column -> its values in this part, float64 or float32; whole numbers stand for no values.
    """
    found = [_ANSWERS[question](asked, j, values_of) for j in dict.fromkeys(asked["feature"].tolist())]
    return {name: np.concatenate([each[name] for each in found]) for name in found[0]}


def added(question: str, one: dict, other: dict) -> dict[str, np.ndarray]:
    """What two parts tell together."""
    if question == "parts":
        ends = {"least": np.minimum(one["least"], other["least"]), "most": np.maximum(one["most"], other["most"])}
        return {"rows": one["rows"] + other["rows"], **ends}
    if question == "ends":
        return {"first": np.minimum(one["first"], other["first"]), "last": np.maximum(one["last"], other["last"])}
    if question == "cells":
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


def _cells(asked: dict, j: int, values_of: Callable) -> dict:
    """Rows of each cell that has some; ``key``: feature and cell in one number."""
    rows = _kernel.bin_cells(_numbers(values_of(j)))
    cells = np.flatnonzero(rows)
    return {"key": j * CELLS + cells, "rows": rows[cells]}


def _distinct(asked: dict, j: int, values_of: Callable) -> dict:
    """Different values, one more than ``most`` at most."""
    values = _numbers(values_of(j)).astype(np.float64)
    found = np.unique(values[~np.isnan(values)] + 0.0)[: int(asked["most"][0]) + 1]
    return {"feature": np.full(len(found), j), "value": found}


def _parts(asked: dict, j: int, values_of: Callable) -> dict:
    """Least key, greatest key and rows of each part of the column's stretches."""
    mine = asked["feature"] == j
    stretches = {name: np.ascontiguousarray(asked[name][mine]) for name in ("start", "last", "shift")}
    width = int(asked["width"][np.argmax(mine)])
    found = _kernel.bin_parts(_numbers(values_of(j)), **stretches, width=width)
    return dict(zip(("least", "most", "rows"), found, strict=True))


def _ends(asked: dict, j: int, values_of: Callable) -> dict:
    first, last = _kernel.bin_ends(_numbers(values_of(j)), np.ascontiguousarray(asked["cut"][asked["feature"] == j]))
    return {"first": first, "last": last}


_ANSWERS = {"cells": _cells, "distinct": _distinct, "parts": _parts, "ends": _ends}
