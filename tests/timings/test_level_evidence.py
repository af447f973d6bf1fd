"""The study of the correction for many levels: its tables and worlds, one unit, and what the page shows."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.evidence.level_methods import LEVEL_METHODS
from benchmarks.evidence.level_report import level_report
from benchmarks.evidence.level_tables import CLASSES, LEVELS, NUMBERS, WORLDS, drawn, most_levels
from benchmarks.evidence.levels import LevelUnit, compared, planned_levels
from benchmarks.evidence.methods import Task
from benchmarks.results import Results


def test_tables_and_worlds_are_many():
    assert min(len(CLASSES), len(NUMBERS)) >= 15
    units = planned_levels()
    assert len({unit.key("") for unit in units}) == len(units) == len(CLASSES) + len(NUMBERS) + 2 * len(WORLDS)
    assert {int(world.split(", ")[1].split()[0]) for world in WORLDS} == set(LEVELS)
    for world in WORLDS[::5]:
        for is_number in (False, True):
            X, y = drawn(world, 0, is_number)
            assert X.equals(drawn(world, 0, is_number)[0])
            assert world.endswith(f", {most_levels(X)} levels, {len(y)} rows")
            assert y.dtype.kind == ("f" if is_number else "i")


def test_units_are_kept_and_shown(tmp_path):
    results = Results(tmp_path / "levels.jsonl")
    units = [LevelUnit("world", "noise, 50 levels, 500 rows", target) for target in ("classes", "numbers")]
    for unit in units:
        found = compared(unit)
        assert set(found["figures"]) == {"off", "on"}
        results.add(unit, "code", found)
    table = LevelUnit("table", "some/table:target", "numbers")
    figures = {"off": {"mse": 0.5, "leaves": 2}, "on": {"mse": 0.4, "leaves": 4}}
    results.add(table, "code", {"rows": 5_000, "levels": 12, "figures": figures, "z": {"mse": -2.0}})
    page = level_report(results.of([*units, table], "code"))
    assert "| numbers | public | below 30 | 1 | 0.500 | 0.400 | 1 | 0 | -20.0 % | 2.00 |" in page
    assert "| some/table:target | 5,000 | 12 | 0.500 | 0.400 | -2.0 |" in page
    assert "| classes | simulated, noise | 30 or more | 1 |" in page


@pytest.mark.parametrize("name", ["off", "on", "sklearn"])
def test_methods_predict_classes_and_numbers(name):
    for is_number in (False, True):
        X, y = drawn("effects, 20 levels, 500 rows", 0, is_number)
        predicted = LEVEL_METHODS[name].run(Task(X, y, ((np.arange(400), np.arange(400, 500)),)))[0]
        assert predicted.proba.shape == (100, 1 if is_number else 2)
        assert predicted.leaves > 1
