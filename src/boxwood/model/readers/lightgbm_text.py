"""LightGBM's text file converted to the dictionary of its ``dump_model()``."""

from __future__ import annotations

import json
from typing import Any

from ...errors import ModelFileError
from .sources import reading

_MISSING = ("None", "Zero", "NaN")
_WORD = 32
#: Why some models cannot be carried.
LINEAR = "this model has linear trees, whose leaves hold equations; a Tree holds values."


def dump_of(text: str) -> dict[str, Any]:
    """The parts of a text file (``model_to_string()``) that a tree needs.

    Raises
    ------
    ModelFileError
        The text is not a LightGBM model, or has linear trees.
    """
    try:
        head, *trees = text.split("\nTree=")
        fields = _fields(head)
        names = fields["feature_names"].split(" ")
        infos = fields["feature_infos"].split(" ")
        found = {
            "feature_names": names,
            "feature_infos": {name: {"values": _codes(info)} for name, info in zip(names, infos, strict=True)},
            "tree_info": [{"tree_structure": _tree(_fields("index=" + tree))} for tree in trees],
        }
    except ModelFileError:
        raise
    except (LookupError, ValueError, ArithmeticError) as error:
        raise ModelFileError(f"this is not a LightGBM model: {type(error).__name__} at {error}.") from error
    for line in reversed(text.splitlines()):
        # Positions of all categorical features, also of constant ones; the command line of LightGBM may write names.
        if line.startswith("[categorical_feature:"):
            words = line.removeprefix("[categorical_feature:").removesuffix("]").strip().split(",")
            found["categorical_feature"] = [int(word) for word in words if word.isascii() and word.isdigit()]
        if line.startswith("pandas_categorical:"):
            with reading("LightGBM model"):
                found["pandas_categorical"] = json.loads(line.removeprefix("pandas_categorical:"))
    return found


def _fields(section: str) -> dict[str, str]:
    """``name=value`` lines up to the first empty line."""
    return dict(line.split("=", 1) for line in section.split("\n\n", 1)[0].splitlines() if "=" in line)


def _codes(info: str) -> list[int]:
    """Codes of a categorical feature; none for a number or a feature that never varied."""
    return [int(code) for code in info.split(":")] if info != "none" and not info.startswith("[") else []


def _tree(fields: dict[str, str]) -> dict[str, Any]:
    """Nested nodes of one tree."""
    if fields.get("is_linear", "0") != "0":
        raise ModelFileError(LINEAR)
    values = [float(v) for v in fields["leaf_value"].split()]
    counts = [float(v) for v in fields.get("leaf_count", "").split()] or [1.0] * len(values)
    leaves = [{"leaf_value": value, "leaf_count": count} for value, count in zip(values, counts, strict=True)]
    if int(fields["num_leaves"]) == 1:
        return leaves[0]
    left, right = ([int(v) for v in fields[name].split()] for name in ("left_child", "right_child"))
    nodes = [_node(fields, t) for t in range(len(left))]
    for t, (node, below, other) in enumerate(zip(nodes, left, right, strict=True)):
        if any(-len(leaves) > child or 0 <= child <= t for child in (below, other)):
            raise ModelFileError("this is not a sound tree: a node names a child that is not there.")
        node["left_child"] = nodes[below] if below >= 0 else leaves[~below]
        node["right_child"] = nodes[other] if other >= 0 else leaves[~other]
    return nodes[0]


def _node(fields: dict[str, str], t: int) -> dict[str, Any]:
    """One inner node without its children."""
    kind = int(fields["decision_type"].split()[t])
    threshold = fields["threshold"].split()[t]
    categorical = bool(kind & 1)
    return {
        "split_feature": int(fields["split_feature"].split()[t]),
        "decision_type": "==" if categorical else "<=",
        "threshold": _set(fields, int(float(threshold))) if categorical else float(threshold),
        "default_left": bool(kind & 2),
        "missing_type": _MISSING[kind >> 2 & 3],
    }


def _set(fields: dict[str, str], number: int) -> str:
    """Codes of a set of categories, kept as bits of words."""
    start, end = (int(v) for v in fields["cat_boundaries"].split()[number : number + 2])
    words = [int(v) for v in fields["cat_threshold"].split()[start:end]]
    return "||".join(str(_WORD * i + bit) for i, word in enumerate(words) for bit in range(_WORD) if word >> bit & 1)
