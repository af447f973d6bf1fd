"""Every type has one owner: no name of a class or of a type alias is defined in two modules."""

import ast
from collections import defaultdict

from tools.imports import modules


def types_of(tree: ast.Module) -> set[str]:
    """Names of the classes and of the type aliases (CamelCase, assigned once) that a module defines."""
    names = {node.name for node in tree.body if isinstance(node, ast.ClassDef)}
    for node in tree.body:
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        if isinstance(target, ast.Name) and (plain := target.id.lstrip("_"))[:1].isupper() and not plain.isupper():
            names.add(target.id)
    return names


def test_a_type_is_defined_in_one_module():
    owners = defaultdict(list)
    for module, file in modules().items():
        for name in types_of(ast.parse(file.read_text(encoding="utf-8"))):
            owners[name].append(module)
    shared = {name: found for name, found in owners.items() if len(found) > 1}
    assert not shared, f"rename all but one: {shared}"


def test_classes_and_aliases_are_seen():
    code = "LIMIT = 3\nRows = list[int]\nclass _Search: ...\ndef f():\n    Inner = 1\nx: int = 2\n"
    assert types_of(ast.parse(code)) == {"Rows", "_Search"}
