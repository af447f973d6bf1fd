"""Writes signature, "Parameters" section and assignments of each estimator from the declarations of its parameters.

``make estimators`` (or ``python tools/declared.py``) rewrites the files; a test compares them.
"""

from __future__ import annotations

import inspect
import re
import textwrap
from pathlib import Path

from boxwood.algorithms import REGISTRY
from boxwood.estimators import ESTIMATORS
from boxwood.estimators.mars_transformer import MARSTransformer
from boxwood.learning.parameters import Parameter

WIDTH = 120
CLASSES = (*ESTIMATORS.values(), MARSTransformer)
_TYPES = {"integer": "int", "real": "float", "count": "int or float", "flag": "bool"}
#: Stands for a space inside an argument, where no line is broken.
_JOINT = "\x00"
_SECTION = re.compile(r"(?<=    Parameters\n    ----------\n).*?(?=\n\n    Attributes\n)", re.DOTALL)
_INIT = re.compile(r"    def __init__\(\n.*?\n    \) -> None:  # fmt: skip\n(?:        self\.\w+ = \w+\n)+", re.DOTALL)


def parameters_of(estimator: type) -> tuple[Parameter, ...]:
    """The declarations of an estimator's parameters."""
    return REGISTRY[estimator._algorithm].parameters[estimator._task]


def literal(value) -> str:
    """A default as source text."""
    return f'"{value}"' if isinstance(value, str) else repr(value)


def type_of(parameter: Parameter) -> str:
    """The type as the docstring shows it."""
    if parameter.type:
        return parameter.type
    words = "{" + ", ".join(map(literal, parameter.choices)) + "}" if parameter.choices else ""
    if parameter.kind in _TYPES:
        words = " or ".join(filter(None, (_TYPES[parameter.kind], *map(literal, parameter.choices))))
    return words + (" or None" if parameter.optional else "")


def annotation(parameter: Parameter) -> str:
    """The type for editors and type checkers; Any where values have no common type, which ``type_of`` then shows."""
    if parameter.type or parameter.reads or parameter.kind in ("free", "part"):
        return "Any"
    words = _TYPES.get(parameter.kind, "str").replace(" or ", " | ")
    words += " | str" if parameter.kind in _TYPES and parameter.choices else ""
    return words + (" | None" if parameter.optional else "")


def documentation(parameter: Parameter) -> str:
    """One entry of the "Parameters" section."""
    blocks: list[str] = []
    for line in inspect.cleandoc(parameter.doc).splitlines():
        if line.startswith("- ") or not blocks:
            blocks.append(line)
        else:
            blocks[-1] += " " + line.strip()
    head = f"    {parameter.name} : {type_of(parameter)}"
    default = f", default={literal(parameter.default)}"
    head += default if len(head + default) <= WIDTH else ""
    lines = []
    for number, block in enumerate(blocks):
        item = block.startswith("- ")
        lines += [""] if number == 1 else []
        lines += textwrap.wrap(
            block, WIDTH, initial_indent=" " * 8, subsequent_indent=" " * (10 if item else 8), break_long_words=False,
            break_on_hyphens=False,
        )  # fmt: skip
        lines += [""] if item and number == len(blocks) - 1 else []
    return "\n".join([head, *lines])


def section(parameters: tuple[Parameter, ...]) -> str:
    """The "Parameters" section without its heading."""
    return "\n".join(map(documentation, parameters)).rstrip("\n")


def constructor(parameters: tuple[Parameter, ...]) -> str:
    """``__init__``."""
    arguments = [f"{p.name}: {annotation(p)} = {literal(p.default)}," for p in parameters]
    text = " ".join(argument.replace(" ", _JOINT) for argument in ("self,", "*,", *arguments))
    lines = [line.replace(_JOINT, " ") for line in textwrap.wrap(text, WIDTH, initial_indent=" " * 8,
             subsequent_indent=" " * 8, break_on_hyphens=False)]  # fmt: skip
    stored = [f"        self.{p.name} = {p.name}" for p in parameters]
    return "\n".join(["    def __init__(", *lines, "    ) -> None:  # fmt: skip", *stored, ""])


def generated(estimator: type, source: str) -> str:
    """The source text of an estimator's file as the declarations want it."""
    parameters = parameters_of(estimator)
    for pattern, text in ((_SECTION, section(parameters)), (_INIT, constructor(parameters))):
        if len(pattern.findall(source)) != 1:
            raise ValueError(f"{estimator.__name__}: expected one match of {pattern.pattern!r}")
        source = pattern.sub(lambda match, text=text: text, source)
    return source


def file_of(estimator: type) -> Path:
    """The file that defines an estimator, in this checkout."""
    return Path(__file__).parents[1] / "src" / Path(*estimator.__module__.split(".")).with_suffix(".py")


def main() -> None:
    """Rewrite the files of all estimators."""
    for estimator in CLASSES:
        file = file_of(estimator)
        file.write_text(generated(estimator, file.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
