"""Trees with hostile names, levels and labels in every output: well formed, harmless, as right as with plain ones."""

from __future__ import annotations

import ast
import io
import json
import random
import zipfile
from dataclasses import replace
from html.parser import HTMLParser
from xml.etree import ElementTree

import numpy as np

from boxwood.data.columns.schema import Feature, Schema
from boxwood.errors import ParameterError
from boxwood.exports.export import export, verify
from boxwood.exports.plan import ExportPlan
from boxwood.exports.registry import DIALECTS
from boxwood.model.readable import ReadableTree
from boxwood.tree.lazy_arrays import as_kind
from boxwood.tree.tree import Tree
from exports.hard_rows import hard_columns
from exports.hard_trees import hard_plan

PIECES = (
    *(
        "a",
        "B",
        "中",
        "é",
        " ",
        "\n",
        "\r",
        "\t",
        "'",
        '"',
        "`",
        "\\",
        "]",
        "]]>",
        "*/",
        "/*",
        "//",
        "--",
        ";",
        "#",
        "%s",
    ),
    *(
        "{0}",
        "${x}",
        "</script>",
        "<!--",
        "&amp;",
        "&#0;",
        "=1+1",
        "@",
        "+",
        "\u2028",
        "\u202e",
        "\ufeff",
        "\ufffe",
        "\0",
    ),
    *(
        "??/",
        "\\u0022",
        "__proto__",
        "select",
        "null",
        "NaN",
        "''",
        "\x1b[2J",
        "\ud800",
        "_x000D_",
        "😀",
        "1e999",
        "\x7f",
    ),
)
#: Those that every output can hold: one of the others in any name, and most outputs are refused.
WRITABLE = tuple(p for p in PIECES if p not in ("\0", "\ud800", "\ufffe", "\x1b[2J", "\x7f"))
#: Elements of a page that load or run something.
ACTIVE = ("script", "iframe", "img", "link", "meta", "object", "base")


def draw(draw: random.Random) -> bytes:
    """Seed and kind of a tree, its texts, and the outputs to write."""
    pieces, least = (PIECES, 0) if draw.random() < 0.3 else (WRITABLE, 1)
    texts = ["".join(draw.choices(pieces, k=draw.randint(least, 4))) for _ in range(40)]
    return json.dumps([draw.randrange(10**6), draw.choice(("classes", "mean", "rate")), texts]).encode()


def _renamed(tree: Tree, texts: list[str]) -> Tree:
    """The tree with other texts, as many of them as differ from each other."""
    drawn = iter(dict.fromkeys(texts))
    features = []
    for feature in tree.schema:
        levels = tuple(next(drawn, v) if isinstance(v, str) else v for v in feature.levels)
        levels = levels if len(set(levels)) == len(levels) else feature.levels
        features.append(Feature(next(drawn, feature.name), feature.kind, levels, feature.why, integer=feature.integer))
    names = {f.name for f in features}
    schema = Schema(tuple(features), named=True) if len(names) == len(features) else tree.schema
    labels = tuple(next(drawn, v) for v in tree.response.labels)
    labels = labels if len(set(labels)) == len(labels) else tree.response.labels
    response = replace(tree.response, name=texts[-1])
    return replace(tree, schema=schema, response=replace(response, labels=labels) if labels else response)


class _Tags(HTMLParser):
    """The elements of a page that can do something."""

    def __init__(self):
        super().__init__()
        self.tags = []

    def handle_starttag(self, tag, attrs):
        if tag in ACTIVE or any(name.startswith("on") for name, _ in attrs):
            self.tags.append(tag)


def _tags(page: str) -> list[str]:
    reader = _Tags()
    reader.feed(page)
    return reader.tags


def run(data: bytes) -> None:
    """Write the tree in all formats; each is refused with an error of ours or is sound."""
    seed, kind, texts = json.loads(data)
    plan = hard_plan(seed, kind)
    hostile = ExportPlan(_renamed(plan.tree, texts), plan.unseen, plan.refuse_missing)
    failed = []
    for check in (_python, _sql, _others, _pictures):
        failed += _tried(check, hostile, plan, seed)
    if failed:
        raise failed[0]


def _tried(check, hostile: ExportPlan, plan: ExportPlan, seed: int) -> list:
    try:
        check(hostile, plan, seed)
    except ParameterError as error:
        return [error]
    return []


def _agrees(plan: ExportPlan, form: str, seed: int, **options) -> None:
    with np.errstate(over="ignore"):
        rows = hard_columns(plan.tree, seed, 40)
    verdict = verify(plan, rows, form, **options)
    if not verdict:
        raise AssertionError(str(verdict))


def _python(hostile: ExportPlan, plan: ExportPlan, seed: int) -> None:
    ast.parse(export(hostile, "python"))
    _agrees(hostile, "python", seed)


def _sql(hostile: ExportPlan, plan: ExportPlan, seed: int) -> None:
    options = {"key": [hostile.tree.schema.names[0]]} if hostile.shares else {}
    refused = []
    for dialect in DIALECTS:
        refused += _tried(lambda h, p, s, d=dialect: export(h, "sql", dialect=d, **options), hostile, plan, seed)
    if not options:
        for dialect in ("sqlite", "duckdb"):
            refused += _tried(lambda h, p, s, d=dialect: _agrees(h, "sql", s, dialect=d), hostile, plan, seed)
    if refused:
        raise refused[0]


def _others(hostile: ExportPlan, plan: ExportPlan, seed: int) -> None:
    refused = _tried(lambda h, p, s: json.loads(export(h, "json")), hostile, plan, seed)
    refused += _tried(lambda h, p, s: ElementTree.fromstring(export(h, "pmml")), hostile, plan, seed)
    refused += _tried(lambda h, p, s: _workbook(export(h, "xlsx")), hostile, plan, seed)
    for form in ("c", "js", "dot", "onnx"):
        refused += _tried(lambda h, p, s, f=form: export(h, f), hostile, plan, seed)
    if refused:
        raise refused[0]


def _workbook(content: bytes) -> None:
    with zipfile.ZipFile(io.BytesIO(content)) as book:
        for name in book.namelist():
            ElementTree.fromstring(book.read(name))


def _readable(plan: ExportPlan) -> ReadableTree:
    return as_kind(plan.tree, ReadableTree)


def _pictures(hostile: ExportPlan, plan: ExportPlan, seed: int) -> None:
    tree = _readable(hostile)
    for text in (str(tree), tree.rules().to_text()):
        if "\x1b" in text or "\0" in text:
            raise AssertionError("a control character reaches the terminal")
    ElementTree.fromstring(tree.to_svg())
    page, plain = tree.explore().html, _readable(plan).explore().html
    if _tags(page) != _tags(plain):
        raise AssertionError(f"the page has other elements than with plain names: {_tags(page)}")
