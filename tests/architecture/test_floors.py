"""The floors of the house: imports go downward, no undrawn door, no circle, outside packages only in their place."""

from __future__ import annotations

import ast
import sys
from graphlib import CycleError, TopologicalSorter

import pytest

from architecture.imports import all_imports, imports_of, modules

#: Bottom to top. Names on one line are rooms without doors between them.
FLOORS = (
    ("errors", "_version"),
    ("_kernel",),
    ("data",),
    ("statistics",),
    ("tree",),
    ("growing",),
    ("sources",),
    ("pruning", "views"),
    ("pictures", "exports"),
    ("explorer",),
    ("training",),
    ("mars", "readers"),
    ("algorithms",),
    ("estimators",),
    ("cli", "__init__", "__main__", "datasets", "measures", "pruners"),
)
HEIGHT = {room: height for height, rooms in enumerate(FLOORS) for room in rooms}

#: Stairs that go up, each only inside a function, with the reason.
DRAWN_DOORS = {
    ("__main__", "cli"): "python -m boxwood is the command",
}

#: Outside packages: where each may be imported, and whether only inside functions.
OUTSIDE = {
    "numpy": ("anywhere", "eager"),
    "sklearn": (("estimators",), "eager"),
    "scipy": (("estimators",), "lazy"),
    "narwhals": (("data",), "lazy"),
    "pandas": (("data", "views", "estimators"), "lazy"),
    "polars": (("data", "views"), "lazy"),
    "pyarrow": (("data", "views", "cli"), "lazy"),
    "click": (("cli",), "eager"),
    "rich": (("cli",), "lazy"),
    "matplotlib": (("views", "pictures", "mars"), "lazy"),
    "duckdb": (("exports",), "lazy"),  # runs an export on rows, when asked to
    "onnx": (("exports",), "lazy"),
    "onnxruntime": (("exports",), "lazy"),  # runs an export on rows, when asked to
    "pypmml": (("exports",), "lazy"),  # the same
    "treelite": (("exports",), "lazy"),
    "distributed": (("sources",), "lazy"),
    "dask": (("sources",), "lazy"),  # builds the tasks that distributed runs
}
#: Modules that are only loaded once they are needed: those of the command line when a command was chosen, the class
#: derived from one of matplotlib when a picture is painted.
LOADED_LATE = {"boxwood.cli.inputs", "boxwood.cli.predictions", "boxwood.pictures.scaled_text"}

IMPORTS = all_imports()


def room(module: str) -> str:
    """The room a module is in: the first name under the package."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else "__init__"


def inside(module: str) -> bool:
    return module == "boxwood" or module.startswith("boxwood.")


def is_drawn(found) -> bool:
    door = (found.module.removeprefix("boxwood."), room(found.imported))
    return door in DRAWN_DOORS and (found.lazy or door[0] == "__main__")


def test_every_room_is_on_a_floor():
    assert {room(module) for module in modules()} <= set(HEIGHT)


def test_no_import_goes_up_or_sideways():
    wrong = []
    for found in IMPORTS:
        if not inside(found.imported) or is_drawn(found):
            continue
        here, there = room(found.module), room(found.imported)
        if here != there and HEIGHT[there] >= HEIGHT[here]:
            wrong.append(f"{found} (floor {HEIGHT[here]} {here} may not import floor {HEIGHT[there]} {there})")
    assert not wrong, "\n".join(wrong)


def test_no_module_imports_itself_in_a_circle():
    graph = {}
    for found in IMPORTS:
        if inside(found.imported) and not found.lazy:
            graph.setdefault(found.module, set()).add(found.imported)
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail("circle of imports: " + " <- ".join(error.args[1]))


def test_no_lazy_import_hides_a_circle_on_a_floor():
    graph = {}
    for found in IMPORTS:
        if inside(found.imported) and not is_drawn(found) and room(found.module) not in ("__init__", "__main__"):
            graph.setdefault(found.module, set()).add(found.imported)
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail("circle of imports, some of them inside functions: " + " <- ".join(error.args[1]))


def test_outside_packages_stay_in_their_place():
    wrong = []
    for found in IMPORTS:
        package = found.imported.split(".")[0]
        if inside(found.imported) or package in sys.stdlib_module_names:
            continue
        rooms, when = OUTSIDE.get(package, ((), "never"))
        if rooms != "anywhere" and room(found.module) not in rooms:
            wrong.append(f"{found}, which is allowed only in: {', '.join(rooms) or 'no room'}")
        elif when == "lazy" and not found.lazy and found.module not in LOADED_LATE:
            wrong.append(f"{found}, which is allowed only inside a function")
    assert not wrong, "\n".join(wrong)


def test_the_reader_of_imports_sees_all_kinds(tmp_path):
    file = tmp_path / "m.py"
    file.write_text(
        "import a.b\nfrom . import tree\nfrom ..data.schema import Schema\n"
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import never\n"
        "def f():\n    from ..cli import main\n"
    )
    known = {"boxwood.views.tree", "boxwood.data.schema", "boxwood.cli"}
    found = imports_of("boxwood.views.m", file, known)
    assert [(f.imported, f.lazy) for f in found] == [
        ("a.b", False),
        ("boxwood.views.tree", False),
        ("boxwood.data.schema", False),
        ("typing", False),
        ("boxwood.cli", True),
    ]


@pytest.mark.parametrize("module", [m for m, file in modules().items() if file.read_text(encoding="utf-8").strip()])
def test_module_opens_with_one_sentence(module):
    doc = ast.get_docstring(ast.parse(modules()[module].read_text(encoding="utf-8")))
    assert doc, f"{module} has no docstring"
    first = doc.split("\n\n")[0].split("\n")[0]
    assert first.endswith("."), f"{module}: the first line is no whole sentence: {first!r}"
