"""Counts the Python of the project: lines by what they are, packages, and places that distinguish kinds."""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path

from tools.layers import LAYERS

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "boxwood"

#: What is counted as a comparison of a kind; the names are those of `statistics.responses.registry` and `data.schema`.
COMPARISONS = {
    "comparisons of the kind of y": r"(?:==|!=|\bin|\bis) [({]?(?:CLASSES|MEAN|RATE)\b",
    "comparisons of the kind of a feature": r"(?:==|!=|\bin|\bis) [({]?(?:NUMERIC|NOMINAL|ORDINAL)\b",
    "checks whether a feature is a date": r"\btemporal is (?:not )?None\b",
}
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def kinds_of_lines(text: str) -> Counter:
    """How many lines of a module are code, docstring, import, signature, comment and blank."""
    lines = text.splitlines()
    kinds = ["blank" if not line.strip() else "comment" if line.strip().startswith("#") else "code" for line in lines]

    def put(kind: str, first: int, behind: int) -> None:
        kinds[first - 1 : behind - 1] = [kind] * (behind - first)

    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            put("import", node.lineno, node.end_lineno + 1)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            put("signature", node.lineno, max(node.body[0].lineno, node.lineno + 1))
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) and node.body:
            first = node.body[0]
            if (
                isinstance(first, ast.Expr)
                and isinstance(first.value, ast.Constant)
                and isinstance(first.value.value, str)
            ):
                put("docstring", first.lineno, first.end_lineno + 1)
    return Counter(kinds)


def settings_of_criteria() -> int:
    """How many flags and settings `Criterion` has for the sake of single criteria."""
    tree = ast.parse((PACKAGE / "growing" / "criterion.py").read_text(encoding="utf-8"))
    criterion = next(node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "Criterion")
    return sum(isinstance(node, ast.AnnAssign) for node in criterion.body)


def counts() -> dict[str, int]:
    """What is counted, and how much it is today."""
    texts = [file.read_text(encoding="utf-8") for file in PACKAGE.rglob("*.py")]
    kinds = sum(map(kinds_of_lines, texts), Counter())
    found = {"Python in src, all lines": kinds.total(), "Python in src, code": kinds["code"]}
    for folder in ("tests", "tools"):
        files = (ROOT / folder).rglob("*.py")
        found[f"Python in {folder}"] = sum(len(f.read_text(encoding="utf-8").splitlines()) for f in files)
    found["packages"] = sum(
        1 for file in PACKAGE.glob("*/__init__.py") if any(file.parent.name in row for row in LAYERS)
    )
    found["heights of packages"] = sum(any((PACKAGE / name).is_dir() for name in names) for names in LAYERS)
    found |= {name: sum(len(re.findall(pattern, text)) for text in texts) for name, pattern in COMPARISONS.items()}
    return found | {"settings of all criteria": settings_of_criteria()}
