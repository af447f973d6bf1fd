"""The command bins: text, CSV, JSON, SQL and charts of a file."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
from xml.etree import ElementTree

import pytest

from boxwood import bin_features, datasets


@pytest.fixture
def loans(tmp_path):
    """A CSV file with Chinese names and labels, blanks, and the code -999."""
    file = tmp_path / "贷款.csv"
    rows = [
        (-999 if i % 20 == 0 else 20 + i % 50, "北京" if i % 3 else "", "坏" if i % 50 < 10 + i % 4 else "好")
        for i in range(400)
    ]
    file.write_text("年龄,城市,结果\n" + "".join(f"{a},{b},{c}\n" for a, b, c in rows), encoding="utf-8")
    return file


def test_the_tables_are_those_of_python(run):
    X = datasets.load("titanic")
    y = X.pop("survived")
    bins = bin_features(X, y, target_class="yes", max_bins=4, monotone="auto", points=(20, 600, 50))
    words = ["bins", datasets.path("titanic"), "--target", "survived", "--target-class", "yes", "--max-bins", 4]
    words += ["--monotone", "auto", "--points", "20,600,50"]
    code, out, _ = run(*words)
    assert code == 0
    assert out.rstrip("\n") == bins.to_text().replace("y = yes", "survived = yes")
    _, out, _ = run(*words, "--json")
    assert json.loads(out)["bins"] == bins.to_records()
    _, out, _ = run(*words, "--format", "csv")
    found = list(csv.DictReader(io.StringIO(out)))
    assert [row["bin"] for row in found] == bins.to_records()["bin"]


def test_columns_and_special_values_by_name(run, loans):
    code, out, _ = run("bins", loans, "--target", "结果", "--special-values=-999", "--columns", "年龄")
    assert code == 0
    assert "年龄 = -999" in out
    assert "城市" not in out
    assert "结果 = 坏" in out
    code, out, _ = run("bins", loans, "--target", "结果", "--special-values", "年龄=-999", "--drop", "年龄")
    assert code == 0
    assert "城市 is missing" in out
    assert "年龄" not in out


def test_the_query_runs(run, loans, tmp_path):
    query = tmp_path / "bins.sql"
    code, out, _ = run(
        "bins", loans, "--target", "结果", "--special-values=-999", "--format", "sql", "--dialect", "sqlite",
        "--values", "points", "--points", "20,600,50", "--key", "年龄", "-o", query,
    )  # fmt: skip
    assert code == 0
    assert out.startswith(f"Wrote {query}")
    with sqlite3.connect(":memory:") as database:
        database.execute('CREATE TABLE data ("年龄" REAL, "城市" TEXT)')
        database.execute("INSERT INTO data VALUES (-999, NULL), (30, '北京')")
        rows = database.execute(query.read_text(encoding="utf-8")).fetchall()
    assert len(rows) == 2
    assert len(rows[0]) == 3


def test_a_chart(run, loans, tmp_path):
    chart = tmp_path / "bins.svg"
    assert run("bins", loans, "--target", "结果", "--format", "svg", "-o", chart, "--quiet") == (0, "", "")
    assert ElementTree.parse(chart).getroot().tag.endswith("svg")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--max-bins", "1"], "--max-bins must be a whole number of at least 2"),
        (["--points", "20"], "--points must be points to double the odds"),
        (["--target-class", "x"], "--target-class must be one of"),
        (["--columns", "城"], "there is no column '城'"),
        (["--min-samples-leaf", "0"], "--min-samples-leaf must be"),
        (["--format", "sql", "--values", "points"], "--points"),
    ],
)
def test_errors_name_the_option(run, loans, words, message):
    code, _, err = run("bins", loans, "--target", "结果", *words)
    assert code in (1, 2)
    assert message in err
