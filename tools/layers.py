"""The layers of the package, bottom to top: the one list that the tests check and ARCHITECTURE.md shows.

``python tools/layers.py --write`` writes the table of ARCHITECTURE.md anew.
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "boxwood"
PAGE = ROOT / "ARCHITECTURE.md"

#: A package imports only from layers below its own; packages of one layer do not import each other.
LAYERS = (
    ("_messages", "_spelling", "_typing", "_version"),
    ("errors", "_kernel", "_fast_record", "_threads"),
    ("_free_memory",),
    ("data",),
    ("statistics",),
    ("tree",),
    ("growing", "views"),
    ("learning", "pictures", "exports"),
    ("pruning", "evaluation"),
    ("model",),
    ("mars",),
    ("algorithms",),
    ("estimators", "cli"),
    ("__init__", "__main__", "datasets", "edits", "measures", "pruners", "sklearn"),
)
HEIGHT = {name: height for height, names in enumerate(LAYERS) for name in names}

#: Folders inside a package, bottom to top: a folder imports only folders to its left.
FOLDERS = {"data": ("columns", "frames", "files", "streams")}

#: Imports that go up, each with the reason.
ALLOWED_UPWARD = {
    ("__main__", "cli"): "python -m boxwood is the command",
}

_BEGIN, _END = "<!-- layers: written by tools/layers.py -->\n", "<!-- end of layers -->\n"


def purpose(name: str) -> str:
    """The first sentence of a package's docstring."""
    file = PACKAGE / name / "__init__.py"
    return (ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or "").split("\n")[0]


def table() -> str:
    """The packages of each layer as a table in Markdown, top layer first; single modules by name alone."""
    rows = ["| layer | package | what it holds |", "| --- | --- | --- |"]
    for height in reversed(range(len(LAYERS))):
        packages = [name for name in LAYERS[height] if (PACKAGE / name).is_dir()]
        modules = [f"`{name}`" for name in LAYERS[height] if name not in packages]
        rows += [f"| {height} | `{name}` | {purpose(name)} |" for name in packages]
        rows += [f"| {height} | | {', '.join(modules)} |"] if modules else []
    return "\n".join(rows) + "\n"


def shown(page: str) -> str:
    """The table as a page shows it."""
    return page.partition(_BEGIN)[2].partition(_END)[0]


def main() -> None:
    """Write the table into ARCHITECTURE.md, or print it."""
    if "--write" not in sys.argv:
        print(table(), end="")
        return
    page = PAGE.read_text(encoding="utf-8")
    before, _, rest = page.partition(_BEGIN)
    PAGE.write_text(before + _BEGIN + table() + _END + rest.partition(_END)[2], encoding="utf-8")


if __name__ == "__main__":
    main()
