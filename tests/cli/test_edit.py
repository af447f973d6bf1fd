"""The command edit: one verb at a time, logs, undo, prices, and what it refuses."""

from __future__ import annotations

import json

import pytest

from boxwood.data import datasets

TITANIC = str(datasets.path("titanic"))


@pytest.fixture
def edited(run, model, tmp_path):
    """A model whose node 2 was split, and its log."""
    box, log = tmp_path / "edited.box", tmp_path / "log.json"
    words = ["--split", 2, "age <= 14", "--who", "王伟", "--why", "children first", "-o", box, "--write-log", log]
    assert run("edit", model, TITANIC, *words)[0] == 0
    return box, log


def test_the_price_is_printed_and_nothing_written(run, model, tmp_path):
    code, out, _ = run("edit", model, TITANIC, "--prune", 1, "--dry-run", "--holdout", datasets.path("titanic_new"))
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()[1:]] == ["leaves", "depth"] + 2 * ["training"] + 2 * [
        "holdout"
    ]
    code, out, _ = run("edit", model, TITANIC, "--prune", 1, "--dry-run", "--json")
    assert set(json.loads(out)["price"]) == {"before", "after"}


def test_a_log_replays_to_the_same_file_and_undo_leads_back(run, model, edited, tmp_path):
    box, log = edited
    code, out, _ = run("edit", model, TITANIC, "--log", log, "-o", tmp_path / "again.box")
    assert code == 0
    assert "1 edit taken; all fit." in out
    assert (tmp_path / "again.box").read_bytes() == box.read_bytes()
    assert run("edit", box, TITANIC, "--undo", 1, "-o", tmp_path / "undone.box", "--quiet")[:2] == (0, "")
    with open(model, "rb") as file:
        assert (tmp_path / "undone.box").read_bytes() == file.read()


def test_a_log_of_which_no_edit_fits_writes_nothing(run, model, edited, tmp_path):
    log = json.loads(edited[1].read_text(encoding="utf-8"))
    log["edits"][0]["condition"] = "头 <= 14"
    other, out = tmp_path / "other.json", tmp_path / "out.box"
    other.write_text(json.dumps(log), encoding="utf-8")
    code, _, err = run("edit", model, TITANIC, "--log", other, "-o", out)
    assert code == 2
    assert "no edit of" in err
    assert "头" in err
    assert not out.exists()


def test_the_edits_of_a_model_are_listed(run, model, edited):
    code, out, _ = run("edit", edited[0])
    assert code == 0
    assert out.splitlines()[-1].split()[:7] == ["1", "2", "split", "by", "'age", "<=", "14'"]
    assert "王伟" in out
    assert json.loads(run("edit", edited[0], "--json")[1])["edits"][0]["who"] == "王伟"
    assert run("edit", model)[1] == "This model has no edits.\n"


@pytest.mark.parametrize(
    "words",
    [
        ("--competitor", 2, 1), ("--grow", 1, "--recipe", '{"algorithm": "chaid"}'), ("--missing", 2, "own"),
        ("--rename", 2, "Frauen 女"), ("--sign", 2, "--who", "x"), ("--prune", 2),
        ("--overrule", 5, "no", "--why", "x"),
    ],
    ids=lambda words: words[0],
)  # fmt: skip
def test_every_verb(run, edited, tmp_path, words):
    code, out, err = run("edit", edited[0], TITANIC, *words, "-o", tmp_path / "new.box")
    assert (code, err) == (0, "")
    assert "after" in out
    assert "†" in run("show", tmp_path / "new.box")[1]


def test_siblings_are_merged_and_the_tree_is_pruned_with_force(run, edited, tmp_path):
    box, new, signed = edited[0], tmp_path / "three.box", tmp_path / "signed.box"
    assert run("edit", box, TITANIC, "--missing", 2, "own", "-o", new)[0] == 0
    assert run("edit", new, TITANIC, "--merge", "5,7", "-o", signed)[0] == 0
    assert run("edit", signed, TITANIC, "--sign", 5, "--who", "x", "-o", new)[0] == 0
    code, _, err = run("prune", new, "--n-leaves", 1, "-o", signed)
    assert (code, "--n-leaves must be at least" in err) == (2, True)
    assert run("prune", new, "--n-leaves", 1, "--force", "-o", signed)[0] == 0


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("--split", 2, "evil <= 3", "-o", "x.box"), "'evil' is not a feature"),
        (("--split", 2, "age <= 3"), "-o is missing"),
        (("--split", 2, "age <= 3", "--prune", 1, "-o", "x.box"), "give one verb, --log or --undo"),
        (("--overrule", 3, "maybe", "--why", "x", "-o", "x.box"), "--overrule must be one of 'no', 'yes'; got 'maybe'"),
        (("--overrule", 3, "no", "-o", "x.box"), "the verb overrule needs --why"),
        (("--sign", 3, "-o", "x.box"), "the verb sign needs --who"),
        (("--merge", "3;4", "-o", "x.box"), "--merge must be numbers of nodes"),
        (("--grow", 3, "--recipe", "x", "-o", "x.box"), "--recipe must be a JSON object"),
        (("--prune", 3, "--recipe", "{}", "-o", "x.box"), "--recipe is for --grow"),
        (("--prune", 1, "--folds", 3, "-o", "x.box"), "--folds is for --dry-run"),
        (("--prune", 1, "-o", "-"), "must be files"),
        (("--undo", 1, "-o", "x.box"), "there is no edit to undo"),
        (("--log", "no.json", "-o", "x.box"), "no.json cannot be read as a log"),
    ],
    ids=lambda words: str(words)[:40],
)
def test_what_does_not_go_is_refused_in_a_sentence(run, model, tmp_path, monkeypatch, words, expected):
    monkeypatch.chdir(tmp_path)
    code, out, err = run("edit", model, TITANIC, *words)
    assert code in (1, 2)
    assert out == ""
    assert expected in " ".join(err.split())
    assert not (tmp_path / "x.box").exists()


def test_a_forged_log_is_refused(run, model, tmp_path):
    log = tmp_path / "log.json"
    for text in ("{", '[{"verb": "x"}]', "\xff"):
        log.write_bytes(text.encode("latin-1"))
        code, _, err = run("edit", model, TITANIC, "--log", log, "-o", tmp_path / "x.box")
        assert code in (1, 2)
        assert err.startswith("Error: ")
        assert err.count("\n") == 1


def test_the_data_must_be_those_of_the_fit(run, model, tmp_path):
    new = datasets.path("titanic_new")
    code, _, err = run("edit", model, new, "--split", 0, "age <= 14", "-o", tmp_path / "x.box")
    assert code == 1
    assert "not the ones that the model was fitted to" in err
