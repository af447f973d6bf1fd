"""Writes what editors and type checkers read in place of code they cannot follow: run it by `make stubs`.

`src/boxwood/_kernel.pyi` describes the compiled kernel, `src/boxwood/__init__.pyi` the names loaded on first use.
`tests/architecture/test_stubs.py` compares both with the modules.
"""

import re
import subprocess
import sys
from pathlib import Path

import boxwood
from boxwood import _kernel, errors

HERE = Path(boxwood.__file__).parent
#: nanobind writes the layout of each array, which says nothing to a type checker and fills lines of 400 characters.
LAYOUT = re.compile(r"Annotated\[(NDArray(?:\[[\w.]+\])?), dict\([^()]*(?:\([^()]*\)[^()]*)*\)\]")


def kernel_stub() -> str:
    """The stub of the kernel, as nanobind describes it."""
    from nanobind.stubgen import StubGen

    generator = StubGen(_kernel, quiet=True)
    generator.put(_kernel)
    return LAYOUT.sub(r"\1", generator.get()).replace("from typing import Annotated\n", "")


def package_stub() -> str:
    """The stub of the package: every public name and the module it comes from."""
    places = {name: "errors" for name in dir(errors) if name in boxwood.__all__} | boxwood._LAZY
    lines = ['"""Classical decision trees that you can read, check and export; written by `make stubs`."""', ""]
    lines += [f"from . import {name} as {name}" for name in (*boxwood._MODULES, "errors")]
    lines += [f"from .{places[name]} import {name} as {name}" for name in sorted(places)]
    lines += ["from ._version import __version__ as __version__", "", f"__all__ = {sorted(boxwood.__all__)!r}", ""]
    return "\n".join(lines)


if __name__ == "__main__":
    for name, text in (("_kernel.pyi", kernel_stub()), ("__init__.pyi", package_stub())):
        (HERE / name).write_text(text, encoding="utf-8")
    for rules in (["check", "--select", "I", "--fix"], ["format"]):
        subprocess.run([Path(sys.executable).parent / "ruff", *rules, "--quiet", *HERE.glob("*.pyi")], check=True)
