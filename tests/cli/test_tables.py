"""Data files as people have them: codes for missing values, rows without a response, leading zeros, many classes."""

import json

import pytest


def row(i):
    y = "" if i == 3 else "yes" if i > 40 else "no"
    return f"{'?' if i % 9 == 0 else 20 + i},{-999 if i % 7 == 0 else i / 2},{i % 5:05},{y}\n"


CODED = "age,size,zip,y\n" + "".join(map(row, range(90)))


@pytest.fixture
def coded(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data.csv").write_text(CODED)
    return "data.csv"


FIT = ("fit", "data.csv", "--target", "y", "-o", "m.box")
CODES = ("--missing-values", "?,age=-1,size=-999,-998")


def test_codes_and_dropped_rows_are_counted_and_remembered(run, coded):
    assert run(*FIT)[0] == 1
    code, out, err = run(*FIT, *CODES, "--missing-target", "drop")
    assert (code, err) == (0, "")
    assert "89 rows, 3 features. 1 row without a response was left out." in out
    code, out, _ = run(*FIT, *CODES, "--missing-target", "drop", "--json")
    read = json.loads(out)["read"]
    assert read["rows_without_response"] == 1
    assert [(f["name"], f["kind"], f["missing"]) for f in read["features"][:2]] == [
        ("age", "numeric", 10), ("size", "numeric", 13),
    ]  # fmt: skip
    # what follows reads the same file by what the model remembers
    assert run("predict", "m.box", "data.csv", "-o", "p.csv")[0] == 0
    code, out, _ = run("eval", "m.box", "data.csv")
    assert code == 0
    assert "Note: 1 row without a response was left out." in out
    assert "Read data.csv: 89 rows." in out
    code, _, err = run("eval", "m.box", "data.csv", "--missing-target", "error")
    assert (code, "missing in 1 row, first in row 4" in err) == (1, True)


@pytest.mark.parametrize("command", ["explain-split", "report", "prune", "explain"])
def test_other_commands_read_the_file_in_the_same_way(run, coded, command):
    assert run(*FIT, *CODES, "--missing-target", "drop", "--quiet")[0] == 0
    words = {
        "explain-split": ["explain-split", "m.box", "data.csv", "--node", "0"],
        "report": ["report", "m.box", "data.csv", "-o", "r.html"],
        "prune": ["prune", "m.box", "-o", "q.box", "--pruner", "reduced_error", "--validation", "data.csv"],
        "explain": ["explain", "m.box", "data.csv", "--row", "1"],
    }[command]
    code, out, err = run(*words)
    left_out = "Note: 1 row without a response was left out." in out + err
    assert (code, left_out) == (0, command != "explain")


def test_parts_give_the_same_tree_and_count_the_same_rows(run, coded):
    run(*FIT, *CODES, "--missing-target", "drop")
    whole = run("show", "m.box")[1]
    code, out, _ = run(*FIT, *CODES, "--missing-target", "drop", "--memory", "64MB")
    assert (code, run("show", "m.box")[1]) == (0, whole)
    assert "89 rows. 1 row without a response was left out." in out


def test_compare_takes_the_same_options(run, coded):
    code, out, _ = run(
        "compare", "data.csv", "--target", "y", *CODES, "--missing-target", "drop", "--algorithms", "cart"
    )
    assert (code, "89 rows" in out) == (0, True)


def test_predict_takes_more_codes_than_the_model_remembers(run, coded, tmp_path):
    run(*FIT, *CODES, "--missing-target", "drop", "--quiet")
    (tmp_path / "new.csv").write_text("age,size,zip\n#N/A,1,00001\n?,1,00001\n")
    assert run("predict", "m.box", "new.csv")[0] == 1
    code, out, _ = run("predict", "m.box", "new.csv", "--missing-values", "#N/A")
    lines = out.splitlines()
    assert (code, len(set(lines[1:]))) == (0, 1)


def test_a_note_gives_the_exact_option(run, coded):
    out = run("fit", "data.csv", "--target", "zip", "-o", "m.box", "--drop", "y")[1]
    assert "Note: Column 'age' is taken as nominal because of '?' in 10 rows" in out
    assert "--missing-values '?' reads these as missing and the column as numeric." in out
