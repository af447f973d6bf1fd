"""The stubs, which editors and type checkers read, have the names of the modules; `make stubs` writes them anew."""

import ast
import inspect
from pathlib import Path

import boxwood
from boxwood import _kernel
from tools.stubs import package_stub

HERE = Path(boxwood.__file__).parent


def _tree(name: str) -> ast.Module:
    return ast.parse((HERE / name).read_text(encoding="utf-8"))


def _members(holder: ast.ClassDef) -> set[str]:
    return {part.name for part in holder.body if isinstance(part, ast.FunctionDef) and part.name != "__init__"}


def test_the_stub_of_the_kernel_has_its_names():
    stub = _tree("_kernel.pyi")
    functions = {part.name for part in stub.body if isinstance(part, ast.FunctionDef)}
    classes = {part.name: _members(part) for part in stub.body if isinstance(part, ast.ClassDef)}
    public = {name: getattr(_kernel, name) for name in dir(_kernel) if not name.startswith("_")}
    real = {name: set(vars(thing)) for name, thing in public.items() if inspect.isclass(thing)}
    real = {name: {part for part in parts if not part.startswith("_")} for name, parts in real.items()}
    assert functions == set(public) - set(real)
    assert {name: {part for part in parts if not part.startswith("_")} for name, parts in classes.items()} == real
    assert len(functions) > 20
    assert len(real) > 5


def test_the_stub_of_the_kernel_has_its_arguments():
    stub = {part.name: part for part in _tree("_kernel.pyi").body if isinstance(part, ast.FunctionDef)}
    for name, part in stub.items():
        arguments = [argument.arg for argument in (*part.args.posonlyargs, *part.args.args)]
        for argument in arguments:
            assert argument in getattr(_kernel, name).__nb_signature__[0][0], (name, argument)


def test_the_stub_of_the_package_is_what_make_stubs_writes():
    written, made = (_statements(tree) for tree in (_tree("__init__.pyi"), ast.parse(package_stub())))
    assert written == made, "write it: make stubs"


def _statements(tree: ast.Module) -> set[str]:
    """In any order: ruff sorts the imports."""
    return {ast.unparse(part) for part in tree.body}


def test_dir_shows_the_public_names_only():
    assert dir(boxwood) == sorted(boxwood.__all__)
