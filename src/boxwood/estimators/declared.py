"""The algorithm of an estimator; signature and documentation of its parameters are made from their declarations."""

from __future__ import annotations

import inspect
import textwrap
from typing import Any, ClassVar, TypeVar

from ..algorithms import REGISTRY
from ..learning.parameters import Parameter, checked
from .response import as_salt

_WIDTH = 120
_TYPES = {"integer": "int", "real": "float", "count": "int or float", "flag": "bool"}
#: The section of a docstring before which that of the parameters is inserted.
_NEXT = "    Attributes\n    ----------\n"
_Class = TypeVar("_Class", bound=type)


class Declared:
    """An estimator of an algorithm of the registry."""

    _algorithm: ClassVar[str]
    _task: ClassVar[str]

    @property
    def _declared(self) -> Any:
        """The algorithm."""
        return REGISTRY[self._algorithm]

    def _settings(self, algorithm: Any) -> dict[str, Any]:
        """The parameters, checked; a generator of random numbers is replaced by a number drawn from it."""
        given = getattr(self, "random_state", None)
        salt = None if given is None else as_salt(given)
        if salt is given:
            return algorithm.checkers[self._task].of(self)
        parameters = algorithm.parameters[self._task]
        return checked(parameters, {p.name: getattr(self, p.name) for p in parameters} | {"random_state": salt})


def declared(estimator: _Class) -> _Class:
    """Give an estimator class ``__init__``, and its docstring the section "Parameters".

    scikit-learn reads the parameters from the signature, so it is one of a function that was written out.
    """
    parameters = parameters_of(estimator)
    made: dict[str, Any] = {}
    exec(constructor(parameters), {"Any": Any}, made)
    init = made["__init__"]
    init.__qualname__, init.__module__ = f"{estimator.__qualname__}.__init__", estimator.__module__
    estimator.__init__ = init  # type: ignore[misc]
    before, head, rest = (estimator.__doc__ or "").partition(_NEXT)
    estimator.__doc__ = f"{before}    Parameters\n    ----------\n{section(parameters)}\n\n{head}{rest}"
    return estimator


def parameters_of(estimator: Any) -> tuple[Parameter, ...]:
    """The declarations of an estimator's parameters."""
    found: tuple[Parameter, ...] = REGISTRY[estimator._algorithm].parameters[estimator._task]
    return found


def constructor(parameters: tuple[Parameter, ...]) -> str:
    """The source text of ``__init__``."""
    arguments = "".join(f"    {p.name}: {_annotation(p)} = {p.default!r},\n" for p in parameters)
    stored = "".join(f"    self.{p.name} = {p.name}\n" for p in parameters)
    return f"def __init__(\n    self,\n    *,\n{arguments}) -> None:\n{stored}"


def section(parameters: tuple[Parameter, ...]) -> str:
    """The section "Parameters" without its heading."""
    return "\n".join(map(_documentation, parameters)).rstrip("\n")


def _literal(value: Any) -> str:
    """A default as source text."""
    return f'"{value}"' if isinstance(value, str) else repr(value)


def _type_of(parameter: Parameter) -> str:
    """The type as the docstring shows it."""
    if parameter.type:
        return parameter.type
    words = "{" + ", ".join(map(_literal, parameter.choices)) + "}" if parameter.choices else ""
    if parameter.kind in _TYPES:
        words = " or ".join(filter(None, (_TYPES[parameter.kind], *map(_literal, parameter.choices))))
    return words + (" or None" if parameter.optional else "")


def _annotation(parameter: Parameter) -> str:
    """The type for editors and type checkers; Any where values have no common type, which ``_type_of`` then shows."""
    if parameter.type or parameter.reads or parameter.kind in ("free", "part"):
        return "Any"
    words = _TYPES.get(parameter.kind, "str").replace(" or ", " | ")
    words += " | str" if parameter.kind in _TYPES and parameter.choices else ""
    return words + (" | None" if parameter.optional else "")


def _documentation(parameter: Parameter) -> str:
    """One entry of the section."""
    blocks: list[str] = []
    for line in inspect.cleandoc(parameter.doc).splitlines():
        if line.startswith("- ") or not blocks:
            blocks.append(line)
        else:
            blocks[-1] += " " + line.strip()
    head = f"    {parameter.name} : {_type_of(parameter)}"
    default = f", default={_literal(parameter.default)}"
    head += default if len(head + default) <= _WIDTH else ""
    lines = []
    for number, block in enumerate(blocks):
        item = block.startswith("- ")
        lines += [""] if number == 1 else []
        lines += textwrap.wrap(
            block, _WIDTH, initial_indent=" " * 8, subsequent_indent=" " * (10 if item else 8), break_long_words=False,
            break_on_hyphens=False,
        )  # fmt: skip
        lines += [""] if item and number == len(blocks) - 1 else []
    return "\n".join([head, *lines])
