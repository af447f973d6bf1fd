"""Reads which module imports which, from the source text alone."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "src" / "boxwood"


@dataclass(frozen=True)
class Import:
    """One imported module: by whom, on which line, and whether only when a function runs or only for type checkers."""

    module: str
    imported: str
    line: int
    lazy: bool
    for_types: bool = False

    def __str__(self) -> str:
        return f"{self.module}, line {self.line}: imports {self.imported}"


@cache
def modules() -> dict[str, Path]:
    """Dotted name -> file of every module of the package."""
    found = {}
    for file in sorted(PACKAGE.rglob("*.py")):
        parts = ("boxwood", *file.relative_to(PACKAGE).with_suffix("").parts)
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = file
    return found


def imports_of(module: str, file: Path, known: set[str]) -> list[Import]:
    """Imports of one module; `from package import module` counts as an import of that module."""
    package = module if file.name == "__init__.py" else module.rpartition(".")[0]
    tree = ast.parse(file.read_text(encoding="utf-8"))
    found = []
    for node, lazy, for_types in _import_statements(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            base = _absolute(node, package)
            names = [f"{base}.{a.name}" if f"{base}.{a.name}" in known else base for a in node.names]
        found += [Import(module, name, node.lineno, lazy, for_types) for name in dict.fromkeys(names)]
    return found


def _import_statements(parent: ast.AST, lazy: bool = False, for_types: bool = False):
    """Import statements under a node, whether in a function, whether only for type checkers."""
    for node in ast.iter_child_nodes(parent):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield node, lazy, for_types
        elif isinstance(node, (ast.stmt, ast.excepthandler, ast.match_case)):
            in_function = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
            typing = isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")
            yield from _import_statements(node, lazy or in_function, for_types or typing)


def _absolute(node: ast.ImportFrom, package: str) -> str:
    if not node.level:
        return node.module or ""
    parts = package.split(".")
    parts = parts[: len(parts) - node.level + 1]
    return ".".join(parts + ([node.module] if node.module else []))


@cache
def all_imports() -> list[Import]:
    """Every import of every module of the package."""
    files = modules()
    known = set(files) | {"boxwood._kernel"}
    return [found for module, file in files.items() for found in imports_of(module, file, known)]
