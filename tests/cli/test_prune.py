"""The command prune: from one model file to another, by weakest links or any pruner."""

import json

import pytest

import boxwood
from boxwood.cli import main
from boxwood.data import datasets

TITANIC, NEW = str(datasets.path("titanic")), str(datasets.path("titanic_new"))


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    file = str(tmp_path_factory.mktemp("model") / "titanic.box")
    assert main(["fit", TITANIC, "--target", "survived", "--missing", "majority", "-o", file, "--quiet"]) == 0
    return file


@pytest.fixture
def run(capsys, model, tmp_path):
    def runner(*words):
        capsys.readouterr()
        code = main(["prune", model, "-o", str(tmp_path / "new.box"), *map(str, words)])
        out, err = capsys.readouterr()
        return code, out, err

    return runner


@pytest.mark.parametrize(("words", "leaves"), [(("--n-leaves", 3), 3), (("--alpha", 1.0), 1), (("--cp", 0.9), 1)])
def test_weakest_links(run, tmp_path, words, leaves):
    code, out, err = run(*words)
    assert (code, err) == (0, "")
    assert f"Pruned by cost_complexity: {leaves} leaves" in out
    assert boxwood.load(tmp_path / "new.box").get_n_leaves() == leaves


@pytest.mark.parametrize(
    ("words", "name"),
    [
        (("--pruner", "one_leaf:n_leaves=5"), "one_leaf"),
        (("--pruner", "mdl"), "mdl"),
        (("--pruner", "reduced-error:ties=keep", "--validation", NEW), "reduced_error"),
        (("--pruner", "error_based:confidence=0.1", "--learning", TITANIC), "error_based"),
        (("--pruner", "error_based:confidence=[0.01,0.4],raising=false", "--validation", NEW), "error_based"),
        (("--pruner", "pre_pruning", "--validation", NEW, "--sample-weight", "fare"), "pre_pruning"),
    ],
)
def test_any_pruner(run, tmp_path, words, name):
    code, out, err = run(*words, "--json")
    assert (code, err) == (0, "")
    facts = json.loads(out)
    assert facts["pruner"] == name
    assert facts["after"]["leaves"] < facts["full_tree"]["leaves"]
    assert (facts["held_out"] is None) == ("--validation" not in words)
    assert boxwood.load(tmp_path / "new.box").pruning_path_.pruner == name


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        ((), 2, "give exactly one of --alpha, --cp, --n-leaves and --pruner"),
        (("--alpha", 1, "--n-leaves", 2), 2, "give exactly one of"),
        (("--n-leaves", 2, "--validation", NEW), 2, "--validation goes with --pruner"),
        (("--pruner", "optimal"), 2, "--pruner must be mdl or same_decision, or one of those"),
        (("--pruner", "reduced_eror"), 2, "got 'reduced_eror'; did you mean 'reduced_error'?"),
        (("--pruner", "one_leaf:size=3"), 2, "has no setting 'size'; its settings are n_leaves"),
        (("--pruner", "same_decision:x=3"), 2, "has no setting 'x'; it has none"),
        (
            ("--pruner", "reduced_error"),
            2,
            "--pruner reduced_error needs rows that the tree was not grown from: --validation FILE.",
        ),
        (
            ("--pruner", "error_based"),
            2,
            "--pruner error_based needs the rows that the tree was grown from: --learning FILE.",
        ),
        (("--pruner", "mdl", "--learning", TITANIC), 2, "mdl needs --validation"),
        (("--pruner", "reduced_error", "--validation", NEW, "--sample-weight", "fair"), 1, "did you mean 'fare'"),
        (("--alpha", -1), 2, "alpha must be a number from 0"),
    ],
)
def test_what_cannot_be_is_one_sentence(run, tmp_path, words, code, sentence):
    found, out, err = run(*words)
    assert (found, out) == (code, "")
    assert sentence in err
    assert not (tmp_path / "new.box").exists()


def test_nothing_read_is_overwritten(model, capsys):
    assert main(["prune", model, "--n-leaves", "2", "-o", model]) == 2
    assert "would overwrite" in capsys.readouterr().err
    assert main(["prune", model, "--n-leaves", "2", "-o", "-"]) == 2


def test_fit_takes_the_name_of_a_pruner(tmp_path, capsys):
    file = tmp_path / "m.box"
    words = ["fit", TITANIC, "--target", "survived", "--pruning", "reduced_error:holdout=0.25", "-o", str(file)]
    assert main(words) == 0
    assert "Held-out error: 0." in capsys.readouterr().out
    assert boxwood.load(file).pruning_path_.pruner == "reduced_error"


def test_long_sequences_are_shown_around_the_tree_in_force(run):
    code, out, _ = run("--pruner", "one_leaf:n_leaves=20")
    assert code == 0
    assert "Trees to choose from (15 of " in out
    assert sum(line.rstrip().endswith("<") for line in out.splitlines()) == 1
