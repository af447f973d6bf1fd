"""Reads which module imports which, from the source text alone."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "src" / "boxwood"


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
    inside = {
        node
        for function in ast.walk(tree)
        if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
        for node in ast.walk(function)
    }
    for_types = {
        node
        for block in ast.walk(tree)
        if isinstance(block, ast.If) and ast.unparse(block.test).endswith("TYPE_CHECKING")
        for node in ast.walk(block)
    }
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = _absolute(node, package)
            names = [f"{base}.{a.name}" if f"{base}.{a.name}" in known else base for a in node.names]
        else:
            continue
        found += [Import(module, name, node.lineno, node in inside, node in for_types) for name in dict.fromkeys(names)]
    return found


def _absolute(node: ast.ImportFrom, package: str) -> str:
    if not node.level:
        return node.module or ""
    parts = package.split(".")
    parts = parts[: len(parts) - node.level + 1]
    return ".".join(parts + ([node.module] if node.module else []))


def all_imports() -> list[Import]:
    """Every import of every module of the package."""
    files = modules()
    known = set(files) | {"boxwood._kernel"}
    return [found for module, file in files.items() for found in imports_of(module, file, known)]
