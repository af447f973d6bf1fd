"""Messages name rows and arguments as parts, which the command line words in its own terms."""

from __future__ import annotations

import ast
import re
from functools import cache
from itertools import pairwise
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src" / "boxwood"
#: Where text about arguments is not a message: descriptions of parameters, help of commands, and the parts themselves.
ELSEWHERE = re.compile(
    r"(?:^|/)\w*parameters?\.py$|^(?:_messages|errors)\.py$|^cli/|^exports/r\.py$|^estimators/declared\.py$"
    # Rows of a file, counted from 1 as an editor shows them.
    r"|^data/files/(?:csv_blocks|delimited|typed_files)\.py$|^data/columns/shapes\.py$"
    r"|^algorithms/(?:cart|c45|chaid|cls|id3)\.py$"
)


def sources() -> dict[str, ast.Module]:
    return {
        file.relative_to(SOURCE).as_posix(): ast.parse(file.read_text(encoding="utf-8"))
        for file in sorted(SOURCE.rglob("*.py"))
    }


@cache
def pattern() -> re.Pattern[str]:
    """Text that names an argument or a position of a row."""
    names = {
        argument.arg
        for module in sources().values()
        for function in ast.walk(module)
        if isinstance(function, ast.FunctionDef)
        for argument in function.args.args + function.args.kwonlyargs
        if "_" in argument.arg.strip("_")
    }
    words = "|".join(sorted(names, key=len, reverse=True))
    return re.compile(
        rf"(?<!^, )counted from 0|\b[a-z][a-z_]*=(?:['\[{{]|True|False|None|$)|X\.drop|\b(?:{words})\b|\brows? $"
        "|^[a-z]\\w* must be |^ must be "
    )


def after_settings(parts: list[ast.expr]) -> list[ast.AST]:
    """The texts " must be ..." that follow a Setting."""
    found = []
    for part, following in pairwise(parts):
        text = following.values[0] if isinstance(following, ast.JoinedStr) else following
        follows = isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id == "Setting"
        if follows and isinstance(text, ast.Constant) and str(text.value).startswith(" must be "):
            found.append(text)
    return found


def texts(module: ast.Module) -> list[ast.Constant]:
    """The constants of a module that hold words and are no docstrings."""
    docs = {
        id(node.body[0].value)
        for node in ast.walk(module)
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    named = {id(text) for call in ast.walk(module) if isinstance(call, ast.Call) for text in after_settings(call.args)}
    return [
        node
        for node in ast.walk(module)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs | named
        if " " in node.value.strip() or node.value.endswith("=")
    ]


def test_arguments_and_rows_are_parts_of_messages():
    found = [
        f"{path}:{text.lineno}: {text.value.strip()[:80]!r}"
        for path, module in sources().items()
        if not ELSEWHERE.search(path)
        for text in texts(module)
        if pattern().search(text.value)
    ]
    assert not found, f"{len(found)} places; use Setting, Row, FromZero of boxwood._messages:\n" + "\n".join(found)
