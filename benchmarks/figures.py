"""The results as pictures: how many times as long each peer takes, and growth with rows, columns, classes, levels."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from benchmarks.libraries import OURS
from benchmarks.report import PEER_NAMES, cases, ours_seconds

MARKERS = "osD^vP*X"
COLOURS = ("#1b6ca8", "#d1495b", "#66a182", "#edae49", "#8d6a9f", "#00798c", "#777777", "#b36a5e")


def draw(records: list[dict], folder: Path) -> list[Path]:
    """Write what there is to see as SVG and PNG; nothing without matplotlib."""
    if importlib.util.find_spec("matplotlib") is None:
        return []
    fits = [r for r in records if r["kind"] == "pair" and r["library"] in PEER_NAMES and "ratio" in r]
    plain = [r for r in fits if " = " not in r["problem"]]
    curves = [r for r in fits if " = " in r["problem"]]
    pictures = [("fit", _ratios, plain), ("curves", _growth, curves)]
    out = []
    for name, paint, chosen in pictures:
        if chosen:
            figure = paint(chosen)
            for kind in ("svg", "png"):
                out.append(folder / f"benchmarks_{name}.{kind}")
                about = {"Date": None} if kind == "svg" else {}
                figure.savefig(out[-1], metadata=about, dpi=120)
    return out


def _figure(width: float, height: float):
    from matplotlib import rcParams
    from matplotlib.figure import Figure

    rcParams["svg.hashsalt"] = "boxwood"  # the same results, the same file
    return Figure(figsize=(width, height), layout="constrained")


def _ratios(records: list[dict]):
    """A row a case, a mark a peer; right of 1 = slower than ours."""
    found = cases(records)
    figure = _figure(9, 1.4 + 0.28 * len(found))
    axes = figure.subplots()
    for k, peer in enumerate(PEER_NAMES):
        at = [(by[peer]["ratio"], row) for row, by in enumerate(found.values()) if peer in by]
        if at:
            axes.scatter(*zip(*at, strict=True), marker=MARKERS[k], color=COLOURS[k], label=peer, s=34, zorder=3)
    names = [f"{p}, {n:,} rows, {'unpruned' if d is None else f'depth {d}'}" for p, n, d in found]
    axes.set_yticks(range(len(names)), names, fontsize=8)
    axes.invert_yaxis()
    axes.set_xscale("log")
    axes.axvline(1, color="black", linewidth=1)
    axes.grid(axis="x", which="both", alpha=0.25)
    axes.set_xlabel("times as long as boxwood")
    figure.legend(loc="outside lower center", ncols=4, fontsize=8)
    return figure


def _growth(records: list[dict]):
    """A panel a size; seconds against the size, a line a library."""
    found: dict[str, dict[int, dict[str, dict]]] = {}
    for (problem, _, _), by in cases(records).items():
        what, size = problem.split(" = ")
        found.setdefault(what, {})[int(size)] = by
    figure = _figure(9, 3.2 * ((len(found) + 1) // 2))
    panels = figure.subplots((len(found) + 1) // 2, min(len(found), 2), squeeze=False).ravel()
    for axes, (what, by_size) in zip(panels, found.items(), strict=False):
        ours = [(size, ours_seconds(by)) for size, by in by_size.items()]
        axes.plot(*zip(*ours, strict=True), color="black", marker="o", label=OURS.name)
        for k, peer in enumerate(PEER_NAMES):
            at = [(size, by[peer]["other_s"]) for size, by in by_size.items() if peer in by]
            if at:
                axes.plot(*zip(*at, strict=True), marker=MARKERS[k], color=COLOURS[k], label=peer)
        axes.set(xscale="log", yscale="log", xlabel=what, ylabel="seconds")
        axes.grid(alpha=0.25)
        axes.legend(fontsize=7)
    for axes in panels[len(found) :]:
        axes.set_visible(False)
    return figure
