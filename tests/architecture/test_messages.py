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
    r"(?:^|/)(?:\w*parameters?|_messages)\.py$|^estimators/declared\.py$|^algorithms/(?:cart|c45|chaid|cls|id3)\.py$"
    r"|^data/files/(?:csv_blocks|delimited|typed_files)\.py$"  # rows of files count from 1, and a call of pandas
    r"|^cli/"  # has options in place of arguments
    r"|^exports/(?:c_texts|dot|python_values|r|workbook)\.py$|^model/readers/lightgbm_text\.py$"
    r"|^tree/(?:meaning|store|stored|validate)\.py$|^algorithms/rules/store\.py$"  # facts about fields of model files
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
        rf"counted from 0.|\b(?!shape=)[a-z][a-z_]*=(?:['\[{{]|True|False|None|$)|X\.drop|"
        rf"\b(?:{words})\b|\brows? $|^[a-z]\w* must be "
    )


def texts(module: ast.Module) -> list[ast.Constant]:
    """The constants of a module that hold words and are no docstrings."""
    docs = {
        id(node.body[0].value)
        for node in ast.walk(module)
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    return [
        node
        for node in ast.walk(module)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs
        if (" " in node.value.strip() or node.value.endswith("=")) and not node.value.startswith("--")  # no options
    ]


def after_values(module: ast.Module) -> set[int]:
    """Texts that follow a value inside an f-string, where an argument would lose its part."""
    return {
        id(text)
        for node in ast.walk(module)
        if isinstance(node, ast.JoinedStr)
        for value, text in pairwise(node.values)
        if isinstance(value, ast.FormattedValue)
    }


def test_arguments_and_rows_are_parts_of_messages():
    found = [
        f"{path}:{text.lineno}: {text.value.strip()[:80]!r}"
        for path, module in sources().items()
        if not ELSEWHERE.search(path)
        for after in [after_values(module)]
        for text in texts(module)
        if (id(text) in after and text.value.startswith(" must be ")) or pattern().search(text.value)
    ]
    assert not found, f"{len(found)} places; use Setting, Row, FromZero of boxwood._messages:\n" + "\n".join(found)
