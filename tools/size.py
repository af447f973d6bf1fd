"""Prints what the project has grown to beside what it may grow to; exits with 1 when a budget is exceeded."""

from __future__ import annotations

import re
import sys
from collections import Counter
from pathlib import Path

from tools import python_size

ROOT = Path(__file__).resolve().parents[1]
KERNEL = ROOT / "kernel"

#: Lines of each room of the kernel, in the order of its includes: what may not be exceeded, and the goal.
ROOMS = {
    "parallel": (374, 350),
    "encode": (2055, 1800),
    "response": (1637, 1550),
    "search": (3299, 2900),
    "surrogate": (901, 700),
    "grow": (1890, 1750),
    "multiway": (1434, 1300),
    "chaid": (1538, 1450),
    "mars": (973, 950),
    "shards": (1124, 1000),
    "predict": (1126, 1100),
    "prune": (909, 800),
    "explain": (528, 450),
    "bindings": (2097, 1900),
}
#: All lines of the kernel: no more than its rooms together.
KERNEL_LINES = tuple(map(sum, zip(*ROOMS.values(), strict=True)))
#: Lines of one header, columns of one line, and words of ARCHITECTURE.md.
HEADER_LINES, COLUMNS, WORDS = (300, 300), (120, 120), (2_000, 2_000)
#: Questions of what class a part of a recipe is.
CLASS_CHECKS = (1, 1)
#: The records a recipe is made of, whose kind no code should have to ask for.
RECIPE_PARTS = "Binary|Proposed|Multiway|Merged|ImpurityDecrease|Gain|InOrder|Significance|Scored|Termination|Recipe"


def kernel_files() -> list[Path]:
    """Every C++ file."""
    return sorted([*KERNEL.rglob("*.hpp"), *KERNEL.rglob("*.cpp")])


def lines_of(file: Path) -> list[str]:
    """The lines of a text file."""
    return file.read_text(encoding="utf-8").splitlines()


def class_checks() -> Counter:
    """How often each Python file asks for the class of a part of a recipe."""
    asks = re.compile(rf"isinstance\([^()]*(?:\([^()]*\)[^()]*)?\b(?:{RECIPE_PARTS})\b")
    found = Counter()
    for file in (ROOT / "src" / "boxwood").rglob("*.py"):
        count = len(asks.findall(file.read_text(encoding="utf-8")))
        if count:
            found[str(file.relative_to(ROOT))] = count
    return found


def figures() -> list[tuple[str, int, tuple[int, int]]]:
    """What is counted: its name, today's figure, the budget and the goal."""
    files = {file: lines_of(file) for file in kernel_files()}
    rows = [("kernel, lines in all", sum(map(len, files.values())), KERNEL_LINES)]
    for room, budget in ROOMS.items():
        rows.append((f"  {room}", sum(len(text) for file, text in files.items() if file.parent.name == room), budget))
    headers = [len(text) for file, text in files.items() if file.suffix == ".hpp"]
    rows.append(("longest header, lines", max(headers), HEADER_LINES))
    rows.append(("longest line of the kernel, columns", max(len(line) for t in files.values() for line in t), COLUMNS))
    rows.append(("isinstance on parts of a recipe", class_checks().total(), CLASS_CHECKS))
    rows.append(("ARCHITECTURE.md, words", len((ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8").split()), WORDS))
    return rows + python_size.figures()


def main() -> int:
    """Print the table; 1 when a figure is over its budget."""
    rows = figures()
    width = max(len(name) for name, _, _ in rows)
    print(f"{'':{width}}  {'today':>7}  {'budget':>7}  {'goal':>7}")
    for name, today, (budget, goal) in rows:
        print(f"{name:{width}}  {today:7,}  {budget:7,}  {goal:7,}{'   EXCEEDED' if today > budget else ''}")
    over = [name.strip() for name, today, (budget, _) in rows if today > budget]
    if over:
        print("over budget: " + ", ".join(over), file=sys.stderr)
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
