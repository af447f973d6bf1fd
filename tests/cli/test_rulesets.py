"""Rules on the command line: fitted, shown, predicted with and evaluated; commands about nodes refuse them."""

import json

import pytest

from boxwood.algorithms import REGISTRY
from boxwood.data import datasets

LABOR, TITANIC = str(datasets.path("labor")), str(datasets.path("titanic"))


@pytest.fixture
def model(run, tmp_path):
    file = tmp_path / "rules.box"
    assert run("fit", LABOR, "--target", "class", "--algorithm", "c45-rules", "-o", file, "--quiet") == (0, "", "")
    return file


def test_fit_show_predict_eval(run, model, tmp_path):
    code, out, _ = run("fit", LABOR, "--target", "class", "--algorithm", "c45-rules", "-o", tmp_path / "m.box")
    assert code == 0
    assert "The rules\nrule 0: good (0.891 expected, 12 of 12 rows)" in out
    assert "Evaluation on the training set, 57 rows" in out
    assert run("show", model)[1].endswith("otherwise: good\n")
    code, out, _ = run("predict", model, LABOR, "--proba")
    assert out.splitlines()[:2] == ["class,probability_bad,probability_good", "good,0,1"]
    assert run("evaluate", model, LABOR)[1].startswith("Not evaluated (training accuracy 0.965).\n")
    assert run("show", model, "--quiet") == (0, "", "")


def test_json_holds_every_rule(run, model, tmp_path):
    for words in (
        ("show", model),
        ("fit", LABOR, "--target", "class", "--algorithm", "c45-rules", "-o", tmp_path / "m"),
    ):
        code, out, _ = run(*words, "--json")
        facts = json.loads(out)
        assert code == 0
        assert facts["rules"]["default"] == "good"
        first = facts["rules"]["rules"][0]
        assert (first["class"], first["weight"], first["class_weights"]) == ("good", 12.0, [0.0, 12.0])
        assert first["conditions"] == ["wage_increase_first_year > 3", "longterm_disability_assistance = yes"]


@pytest.mark.parametrize(
    "words", [("explain", LABOR), ("explain-split", LABOR), ("prune", "-o", "x.box", "--n-leaves", "2")]
)
def test_commands_about_nodes_explain_why_not(run, model, words):
    command, *more = words
    code, _, err = run(command, model, *more)
    assert code == 1
    assert "holds a set of rules, which has no nodes" in err


@pytest.mark.parametrize("algorithm", [name for name, found in REGISTRY.items() if "regression" not in found.tasks])
def test_a_numeric_target_is_refused_with_a_remedy_where_classes_are_needed(run, tmp_path, algorithm):
    file, chicks = tmp_path / "m.box", datasets.path("chickwts")
    code, _, err = run("fit", chicks, "--target", "weight", "--algorithm", algorithm, "-o", file)
    assert code == 2
    assert f"{algorithm} predicts classes only" in err
    assert "--task classification" in err
    assert not file.exists()


def test_compare_takes_what_is_no_tree(run):
    code, out, _ = run("compare", LABOR, "--target", "class", "--models", "c45,c45-rules", "--folds", "3", "--json")
    assert code == 0
    models = json.loads(out)["models"]
    assert models["error"] == [None, None]
    assert [leaves is None for leaves in models["leaves"]] == [False, True]
    # Sizes of one tree are whole numbers; the mean over folds is not.
    kinds = [type(models[name][0]) for name in ("leaves", "depth", "leaves_in_folds")]
    assert kinds == [int, int, float]
