"""Data sets with what rpart and scikit-learn make of them: packed files of this folder, and the oracles if at hand."""

from __future__ import annotations

import csv
import gzip
import json
import re
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd

from boxwood.data.columns.columns import Columns
from boxwood.data.frames.frame import learn_columns, read_columns

PACKED = Path(__file__).parent / "data"
ORACLES = Path(__file__).resolve().parents[2].parent / "shared" / "oracles"


def read(path: Path) -> dict:
    """A JSON file, packed or not."""
    text = gzip.decompress(path.read_bytes()).decode("utf-8") if path.suffix == ".gz" else path.read_text("utf-8")
    return json.loads(text)


def names() -> list[str]:
    """Names of all data sets at hand."""
    packed = {path.name.removesuffix(".json.gz") for path in PACKED.glob("*.json.gz")}
    folders = {folder.name for folder in ORACLES.iterdir() if folder.is_dir()} if ORACLES.is_dir() else set()
    return sorted(packed | folders)


@cache
def data_set(name: str) -> dict:
    """A data set in the form of the packed files, see :func:`compact`; a packed file goes before the oracle folder."""
    packed = PACKED / f"{name}.json.gz"
    return read(packed) if packed.exists() else compact(ORACLES / name)


def fits(system: str) -> list[tuple[str, str]]:
    """(data set, fit) of everything a system made."""
    return [(name, fit["id"]) for name in names() for fit in data_set(name)[system]]


def fit_of(name: str, system: str, fit_id: str) -> dict:
    """One result."""
    return next(fit for fit in data_set(name)[system] if fit["id"] == fit_id)


def compact(folder: Path) -> dict:
    """An oracle folder as one dictionary: columns, data (levels as positions), newdata, tasks, rpart, sklearn."""
    schema = read(folder / "schema.json")
    kept = ("name", "type", "levels")
    columns = [{key: column[key] for key in kept if key in column} for column in schema["columns"]]
    robust = read(folder / "robust.json")["rpart"]
    results = {system: {"version": None, "fits": []} | _read_any(folder, system) for system in ("rpart", "sklearn")}
    return {
        "name": folder.name,
        "source": schema["source"],
        "licence": schema["licence"],
        "versions": {system: result["version"] for system, result in results.items()},
        "columns": columns,
        "data": _table(folder / "data.csv", columns),
        "newdata": _table(folder / "newdata.csv", columns),
        "tasks": schema["tasks"],
        "rpart": [_rpart(fit, robust.get(fit["id"])) for fit in results["rpart"]["fits"]],
        "weakest_links": [
            {"fit": row["tree"], "rows": row["weakest_link"]}
            for row in _read_any(folder, "derived").get("pruning_sequences", [])
        ],
        "sklearn": [fit for fit in results["sklearn"]["fits"] if "absolute_error" not in fit["call"]],
        "earth": [_earth(folder, fit) for fit in _read_any(folder, "earth").get("fits", [])],
    }


def _read_any(folder: Path, name: str) -> dict:
    """A file of an oracle folder, packed or not; empty when the folder has none."""
    files = list(folder.glob(f"{name}.json*"))
    return read(files[0]) if files else {}


def _rpart(fit: dict, robust: dict | None) -> dict:
    """A fit of rpart; ``robust`` tells what does not hinge on rounding, None where nobody checked."""
    kept = ("id", "task", "method", "call", "result", "min_xerror_row", "one_se_row")
    return {key: fit[key] for key in kept if key in fit} | {"robust": robust}


def _earth(folder: Path, fit: dict) -> dict:
    """A fit of earth without its predictions row by row; ``robust`` as for rpart."""
    kept = ("id", "task", "call", "predictors", "rows_used", "response")
    left_out = ("fitted", "bx", "newdata_pred", "glm_prob")
    found = {key: fit[key] for key in kept if key in fit}
    found["robust"] = (read(folder / "robust.json").get("earth") or {}).get(fit["id"])
    return found | {"result": {key: value for key, value in fit["result"].items() if key not in left_out}}


def _table(path: Path, columns: list[dict]) -> dict[str, list]:
    """Column -> values: numbers, positions of levels, None where a field is empty."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    known = {column["name"]: column for column in columns}
    return {name: [_value(row[name], known[name]) for row in rows] for name in rows[0] if name in known}


def _value(text: str, column: dict):
    if text == "":
        return None
    return float(text) if column["type"] == "numeric" else column["levels"].index(text)


def frame(data: dict, table: str, names: list[str], rows: np.ndarray | None = None) -> pd.DataFrame:
    """Some columns of "data" or "newdata" as a data frame: numbers, and categories with their declared levels.

    Other programs take the levels of a factor as they are declared, we sort them: a number before each makes both the
    same order.
    """
    known = {column["name"]: column for column in data["columns"]}
    out = {}
    for name in names:
        column, values = known[name], data[table][name]
        if column["type"] == "numeric":
            out[name] = np.array([np.nan if v is None else v for v in values], dtype=float)
        else:
            codes = [-1 if v is None else v for v in values]
            levels = [f"{i:03d}·{level}" for i, level in enumerate(column["levels"])]
            out[name] = pd.Categorical.from_codes(codes, levels, ordered=column["type"] == "ordinal")
    whole = pd.DataFrame(out)
    return whole if rows is None else whole.iloc[rows].reset_index(drop=True)


def unnumbered(text: str) -> str:
    """Text without the numbers that :func:`frame` puts before levels."""
    return re.sub(r"\d{3}·", "", text)


def task_of(data: dict, fit: dict) -> dict:
    """The task a fit belongs to."""
    return next(task for task in data["tasks"] if task["id"] == fit["task"])


def levels_of(data: dict, name: str) -> list[str]:
    """Levels of a nominal or ordinal column, in declared order."""
    return next(column["levels"] for column in data["columns"] if column["name"] == name)


def numbers(data: dict, name: str) -> np.ndarray:
    """A column as numbers, levels as positions; NaN where missing."""
    return np.array([np.nan if v is None else v for v in data["data"][name]], dtype=float)


def learned(data: dict, task: dict, rows: np.ndarray, names: list[str] | None = None) -> tuple[Columns, Columns]:
    """Training columns of the rows used, and the columns of newdata read by their schema."""
    names = names or task["predictors"]
    columns = learn_columns(frame(data, "data", names, rows), declared_levels=True)
    return columns, read_columns(frame(data, "newdata", names), columns.schema)
