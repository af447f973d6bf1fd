"""What the CHAID reference makes of binned data sets: packed files of data/chaid, and the oracles if at hand."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path

import numpy as np

from boxwood.data.columns.columns import Columns
from boxwood.data.columns.schema import Feature, Schema
from golden.oracles import ORACLES, PACKED, read

CHAID = PACKED / "chaid"


def names() -> list[str]:
    """Names of all data sets at hand that CHAID was run on."""
    packed = {path.name.removesuffix(".json.gz") for path in CHAID.glob("*.json.gz")}
    folders = {path.parent.name for path in ORACLES.glob("*/chaid.json*")} if ORACLES.is_dir() else set()
    return sorted(packed | folders)


@cache
def data_set(name: str) -> dict:
    """A data set in the form of the packed files, see :func:`compact`; a packed file goes before the oracle folder."""
    packed = CHAID / f"{name}.json.gz"
    return read(packed) if packed.exists() else compact(ORACLES / name)


def compact(folder: Path) -> dict:
    """Columns, data (levels as positions, -1 = missing) and every fit, node by node, of an oracle folder."""
    schema = read(folder / "chaid_schema.json")
    columns = {column["name"]: column for column in schema["columns"]}
    with (folder / "chaid_data.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    tasks = {task["id"]: task for task in schema["tasks"]}
    results = read(next(iter(folder.glob("chaid.json*"))))
    robust = read(folder / "robust.json")["chaid"]
    used = {name for task in tasks.values() for name in (task["target"], *task["predictors"])}
    return {
        "name": folder.name,
        "columns": [{key: columns[n][key] for key in ("name", "type", "levels") if key in columns[n]} for n in columns],
        "data": {name: [_value(row[name], columns[name]) for row in rows] for name in columns if name in used},
        "tasks": [{key: task[key] for key in ("id", "target", "predictors")} for task in tasks.values()],
        "fits": [_fit(fit, columns, robust.get(fit["id"], False)) for fit in results["fits"]],
    }


def _value(text: str, column: dict):
    if column["type"] == "numeric":
        return float(text) if text else None
    return column["levels"].index(text) if text else -1


def _fit(fit: dict, columns: dict, robust: bool) -> dict:
    kept = ("id", "task", "target_kind", "options", "rows_used", "train_leaf")
    nodes = [_node(node, columns) for node in fit["nodes"]]
    return {key: fit[key] for key in kept if key in fit} | {"robust": robust, "nodes": nodes}


def _node(node: dict, columns: dict) -> dict:
    out = {key: node[key] for key in ("id", "n", "stop") if key in node}
    if "split" in node:
        out |= {"var": node["split"]["var"], "kids": node["split"]["kids"], "p_adj": _digits(node["split"]["p_adj"])}
    return out | {"tests": [_test(test, columns) for test in node.get("tests", [])]}


def _test(test: dict, columns: dict) -> list:
    """Feature, kind, categories, groups as positions of levels, and the figures in twelve digits."""
    levels = columns[test["var"]].get("levels")
    groups = [[-1 if level == "<NA>" else levels.index(level) for level in group] for group in test["groups"]]
    figures = [_digits(test[key]) for key in ("statistic", "p", "multiplier", "p_adj")]
    df = test["df"] if isinstance(test["df"], list) else [test["df"]]
    return [test["var"], test["kind"], test["I"], groups, df, *figures]


def _digits(number):
    return number if number is None or isinstance(number, str) else float(f"{number:.12g}")


def problem(data: dict, fit: dict) -> tuple[Columns, np.ndarray, list[str]]:
    """Columns of the predictors, the response, and the labels of its classes (empty for a number)."""
    task = next(task for task in data["tasks"] if task["id"] == fit["task"])
    known = {column["name"]: column for column in data["columns"]}
    rows = np.array(fit["rows_used"]) - 1 if "rows_used" in fit else slice(None)
    features = tuple(Feature(n, known[n]["type"], tuple(known[n]["levels"])) for n in task["predictors"])
    values = tuple(np.array(data["data"][f.name], dtype=np.int32)[rows] for f in features)
    columns = Columns(Schema(features), len(values[0]), values, (None,) * len(values), {})
    if fit["target_kind"] == "continuous":
        return columns, np.array(data["data"][task["target"]], dtype=float)[rows], []
    labels = known[task["target"]]["levels"]
    return columns, np.array(data["data"][task["target"]], dtype=np.int32)[rows], labels
