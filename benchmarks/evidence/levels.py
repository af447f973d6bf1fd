"""Compares trees with and without ``level_correction`` where a nominal column has many levels; writes into a page.

Usage: python -m benchmarks.evidence.levels [--page] [--only TEXT]

The figures go into docs/nominal.md. They are kept in a file as soon as they are known, so that a run can be stopped and
taken up again.
"""

from __future__ import annotations

import argparse
import json
import logging
import sys
import time
import warnings
from dataclasses import asdict, dataclass

import numpy as np
from sklearn.model_selection import KFold, StratifiedKFold

from benchmarks.builds import ROOT
from benchmarks.cells import fingerprint
from benchmarks.evidence.level_methods import LEVEL_METHODS
from benchmarks.evidence.level_report import level_report
from benchmarks.evidence.level_tables import CLASSES, NUMBERS, WORLDS, drawn, most_levels
from benchmarks.evidence.methods import Task
from benchmarks.evidence.tables import load, read
from benchmarks.page import put
from benchmarks.results import Results

RESULTS = ROOT / "benchmarks" / "results" / "levels.jsonl"
PAGE = ROOT / "docs" / "nominal.md"
FOLDS = 10
#: Probabilities are at least this in the log loss.
LEAST = 1e-3


@dataclass(frozen=True)
class LevelUnit:
    """One table, for all methods.

    Attributes
    ----------
    part : {"table", "world"}
    name : str
        ``source:target``, or a simulated table.
    target : {"classes", "numbers"}
    """

    part: str
    name: str
    target: str

    def key(self, code: str) -> str:
        """What a finished unit is known by."""
        return json.dumps([*asdict(self).values(), code])

    def __str__(self) -> str:
        return f"{self.part} {self.name}: {self.target}"


def planned_levels() -> list[LevelUnit]:
    """All units."""
    found = []
    for target, tables in (("classes", CLASSES), ("numbers", NUMBERS)):
        found += [LevelUnit("table", f"{one.source}:{one.target}", target) for one in tables]
        found += [LevelUnit("world", world, target) for world in WORLDS]
    return found


def compared(unit: LevelUnit) -> dict:
    """Means of the losses of held-out rows by every method, and how those of the correction differ from those without.

    Losses of numbers are squared errors as a share of the variance.
    """
    X, y = _given(unit)
    folds = (StratifiedKFold if unit.target == "classes" else KFold)(FOLDS, shuffle=True, random_state=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # classes of fewer rows than folds
        task = Task(X, y, tuple(folds.split(X, y)))
    found: dict = {"rows": len(y), "levels": most_levels(X), "figures": {}}
    losses = {}
    for name, method in LEVEL_METHODS.items():
        if method.absent() or (unit.part == "world" and not method.ours) or (name == "rpart" and task.n_classes > 2):
            continue  # rpart tries every set of levels where there are more than two classes
        began = time.process_time()
        predicted = method.run(task)
        losses[name] = _losses(task, predicted)
        means = {loss: float(values.mean()) for loss, values in losses[name].items()}
        leaves = float(np.mean([one.leaves for one in predicted]))
        found["figures"][name] = means | {"leaves": leaves, "seconds": time.process_time() - began}
    found["z"] = {loss: _z(losses["on"][loss].astype(float) - losses["off"][loss]) for loss in losses["on"]}
    return found


def _given(unit: LevelUnit) -> tuple:
    if unit.part == "world":
        return drawn(unit.name, 0, unit.target == "numbers")
    tables = CLASSES if unit.target == "classes" else NUMBERS
    table = next(one for one in tables if f"{one.source}:{one.target}" == unit.name)
    if unit.target == "classes":
        return load(table)
    X, target = read(table)
    return X, target.to_numpy(dtype=np.float64)


def _losses(task: Task, predicted: list) -> dict[str, np.ndarray]:
    """The losses of all rows, each held out once."""
    proba = np.zeros((len(task.y), task.n_classes))
    for one, (_, test) in zip(predicted, task.splits, strict=True):
        proba[test] = one.proba
    if task.is_number:
        return {"mse": (proba[:, 0] - task.y) ** 2 / task.y.var()}
    own = proba[np.arange(len(task.y)), task.y]
    brier = (proba**2).sum(axis=1) - 2.0 * own + 1.0
    return {"error": proba.argmax(axis=1) != task.y, "brier": brier, "log_loss": -np.log(np.maximum(own, LEAST))}


def _z(difference: np.ndarray) -> float:
    """A mean in standard errors, row by row; 0 where nothing differs."""
    error = difference.std(ddof=1) / np.sqrt(len(difference))
    return float(difference.mean() / error) if error > 0 else 0.0


def main() -> None:
    """Compute and print, or write into the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.evidence.levels", description=__doc__.splitlines()[0])
    parser.add_argument("--page", action="store_true", help="write the tables into docs/nominal.md")
    parser.add_argument("--only", default="", help="only units whose name holds this")
    wanted = parser.parse_args()
    logging.disable(logging.INFO)
    warnings.simplefilter("ignore")
    results, code = Results(RESULTS), fingerprint()
    for unit in planned_levels():
        if wanted.only in str(unit) and not results.has(unit, code):
            began = time.process_time()
            results.add(unit, code, compared(unit))
            print(f"{unit}, {time.process_time() - began:.1f} s", file=sys.stderr, flush=True)
    found = level_report(results.of(planned_levels(), code))
    if wanted.page:
        put(found, [], PAGE, "levels")
    else:
        print(found)


if __name__ == "__main__":
    main()
