"""The units of the study: a table, a world, some tables of noise or a coverage, each for one method."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

import numpy as np
from sklearn.model_selection import StratifiedKFold

from benchmarks.evidence.coverage import SETTINGS, coverage
from benchmarks.evidence.methods import METHODS, Task
from benchmarks.evidence.scores import expected_scores, scores
from benchmarks.evidence.tables import TABLES, group, load
from benchmarks.evidence.worlds import NOISE_SHARES, WORLDS, drawn, noise_tables

FOLDS = 5


@dataclass(frozen=True)
class Unit:
    """One thing to compute.

    Attributes
    ----------
    part : {"table", "world", "noise", "coverage"}
    name : str
    method : str
        A key of METHODS.
    repeats : int
        Times five folds, seeds or repetitions.
    """

    part: str
    name: str
    method: str
    repeats: int

    def key(self, code: str) -> str:
        """What a finished unit is known by; other code of boxwood changes the figures of its newest tree only."""
        own = METHODS[self.method].ours and self.method != "before"
        return json.dumps([*asdict(self).values(), code if own else ""])

    def __str__(self) -> str:
        return f"{self.part} {self.name}: {self.method}"


def planned(methods: list[str], quick: bool) -> list[Unit]:
    """All units, the quick ones a part of the tables with fewer repetitions."""
    tables, repeats = (TABLES[::4], (1, 2, 1, 50)) if quick else (TABLES, (2, 8, 1, 400))
    found = [Unit("table", table.source, m, repeats[0]) for table in tables for m in methods]
    found += [Unit("world", world.name, m, repeats[1]) for world in WORLDS for m in methods]
    found += [Unit("noise", f"{100 * share:g} %", m, repeats[2]) for share in NOISE_SHARES for m in methods]
    ours = [m for m in methods if m in ("before", "after")]
    return found + [Unit("coverage", setting.name, m, repeats[3]) for setting in SETTINGS for m in ours]


def computed(unit: Unit) -> dict:
    """The figures of a unit."""
    return {"table": _table, "world": _world, "noise": _noise, "coverage": _coverage}[unit.part](unit)


def _mean(figures: list[dict]) -> dict:
    return {name: float(np.mean([f[name] for f in figures])) for name in figures[0]}


def _table(unit: Unit) -> dict:
    """Means over held-out folds, stratified by class."""
    X, y = load(next(t for t in TABLES if t.source == unit.name))
    splits = []
    for seed in range(unit.repeats):
        splits += StratifiedKFold(FOLDS, shuffle=True, random_state=seed).split(X, y)
    predicted = METHODS[unit.method].run(Task(X, y, tuple(splits)))
    figures = [
        scores(y[test], one.proba) | {"leaves": one.leaves, "roots": one.leaves == 1}
        for one, (_, test) in zip(predicted, splits, strict=True)
    ]
    about = {"rows": len(y), "columns": X.shape[1], "classes": int(y.max()) + 1, "group": group(y)}
    return _mean(figures) | about | {"rarest": float(np.bincount(y).min() / len(y))}


def _world(unit: Unit) -> dict:
    """Means over seeds of the expected figures on new rows; ``best`` are those of the known probabilities."""
    world = next(w for w in WORLDS if w.name == unit.name)
    figures = []
    for seed in range(unit.repeats):
        X, y, p = drawn(world, seed)
        rows = np.arange(len(X))
        labels = np.concatenate((y, np.zeros(len(p), dtype=np.int64)))
        split = (rows[: len(y)], rows[len(y) :])
        predicted = METHODS[unit.method].run(Task(X, labels, (split,), world.balanced))[0]
        best = expected_scores(p, np.column_stack((1.0 - p, p)))
        found = expected_scores(p, predicted.proba) | {"leaves": predicted.leaves, "roots": predicted.leaves == 1}
        figures.append(found | {f"best_{name}": value for name, value in best.items()})
    return _mean(figures)


def _noise(unit: Unit) -> dict:
    """How many trees of pure noise are more than a root."""
    share = next(s for s in NOISE_SHARES if f"{100 * s:g} %" == unit.name)
    leaves = []
    for X, y in noise_tables(share):
        split = (np.arange(len(y)), np.arange(2))
        leaves.append(METHODS[unit.method].run(Task(X, y, (split,)))[0].leaves)
    return {"tables": len(leaves), "grown": int(np.sum(np.array(leaves) > 1)), "leaves": float(np.mean(leaves))}


def _coverage(unit: Unit) -> dict:
    return {"held": coverage(next(s for s in SETTINGS if s.name == unit.name), unit.repeats)}
