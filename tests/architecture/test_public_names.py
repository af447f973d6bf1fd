"""Every public name is documented, and every example in a docstring runs and prints what is shown."""

import doctest
import importlib
import inspect

import pytest

import boxwood
from tools.imports import modules


@pytest.mark.parametrize("name", boxwood.__all__)
def test_public_name_is_documented(name):
    thing = getattr(boxwood, name)
    if inspect.ismodule(thing) or inspect.isclass(thing) or callable(thing):
        doc = inspect.getdoc(thing)
        assert doc, f"boxwood.{name} has no docstring"
        assert doc.split("\n\n")[0].rstrip().endswith("."), (
            f"boxwood.{name}: the docstring opens with no whole sentence"
        )


@pytest.mark.parametrize(
    "name", [name for name in boxwood.__all__ if name.endswith(("Classifier", "Regressor")) or name.islower()]
)
def test_public_name_has_an_example(name):
    thing = getattr(boxwood, name)
    if inspect.isclass(thing) or inspect.isfunction(thing):
        assert ">>>" in (inspect.getdoc(thing) or ""), f"boxwood.{name} has no example"


PUBLIC_CLASSES = [name for name in boxwood.__all__ if inspect.isclass(getattr(boxwood, name))]
SIGNS = [name for name in PUBLIC_CLASSES if name.endswith(("Error", "Warning"))]


def _members_to_show(cls):
    """Our own public methods of a class, and what a fit leaves behind (properties that end with "_")."""
    for name, member in inspect.getmembers(cls):
        if inspect.isfunction(member):
            ours = member.__module__.startswith("boxwood.")
        else:
            ours = isinstance(member, property) and name.endswith("_")
        if ours and not name.startswith("_"):
            yield name, member


@pytest.mark.parametrize("name", sorted(set(PUBLIC_CLASSES) - set(SIGNS)))
def test_public_classes_and_their_methods_have_examples(name):
    cls = getattr(boxwood, name)
    for member, thing in [("", cls), *_members_to_show(cls)]:
        doc = inspect.getdoc(thing) or ""
        assert "Examples\n--------\n" in doc, f"boxwood.{name} {member} has no Examples section"
        assert ">>> " in doc.partition("Examples\n--------\n")[2], f"boxwood.{name} {member}: its example shows no code"


@pytest.mark.parametrize("name", SIGNS)
def test_errors_and_warnings_document_when_they_come(name):
    doc = inspect.getdoc(getattr(boxwood, name))
    assert doc.startswith(("Raised when ", "Issued when ", "Base class of all "))
    assert "Examples\n--------\n" in doc or "See Also\n--------\n" in doc


def test_all_is_sorted_and_complete():
    assert len(set(boxwood.__all__)) == len(boxwood.__all__)
    assert set(boxwood.__all__) <= set(dir(boxwood))


@pytest.mark.parametrize("module", [m for m, file in modules().items() if ">>>" in file.read_text(encoding="utf-8")])
def test_examples_run(module):
    found = doctest.testmod(
        importlib.import_module(module), optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    )
    assert found.attempted > 0
    assert found.failed == 0
