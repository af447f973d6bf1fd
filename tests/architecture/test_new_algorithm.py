"""An algorithm of one page and one line in the registry has an estimator, a public name, a place in help and files."""

import inspect
import sys
import types
from dataclasses import replace

import pytest

import boxwood
from boxwood.algorithms import REGISTRY
from boxwood.algorithms.id3 import ID3
from boxwood.cli import main
from boxwood.estimators.declared import declared
from boxwood.estimators.tasks import ClassEstimator

ID3_DEPTH = next(p for p in ID3.parameters["classification"] if p.name == "max_depth")
X, Y = {"town": ["Ulm", "Bonn", "Ulm", "Bonn"]}, ["a", "b", "a", "b"]


@pytest.fixture
def toy(monkeypatch):
    """ID3 under another name, with a parameter of its own."""
    own = (*ID3.parameters["classification"], replace(ID3_DEPTH, name="patience", doc="Levels to wait for."))
    examples = ("--target survived --algorithm toy -o toy.box",)
    page = replace(
        ID3, name="toy", title="a toy", parameters={"classification": own},
        estimators={"classification": "toy.ToyClassifier"}, examples=examples,
    )  # fmt: skip
    monkeypatch.setitem(REGISTRY, "toy", page)
    module = types.ModuleType("boxwood.estimators.toy")
    text = """A toy.\n\n    Attributes\n    ----------\n    tree_ : Tree"""
    members = {"_algorithm": "toy", "__doc__": text, "__module__": module.__name__}
    module.ToyClassifier = declared(type("ToyClassifier", (ClassEstimator,), members))
    monkeypatch.setitem(sys.modules, module.__name__, module)
    yield module.ToyClassifier
    vars(boxwood).pop("ToyClassifier", None)


def test_it_is_public(toy):
    assert boxwood.ToyClassifier is toy
    assert {"ToyClassifier"} <= set(boxwood.__all__) & set(dir(boxwood))
    assert "patience" in inspect.signature(toy).parameters
    assert "patience : int or None" in inspect.getdoc(toy)


def test_it_is_fitted_saved_and_loaded(toy, tmp_path):
    model = toy(patience=3).fit(X, Y)
    model.save(tmp_path / "toy.box")
    again = boxwood.load(tmp_path / "toy.box")
    assert type(again) is toy
    assert again.predict(X).tolist() == Y
    assert again.patience == 3


def test_the_command_line_lists_it(toy, capsys):
    assert main(["fit", "--algorithm", "toy", "--help"]) == 0
    text = capsys.readouterr().out
    assert "--patience" in text
    assert text.endswith("  boxwood fit titanic.csv --target survived --algorithm toy -o toy.box\n")
