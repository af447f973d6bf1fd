"""The commands on a MARS model: their words are model and terms where others have tree and nodes."""

from __future__ import annotations

import json

import numpy as np
import pytest
from click.testing import CliRunner

from boxwood.cli.commands import boxwood
from boxwood.errors import ModelFileError


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Two tables: a numeric target, and classes; names and levels in Chinese."""
    rng = np.random.default_rng(0)
    path = tmp_path_factory.mktemp("mars")
    size, city = rng.uniform(-2, 2, 200), rng.integers(0, 3, 200)
    y = np.abs(size) * 3 + city
    noisy, names = y + rng.normal(size=200), ["北京", "上海", "Ulm"]
    lines = ["大小,城市,y,好"]
    for s, c, v in zip(size.tolist(), city.tolist(), noisy.tolist(), strict=True):
        lines.append(f"{s!r},{names[c]},{v!r},{'是' if v > 3 else '否'}")
    (path / "data.csv").write_text("\n".join(lines), encoding="utf-8")
    return path


def run(*words, code: int = 0) -> str:
    found = CliRunner().invoke(boxwood, [str(word) for word in words])
    assert found.exit_code == code, found.output
    return found.output


@pytest.fixture(scope="module", params=["target", "classes"])
def fitted(request, folder):
    """The words of the fit, and the model file."""
    model = folder / f"{request.param}.box"
    target, other = ("y", "好") if request.param == "target" else ("好", "y")
    words = run(
        "fit",
        folder / "data.csv",
        "--target",
        target,
        "--drop",
        other,
        "--algorithm",
        "mars",
        "--max-degree",
        2,
        "-o",
        model,
    )
    return words, model, request.param


def test_fit_speaks_of_a_model(fitted):
    words, _, kind = fitted
    assert "The model\n" in words
    assert "MARS for" in words
    assert "城市" in words
    assert "Importance of the features (subsets that hold it" in words
    assert " tree " not in words
    assert ("actual \\ predicted" in words) == (kind == "classes")


def test_show_prints_terms(fitted):
    _, model, kind = fitted
    assert ("log odds" in run("show", model)) == (kind == "classes")
    facts = json.loads(run("show", model, "--json"))
    assert facts["model"]["terms"][0]["term"] == "(constant)"
    assert facts["algorithm"]["algorithm"] == "mars"
    assert run("show", model, "--quiet") == ""


def test_predict_and_eval(fitted, folder):
    _, model, kind = fitted
    facts = json.loads(run("predict", model, folder / "data.csv", "--json"))
    assert facts["rows"] == 200
    words = run("evaluate", model, folder / "data.csv")
    assert ("actual \\ predicted" in words) == (kind == "classes")
    found = json.loads(run("evaluate", model, folder / "data.csv", "--json"))
    assert found["figures"]["accuracy" if kind == "classes" else "r2"]["value"] > 0.7
    assert run("evaluate", model, folder / "data.csv", "--quiet") == ""


@pytest.mark.parametrize("command", ["prune", "explain", "explain-split"])
def test_commands_about_trees_refuse_it(fitted, folder, command):
    _, model, _ = fitted
    more = {"prune": ["--n-leaves", 2, "-o", folder / "less.box"]}.get(command, [folder / "data.csv"])
    found = CliRunner().invoke(boxwood, [command, str(model), *map(str, more)])
    assert isinstance(found.exception, ModelFileError)
    assert "holds a MARS model, which has no nodes to explain or to prune" in str(found.exception)
