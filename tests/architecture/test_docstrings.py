"""The API reference is complete: docstrings document every parameter and every result of the public functions."""

from __future__ import annotations

import inspect
import re

import pytest

import boxwood
from architecture.docstrings import documented, parameters, public_functions, public_things, sections
from tools.docs_site import reference

FUNCTIONS = public_functions()
CLASSES = {
    name: thing for name, thing in public_things() if inspect.isclass(thing) and not issubclass(thing, Exception)
}
#: A first sentence that gives type or shape of the result, such as "..., float64, shape (n,)".
TYPED = re.compile(r"shape \(|\b(?:u?int|float)(?:32|64)\b")


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_parameter_is_documented_and_no_other(name):
    found = documented(sections(inspect.getdoc(FUNCTIONS[name]) or "").get("Parameters", ""))
    assert found - {""} == parameters(FUNCTIONS[name])


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_result_is_documented(name):
    doc = inspect.getdoc(FUNCTIONS[name]) or ""
    returned = inspect.signature(FUNCTIONS[name]).return_annotation
    if returned not in (None, "None", "Iterator[None]"):  # the last one: a context manager
        assert {"Returns", "Yields"} & set(sections(doc)) or TYPED.search(doc.split("\n\n")[0])


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_function_has_an_example(name):
    """Of its own, or in its class."""
    owner = CLASSES.get(name.rpartition(".")[0])
    docs = [inspect.getdoc(thing) or "" for thing in (FUNCTIONS[name], owner) if thing is not None]
    assert any(">>> " in sections(doc).get("Examples", "") for doc in docs)


@pytest.mark.parametrize("name", CLASSES)
def test_every_argument_of_a_class_is_documented(name):
    found = sections(inspect.getdoc(CLASSES[name]) or "")
    assert parameters(CLASSES[name]) <= documented(found.get("Parameters", "")) | documented(
        found.get("Attributes", "")
    )


def test_the_check_finds_what_is_missing():
    doc = "Sum.\n\nParameters\n----------\na, b : int\n    Summands.\n*rest : int\n\nReturns\n-------\nint"
    found = sections(doc)
    assert documented(found["Parameters"]) - {""} == {"a", "b", "rest"}
    assert found["Returns"] == "int"
    assert "Examples" not in found


def test_every_public_name_is_in_one_group_of_the_reference(monkeypatch):
    reference.check_complete()
    monkeypatch.setattr(boxwood, "__all__", [*boxwood.__all__, "something_new"])
    with pytest.raises(SystemExit, match="something_new"):
        reference.check_complete()
