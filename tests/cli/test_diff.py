"""boxwood diff: text, JSON, a page, files in parts, and the errors of both models."""

from __future__ import annotations

import json

import pytest

from boxwood.cli import main
from boxwood.data import datasets

TITANIC = str(datasets.path("titanic"))


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """A model file of a smaller tree."""
    file = str(tmp_path_factory.mktemp("small") / "small.box")
    words = ["fit", TITANIC, "--target", "survived", "--max-depth", "2", "-o", file, "--quiet"]
    assert main(words) == 0
    return file


def test_text_json_and_page_agree(run, model, small, tmp_path):
    page = tmp_path / "diff.html"
    code, out, err = run("diff", model, small, TITANIC, "-o", page)
    assert code == 0, err
    lines = out.splitlines()
    assert lines[0] == "911 of 1,109 rows (82.1 %) get another answer; 42 (3.8 %) another class."
    assert lines[1].startswith("  1. class = 3rd, sex = female, fare > 24.8: no → yes, ")
    assert lines[1].endswith("; 24 rows (2.2 %); wrong 8.3 % → 91.7 %")
    code, out, err = run("diff", model, small, TITANIC, "--json")
    facts = json.loads(out)
    assert facts["rows"] == 1109
    assert facts["headline"] == lines[0]
    assert sum(segment["rows"] for segment in facts["segments"]) == 911
    assert facts["segments"][0]["where"] == "class = 3rd, sex = female, fare > 24.8"
    written = page.read_text(encoding="utf-8")
    assert "class = 3rd, sex = female, fare &gt; 24.8" in written
    assert "<h1>Changes from " in written


def test_in_parts_and_without_the_target(run, model, small, tmp_path):
    whole = run("diff", model, small, TITANIC)[1]
    assert run("diff", model, small, TITANIC, "--memory", "100MB")[1] == whole
    new, rows = tmp_path / "new.csv", datasets.load("titanic_new")
    del rows["survived"]
    cells = [rows, *zip(*rows.values(), strict=True)]
    new.write_text("\n".join(",".join("" if v is None else str(v) for v in row) for row in cells))
    assert "wrong" not in run("diff", model, small, new)[1]
    assert run("diff", model, small, "--max-segments", 2)[1].splitlines()[-1].endswith("; --json shows all")
    assert run("diff", model, model)[1] == "Both models give every row the same answer.\n"


def test_usage(run, model, small, tmp_path):
    assert "--memory is for DATA" in run("diff", model, small, "--memory", "1GB")[2]
    code, _, err = run("diff", model, small, "-o", model)
    assert code == 2
    assert "would overwrite" in err
    assert run("diff", model, small, TITANIC, "--quiet")[:2] == (0, "")
