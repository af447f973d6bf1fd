"""The results as Markdown: times and ratios, our other settings, memory, worth of the trees, what is not there."""

from __future__ import annotations

import platform
from collections.abc import Callable
from pathlib import Path

from benchmarks.cells import Cell, version
from benchmarks.libraries import OURS, PEERS, VARIANTS

PEER_NAMES = [library.name for library in PEERS]
VARIANT_NAMES = [library.name for library in VARIANTS]

Case = tuple[str, int, int | None]


def case(record: dict) -> Case:
    """A row of a table: problem, rows, limit of depth."""
    return record["problem"], record["rows"], record["depth"]


def cases(records: list[dict]) -> dict[Case, dict[str, dict]]:
    """Records by case, then by library, in the order they come."""
    out: dict[Case, dict[str, dict]] = {}
    for record in records:
        out.setdefault(case(record), {})[record["library"]] = record
    return out


def named(one: Case) -> list[str]:
    """The first cells of a row."""
    problem, rows, depth = one
    return [problem, f"{rows:,}", "no" if depth is None else str(depth)]


def number(value: float) -> str:
    """Three digits, without exponents."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.{4 if value < 0.01 else 3 if value < 1 else 2 if value < 10 else 1}f}"


def lines(head: list[str], rows: list[list[str]]) -> str:
    """A Markdown table."""
    out = ["| " + " | ".join(head) + " |", "| " + " | ".join("---" for _ in head) + " |"]
    return "\n".join(out + ["| " + " | ".join(row) + " |" for row in rows])


def present(found: dict[Case, dict[str, dict]], names: list[str]) -> list[str]:
    """Those of some libraries that have at least one record."""
    return [name for name in names if any(name in by for by in found.values())]


def ours_seconds(by: dict[str, dict]) -> float | None:
    """Ours, by the quickest of the medians of its pairs: the least disturbed."""
    return min((r["ours_s"] for r in by.values() if "ours_s" in r), default=None)


def shown(record: dict | None, text_of: Callable[[dict], str]) -> str:
    """A cell of a table: what was found, or what went wrong."""
    if record is None:
        return "-"
    if "over_s" in record:
        return f"over {record['over_s']:g} s"
    return "failed" if "failed" in record else text_of(record)


def times(record: dict) -> str:
    """How many times as long as ours, and the seconds."""
    return f"{number(record['ratio'])} ({number(record['other_s'])})"


def fit_table(records: list[dict]) -> str:
    """Seconds of ours, and how many times as long each peer takes."""
    found = cases([r for r in records if r["kind"] == "pair" and r["library"] in PEER_NAMES])
    peers, rows = present(found, PEER_NAMES), []
    for one, by in found.items():
        ours = ours_seconds(by)
        row = [*named(one), "-" if ours is None else number(ours)]
        rows.append(row + [shown(by.get(p), times) for p in peers])
    return lines(["problem", "rows", "depth", "boxwood, s", *peers], rows) if rows else ""


def variants_table(records: list[dict]) -> str:
    """Our other settings, as multiples of the plain fit."""
    found = cases([r for r in records if r["kind"] == "pair" and r["library"] in VARIANT_NAMES])
    rows = []
    for one, by in found.items():
        ours = ours_seconds(by)
        row = [*named(one), "-" if ours is None else number(ours)]
        rows.append(row + [shown(by.get(v), times) for v in VARIANT_NAMES])
    return lines(["problem", "rows", "depth", "full tree, s", *VARIANT_NAMES], rows) if rows else ""


def memory_table(records: list[dict]) -> str:
    """Extra memory at the highest point of a fit, as a multiple of the data."""
    found = cases([r for r in records if r["kind"] == "memory"])
    names, rows = present(found, [OURS.name, *VARIANT_NAMES, *PEER_NAMES]), []
    for one, by in found.items():
        size = next((r["data_bytes"] for r in by.values() if "data_bytes" in r), None)
        row = [*named(one), "-" if size is None else f"{size / 2**20:.0f}"]
        rows.append(row + [shown(by.get(n), lambda r: f"{r['extra_bytes'] / r['data_bytes']:.2f}") for n in names])
    return lines(["problem", "rows", "depth", "data, MiB", *names], rows) if rows else ""


def worth_table(records: list[dict]) -> str:
    """Held-out accuracy (classes) or R² (numbers) of every tree."""
    found = cases([r for r in records if r["kind"] == "pair"])
    names, rows = present(found, [*VARIANT_NAMES, *PEER_NAMES]), []

    def worth(value: float | None) -> str:
        return "-" if value is None else f"{value:.3f}"

    for one, by in found.items():
        ours = next((r["ours_worth"] for r in by.values() if "ours_worth" in r), None)
        rows.append([*named(one), worth(ours), *(shown(by.get(n), lambda r: worth(r["other_worth"])) for n in names)])
    return lines(["problem", "rows", "depth", OURS.name, *names], rows) if rows else ""


def absent(refused: dict[Cell, str]) -> str:
    """What was not measured and why, a line a reason."""
    by: dict[tuple[str, str], set[str]] = {}
    for cell, why in refused.items():
        if cell.kind == "pair":
            by.setdefault((cell.library, why), set()).add(cell.problem)
    out = []
    for (library, why), problems in by.items():
        some = ", ".join(sorted(problems)) if len(problems) <= 6 else f"{len(problems)} problems"
        out.append(f"- {library}: {why} ({some})")
    return "\n".join(out)


def machine() -> str:
    """The processor and the versions, in one sentence."""
    try:
        info = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        model = next(text.split(":", 1)[1].strip() for text in info if text.startswith("model name"))
    except (OSError, StopIteration):
        model = platform.processor() or platform.machine()
    peers = {name.removesuffix(" hist"): version(name) for name in ("scikit-learn", "LightGBM", "XGBoost hist", "YDF")}
    releases = ", ".join(f"{name} {release}" for name, release in peers.items() if release)
    return f"{model}, Python {platform.python_version()}, {releases}"


#: The caption of each table.
FITS = """Seconds of whole `fit` calls, conversion and binning included. Threads: {threads} for boxwood,
HistGradientBoosting, LightGBM, XGBoost and YDF; one for scikit-learn's tree, rpart and J48, which have no setting for
it. A peer's cell shows how many times as long as boxwood it takes (its seconds in brackets): the median over pairs of
runs in one process, the two alternating. "-" = not measured or not possible, see below.
Seconds of boxwood are those of its least disturbed pair of a row. Machine: {machine}."""
OTHERS = """boxwood with other settings, as multiples of the full tree without surrogates: with five surrogates per
node; and with all defaults, that is pruned by 10 folds and with surrogates."""
MEMORY = """Memory: peak memory of one fit beyond the data, divided by the size of the data as given (8 bytes per
number), each in a process of its own."""
WORTH = """Held-out quality on 20,000 rows from the same generator: accuracy for classes, R² for numbers."""


def fits(records: list[dict], threads: int) -> str:
    """The table of fits alone, for the page."""
    return f"{FITS.format(threads=threads, machine=machine())}\n\n{fit_table(records)}"


def text(records: list[dict], refused: dict[Cell, str], threads: int) -> str:
    """Everything, ready for the page."""
    parts = [
        (OTHERS, variants_table(records)),
        (MEMORY, memory_table(records)),
        (WORTH, worth_table(records)),
        ("Not measured:", absent(refused)),
    ]
    tables = [fits(records, threads), *(f"{before}\n\n{body}" for before, body in parts if body)]
    return "\n\n".join(tables) + "\n"
