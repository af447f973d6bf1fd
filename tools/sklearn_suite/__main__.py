"""Run the tests of the installed scikit-learn with our classes; further arguments are those of pytest."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import sklearn.tree

import boxwood

FILES = ("test_tree.py", "test_monotonic_tree.py", "test_export.py")
OURS = ("DecisionTreeClassifier", "DecisionTreeRegressor", "ExtraTreeClassifier", "ExtraTreeRegressor")
HERE = Path(__file__).parent


def with_ours(source: str) -> str:
    """The source of a test file whose four classes come from boxwood.sklearn; only import statements differ."""
    lines = source.splitlines()
    for statement in reversed(ast.parse(source).body):
        if isinstance(statement, ast.ImportFrom) and statement.module == "sklearn.tree":
            ours = [name.name for name in statement.names if name.name in OURS]
            theirs = [name.name for name in statement.names if name.name not in OURS]
            imports = [f"from {package} import {', '.join(names)}" for package, names in
                       (("sklearn.tree", theirs), ("boxwood.sklearn", ours)) if names]  # fmt: skip
            lines[statement.lineno - 1 : statement.end_lineno] = imports
    return "\n".join(lines) + "\n"


def main(arguments: list[str]) -> int:
    """The exit code of pytest: 0 if every test passes but for those of exceptions.toml, each of which must fail."""
    found = Path(sklearn.tree.__file__).parent / "tests"
    with tempfile.TemporaryDirectory() as folder:
        for name in FILES:
            Path(folder, name).write_text(with_ours((found / name).read_text(encoding="utf-8")), encoding="utf-8")
        for name in ("conftest.py", "exceptions.toml"):
            shutil.copy(HERE / name, folder)
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "sklearn.conftest"]
        paths = os.pathsep.join([str(Path(boxwood.__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
        command += ["--rootdir", folder, *(arguments or FILES)]
        return subprocess.call(command, cwd=folder, env=os.environ | {"PYTHONPATH": paths})


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
