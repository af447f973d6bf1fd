"""Programs that look up the exact class know those of ``boxwood.sklearn``, in whatever order they are imported."""

from __future__ import annotations

import importlib
import importlib.util
import subprocess
import sys
import zipfile
from functools import partial
from importlib.machinery import SourceFileLoader

import pytest

from boxwood.estimators.registering import _OnImport

CALLS = {
    "m2cgen": "m2cgen.export_to_python(model)",
    "skl2onnx": "skl2onnx.to_onnx(model, np.zeros((1, 1), dtype='float32'), options={'zipmap': False})",
}
FIT = "from boxwood.sklearn import DecisionTreeClassifier; model = DecisionTreeClassifier().fit([[0.0], [1.0]], [0, 1])"


@pytest.mark.parametrize("first", [True, False], ids=["before", "after"])
@pytest.mark.parametrize("program", CALLS)
def test_a_program_imported_before_or_after_the_fit(program, first):
    pytest.importorskip(program, reason=f"{program} is not installed")
    lines = [f"import numpy as np, {program}", FIT] if first else [FIT, f"import numpy as np, {program}"]
    subprocess.run([sys.executable, "-c", "\n".join([*lines, CALLS[program]])], check=True)


@pytest.fixture
def program(tmp_path, monkeypatch):
    """A program of the tests, on which classes wait."""
    (tmp_path / "waited_for.py").write_text("TABLE = {}\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr("sys.meta_path", list(sys.meta_path))
    monkeypatch.delitem(sys.modules, "waited_for", raising=False)
    return "waited_for"


def test_a_program_is_imported_as_before_and_then_learns_of_the_classes(program):
    learned = []
    sys.meta_path.insert(0, _OnImport(program, partial(learned.append, 1)))
    sys.meta_path.insert(0, _OnImport(program, partial(learned.append, 2)))
    assert importlib.util.find_spec(program) is not None
    assert not learned
    module = importlib.import_module(program)
    assert learned == [1, 2]
    assert isinstance(module.__loader__, SourceFileLoader)


def test_a_program_in_an_archive(tmp_path, monkeypatch):
    with zipfile.ZipFile(tmp_path / "programs.zip", "w") as archive:
        archive.writestr("waited_for.py", "")
        archive.writestr("another.py", "")
    monkeypatch.syspath_prepend(tmp_path / "programs.zip")
    learned = []
    monkeypatch.setattr("sys.meta_path", [_OnImport("waited_for", partial(learned.append, 1)), *sys.meta_path])
    for name in ("waited_for", "another"):
        monkeypatch.delitem(sys.modules, name, raising=False)
        importlib.import_module(name)
    assert learned == [1]


def test_a_program_whose_tables_are_elsewhere_can_be_imported(program):
    def add():
        from waited_for import ELSEWHERE  # noqa: F401

    sys.meta_path.insert(0, _OnImport(program, add))
    assert importlib.import_module(program).TABLE == {}


def test_a_program_that_is_not_installed(monkeypatch):
    monkeypatch.setattr("sys.meta_path", [_OnImport("nowhere", list), *sys.meta_path])
    with pytest.raises(ModuleNotFoundError, match="nowhere"):
        importlib.import_module("nowhere")
