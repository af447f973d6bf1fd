"""boxwood refresh: drift of the nodes as text and JSON, and the model with new statistics."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from boxwood.data import datasets

TITANIC, NEW = (str(datasets.path(name)) for name in ("titanic", "titanic_new"))


def test_the_training_file_gives_the_same_bytes(run, model, tmp_path):
    file = tmp_path / "same.box"
    code, out, err = run("refresh", model, TITANIC, "-o", file)
    assert code == 0, err
    assert out.startswith("0 of 13 nodes with another distribution of survived, 0 that divide their rows otherwise: ")
    assert file.read_bytes() == Path(model).read_bytes()


def test_new_rows(run, model, tmp_path):
    file = tmp_path / "new.box"
    code, out, err = run("refresh", model, NEW, "-o", file, "--json")
    assert code == 0, err
    facts = json.loads(out)
    assert facts["shifted"] == [0]
    assert facts["nodes"]["rows_after"][0] == 200
    assert "116 of 200 rows" in run("show", file)[1]
    text = run("refresh", model, NEW)[1]
    assert "- node 0, all rows: its branches get 66.1 %, 33.9 % → 55.0 %, 45.0 %, p 0.0358" in text
    assert "0 that divide" in run("refresh", model, NEW, "--level", "0.99")[1]


def test_growth_is_in_the_log(run, model, tmp_path):
    flipped, file = tmp_path / "flipped.csv", tmp_path / "grown.box"
    head, *lines = Path(TITANIC).read_text(encoding="utf-8").splitlines()
    last = head.split(",").index("survived")
    rows = [line.split(",") for line in lines]
    for row in rows:
        row[last] = {"yes": "no", "no": "yes"}[row[last]] if "female" in row and "1st" in row else row[last]
    flipped.write_text("\n".join([head, *map(",".join, rows)]), encoding="utf-8")
    code, _, err = run("refresh", model, flipped, "-o", file, "--grow")
    assert code == 0, err
    assert "grown" in run("show", file)[1]


@pytest.mark.parametrize(
    ("words", "message"),
    [(("-o", "-"), "-o must be a file"), (("--level", "2"), "--level must"), (("-o", NEW), "would overwrite")],
)
def test_usage(run, model, words, message):
    code, _, err = run("refresh", model, NEW, *words)
    assert code == 2
    assert message in err
