"""A tree as DOT text, which Graphviz and many other programs draw."""

from __future__ import annotations

from ..statistics.responses.registry import CLASSES
from ..views.condition import condition, missing_words
from ..views.counted import counted
from ..views.small_leaves import small_intervals
from ..views.words import amount, level, plain, share
from .plan import ExportPlan


def write(plan: ExportPlan, options: dict) -> str:
    """One box per node, with its prediction and its rows; one arrow per branch, with the values that go there."""
    tree = plan.tree
    lines = [f"// {plan.heading()}", "digraph tree {", '  graph [label="", charset="UTF-8"];']
    lines += ['  node [shape=box, style=rounded, fontname="sans-serif"];', '  edge [fontname="sans-serif"];']
    intervals = {t: f" [{share(low)} to {share(high)}]" for t, (low, high) in small_intervals(tree).items()}
    for t in range(tree.n_nodes):
        shape = "" if tree.is_leaf[t] else ', style=""'
        lines.append(f"  {t} [label={_quoted(_node(plan, t, intervals.get(t, '')))}{shape}];")
    for t in plan.steps:
        missing = missing_words(tree, t)
        for branch in range(int(tree.n_children[t])):
            words = condition(tree, t, branch)
            if missing == f"branch {branch}" and not words.endswith("is missing"):
                words += " or missing"
            lines.append(f"  {t} -> {int(tree.first_child[t]) + branch} [label={_quoted(words)}];")
    return "\n".join([*lines, "}", ""])


def _node(plan: ExportPlan, t: int, interval: str) -> str:
    """The prediction of a node, with the 95 % interval of a small leaf, and its rows, on two lines."""
    tree = plan.tree
    rows = int(tree.rows[t])
    count = f"{rows} row{'s' * (rows != 1)}"
    if tree.response.kind != CLASSES:
        return f"{plain(tree.response.name)} {amount(tree.value[t])}\n{count}"
    k = int(tree.value[t])
    count = counted(tree, t, k, count) if rows else count
    return f"{level(tree.response.labels[k])} {share(float(tree.probability[t, k]))}{interval}\n{count}"


def _quoted(text: str) -> str:
    """A text between quotation marks; a line end becomes the sign for it."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
