"""`boxwood export`: prints, writes, verifies; what it refuses; models that are sums of terms."""

from __future__ import annotations

import base64
import json
import pickle

import pytest

from boxwood import CARTClassifier, MARSRegressor
from boxwood.cli import main


@pytest.fixture
def files(tmp_path, monkeypatch):
    """A model, its rows as a CSV file, and the folder of both."""
    monkeypatch.chdir(tmp_path)
    rows = {"age": [20, 30, 50, 60], "town": ["Ulm", "京都", "Ulm", "京都"]}
    CARTClassifier(pruning=None).fit(rows, ["no", "no", "yes", "yes"]).save("model.box")
    (tmp_path / "rows.csv").write_text("age,town\n20,Ulm\n,京都\n55,Rom\n", encoding="utf-8")
    return tmp_path


def test_prints(files, capsys):
    assert (
        main(["export", "model.box", "--format", "sql", "--dialect", "postgres", "--key", "id", "--table", "people"])
        == 0
    )
    printed = capsys.readouterr().out
    assert printed.startswith("-- Decision tree (cart) for y: 3 nodes, 2 leaves")
    assert 't."id"' in printed
    assert 'FROM "people" t' in printed


def test_writes_and_verifies(files, capsys):
    assert main(["export", "model.box", "-o", "tree.py", "--verify", "rows.csv"]) == 0
    printed = capsys.readouterr().out
    assert "Wrote tree.py (" in printed
    assert "gives what predict gives in all of 3 rows and " in printed
    space = {}
    exec((files / "tree.py").read_text(encoding="utf-8"), space)
    assert space["predict"]({"age": 55, "town": None}) == "yes"


def test_json(files, capsys):
    assert (
        main(["export", "model.box", "--format", "sql", "--dialect", "sqlite", "--verify", "rows.csv", "--json"]) == 0
    )
    facts = json.loads(capsys.readouterr().out)
    assert facts["format"] == "sql"
    assert facts["verdict"]["rows"] == 3
    assert facts["verdict"]["mismatches"] == 0
    assert facts["content"].startswith("-- Decision tree")
    assert main(["export", "model.box", "-o", "tree.xlsx", "--cases", "2", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["bytes"] == (files / "tree.xlsx").stat().st_size


def test_a_format_of_bytes(files, capsys):
    onnx = pytest.importorskip("onnx", reason="onnx is not installed")
    assert main(["export", "model.box", "-o", "tree.onnx"]) == 0
    assert "Wrote tree.onnx (" in capsys.readouterr().out
    assert main(["export", "model.box", "--format", "onnx", "--json"]) == 0
    printed = base64.b64decode(json.loads(capsys.readouterr().out)["base64"])
    assert printed == (files / "tree.onnx").read_bytes()
    assert [value.name for value in onnx.load_from_string(printed).graph.input] == ["age"]
    pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
    assert main(["export", "model.box", "--format", "onnx", "-o", "again.onnx", "--verify", "rows.csv"]) == 0
    assert "gives what predict gives in all of 3 rows and " in capsys.readouterr().out


def test_pmml(files, capsys):
    assert main(["export", "model.box", "-o", "tree.pmml", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["format"] == "pmml"
    assert (files / "tree.pmml").read_text(encoding="utf-8").startswith('<?xml version="1.0" encoding="UTF-8"?>')


def test_a_tree_of_scikit_learn(files, capsys):
    (files / "whole.csv").write_text("age,town\n20,Ulm\n55,京都\n", encoding="utf-8")
    command = ["export", "model.box", "-o", "tree.pkl", "--missing", "never", "--levels", "indicators"]
    assert main([*command, "--verify", "whole.csv"]) == 0
    printed = capsys.readouterr().out
    assert "Wrote tree.pkl (" in printed
    assert "gives what predict gives in all of 2 rows" in printed
    native = pickle.loads((files / "tree.pkl").read_bytes())
    assert native.feature_names_in_.tolist() == ["age", "town"]
    assert main(["export", "model.box", "--format", "sql", "--levels", "codes"]) == 2
    assert "levels is not an option of the format 'sql'" in capsys.readouterr().err


def test_quiet(files, capsys):
    assert main(["export", "model.box", "-o", "tree.json", "--quiet"]) == 0
    assert capsys.readouterr().out == ""
    assert (files / "tree.json").exists()


def test_mismatches_end_with_1(files, capsys, monkeypatch):
    from boxwood.exports import python

    honest = python.write
    monkeypatch.setattr(python, "write", lambda plan, options: honest(plan, options).replace("<= 40.0", "<= 10.0"))
    assert main(["export", "model.box", "-o", "tree.py", "--verify", "rows.csv"]) == 1
    assert " of 3 rows and 16 rows made to test the edges:\n  row " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "code", "why"),
    [
        (["model.box"], 2, "format must be one of"),
        (["model.box", "--format", "cobol"], 2, "got 'cobol'"),
        (["model.box", "--format", "c", "--dialect", "sqlite"], 2, "dialect is not an option of the format 'c'"),
        (["model.box", "-o", "model.box", "--format", "json"], 2, "would overwrite"),
        (["model.box", "--format", "dot", "--verify", "rows.csv"], 2, "cannot be run"),
        (["sum.box", "--format", "python", "--dialect", "sqlite"], 2, "it has no options"),
        (
            ["sum.box", "--format", "onnx"],
            2,
            "a MARS model cannot be written in the format 'onnx'; --format must be one",
        ),
        (["sum.box"], 2, "format must be one of 'sql', 'python', 'c', 'js', 'r', 'json', 'formula'"),
    ],
)
def test_what_is_refused(files, capsys, words, code, why):
    MARSRegressor().fit({"x": [0.0, 1, 2, 3, 4, 5, 6, 7]}, [0, 1, 2, 3, 4, 5, 6, 7]).save("sum.box")
    assert main(["export", *words]) == code
    assert why in capsys.readouterr().err


def test_sums_of_terms(files, capsys):
    MARSRegressor().fit({"x": [0.0, 1, 2, 3, 4, 5, 6, 7]}, [0, 1, 2, 3, 4, 5, 6, 7]).save("sum.box")
    assert main(["export", "sum.box", "--format", "sql", "--table", "people"]) == 0
    assert 'FROM "people" t' in capsys.readouterr().out
    (files / "x.csv").write_text("x\n1.5\n\n100\n", encoding="utf-8")
    assert main(["export", "sum.box", "-o", "sum.py", "--verify", "x.csv"]) == 0
    assert "gives what predict gives in all of 2 rows and " in capsys.readouterr().out
