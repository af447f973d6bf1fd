"""The command report: reads a model file and writes the explorer page."""

import json
from pathlib import Path

import pytest

from boxwood.cli import main
from boxwood.data import datasets

TITANIC, NEW, COMPUTERS = (str(datasets.path(name)) for name in ("titanic", "titanic_new", "computer_hardware"))


@pytest.fixture
def run(capsys):
    def runner(*words):
        capsys.readouterr()
        code = main(["explore", *map(str, words)])
        out, err = capsys.readouterr()
        return code, out, err

    return runner


def document(page: str) -> dict:
    return json.loads(page.partition('id="document">')[2].partition("</script>")[0])


def test_a_model_becomes_a_page(run, model, tmp_path):
    file = tmp_path / "page.html"
    code, out, err = run(model, "-o", file)
    assert (code, err) == (0, "")
    assert out.startswith(f"Wrote {file} (")
    page = file.read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert document(page)["rows"] is None


def test_rows_add_counts_and_what_is_true(run, model, tmp_path):
    file = tmp_path / "page.html"
    code, out, err = run(model, NEW, "-o", file, "--json")
    assert (code, err) == (0, "")
    assert json.loads(out)["rows"] == 200
    found = document(file.read_text(encoding="utf-8"))
    assert found["rows"]["weight"][0] == 200
    assert sum(found["rows"]["moments"][:2]) == 200
    assert found["pruning"]["given"]["by"] == "given"


def test_rows_without_the_response_are_only_counted(run, model, tmp_path):
    table = tmp_path / "new.csv"
    lines = [line.rsplit(",", 1)[0] for line in Path(NEW).read_text(encoding="utf-8").splitlines()]
    assert "survived" not in lines[0]
    table.write_text("\n".join(lines), encoding="utf-8")
    code, _, err = run(model, table, "-o", tmp_path / "page.html")
    assert code == 0
    assert "has no column 'survived'" in err
    found = document((tmp_path / "page.html").read_text(encoding="utf-8"))
    assert "moments" not in found["rows"]


def test_weights_count(run, model, tmp_path):
    code, _, _ = run(model, NEW, "--sample-weight", "fare", "-o", tmp_path / "page.html", "--quiet")
    assert code == 0
    assert document((tmp_path / "page.html").read_text(encoding="utf-8"))["rows"]["weighted"] is True


def test_the_default_name_and_standard_output(run, model, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, out, _ = run(model)
    assert code == 0
    assert "Wrote titanic.html" in out
    assert (tmp_path / "titanic.html").exists()
    code, out, err = run(model, "-o", "-")
    assert (code, err) == (0, "")
    assert out == (tmp_path / "titanic.html").read_text(encoding="utf-8")


def test_open_shows_the_page(run, model, tmp_path, monkeypatch):
    import click

    opened = []
    monkeypatch.setattr(click, "launch", opened.append)
    assert run(model, "-o", tmp_path / "page.html", "--open", "--quiet") == (0, "", "")
    assert opened == [(tmp_path / "page.html").as_uri()]


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (("MODEL", NEW, "-o", "MODEL"), 2, "would overwrite"),
        (("MODEL", NEW, "-o", NEW), 2, "would overwrite"),
        (("MODEL", "-o", "-", "--open"), 2, "--open and -o - exclude each other"),
        (("MODEL", "--sample-weight", "fare"), 2, "--sample-weight goes with DATA"),
        (("MODEL", NEW, "--sample-weight", "far"), 1, "did you mean 'fare'?"),
        (("MODEL", COMPUTERS), 1, "computer_hardware.csv: "),
        (("-",), 2, "MODEL must be a model file"),
    ],
)
def test_what_cannot_be_done_is_refused(run, model, words, code, sentence):
    found, _, err = run(*(model if word == "MODEL" else word for word in words))
    assert found == code
    assert sentence in err
