"""Writes what editors and type checkers read in place of code they cannot follow: run it by `make stubs`.

`src/boxwood/_kernel.pyi` describes the compiled kernel, `src/boxwood/__init__.pyi` the names loaded on first use.
`tests/architecture/test_stubs.py` compares both with the modules.
"""

import re
import subprocess
import sys
import textwrap
from pathlib import Path

import boxwood
from boxwood import _kernel

HERE = Path(boxwood.__file__).parent
#: nanobind writes the layout of each array, which means nothing to a type checker and fills lines of 400 characters.
LAYOUT = re.compile(r"Annotated\[(NDArray(?:\[[\w.]+\])?), dict\([^()]*(?:\([^()]*\)[^()]*)*\)\]")


def kernel_stub() -> str:
    """The stub of the kernel, as nanobind describes it."""
    from nanobind.stubgen import StubGen

    generator = StubGen(_kernel, quiet=True)
    generator.put(_kernel)
    return LAYOUT.sub(r"\1", generator.get()).replace("from typing import Annotated\n", "")


def package_stub() -> str:
    """The stub of the package: every public name, the module it comes from, and the signatures of the estimators."""
    from boxwood.estimators.declared import constructor, parameters_of

    places = dict.fromkeys(boxwood._ERRORS, "errors") | boxwood._places()
    estimators = [name for name in sorted(places) if hasattr(getattr(boxwood, name), "_algorithm")]
    lines = ['"""Classical decision trees that you can read, check and export; written by `make stubs`."""', ""]
    lines += ["from typing import Any"]
    lines += [f"from . import {name} as {name}" for name in (*boxwood._MODULES, "errors")]
    for name in sorted(places):
        lines += [f"from .{places[name]} import {name} as {'_' * (name in estimators)}{name}"]
    lines += ["from ._version import __version__ as __version__", "", f"__all__ = {boxwood.__all__!r}", ""]
    for name in estimators:
        doc = (getattr(boxwood, name).__doc__ or "").partition("    Attributes\n")[0].rstrip()
        signature = constructor(parameters_of(getattr(boxwood, name))).partition(" -> None:")[0]
        lines += [f"class {name}(_{name}):", f'    """{doc}', '    """']
        lines += [textwrap.indent(signature, "    ") + " -> None: ..."]
    return "\n".join(lines)


if __name__ == "__main__":
    for name, text in (("_kernel.pyi", kernel_stub()), ("__init__.pyi", package_stub())):
        (HERE / name).write_text(text, encoding="utf-8")
    for rules in (["check", "--select", "I", "--fix"], ["format"]):
        subprocess.run([Path(sys.executable).parent / "ruff", *rules, "--quiet", *HERE.glob("*.pyi")], check=True)
