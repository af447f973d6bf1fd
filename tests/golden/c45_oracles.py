"""What C4.5 release 8, Weka's J48 and Weka's Id3 make of the data sets: packed files of data/c45, and the oracles."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from golden.oracles import ORACLES, PACKED, read

C45 = PACKED / "c45"

_EDGE = re.compile(r'N(\d+)->N(\d+) \[label="(= |!= |<= |> )(.*)"\]')
_NODE = re.compile(r'N(\d+) \[label="(.*?) ?"')
_LEAF = re.compile(r"(.*) \((.*?)(?:/(.*))?\)$")


def names() -> list[str]:
    """Names of all data sets at hand that one of the programs was run on."""
    packed = {path.name.removesuffix(".json.gz") for path in C45.glob("*.json.gz")}
    folders = {path.parent.name for path in ORACLES.glob("*/weka39.json*")} if ORACLES.is_dir() else set()
    return sorted(packed | folders)


@cache
def results(name: str) -> dict:
    """Everything of one data set: lists "c45", "j48" and "id3"; a packed file goes before the oracle folder."""
    packed = C45 / f"{name}.json.gz"
    return read(packed) if packed.exists() else compact(ORACLES / name)


def fits(system: str) -> list[tuple[str, str]]:
    """(data set, fit) of everything a program made."""
    return [(name, fit["id"]) for name in names() for fit in results(name)[system]]


def fit_of(name: str, system: str, fit_id: str) -> dict:
    """One result."""
    return next(fit for fit in results(name)[system] if fit["id"] == fit_id)


def compact(folder: Path) -> dict:
    """The results of an oracle folder, trees as nested dictionaries, see :func:`_c45_node` and :func:`_j48_tree`."""
    schema = read(folder / "schema.json")
    levels = {column["name"]: column.get("levels", []) for column in schema["columns"]}
    robust = read(folder / "robust.json").get("c45", {})
    read_fits = lambda name: [f for path in folder.glob(f"{name}.json*") for f in read(path)["fits"]]  # noqa: E731
    return {
        "name": folder.name,
        "c45": [_c45_fit(fit, levels, robust.get(fit["id"], {})) for fit in read_fits("c45")],
        "j48": [_j48_fit(fit, levels) for fit in read_fits("weka39")],
        "id3": [_id3_fit(fit, levels) for fit in read_fits("weka36") if fit["id"].endswith("/id3")],
    }


def _c45_fit(fit: dict, levels: dict, robust: dict) -> dict:
    trees = {tree: _c45_node(fit[tree], levels) for tree in ("unpruned", "pruned")}
    shares = {"newdata": _sparse(fit["newdata_dist_pruned"]), "robust": robust}
    rules = _rules(fit["rules_text"], fit["classes"]) if "rules_text" in fit else None
    return {
        "id": fit["id"],
        "task": fit["task"],
        "errors": fit["evaluation_training"],
        **trees,
        **shares,
        "rules": rules,
    }


def _rules(text: str, classes: list) -> dict:
    """Rules of C4.5rules: class, expected accuracy in per cent and conditions in words; errors of the final set."""
    rules = []
    for block in text[: text.index("Default class")].split("Rule ")[1:]:
        label, accuracy = re.search(r"->  class (.*)  \[(.*)%\]", block).groups()
        tests = [line.strip() for line in block.splitlines()[1:] if line.startswith("    ")]
        rules.append([classes.index(label), float(accuracy), tests])
    return {"rules": rules, "errors": int(re.findall(r"Tested \d+, errors (\d+)", text)[-1])}


def _c45_node(node: dict, levels: dict) -> dict:
    """Keys: classes (pairs of class and weight); feature with cut, or with the levels of each branch; kids."""
    out = {"classes": _sparse([node["dist"]])[0] if node["items"] > 0 else []}
    if "kids" not in node:
        return out
    out |= {"feature": node["attr"], "kids": [_c45_node(kid, levels) for kid in node["kids"]]}
    if node["test"] == "threshold":
        return out | {"cut": node["cut"]}
    return out | {"branches": [[levels[node["attr"]].index(v) for v in branch] for branch in node["branches"]]}


def _j48_fit(fit: dict, levels: dict) -> dict:
    tree = _j48_tree(fit["graph"], levels, fit["classes"])
    return {"id": fit["id"], "task": fit["task"], "tree": tree, "newdata": _sparse(fit["newdata_dist"])}


def _j48_tree(graph: str, levels: dict, classes: list) -> dict:
    """Keys: class, weight and errors of a leaf, to two digits; feature with cut, or the level of each branch; kids."""
    text, below = {}, {}
    for line in graph.splitlines():
        if edge := _EDGE.match(line):
            below.setdefault(edge[1], []).append((edge[2], edge[3], edge[4]))
        elif found := _NODE.match(line):
            text[found[1]] = found[2]

    def node(n: str, above: tuple = ()) -> dict:
        if n not in below:
            label, weight, errors = _LEAF.match(text[n]).groups()
            return {"class": classes.index(label), "weight": float(weight), "errors": float(errors or 0)}
        values, own = [value for _, _, value in below[n]], [(text[n], value) for _, _, value in below[n][:1]]
        kids = [node(kid, (*above, *(own if sign == "!= " else ()))) for kid, sign, _ in below[n]]
        declared = levels[text[n]]
        test = {"branches": [[declared.index(v)] for v in values]} if declared else {"cut": float(values[0])}
        if below[n][-1][1] == "!= ":
            known = {value for name, value in (*above, *own) if name == text[n]}  # levels that took another branch
            test["branches"][1] = [v for v, level in enumerate(declared) if level not in known]
        return {"feature": text[n], "kids": kids} | test

    return node("0")


def _id3_fit(fit: dict, levels: dict) -> dict:
    """The tree that Weka's Id3 prints, indented by "|  "; class None at a branch without rows."""
    lines = [line for line in fit["text"].splitlines()[1:] if line]

    def kids(depth: int) -> dict:
        out = {"feature": None, "branches": [], "kids": []}
        while lines and lines[0].count("|  ") == depth:
            test, _, label = lines.pop(0).replace("|  ", "").partition(": ")
            out["feature"], _, level = test.partition(" = ")
            out["branches"].append([levels[out["feature"]].index(level)])
            leaf = {"class": None if label == "null" else fit["classes"].index(label)} if label else None
            out["kids"].append(leaf or kids(depth + 1))
        return out

    return {"id": fit["id"], "task": fit["task"], "tree": kids(0)}


def _sparse(rows: list) -> list:
    """The positive entries of every row as pairs of position and value."""
    return [[[k, round(p, 6)] for k, p in enumerate(row) if p] for row in rows]
