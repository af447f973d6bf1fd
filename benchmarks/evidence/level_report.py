"""The tables of docs/nominal.md: means by number of levels, the trees of other libraries, and every public table."""

from __future__ import annotations

import numpy as np

from benchmarks.evidence.level_methods import LEVEL_METHODS
from benchmarks.evidence.report import markdown

#: Of the nominal column that has most: at least, and below.
BANDS = ((0, 30), (30, 10**9))
#: By what trees are compared, and what a cell holds.
CHOSEN = {"classes": "brier", "numbers": "mse"}
SHOWN = {"classes": ("error", "brier", "log_loss"), "numbers": ("mse",)}
TITLES = {"classes": "error, Brier score, log loss", "numbers": "squared error / variance"}


def level_report(records: list[dict]) -> str:
    """All that was found."""
    return "\n\n".join((_summary(records), *(_tables(records, target) for target in CHOSEN)))


def _summary(records: list[dict]) -> str:
    """With and without the correction: means over tables, and how many are better or worse."""
    rows = []
    for target in CHOSEN:
        for kind in dict.fromkeys(_kind(record) for record in records):
            for low, high in BANDS:
                own = [r for r in records if r["target"] == target and _kind(r) == kind and low <= r["levels"] < high]
                if own:
                    rows.append([target, kind, f"{low} or more" if low else f"below {high}", *_compared(own, target)])
    head = ["target", "tables", "levels", "number", "without", "with", "better", "worse", "change", "ratio of leaves"]
    title = (
        f"Without and with the correction: {TITLES['classes']}; {TITLES['numbers']}. Better or worse: tables on which "
        "the Brier score or squared error differs by more than one standard error; change: of it, mean ± standard "
        "error over tables"
    )
    return f"{title}\n\n{markdown(head, rows)}"


def _kind(record: dict) -> str:
    return "public" if record["part"] == "table" else f"simulated, {record['name'].split(',')[0]}"


def _compared(own: list[dict], target: str) -> list[str]:
    loss = CHOSEN[target]
    z = np.array([record["z"][loss] for record in own])
    figures = [record["figures"] for record in own]
    change = np.array([one["on"][loss] / one["off"][loss] - 1.0 for one in figures])
    leaves = np.exp(np.mean([np.log(one["on"]["leaves"] / one["off"]["leaves"]) for one in figures]))
    spread = f" ± {100 * change.std(ddof=1) / np.sqrt(len(change)):.1f}" if len(change) > 1 else ""
    return [
        str(len(own)), *(_cell(figures, method, target) for method in ("off", "on")), str((z < -1).sum()),
        str((z > 1).sum()), f"{100 * change.mean():+.1f}{spread} %", f"{leaves:.2f}",
    ]  # fmt: skip


def _cell(figures: list[dict], method: str, target: str) -> str:
    """Means over tables, – where one of them has no figure."""
    if any(method not in one for one in figures):
        return "–"
    return " ".join(f"{np.mean([one[method][loss] for one in figures]):.3f}" for loss in SHOWN[target])


def _tables(records: list[dict], target: str) -> str:
    own = [record for record in records if record["part"] == "table" and record["target"] == target]
    if not own:
        return ""
    methods = [name for name in LEVEL_METHODS if any(name in record["figures"] for record in own)]
    rows = []
    for record in own:
        cells = [_cell([record["figures"]], method, target) for method in methods]
        about = [record["name"], f"{record['rows']:,}", f"{record['levels']:,}"]
        rows.append([*about, *cells, f"{record['z'][CHOSEN[target]]:+.1f}"])
    for low, high in BANDS:
        figures = [r["figures"] for r in own if low <= r["levels"] < high and all(m in r["figures"] for m in methods)]
        if figures:
            what = f"**mean of {len(figures)} with all, {f'{low} levels or more' if low else f'below {high} levels'}**"
            rows.append([what, "", "", *(_cell(figures, method, target) for method in methods), ""])
    head = ["table", "rows", "levels", *(LEVEL_METHODS[method].title for method in methods), "z"]
    title = f"Public tables, {target}: {TITLES[target]}; z: what the correction changes, in standard errors"
    return f"{title}\n\n{markdown(head, rows)}"
