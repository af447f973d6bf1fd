"""boxwood letter: one row and all, files in parts, JSON, other languages."""

from __future__ import annotations

import json

import pytest

from boxwood.data import datasets

NEW = str(datasets.path("titanic_new"))


def test_one_row_is_the_same_as_in_all(run, model, tmp_path):
    code, one, err = run("letter", model, NEW, "--row", 3, "--can-change", "class,fare")
    assert code == 0, err
    file = tmp_path / "letters.txt"
    code, out, err = run("letter", model, NEW, "--can-change", "class,fare", "-o", file)
    assert (code, out) == (0, f"Wrote {file} (200 letters).\n"), err
    letters = file.read_text(encoding="utf-8").split("\n" + "=" * 60 + "\n")
    assert len(letters) == 200
    assert letters[2] == one
    parts = run("letter", model, NEW, "--can-change", "class,fare", "--memory", "100MB")[1]
    assert parts == file.read_text(encoding="utf-8")


def test_json_and_languages(run, model):
    code, out, err = run("letter", model, NEW, "--row", 2, "--json", "--language", "de")
    assert code == 0, err
    (letter,) = json.loads(out)["letters"]
    assert letter["row"] == 2
    assert letter["letter"].startswith("Entscheidung über survived: ")
    assert letter["change"] is None


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--row", 2000), "--row 2000: "),
        (("--can-change", "xx"), "--can-change names 'xx', which is not a feature"),
        (("--allowed", "class=1st"), "--allowed goes with --can-change"),
        (("--sentences", NEW), "cannot read the sentences in "),
        (("-o", NEW), "would overwrite"),
    ],
)
def test_wrong_options(run, model, words, message):
    code, _, err = run("letter", model, NEW, *words)
    assert code in (1, 2)
    assert message in err


def test_sentences_of_a_file(run, model, tmp_path):
    file = tmp_path / "own.json"
    file.write_text('{"title": "{response} = {answer}!", "names": {"sex": "性別"}}', encoding="utf-8")
    code, out, err = run("letter", model, NEW, "--row", 1, "--sentences", file)
    assert code == 0, err
    assert out.startswith("survived = ")
    assert "- 性別: " in out
