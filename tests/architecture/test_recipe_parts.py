"""The parts of a recipe have behaviour: hardly any code outside tests which part it has."""

from __future__ import annotations

import ast

from tools.imports import modules

#: The records of the four choices and of the policy for missing values, and their common ancestors.
PARTS = {
    *("Branching", "Binary", "Multiway", "Merged", "Proposed"),
    *("Criterion", "ImpurityDecrease", "Gain", "InOrder", "Significance", "Scored"),
    *("Termination", "LeafModels", "Missing", "Recipe"),
}
MOST = 9


def parts_in(tree: ast.Module, module: str) -> set[str]:
    """Names by which a module knows parts of a recipe: those that it imports from growing/, or defines there."""
    known = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and ("growing" in (node.module or "") or ".growing." in f"{module}.")
        for alias in node.names
        if alias.name in PARTS
    }
    if ".growing." in f"{module}.":
        known |= {node.name for node in tree.body if isinstance(node, ast.ClassDef) and node.name in PARTS}
    return known


def type_tests(tree: ast.Module, module: str) -> list[int]:
    """Lines that test the type of a part: isinstance, issubclass and type(...) is."""
    known = parts_in(tree, module)
    lines = []
    for node in ast.walk(tree):
        tested: list[ast.expr] = []
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in ("isinstance", "issubclass")
        ):
            tested = node.args[1:]
        elif isinstance(node, ast.Compare) and "type(" in ast.unparse(node.left):
            tested = node.comparators
        elif isinstance(node, ast.match_case):
            tested = [p.cls for p in ast.walk(node.pattern) if isinstance(p, ast.MatchClass)]
        names = {n.id for expr in tested for n in ast.walk(expr) if isinstance(n, ast.Name)}
        if names & known:
            lines.append(getattr(node, "lineno", 0))
    return lines


def test_types_of_parts_are_hardly_tested():
    found = []
    for module, file in modules().items():
        tree = ast.parse(file.read_text(encoding="utf-8"))
        found += [f"{module}, line {line}" for line in type_tests(tree, module)]
    assert len(found) <= MOST, "give the part a method instead:\n" + "\n".join(found)


def test_the_reader_sees_all_tests_of_a_type():
    code = (
        "from ..growing.gain import Gain\nfrom ..exports.condition import Missing\n"
        "isinstance(x, Gain)\nisinstance(x, (int, Gain))\ntype(x) is Gain\nisinstance(x, Missing)\nisinstance(x, int)\n"
    )
    assert type_tests(ast.parse(code), "boxwood.learning.tables") == [3, 4, 5]
