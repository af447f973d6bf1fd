"""The study of the default tree: its figures, its tables and worlds, one unit of each kind, and what the page shows."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.evidence.coverage import Setting, of_figures, of_leaves
from benchmarks.evidence.report import report
from benchmarks.evidence.scores import expected_scores, scores
from benchmarks.evidence.study import Unit, computed, planned
from benchmarks.evidence.tables import TABLES, group, load
from benchmarks.evidence.worlds import FRESH, NOISE_SHARES, WORLDS, drawn, noise_tables
from benchmarks.results import Results

CREW = Unit("table", "boxwood:titanic_crew", "sklearn", 1)


def test_figures_by_hand():
    found = scores(np.array([0, 1, 1, 0]), np.array([[0.9, 0.1], [0.2, 0.8], [1.0, 0.0], [0.5, 0.5]]))
    assert found["error"] == 0.25
    assert found["auc"] == 0.5
    assert found["log_loss"] == pytest.approx(-np.log([0.9, 0.8, 1e-15, 0.5]).mean())
    three = scores(np.array([0, 1, 2]), np.eye(3))
    assert (three["error"], three["auc"]) == (0.0, 1.0)
    known = expected_scores(np.array([0.25, 0.75]), np.array([[0.75, 0.25], [0.25, 0.75]]))
    assert (known["error"], known["auc"]) == (0.25, 0.75)


def test_tables_are_many_of_every_kind_and_those_that_come_along_load():
    assert len({table.source for table in TABLES}) == len(TABLES) >= 25
    for table in TABLES:
        if table.source.startswith(("boxwood:", "sklearn:")):
            X, y = load(table)
            assert len(X) == len(y) <= table.most
            assert set(y) == set(range(y.max() + 1))
            assert table.target not in X.columns
            assert group(y) in ("binary", "multiclass")
    assert group(np.array([1] * 14 + [0] * 86)) == "rare"


def test_worlds_are_drawn_as_declared():
    for world in WORLDS:
        X, y, p = drawn(world, 0)
        assert len(X) == len(y) + len(p) == world.rows + FRESH
        assert X.equals(drawn(world, 0)[0])
        assert y.mean() == pytest.approx(p.mean(), abs=0.03)
        assert world.events in (None, y.sum())
    for share in NOISE_SHARES:
        assert [y.mean() for _, y in noise_tables(share)] == pytest.approx([share] * 12, abs=0.001)


def test_units_are_kept_and_shown(tmp_path):
    results = Results(tmp_path / "evidence.jsonl")
    noise = Unit("noise", "0.5 %", "after", 1)
    for unit in (CREW, noise):
        results.add(unit, "code", computed(unit))
    results.add(Unit("table", "boxwood:iris", "after", 1), "code", {"failed": "no memory"})
    assert results.has(CREW, "other code"), "only the newest boxwood depends on its code"
    assert not results.has(noise, "other code")
    page = report(results.of([CREW, noise, Unit("table", "boxwood:iris", "after", 1)], "code"))
    assert "| boxwood:titanic_crew | 2,201 | 2 | 32.3 % | 0.2" in page
    assert "| **all** | 0 of 12, 0 % |" in page
    assert "iris" not in page
    assert {unit.part for unit in planned(["after"], quick=True)} == {"table", "world", "noise", "coverage"}


def test_intervals_are_held_against_the_truth(tmp_path):
    rng = np.random.default_rng(0)
    found = of_figures(Setting("small", 300), rng, tmp_path)
    assert {"fit: accuracy", "new rows: auc"} <= set(found)
    assert sum(found.values()) > len(found) / 2
    setting = Setting("weights", 1_000, frequency=0.5, class_weight="balanced")
    assert 0.5 < np.mean([of_leaves(setting, rng, None) for _ in range(10)]) <= 1.0
