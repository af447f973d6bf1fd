"""The layers of the package: imports go down, never in a circle; outside packages are imported only in their place."""

from __future__ import annotations

import ast
import sys
from graphlib import CycleError, TopologicalSorter

import pytest

from tools.imports import all_imports, imports_of, modules
from tools.layers import ALLOWED_UPWARD, FOLDERS, HEIGHT, PAGE, shown, table
from tools.siblings import FILE, edges, read, siblings

#: Outside packages: where each may be imported, and whether only inside functions.
OUTSIDE = {
    "numpy": ("anywhere", "eager"),
    "sklearn": (("estimators",), "eager"),
    "scipy": (("model",), "lazy"),
    "narwhals": (("data",), "lazy"),
    "pandas": (("data", "views", "estimators"), "lazy"),
    "polars": (("data", "views"), "lazy"),
    "pyarrow": (("data", "views", "cli"), "lazy"),
    "charset_normalizer": (("data",), "lazy"),
    "python_calamine": (("data",), "lazy"),
    "pyreadstat": (("data",), "lazy"),
    "fsspec": (("data",), "lazy"),
    "click": (("cli",), "eager"),
    "rich": (("cli",), "lazy"),
    "matplotlib": (("_typing", "views", "pictures", "mars"), "lazy"),
    "duckdb": (("exports",), "lazy"),  # runs an export on rows, on request
    "threadpoolctl": (("algorithms",), "lazy"),  # comes with scikit-learn
    "onnx": (("exports",), "lazy"),
    "onnxruntime": (("exports",), "lazy"),  # runs an export on rows, on request
    "pypmml": (("exports",), "lazy"),  # the same
    "treelite": (("exports",), "lazy"),
    "m2cgen": (("estimators",), "lazy"),  # learns of our classes when it has been imported
    "skl2onnx": (("estimators",), "lazy"),  # the same
    "distributed": (("growing",), "lazy"),
    "dask": (("growing",), "lazy"),  # builds the tasks that distributed runs
    "ray": (("growing",), "lazy"),
}
#: Packages that are imported eagerly in their place -> where else inside functions: an export makes a tree of theirs.
LAZY_ELSEWHERE = {"sklearn": ("exports", "algorithms")}
#: Modules that are only loaded once they are needed: those of the command line when a command was chosen, the class
#: derived from one of matplotlib when a picture is painted.
LOADED_LATE = {
    "boxwood.cli.inputs", "boxwood.cli.predictions", "boxwood.cli.responses", "boxwood.pictures.scaled_text",
}  # fmt: skip


def package(module: str) -> str:
    """The package a module is in: the first name under boxwood."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else "__init__"


def inside(module: str) -> bool:
    return module == "boxwood" or module.startswith("boxwood.")


def is_allowed(found) -> bool:
    return (found.module.removeprefix("boxwood."), package(found.imported)) in ALLOWED_UPWARD


def test_every_package_is_in_a_layer():
    assert {package(module) for module in modules()} | {"_kernel"} == set(HEIGHT)


def test_architecture_shows_the_layers():
    assert shown(PAGE.read_text(encoding="utf-8")) == table(), "write it: python tools/layers.py --write"


def test_no_import_goes_up_or_sideways():
    wrong = []
    for found in all_imports():
        if not inside(found.imported) or is_allowed(found):
            continue
        here, there = package(found.module), package(found.imported)
        if here != there and HEIGHT[there] >= HEIGHT[here]:
            wrong.append(f"{found} (layer {HEIGHT[here]} {here} may not import layer {HEIGHT[there]} {there})")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("name", FOLDERS)
def test_folders_inside_a_package_have_an_order(name):
    def height(module: str) -> int:
        folder = module.removeprefix(f"boxwood.{name}.").split(".")[0]
        return FOLDERS[name].index(folder) if folder in FOLDERS[name] else -1

    inner = [item for item in all_imports() if item.module.startswith(f"boxwood.{name}.")]
    wrong = [str(item) for item in inner if height(item.imported) > height(item.module) >= 0]
    assert not wrong, "\n".join(wrong)


def test_no_module_imports_itself_in_a_circle():
    graph = {}
    for found in all_imports():
        if inside(found.imported) and not found.lazy and not found.for_types:
            graph.setdefault(found.module, set()).add(found.imported)
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail("circle of imports: " + " <- ".join(error.args[1]))


def test_no_lazy_or_typing_import_hides_a_circle():
    graph = {}
    for found in all_imports():
        if inside(found.imported) and not is_allowed(found) and package(found.module) not in ("__init__", "__main__"):
            graph.setdefault(found.module, set()).add(found.imported)
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail("circle of imports, some of them inside functions or for types only: " + " <- ".join(error.args[1]))


def test_outside_packages_stay_in_their_place():
    wrong = []
    for found in all_imports():
        outside = found.imported.split(".")[0]
        if inside(found.imported) or outside in sys.stdlib_module_names:
            continue
        places, when = OUTSIDE.get(outside, ((), "never"))
        if package(found.module) in LAZY_ELSEWHERE.get(outside, ()):
            places, when = LAZY_ELSEWHERE[outside], "lazy"
        if places != "anywhere" and package(found.module) not in places:
            wrong.append(f"{found}, which is allowed only in: {', '.join(places) or 'no package'}")
        elif when == "lazy" and not found.lazy and not found.for_types and found.module not in LOADED_LATE:
            wrong.append(f"{found}, which is allowed only inside a function")
    assert not wrong, "\n".join(wrong)


def test_the_reader_of_imports_sees_all_kinds(tmp_path):
    file = tmp_path / "m.py"
    file.write_text(
        "import a.b\nfrom . import tree\nfrom ..data.columns.schema import Schema\n"
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import always\n"
        "def f():\n    from ..cli import main\n"
    )
    known = {"boxwood.views.tree", "boxwood.data.columns.schema", "boxwood.cli"}
    found = imports_of("boxwood.views.m", file, known)
    assert [(f.imported, f.lazy, f.for_types) for f in found] == [
        ("a.b", False, False),
        ("boxwood.views.tree", False, False),
        ("boxwood.data.columns.schema", False, False),
        ("typing", False, False),
        ("always", False, True),
        ("boxwood.cli", True, False),
    ]


@pytest.mark.parametrize("module", [m for m, file in modules().items() if file.read_text(encoding="utf-8").strip()])
def test_module_opens_with_one_sentence(module):
    doc = ast.get_docstring(ast.parse(modules()[module].read_text(encoding="utf-8")))
    assert doc, f"{module} has no docstring"
    first = doc.split("\n\n")[0].split("\n")[0]
    assert first.endswith("."), f"{module}: the first line is not a whole sentence: {first!r}"


def test_every_module_has_its_place_among_its_siblings():
    order = read(FILE.read_text(encoding="utf-8"))
    listed = {package: [name for line in lines for name in line] for package, lines in order.items()}
    assert {package: sorted(names) for package, names in listed.items()} == {
        package: sorted(names) for package, names in siblings().items()
    }, "add the new module where it belongs, or write the order anew: python tools/siblings.py --write"


def test_a_module_imports_only_earlier_siblings():
    order = read(FILE.read_text(encoding="utf-8"))
    place = {(p, name): n for p, lines in order.items() for n, line in enumerate(lines) for name in line}
    wrong = [f"{p}: {a} imports {b}" for p, a, b in edges() if place.get((p, b), -1) >= place.get((p, a), 1_000)]
    assert not wrong, "not in the order of tools/siblings.txt:\n" + "\n".join(wrong)
