"""The public functions and methods of boxwood, and what their docstrings (numpydoc) document."""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Callable, Iterator

import boxwood

_SECTION = re.compile(r"^(?P<name>[A-Z][A-Za-z ]+)\n-{3,}\n", re.MULTILINE)


def sections(doc: str) -> dict[str, str]:
    """The sections of a docstring by name; the text before the first one is called ""."""
    found, name, start = {}, "", 0
    for head in _SECTION.finditer(doc):
        found[name] = doc[start : head.start()]
        name, start = head["name"], head.end()
    return {**found, name: doc[start:]}


def documented(section: str) -> set[str]:
    """The names that a "Parameters" section documents; an entry may share several: ``a, b : int``."""
    heads = [line for line in section.splitlines() if line and not line[0].isspace()]
    return {name.strip().lstrip("*") for head in heads for name in head.partition(" : ")[0].split(",")}


def public_things() -> Iterator[tuple[str, object]]:
    """Everything in ``boxwood.__all__`` and the public modules, by its name."""
    for name in boxwood.__all__:
        thing = getattr(boxwood, name)
        if inspect.ismodule(thing):
            for inner in getattr(thing, "__all__", ()):
                yield f"{name}.{inner}", getattr(importlib.import_module(f"boxwood.{name}"), inner)
        elif callable(thing):
            yield name, thing


def public_functions() -> dict[str, Callable]:
    """Public functions, and boxwood's own public methods of public classes, by their names."""
    found = {}
    for name, thing in public_things():
        if not inspect.isclass(thing):
            found[name] = thing
        elif not issubclass(thing, Exception):
            for method, function in inspect.getmembers(thing, inspect.isroutine):
                if not method.startswith("_") and function.__module__.startswith("boxwood"):
                    found[f"{name}.{method}"] = function
    return found


def parameters(function: Callable) -> set[str]:
    """The names of a function's parameters, without ``self``."""
    return set(inspect.signature(function).parameters) - {"self", "cls"}
