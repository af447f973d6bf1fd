"""What parts of the data tell of where columns are cut into bins: answers that add up, whoever holds the parts."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ... import _kernel

#: Cells of the order of values, and where each begins.
CELLS = 65536


def answer(question: str, asked: dict, values_of: Callable[[int], np.ndarray]) -> dict[str, np.ndarray]:
    """What one part tells.

    Parameters
    ----------
    question : {"cells", "distinct", "stretches", "pieces", "ends"}
    asked : dict of str to ndarray
        ``feature`` names the columns, once for each cell of the answer's lists or for each stretch.
    values_of : callable
        Column -> its values in this part, float64 or float32; whole numbers stand for no values.
    """
    found = [_ANSWERS[question](asked, j, values_of) for j in dict.fromkeys(asked["feature"].tolist())]
    return {name: np.concatenate([each[name] for each in found]) for name in found[0]}


def added(question: str, one: dict, other: dict) -> dict[str, np.ndarray]:
    """What two parts tell together."""
    if question == "stretches":
        return {"least": np.minimum(one["least"], other["least"]), "most": np.maximum(one["most"], other["most"])}
    if question == "ends":
        return {"first": np.minimum(one["first"], other["first"]), "last": np.maximum(one["last"], other["last"])}
    if question == "pieces":
        return {"rows": one["rows"] + other["rows"]}
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


def _of(asked: dict, j: int) -> dict:
    """The stretches of a column."""
    mine = asked["feature"] == j
    return {name: np.ascontiguousarray(asked[name][mine]) for name in ("start", "last", "shift") if name in asked}


def _stretches(asked: dict, j: int, values_of: Callable) -> dict:
    least, most = _kernel.bin_key_ends(_numbers(values_of(j)), **_of(asked, j))
    return {"least": least, "most": most}


def _pieces(asked: dict, j: int, values_of: Callable) -> dict:
    width = int(asked["width"][np.argmax(asked["feature"] == j)])
    return {"rows": _kernel.bin_pieces(_numbers(values_of(j)), **_of(asked, j), width=width)}


def _ends(asked: dict, j: int, values_of: Callable) -> dict:
    first, last = _kernel.bin_ends(_numbers(values_of(j)), np.ascontiguousarray(asked["cut"][asked["feature"] == j]))
    return {"first": first, "last": last}


_ANSWERS = {"cells": _cells, "distinct": _distinct, "stretches": _stretches, "pieces": _pieces, "ends": _ends}
