"""The tables of the page: public tables, worlds, differences, noise and coverage, as Markdown."""

from __future__ import annotations

import numpy as np

from benchmarks.evidence.methods import METHODS

#: Figures of a cell, in their order, and how they are written.
FIGURES = {"error": "{:.3f}", "log_loss": "{:.3f}", "auc": "{:.3f}", "leaves": "{:.0f}"}
GROUPS = ("rare", "binary", "multiclass")


def report(records: list[dict]) -> str:
    """All that was found: a table for each part that has records."""
    parts = (_tables, _differences, _worlds, _noise, _coverage)
    return "\n\n".join(text for part in parts if (text := part(records)))


def _of(records: list[dict], part: str) -> dict[str, dict[str, dict]]:
    """Records of a part by name and method, those that failed left out."""
    found: dict[str, dict[str, dict]] = {}
    for record in records:
        if record["part"] == part and "failed" not in record:
            found.setdefault(record["name"], {})[record["method"]] = record
    return found


def _methods(found: dict[str, dict[str, dict]]) -> list[str]:
    return [m for m in METHODS if any(m in row for row in found.values())]


def _percent(share: float, digits: int = 0) -> str:
    return f"{100 * share:.{digits}f} %"


def _cell(record: dict | None) -> str:
    if record is None:
        return "–"
    return " ".join(pattern.format(record[name]) for name, pattern in FIGURES.items())


def markdown(head: list[str], rows: list[list[str]]) -> str:
    """A table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _tables(records: list[dict]) -> str:
    found = _of(records, "table")
    if not found:
        return ""
    methods, rows = _methods(found), []
    for group in GROUPS:
        own = {name: row for name, row in found.items() if next(iter(row.values()))["group"] == group}
        rows += [[name, *_about(row), *(_cell(row.get(m)) for m in methods)] for name, row in own.items()]
        rows.append([f"**mean, {group}**", "", "", "", *(_mean(own, m, methods) for m in methods)])
    head = ["table", "rows", "classes", "rarest", *(METHODS[m].title for m in methods)]
    title = "Public tables: error, log loss, AUC and leaves of held-out folds"
    return f"{title}\n\n{markdown(head, rows)}"


def _about(row: dict[str, dict]) -> list[str]:
    one = next(iter(row.values()))
    return [f"{one['rows']:,}", str(one["classes"]), _percent(one["rarest"], 1)]


def _mean(found: dict[str, dict[str, dict]], method: str, methods: list[str]) -> str:
    """Means over the tables that every method has."""
    rows = [row[method] for row in found.values() if all(m in row for m in methods)]
    if not rows:
        return "–"
    return _cell({name: float(np.mean([row[name] for row in rows])) for name in FIGURES})


def _differences(records: list[dict]) -> str:
    """After minus before, and minus the choice by errors: mean and standard error over the tables of a group."""
    found, rows = _of(records, "table"), []
    for other in ("before", "error"):
        for group in GROUPS:
            pairs = [
                (row["after"], row[other])
                for row in found.values()
                if "after" in row and other in row and row["after"]["group"] == group
            ]
            if len(pairs) > 1:
                cells = [_difference(pairs, name) for name in ("error", "log_loss", "auc")]
                leaves = np.exp(np.mean([np.log(a["leaves"] / b["leaves"]) for a, b in pairs]))
                roots = [_percent(np.mean([pair[k]["roots"] for pair in pairs])) for k in (1, 0)]
                what = f"{METHODS[other].title}, {group}, {len(pairs)} tables"
                rows.append([what, *cells, f"{leaves:.2f}", " → ".join(roots)])
    if not rows:
        return ""
    head = ["after compared with", "error", "log loss", "AUC", "ratio of leaves", "bare roots"]
    return f"Differences, mean ± standard error over tables\n\n{markdown(head, rows)}"


def _difference(pairs: list[tuple[dict, dict]], name: str) -> str:
    d = np.array([after[name] - other[name] for after, other in pairs])
    return f"{d.mean():+.4f} ± {d.std(ddof=1) / np.sqrt(len(d)):.4f}"


def _worlds(records: list[dict]) -> str:
    found = _of(records, "world")
    if not found:
        return ""
    methods, rows = _methods(found), []
    for name, row in found.items():
        one = next(iter(row.values()))
        best = " ".join(FIGURES[f].format(one[f"best_{f}"]) for f in ("error", "log_loss", "auc"))
        rows.append([name, best, *(_cell(row.get(m)) for m in methods)])
    head = ["simulated world", "known probabilities", *(METHODS[m].title for m in methods)]
    title = "Simulated worlds: expected error, log loss and AUC on new rows, and leaves"
    return f"{title}\n\n{markdown(head, rows)}"


def _noise(records: list[dict]) -> str:
    found = _of(records, "noise")
    if not found:
        return ""
    methods = _methods(found)
    rows = [[name, *(_grown([row.get(m)]) for m in methods)] for name, row in found.items()]
    rows.append(["**all**", *(_grown([row.get(m) for row in found.values()]) for m in methods)])
    head = ["share of the rarer class", *(METHODS[m].title for m in methods)]
    return f"Pure noise: trees that are more than a root\n\n{markdown(head, rows)}"


def _grown(records: list[dict | None]) -> str:
    if any(record is None for record in records):
        return "–"
    grown, tables = (sum(record[name] for record in records) for name in ("grown", "tables"))
    return f"{grown} of {tables}, {_percent(grown / tables)}"


def _coverage(records: list[dict]) -> str:
    found = _of(records, "coverage")
    if not found:
        return ""
    columns = [(name, m) for name in found for m in METHODS if m in found[name]]
    kinds = list(dict.fromkeys(kind for name, m in columns for kind in found[name][m]["held"]))
    rows = []
    for kind in kinds:
        held = [found[name][m]["held"].get(kind) for name, m in columns]
        rows.append([kind.replace("_", " "), *map(_covered, held)])
    head = ["95 % interval of", *(f"{name}, {METHODS[m].title}" for name, m in columns)]
    return f"Coverage of printed 95 % intervals, ± standard error\n\n{markdown(head, rows)}"


def _covered(held: list[float] | None) -> str:
    return "–" if held is None else " ± ".join(_percent(value, 1) for value in held)
