"""Trees that rpart printed, read back as Tree objects: from tests/golden, and from the oracle folder if at hand."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np

from golden.oracles import read
from pruning.trees import Surrogates, classes, tree_from_arrays

GOLDEN = Path(__file__).parents[1] / "golden" / "rpart_pruning.json"
ORACLES = Path(__file__).parents[2].parent / "shared" / "oracles"


def compact(folder: Path) -> dict:
    """What these tests need of one data set: frames, tables, importances, sequences."""
    fits = []
    for fit in read(next(folder.glob("rpart.json*")))["fits"]:
        result = fit["result"]
        splits = result.get("splits") or {"role": []}
        kept = [i for i, role in enumerate(splits["role"]) if role != "competitor"]
        columns = ("node", "role", "var", "improve_or_agree", "adj")
        fits.append(
            {
                "id": fit["id"],
                "method": fit["method"],
                "frame": {key: result["frame"][key] for key in ("nodes", "wt", "dev", "complexity")},
                "cptable": result["cptable"]["rows"],
                "splits": {key: [splits[key][i] for i in kept] for key in columns if kept},
                "importance": result.get("variable_importance") or {},
                "validation": _validation(folder, fit),
            }
        )
    sequences = read(next(folder.glob("derived.json*"))).get("pruning_sequences", [])
    return {"fits": fits, "sequences": sequences}


def _validation(folder: Path, fit: dict) -> dict | None:
    """What cross-validation predicted for each row, the true responses and rpart's choices, where the fit has them."""
    if "xpred" not in fit or fit["method"] == "exp":
        return None
    schema = read(folder / "schema.json")
    task = next(task for task in schema["tasks"] if task["id"] == fit["task"])
    levels = next(column.get("levels") for column in schema["columns"] if column["name"] == task["target"])
    with (folder / "data.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if any(row[name] for name in task["predictors"])]
    y = [row[task["target"]] for row in rows if row[task["target"]]]
    return {
        "cp": fit["xpred"]["cp"],
        "values": fit["xpred"]["values"],
        "y": [levels.index(text) + 1 for text in y] if fit["method"] == "class" else [float(text) for text in y],
        "weight": [float(row[task["weights"]]) if task["weights"] else 1.0 for row in rows if row[task["target"]]],
        "min_row": fit["min_xerror_row"],
        "one_se_row": fit["one_se_row"],
    }


def data_sets() -> dict[str, dict]:
    """Name -> compact data set: all oracles where the folder exists, else the golden ones."""
    if ORACLES.is_dir():
        return {folder.name: compact(folder) for folder in sorted(ORACLES.iterdir()) if folder.is_dir()}
    return read(GOLDEN)


def tree_of_fit(fit: dict):
    """The Tree of a fit, the risk of its nodes and their rpart numbers; its features are sorted by name."""
    frame = fit["frame"]
    order = np.argsort(frame["nodes"])
    nodes = np.array(frame["nodes"])[order]
    dev, weight = np.array(frame["dev"], float)[order], np.array(frame["wt"], float)[order]
    place = {int(node): t for t, node in enumerate(nodes)}
    count = [2 if 2 * int(node) in place else 0 for node in nodes]
    feature, score = np.full(len(nodes), -1), np.full(len(nodes), np.nan)
    names = sorted(set(fit["splits"].get("var", []))) or ["x"]
    found = []
    for node, role, var, improve, adj in zip(*fit["splits"].values(), strict=True):
        t = place[node]
        if role == "primary":
            # For numeric targets rpart prints improvements as shares of the node's deviance.
            total = improve * dev[t] if fit["method"] == "anova" else improve
            feature[t], score[t] = names.index(var), total / weight[t]
        else:
            found.append((t, names.index(var), adj))
    found.sort(key=lambda row: row[0])
    surrogates = Surrogates(*(list(column) for column in zip(*found, strict=True))) if found else None
    moments = weight[:, None]
    tree = tree_from_arrays(
        count, moments, classes(1), feature=feature, names=names, score=score, surrogates=surrogates
    )
    return tree, dev, nodes


if __name__ == "__main__":
    chosen = {name: compact(ORACLES / name) for name in ("iris", "titanic", "trees")}
    for fit in chosen["titanic"]["fits"]:
        fit["validation"] = None  # 2201 rows are too many for a golden file
    GOLDEN.write_text(json.dumps(chosen, ensure_ascii=False, separators=(",", ":")) + "\n", "utf-8")
