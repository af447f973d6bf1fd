"""The order of the modules inside each package: siblings.txt, which the tests check.

Below the name of a package, each line holds modules that import only modules of the lines above it, and not each other.
``python tools/siblings.py`` prints the order that the imports have now; ``--write`` writes it.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tools.imports import all_imports, modules

FILE = Path(__file__).with_suffix(".txt")


def split(module: str) -> tuple[str, str]:
    """The package a module is in, and its name there: ("growing", "parts.layout")."""
    _, package, *rest = (*module.split("."), "")
    return package, ".".join(filter(None, rest))


def siblings() -> dict[str, set[str]]:
    """Package -> its modules, ``__init__`` files left out."""
    files = {module: file for module, file in modules().items() if file.name != "__init__.py"}
    found: dict[str, set[str]] = {}
    for package, name in map(split, files):
        if name:
            found.setdefault(package, set()).add(name)
    return found


def edges() -> list[tuple[str, str, str]]:
    """(package, module, imported sibling), imports inside functions and for type checkers included."""
    known = siblings()
    found = []
    for item in all_imports():
        (package, name), (other, imported) = split(item.module), split(item.imported)
        if package == other and name in known.get(package, ()) and imported in known[package]:
            found.append((package, name, imported))
    return found


def read(text: str) -> dict[str, list[list[str]]]:
    """Package -> lines of modules."""
    found: dict[str, list[list[str]]] = {}
    lines: list[list[str]] = []
    for line in text.splitlines():
        if line.startswith(" "):
            lines.append(line.split())
        else:
            lines = found.setdefault(line, [])
    return found


def ordered() -> str:
    """The order that the imports have now, each module on the first line it can have."""
    text, imports = [], edges()
    for package, names in sorted(siblings().items()):
        below = {name: {b for p, a, b in imports if (p, a) == (package, name)} for name in names}
        text.append(package)
        placed: set[str] = set()
        while placed < names:
            line = sorted(name for name in names - placed if below[name] <= placed)
            if not line:
                raise ValueError(f"{package}: {sorted(names - placed)} import each other in a circle")
            text.append("  " + " ".join(line))
            placed |= set(line)
    return "\n".join(text) + "\n"


if __name__ == "__main__":
    if "--write" in sys.argv:
        FILE.write_text(ordered(), encoding="utf-8")
    else:
        print(ordered(), end="")
