"""What there is to measure: pairs of ours and another on a problem, and the memory of one, as records with a key."""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.libraries import LIBRARIES, OURS, PEERS, VARIANTS
from benchmarks.problems import PROBLEMS, Problem

#: Distribution packages of the peers, for their versions.
PACKAGES = {"scikit-learn": "scikit-learn", "HistGradientBoosting": "scikit-learn", "LightGBM": "lightgbm"}
PACKAGES |= {"XGBoost hist": "xgboost", "XGBoost exact": "xgboost", "YDF": "ydf"}


@dataclass(frozen=True)
class Cell:
    """One measurement, done in a process of its own.

    Attributes
    ----------
    kind : {"pair", "memory"}
    problem : str
    rows : int
    depth : int or None
    library : str
        The one beside ours, or the one whose memory is measured.
    threads : int
    """

    kind: str
    problem: str
    rows: int
    depth: int | None
    library: str
    threads: int

    def key(self, code: str) -> str:
        """What a finished cell is known by: itself, and the code of boxwood and the release of the peer it measured."""
        return json.dumps([*asdict(self).values(), code, version(self.library)])

    def __str__(self) -> str:
        limit = "unpruned" if self.depth is None else f"depth {self.depth}"
        what = "memory of " if self.kind == "memory" else ""
        return f"{self.problem}, {self.rows:,} rows, {limit}: {what}{self.library}"


def version(library: str) -> str:
    """The release of a peer that is a Python package, else empty."""
    try:
        return importlib.metadata.version(PACKAGES[library]) if library in PACKAGES else ""
    except importlib.metadata.PackageNotFoundError:
        return ""


def fingerprint() -> str:
    """A short hash of boxwood's code as it will be imported, its kernel included: other code, other measurement."""
    import boxwood

    digest = hashlib.sha256()
    home = Path(boxwood.__file__).parent
    for file in sorted(p for p in home.rglob("*") if p.suffix in (".py", ".so", ".pyd")):
        digest.update(file.relative_to(home).as_posix().encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:12]


def problem_of(cell: Cell) -> Problem:
    """The problem of a cell."""
    return next(p for p in PROBLEMS if (p.name, p.rows) == (cell.problem, cell.rows))


def _beside(problem: Problem, depth: int | None, quick: bool) -> list[str]:
    """Names of those to time beside ours."""
    if problem.against is not None:
        return list(problem.against)
    if quick and (problem.missing or not problem.variants):
        return ["scikit-learn"]
    return [library.name for library in (*PEERS, *(VARIANTS if problem.variants else ()))]


def planned(groups: tuple[str, ...], threads: int, *, quick: bool = False, only: str = "") -> list[Cell]:
    """All cells of some groups of problems, memory last, before any library is tested for what it can do.

    Parameters
    ----------
    groups : tuple of {"standard", "combination", "curve"}
    threads : int
    quick : bool
        Only the quick problems, each at its first depth, without memory.
    only : str
        Only cells whose text holds this.
    """
    cells = []
    chosen = [p for p in PROBLEMS if p.group in groups and (p.quick or not quick)]
    for problem in chosen:
        for depth in problem.depths[:1] if quick else problem.depths:
            for name in _beside(problem, depth, quick):
                cells.append(Cell("pair", problem.name, problem.rows, depth, name, threads))
    for problem in chosen:
        is_growth = problem.group == "curve" and not problem.name.startswith("rows")
        if quick or problem.group == "combination" or is_growth or problem.rows < 100_000:
            continue
        for name in [OURS.name, *_beside(problem, problem.depths[0], quick)]:
            cells.append(Cell("memory", problem.name, problem.rows, problem.depths[0], name, threads))
    return [cell for cell in cells if only in str(cell)]


def refusal(cell: Cell) -> str | None:
    """Why a cell cannot be measured here, or None."""
    library = LIBRARIES[cell.library]
    if cell.kind == "memory" and library.name in ("rpart", "J48"):
        return "works in a program of its own"
    return library.unable(problem_of(cell), cell.depth) or library.absent()
