"""Prints what the project has grown to beside what it may grow to; exits with 1 when a budget is exceeded."""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from pathlib import Path

from tools import python_size
from tools.budgets import FILE, Budgets

ROOT = Path(__file__).resolve().parents[1]
KERNEL = ROOT / "kernel"

#: Rooms of the kernel, in the order of its includes.
ROOMS = (
    "parallel", "encode", "response", "search", "surrogate", "grow", "multiway", "chaid", "mars", "shards", "predict",
    "prune", "explain", "bindings",
)  # fmt: skip
#: The records a recipe is made of, whose kind no code should have to test.
RECIPE_PARTS = "Binary|Proposed|Multiway|Merged|ImpurityDecrease|Gain|InOrder|Significance|Scored|Termination|Recipe"


def kernel_files() -> list[Path]:
    """Every C++ file."""
    return sorted([*KERNEL.rglob("*.hpp"), *KERNEL.rglob("*.cpp")])


def lines_of(file: Path) -> list[str]:
    """The lines of a text file."""
    return file.read_text(encoding="utf-8").splitlines()


def class_checks() -> Counter:
    """How often each Python file tests the class of a part of a recipe."""
    tests = re.compile(rf"isinstance\([^()]*(?:\([^()]*\)[^()]*)?\b(?:{RECIPE_PARTS})\b")
    found = Counter()
    for file in (ROOT / "src" / "boxwood").rglob("*.py"):
        count = len(tests.findall(file.read_text(encoding="utf-8")))
        if count:
            found[str(file.relative_to(ROOT))] = count
    return found


def figures() -> dict[str, int]:
    """What is counted, and how much it is today."""
    files = {file: lines_of(file) for file in kernel_files()}
    found = {"kernel, lines in all": sum(map(len, files.values()))}
    for room in ROOMS:
        found[f"kernel/{room}"] = sum(len(text) for file, text in files.items() if file.parent.name == room)
    found["longest header, lines"] = max(len(text) for file, text in files.items() if file.suffix == ".hpp")
    found["longest line of the kernel, columns"] = max(len(line) for text in files.values() for line in text)
    found["isinstance on parts of a recipe"] = class_checks().total()
    found["ARCHITECTURE.md, words"] = len((ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8").split())
    return found | python_size.counts()


def main() -> int:
    """Print the table and lower budgets whose figures have fallen; 1 when a figure is over its budget."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--check", action="store_true", help="fail where a budget could be lower; write nothing")
    reader.add_argument("--raise", dest="rise", nargs=3, metavar=("FIGURE", "TO", "CAPABILITY"))
    wanted = reader.parse_args()
    today, budgets = figures(), Budgets.read()
    if wanted.rise:
        figure, to, capability = wanted.rise
        budgets = budgets.raised_to(figure, int(to), capability)
    width = max(map(len, today))
    print(f"{'':{width}}  {'today':>7}  {'budget':>7}  {'goal':>7}")
    for name, count in today.items():
        budget, goal = budgets.budget[name], budgets.goal[name]
        note = "   EXCEEDED" if count > budget else "   lower" if max(count, goal) < budget else ""
        print(f"{name:{width}}  {count:7,}  {budget:7,}  {goal:7,}{note}")
    over = [name for name, count in today.items() if count > budgets.budget[name]]
    lower = budgets.lowered(today)
    if over:
        print(f"over budget: {', '.join(over)}. Delete lines, or name what they are for: --raise", file=sys.stderr)
    elif lower.budget != budgets.budget and wanted.check:
        print("budgets are higher than today's figures: `make size` lowers them", file=sys.stderr)
        return 1
    if not wanted.check and (not over or wanted.rise):
        FILE.write_text(lower.text(), encoding="utf-8")
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
