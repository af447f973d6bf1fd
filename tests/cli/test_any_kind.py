"""The commands serve a kind of model that they have never seen: they know the protocol only."""

from __future__ import annotations

import json

import pytest

from boxwood.data.columns.schema import Feature, Schema
from cli.line_model import LineModel


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rows.csv").write_text("x,y\n1,3.5\n2,5.5\n-1.5,-1.5\n", encoding="utf-8")
    LineModel(Schema((Feature("x", "numeric"),), named=True), 1.5, 2.0).save("line.box")
    return tmp_path


def test_its_file_is_recognised_by_its_mark(files, run):
    assert run("show", "line.box") == (0, "y = 1.5 + 2.0 * x\n", "")
    shown = json.loads(run("show", "line.box", "--json")[1])
    assert shown["line"]["slope"] == 2.0


def test_it_predicts_and_is_evaluated(files, run):
    assert run("predict", "line.box", "rows.csv")[1].splitlines() == ["y", "3.5", "5.5", "-1.5"]
    found = json.loads(run("evaluate", "line.box", "rows.csv", "--json")[1])
    assert found["figures"]["r2"]["value"] == 1.0


def test_it_is_exported_by_its_own_format_and_by_one_of_all_sums(files, run):
    assert run("export", "line.box", "-o", "out.line")[1].startswith("Wrote out.line (")
    assert (files / "out.line").read_text(encoding="utf-8") == "y = 1.5 + 2.0 * x\n"
    code, out, _ = run("export", "line.box", "-o", "out.py", "--verify", "rows.csv")
    assert (code, "gives what predict gives in all of 3 rows and " in out) == (0, True)
    code, _, err = run("export", "line.box", "--format", "sql")
    assert (code, "a line cannot be written in the format 'sql'; --format must be one of 'python', 'line'" in err) == (
        2,
        True,
    )


@pytest.mark.parametrize("words", [
    ("explain", "rows.csv"), ("prune", "--n-leaves", "2", "-o", "less.box"), ("rules",), ("plot", "-o", "line.svg"),
    ("importance", "--kind", "mdi+surrogates"), ("show", "--format", "table"),
])  # fmt: skip
def test_what_needs_nodes_is_refused_by_its_name(files, run, words):
    command, *more = words
    code, _, err = run(command, "line.box", *more)
    assert (code, "line.box holds a line, which has no nodes" in err) == (1, True)


def test_what_it_does_not_rank_is_reported(files, run):
    assert "line.box holds a line, which has no feature importances" in run("importance", "line.box")[2]
