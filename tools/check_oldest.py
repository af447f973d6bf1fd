"""Runs the core tests with the lowest versions of the packages that pyproject.toml allows."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "build" / "oldest"
#: What the core tests import, at its lower bound; and what they need beside it, of any version. scikit-learn 1.6 passes
#: options that scipy 1.16 warns of, and generators that pytest 9.1 warns of.
PINNED = ("numpy", "narwhals", "scikit-learn", "pandas", "polars", "pyarrow", "click", "rich", "duckdb")
TOOLS = ("scipy<1.16", "pytest<9", "pytest-xdist", "hypothesis", "jsonschema", "nanobind")
READERS = ("charset-normalizer", "python-calamine", "openpyxl", "fsspec", "matplotlib")
TESTS = ("golden/test_bits.py", "data", "model", "tree", "pruning", "views", "explain", "statistics", "estimators")


def lowest() -> list[str]:
    """The requirements of the core tests, those that matter with their lower bound as the version."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    bounds = {}
    for requirement in project["dependencies"] + project["optional-dependencies"]["test"]:
        name, version = re.fullmatch(r"([\w-]+)(?:\[\w+\])?>=([\d.]+)", requirement).groups()
        bounds[name] = version
    return [*(f"{name}=={bounds[name]}" for name in PINNED), *TOOLS, *READERS]


def main(tests: list[str]) -> int:
    """Make the environment, compile the kernel with it and run the tests; the status of the first that fails."""
    environment = FOLDER / "venv"
    python = environment / "bin" / "python"
    install = "-m pip install --quiet --disable-pip-version-check --only-binary=:all:"
    kernel = f"kernel BUILD={FOLDER.relative_to(ROOT)} VENV={environment}"
    commands = [
        [sys.executable, "-m", "venv", str(environment)],
        [str(python), *install.split(), *lowest()],
        ["make", "--no-print-directory", *kernel.split()],
        [str(python), "-m", "pytest", "-n", "2", *(tests or [f"tests/{name}" for name in TESTS])],
    ]
    os.environ["PYTHONPATH"] = str(FOLDER / "python")
    for command in commands:
        status = subprocess.run(command, cwd=ROOT, check=False).returncode
        if status:
            return status
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
