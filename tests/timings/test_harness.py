"""What is planned, what is kept and skipped, what the tables hold, and one real cell in a process of its own."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import boxwood
from benchmarks import figures, page, report, run
from benchmarks.cell import memory, paired
from benchmarks.cells import Cell, fingerprint, planned, problem_of, refusal
from benchmarks.results import Results

ROOT = Path(__file__).parents[2]
CELL = Cell("pair", "2 classes", 1_000, 8, "scikit-learn", 1)
TIMED = {"rounds": 3, "ours_s": 0.01, "other_s": 0.5, "ratio": 50.0, "low": 40.0, "high": 60.0}
TIMED |= {"ours_worth": 0.9, "other_worth": None}


def test_plans_hold_each_cell_once_and_the_quick_one_is_short():
    everything = planned(("standard", "combination", "curve"), 2)
    assert len(set(everything)) == len(everything)
    assert {cell.kind for cell in everything} == {"pair", "memory"}
    quick = planned(("standard",), 2, quick=True)
    assert set(quick) <= set(everything)
    assert len(quick) <= 40
    assert all(cell.kind == "pair" for cell in quick)
    assert all("noise" in str(cell) for cell in planned(("standard",), 2, only="noise"))
    assert all(problem_of(cell).rows == cell.rows for cell in everything)


def test_a_cell_that_cannot_be_measured_has_a_reason(monkeypatch):
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("WEKA_JAR", raising=False)
    assert refusal(Cell("pair", "2 classes", 1_000, 8, "rpart", 1)) == "Rscript is not installed"
    assert refusal(Cell("pair", "2 classes", 1_000, None, "J48", 1)) == "Java is not installed"
    assert refusal(Cell("pair", "2 classes", 1_000, 8, "J48", 1)) == "has no limit of depth"
    assert refusal(Cell("pair", "7 classes", 100_000, 8, "LightGBM", 1)) == "grows a tree for each class"
    assert refusal(CELL) is None


def test_results_are_taken_up_again(tmp_path):
    path = tmp_path / "runs.jsonl"
    results = Results(path)
    assert not results.has(CELL, "abc")
    results.add(CELL, "abc", TIMED)
    with open(path, "a", encoding="utf-8") as file:
        file.write('{"key": "cut o')  # the machine went down here
    again = Results(path)
    assert again.has(CELL, "abc")
    assert not again.has(CELL, "other code")
    other = Cell("pair", "2 classes", 1_000, None, "scikit-learn", 1)
    again.add(other, "abc", {"failed": "no memory"})
    assert not Results(path).has(other, "abc"), "a failed cell is tried again"
    again.add(other, "abc", {"over_s": 600.0})
    assert Results(path).has(other, "abc")
    assert [r["depth"] for r in Results(path).of([other, CELL], "abc")] == [None, 8]


class _Clock:
    """A session that takes as long as given."""

    def __init__(self, name: str, seconds: float, log: list[str]):
        self.name, self.seconds, self.log = name, seconds, log

    def fit(self) -> float:
        self.log.append(self.name)
        return self.seconds


def test_pairs_are_in_turn_and_the_number_of_rounds_fits():
    log: list[str] = []
    assert paired(_Clock("A", 1.0, log), _Clock("B", 5.0, log), 3, 60.0) == [(1.0, 5.0)] * 3
    assert log == ["A", "B"] * 3
    assert len(paired(_Clock("A", 0.001, log), _Clock("B", 0.002, log), 3, 60.0)) == 15, "short ones more often"
    assert len(paired(_Clock("A", 100.0, log), _Clock("B", 200.0, log), 3, -1.0)) == 1, "no budget, no second round"


def records() -> list[dict]:
    def of(cell: Cell, found: dict) -> dict:
        return {"kind": cell.kind, "problem": cell.problem, "rows": cell.rows, "depth": cell.depth,
                "library": cell.library, **found}  # fmt: skip

    return [
        of(CELL, TIMED),
        of(Cell("pair", "2 classes", 1_000, 8, "YDF", 1), TIMED | {"ratio": 7.0, "other_s": 0.07}),
        of(Cell("pair", "2 classes", 1_000, 8, "boxwood, default", 1), TIMED | {"ratio": 2.5, "other_s": 0.025}),
        of(Cell("pair", "noise", 1_000, None, "YDF", 1), {"over_s": 600.0}),
        of(Cell("pair", "noise", 1_000, None, "scikit-learn", 1), {"failed": "no memory"}),
        of(Cell("pair", "rows = 1000", 1_000, 8, "scikit-learn", 1), TIMED),
        of(Cell("memory", "2 classes", 1_000, 8, "boxwood", 1), {"extra_bytes": 5 * 2**20, "data_bytes": 2 * 2**20}),
    ]


def test_tables_show_what_was_found():
    fits = report.fit_table(records()).splitlines()
    assert fits[0] == "| problem | rows | depth | boxwood, s | scikit-learn | YDF |"
    assert fits[2] == "| 2 classes | 1,000 | 8 | 0.010 | 50.0 (0.500) | 7.00 (0.070) |"
    assert fits[3] == "| noise | 1,000 | no | - | failed | over 600 s |"
    assert report.variants_table(records()).splitlines()[2] == "| 2 classes | 1,000 | 8 | 0.010 | - | 2.50 (0.025) |"
    assert report.memory_table(records()).splitlines()[2] == "| 2 classes | 1,000 | 8 | 2 | 2.50 |"
    assert "| 2 classes | 1,000 | 8 | 0.900 |" in report.worth_table(records())
    text = report.text(records(), {CELL: "not installed"}, 2)
    assert "- scikit-learn: not installed (2 classes)" in text
    assert report.fit_table([]) == ""


def test_figures_and_page(tmp_path):
    pytest.importorskip("matplotlib")
    drawn = figures.draw(records(), tmp_path)
    assert [p.name for p in drawn] == [f"benchmarks_{n}.{k}" for n in ("fit", "curves") for k in ("svg", "png")]
    first = drawn[0].read_bytes()
    figures.draw(records(), tmp_path)
    assert drawn[0].read_bytes() == first, "the same results, the same file"
    file = tmp_path / "docs" / "benchmarks.md"
    file.parent.mkdir()
    file.write_text("no marks", encoding="utf-8")
    with pytest.raises(ValueError, match="needs the lines"):
        page.put("text", drawn, file)
    begin, end = page.marks("fit")
    file.write_text(f"# Before\n\n{begin}\nold\n{end}\n\n# After\n", encoding="utf-8")
    page.put("new", drawn, file)
    page.put("newer", drawn, file)
    found = file.read_text(encoding="utf-8")
    assert found.startswith("# Before\n")
    assert found.endswith("# After\n")
    assert "newer" in found
    assert "old" not in found
    assert (file.parent / "images" / "benchmarks_fit.svg").exists()


@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="the highest mark of memory is Linux's")
def test_memory_is_that_of_one_fit():
    found = memory(Cell("memory", "2 classes", 1_000, 8, "boxwood", 1))
    assert found["data_bytes"] == 1_000 * 20 * 8
    assert 0 <= found["extra_bytes"] < 200 * 2**20


@pytest.mark.long
def test_a_cell_in_its_own_process():
    given = {"cell": vars(CELL), "rounds": 1, "budget": 0.0}
    source = str(Path(boxwood.__file__).parents[1])
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.cell", json.dumps(given)], cwd=ROOT,
        capture_output=True, text=True, check=True, env=os.environ | {"PYTHONPATH": source},
    )  # fmt: skip
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["rounds"] == 1
    assert found["ratio"] > 0
    assert 0.6 < found["ours_worth"] < 1


def test_the_fingerprint_is_that_of_the_code():
    assert len(fingerprint()) == 12
    assert fingerprint() == fingerprint()


@pytest.mark.long
def test_a_run_is_stopped_taken_up_and_written(tmp_path, monkeypatch, capsys):
    words = ["run", "--only", "2 classes, 1,000 rows, depth 8", "--threads", "1"]
    cells = [c for c in planned(("standard",), 1, only=words[2]) if refusal(c) is None]
    monkeypatch.setattr(sys, "argv", words)
    monkeypatch.setattr(run, "RESULTS", tmp_path)
    monkeypatch.setattr(run, "ROOT", tmp_path)
    begun: list[Cell] = []

    def measure(cell, options):
        begun.append(cell)
        if len(begun) == 2:
            raise KeyboardInterrupt
        return TIMED

    monkeypatch.setattr(run, "measure", measure)
    with pytest.raises(SystemExit, match="130"):
        run.main()
    assert "50.0 (0.500)" in (tmp_path / "table.md").read_text(encoding="utf-8")
    run.main()
    assert begun == [cells[0], cells[1], *cells[1:]], "what was finished is not measured again"
    count = len(begun)
    run.main()
    assert len(begun) == count
    monkeypatch.setattr(sys, "argv", [*words, "--fresh"])
    run.main()
    assert len(begun) == count + len(cells)
    assert "times ours" in capsys.readouterr().out


@pytest.mark.long
def test_a_cell_that_takes_too_long_or_fails_is_reported(monkeypatch):
    options = argparse.Namespace(rounds=1, budget=0.0, limit=0.05)
    assert run.measure(CELL, options) == {"over_s": 0.05}
    options.limit = 60.0
    found = run.measure(Cell("pair", "2 classes", 1_000, 8, "nobody", 1), options)
    assert found == {"failed": "KeyError: 'nobody'"}
