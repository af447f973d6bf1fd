"""A tree as complete JSON with a published schema: reading it gives the same tree."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np

from .._messages import Value, must_be
from .._version import __version__
from ..errors import DataTypeError, ModelFileError
from ..tree.marks import marks_from_json
from ..tree.marks import to_json as mark_to_json
from ..tree.meaning import response_from_json, response_to_json, schema_from_json, schema_to_json
from ..tree.one_response import of_response
from ..tree.split import SplitTable
from ..tree.tree import STAYS, Tree
from ..tree.validate import validate
from .answers import Answers
from .edge_rows import read_anew
from .plan import ExportPlan
from .raw_rows import RawRows

#: Version of the form; a change that older readers would misread raises it.
VERSION = 1
#: The published schema.
SCHEMA = Path(__file__).with_name("tree.schema.json")

_FORMAT = "boxwood tree"
_INFINITE = {"Infinity": math.inf, "-Infinity": -math.inf}


def write(plan: ExportPlan, options: dict) -> str:
    """The tree as JSON, one line per node; docs/tree.schema.json describes the fields."""
    tree = plan.tree
    head = {
        "format": _FORMAT,
        "version": VERSION,
        "written_by": f"boxwood {__version__}",
        "policies": {"unseen": plan.unseen, "refuse_missing": plan.refuse_missing},
        "made_by": tree.made_by,
        "response": response_to_json(tree.response),
        "schema": schema_to_json(tree.schema),
    }
    if tree.monotonic is not None:
        head["monotonic"] = {"order": tree.monotonic[0].tolist(), "gaps": tree.monotonic[1].tolist()}
    lines = [f"{_text(name)}: {_text(value)}," for name, value in head.items()]
    nodes = ",\n".join(_text(_node(tree, t)) for t in range(tree.n_nodes))
    return "{\n" + "\n".join(lines) + f'\n"nodes": [\n{nodes}\n]\n}}\n'


def _text(value) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _node(tree: Tree, t: int) -> dict:
    """One node; what follows from the rest (value, probability) is there to be read."""
    node: dict = {"id": t, "parent": int(tree.parent[t]), "rows": int(tree.rows[t])}
    node["moments"] = tree.moments[t].tolist()
    parts = {one.name: of_response(tree, r) for r, one in enumerate(tree.response.responses)}
    node |= {"responses": {name: _predicted(part, t) for name, part in parts.items()}} if parts else _predicted(tree, t)
    if tree.weight_squares is not None:
        node["weight_squares"] = float(tree.weight_squares[t])
    if tree.marks and t in tree.marks:
        node["mark"] = mark_to_json(tree.marks[t])
    if tree.is_leaf[t]:
        return node
    node["children"] = [int(tree.first_child[t]) + b for b in range(int(tree.n_children[t]))]
    node["split"] = _split(tree.splits, t)
    node["missing"] = int(tree.missing[t])
    node["score"] = float(tree.score[t])
    if tree.heuristic[t]:
        node["heuristic"] = True
    if tree.log_p is not None and not math.isnan(tree.log_p[t]):
        node["log_p"] = written_number(float(tree.log_p[t]))
    surrogates = range(int(tree.surrogate_start[t]), int(tree.surrogate_start[t + 1]))
    others = range(int(tree.competitor_start[t]), int(tree.competitor_start[t + 1]))
    node["surrogates"] = [
        _split(tree.surrogates, s) | {"agreement": float(tree.agreement[s]), "adjusted": float(tree.adjusted[s])}
        for s in surrogates
    ]
    node["competitors"] = [_split(tree.competitors, s) | {"score": float(tree.competitor_score[s])} for s in others]
    return node


def _predicted(tree: Tree, t: int) -> dict:
    """What a node predicts of one response."""
    if tree.response.labels:
        return {"value": tree.response.labels[int(tree.value[t])], "probability": tree.probability[t].tolist()}
    found = {"value": float(tree.value[t])}
    if tree.response.further:
        found["further"] = dict(zip(tree.response.further, tree.further[t].tolist(), strict=True))
    return found


def _split(table: SplitTable, s: int) -> dict:
    at = slice(table.breaks_start[s], table.breaks_start[s + 1])
    listed = slice(table.index_start[s], table.index_start[s + 1])
    pairs = zip(table.breaks[at].tolist(), table.breaks_low[at].tolist(), strict=True)
    return {
        "feature": int(table.feature[s]),
        "cuts": [[written_number(cut), low] if low else written_number(cut) for cut, low in pairs],
        "positions": int(table.n_positions[s]),
        "branches": np.column_stack([table.position[listed], table.index[listed]]).tolist(),
    }


def written_number(value: float) -> float | str:
    """A number; JSON has no infinities, so they are texts."""
    return value if math.isfinite(value) else "Infinity" if value > 0 else "-Infinity"


def read(text: str | bytes) -> tuple[Tree, dict]:
    """The tree of a JSON text, and its policies.

    Raises
    ------
    ModelFileError
        The text is no such JSON, of a newer version, or the tree is not sound.
    DataTypeError
        The argument is not text.
    """
    if not isinstance(text, (str, bytes, bytearray)):
        raise DataTypeError(must_be("text", "the JSON of a tree", Value(text, type(text).__name__)))
    try:
        plain = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ModelFileError(f"this is not JSON: {error}.") from error
    if not isinstance(plain, dict) or plain.get("format") != _FORMAT:
        raise ModelFileError(f"this JSON is not a tree: its format must be {_FORMAT!r}.")
    if plain.get("version") != VERSION:
        raise ModelFileError(f"this tree has version {plain.get('version')!r}, but version {VERSION} is read here.")
    try:
        tree = _tree(plain)
        policies = {name: plain["policies"][name] for name in ("unseen", "refuse_missing")}
    except (KeyError, TypeError, ValueError, IndexError, OverflowError, AttributeError) as error:
        raise ModelFileError(f"this JSON is not a tree: {type(error).__name__} at {error}; see its schema.") from error
    validate(tree)
    return tree, policies


def _tree(plain: dict) -> Tree:
    nodes = plain["nodes"]
    children = [node.get("children", []) for node in nodes]
    inner = np.array([bool(c) for c in children], dtype=bool)
    surrogates = [node.get("surrogates", []) for node in nodes]
    others = [node.get("competitors", []) for node in nodes]
    flat = lambda lists: [item for each in lists for item in each]  # noqa: E731
    log_p = [read_number(node.get("log_p", math.nan)) for node in nodes]
    if [node["id"] for node in nodes] != list(range(len(nodes))):
        raise ValueError("id: the nodes must be numbered from 0 in order")
    if any(c != list(range(c[0], c[0] + len(c))) for c in children if c):
        raise ValueError("children: those of a node must follow each other")
    response = response_from_json(plain["response"])
    moments = np.array([node["moments"] for node in nodes], dtype=np.float64).reshape(len(nodes), -1)
    tree = Tree(
        schema=schema_from_json(plain["schema"]),
        response=response,
        parent=_whole([node["parent"] for node in nodes], np.int32),
        first_child=_whole([c[0] if c else -1 for c in children], np.int32),
        n_children=_whole([len(c) for c in children], np.int32),
        splits=_table([node.get("split") for node in nodes]),
        missing=_whole([node.get("missing", STAYS) for node in nodes], np.int32),
        heuristic=np.array([node.get("heuristic", False) for node in nodes], dtype=bool),
        moments=moments,
        rows=_whole([node["rows"] for node in nodes], np.int64),
        score=np.array([node.get("score", math.nan) for node in nodes], dtype=np.float64),
        surrogate_start=_starts(surrogates),
        surrogates=_table(flat(surrogates)),
        agreement=np.array([s["agreement"] for s in flat(surrogates)], dtype=np.float64),
        adjusted=np.array([s["adjusted"] for s in flat(surrogates)], dtype=np.float64),
        competitor_start=_starts(others),
        competitors=_table(flat(others)),
        competitor_score=np.array([s["score"] for s in flat(others)], dtype=np.float64),
        made_by=plain["made_by"],
        weight_squares=_optional(nodes, "weight_squares"),
        monotonic=_monotonic(plain),
        marks=marks_from_json([{"node": node["id"]} | node["mark"] for node in nodes if "mark" in node]) or None,
    )
    has_p = any("log_p" in node for node in nodes)
    return replace(tree, log_p=np.where(inner, log_p, math.nan)) if has_p else tree


def _optional(nodes: list[dict], name: str) -> np.ndarray | None:
    """A number of each node that only some trees have."""
    return np.array([node[name] for node in nodes], dtype=np.float64) if name in nodes[0] else None


def _monotonic(plain: dict) -> np.ndarray | None:
    """The order of predictions along the features, which only some trees have."""
    given = plain.get("monotonic")
    return None if given is None else np.stack([_whole(given[name], np.int32) for name in ("order", "gaps")])


def _table(splits: list[dict | None]) -> SplitTable:
    """The splits as arrays; None is an empty one."""
    cuts = [[cut if isinstance(cut, list) else [cut, 0.0] for cut in s["cuts"]] if s else [] for s in splits]
    listed = [s["branches"] if s else [] for s in splits]
    pairs = [pair for each in cuts for pair in each]
    places = [pair for each in listed for pair in each]
    return SplitTable(
        _whole([s["feature"] if s else -1 for s in splits], np.int32),
        _starts(cuts),
        np.array([read_number(cut) for cut, _ in pairs], dtype=np.float64),
        np.array([low for _, low in pairs], dtype=np.float64),
        _whole([s["positions"] if s else 0 for s in splits], np.int32),
        _starts(listed),
        _whole([position for position, _ in places], np.int32),
        _whole([branch for _, branch in places], np.int32),
    )


def _whole(values: list, dtype: type) -> np.ndarray:
    """Whole numbers as an array; a decimal would be cut without a word."""
    if any(type(value) is not int for value in values):
        raise TypeError("a whole number is expected")
    return np.array(values, dtype=dtype)


def _starts(lists: list[list]) -> np.ndarray:
    return np.concatenate([[0], np.cumsum([len(each) for each in lists], dtype=np.int64)]).astype(np.int32)


def read_number(value: float | str) -> float:
    """A number that :func:`written_number` wrote."""
    return _INFINITE[value] if isinstance(value, str) else value


def run(content: str, plan: ExportPlan, rows: RawRows, options: dict) -> tuple[Answers, str]:
    """The predictions of the tree that is read back."""
    tree, policies = read(content)
    plan = ExportPlan(tree, **policies)
    rows = read_anew(rows, tree.schema, plan.features)
    return plan.expected(rows.columns, rows.refused), f"the tree read back by boxwood {__version__}"
