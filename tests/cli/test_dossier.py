"""boxwood dossier and verify: files, their bytes, and what is printed."""

from __future__ import annotations

import json
import shutil

import pytest

from boxwood import load
from boxwood.data import datasets

TITANIC, NEW = (str(datasets.path(name)) for name in ("titanic", "titanic_new"))


@pytest.fixture
def file(run, model, tmp_path):
    """A dossier with a page."""
    path = tmp_path / "dossier.json"
    words = ["--holdout", NEW, "--by", "class", "-o", path, "--page", tmp_path / "page.html"]
    code, out, err = run("dossier", model, TITANIC, *words)
    assert code == 0, err
    assert out.splitlines()[0] == f"Fingerprint {json.loads(path.read_text(encoding='utf-8'))['fingerprint']}"
    assert out.splitlines()[1].endswith("34 items of TRIPOD+AI are left to be filled in.")
    return path


def test_a_dossier_is_verified(run, model, file, tmp_path):
    words = (file, model, TITANIC, "--holdout", NEW)
    assert run("verify", *words)[:2] == (0, "Verified: every number is as stated.\n")
    assert json.loads(run("verify", *words, "--json")[1])["verified"]
    assert "SHA-256" in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_a_changed_byte_of_each_file_is_found(run, model, file, tmp_path):
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace('"rows": 1109', '"rows": 1108', 1), encoding="utf-8")
    code, out, _ = run("verify", file, model, TITANIC, "--holdout", NEW)
    assert code == 1
    assert "model.rows: stated 1108, found 1109" in out
    file.write_text(text, encoding="utf-8")
    data = tmp_path / "data.csv"
    shutil.copy(TITANIC, data)
    data.write_bytes(data.read_bytes() + b"\n")
    code, out, _ = run("verify", file, model, data, "--holdout", NEW)
    assert code == 1
    assert out.startswith("files.data: ")
    other = tmp_path / "other.box"
    load(model).prune(n_leaves=2).save(other)
    code, out, _ = run("verify", file, other, TITANIC, "--holdout", NEW)
    assert code == 1
    assert "model.sha256: " in out


def test_weights_and_exposures_of_files(run, tmp_path):
    rows = [f"{i % 9},{i % 4},{1 + i % 3},{0.5 + i % 2}" for i in range(60)]
    data, model, path = tmp_path / "数据.csv", tmp_path / "m.box", tmp_path / "dossier.json"
    data.write_text("\n".join(["x,events,重,years", *rows]) + "\n", encoding="utf-8")
    columns = ("--sample-weight", "重", "--exposure", "years")
    words = ("--target", "events", "--task", "regression", "--criterion", "poisson", *columns, "-o", model)
    assert run("fit", data, *words)[0] == 0
    code, _, err = run("dossier", model, data, *columns, "-o", path, "--page", tmp_path / "page.html")
    assert code == 0, err
    facts = json.loads(path.read_text(encoding="utf-8"))
    assert (facts["rows"]["data"]["sample_weight"], facts["rows"]["data"]["exposure"]) == (120.0, 60.0)
    assert facts["options"]["exposure"] == "years"
    assert run("verify", path, model, data)[:2] == (0, "Verified: every number is as stated.\n")
    path.write_text(path.read_text(encoding="utf-8").replace('"sample_weight": "重"', '"sample_weight": "x"'), "utf-8")
    code, out, _ = run("verify", path, model, data)
    assert code == 1
    assert "rows.data.sha256" in out
    assert "evaluation.data" in out
    path.write_text(path.read_text(encoding="utf-8").replace('"sample_weight": "x"', '"sample_weight": [1]'), "utf-8")
    assert "must be a JSON object" in run("verify", path, model, data)[2]


def test_python_verifies_a_dossier_of_the_command_line(run, model, file):
    X, new = datasets.load("titanic"), datasets.load("titanic_new")
    y = X.pop("survived")
    holdout = new, new.pop("survived")
    found = load(model).verify_dossier(X, y, file.read_text(encoding="utf-8"), holdout=holdout)
    assert {one.place.split(".")[0] for one in found} <= {"rows", "exports", "fingerprint"}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("dossier", "MODEL", TITANIC, "-o", TITANIC), "would overwrite"),
        (("dossier", "MODEL", "-", "-o", "x.json"), "standard input"),
        (("dossier", "MODEL", TITANIC, "-o", "x.json", "--formats", "xyz"), "xyz"),
        (("dossier", "MODEL", TITANIC, "-o", "x.json", "--page", "x.txt"), ".html"),
        (("verify", TITANIC, "MODEL", TITANIC), "this is no dossier"),
        (("verify", "none.json", "MODEL", TITANIC), "cannot read the dossier 'none.json'"),
    ],
)
def test_usage(run, model, words, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, _, err = run(*[model if word == "MODEL" else word for word in words])
    assert code in (1, 2)
    assert message in err
