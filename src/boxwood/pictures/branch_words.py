"""The short texts at branches and in nodes of a picture."""

from __future__ import annotations

from collections.abc import Sequence

from ..tree.tree import SHARED, STAYS, Tree
from ..views.condition import condition, has_values
from ..views.intervals import values_of_branch
from ..views.kinds import VALUE_WORDS, ConditionStyle
from ..views.marked import mark_words
from ..views.predicted import views_of
from ..views.tested import words_of_test
from ..views.words import amount, plain

#: Marks of the footnotes, the same as those of the tree in words.
SURROGATES, GROUPED = "*", "~"
#: Up to this many levels are named at a branch; of more, one less, and the others are counted.
_MOST_LEVELS = 4


def branch_label(tree: Tree, node: int, branch: int, level_words: Sequence[str] | None = None) -> str:
    """Which values go down a branch, without the name of the feature, which is in the node above.

    ``level_words`` are other words for the levels of the feature, for example shorter ones.

    Examples
    --------
    >>> from boxwood import CARTRegressor
    >>> from boxwood.pictures.branch_words import branch_label
    >>> tree = CARTRegressor(pruning=None).fit({"age": [20, 30, 50]}, [0, 1, 5]).tree_
    >>> branch_label(tree, 0, 0), branch_label(tree, 0, 1)
    ('≤ 40 or missing', '> 40')
    """
    values = _values(tree, node, branch, level_words)
    mark = SURROGATES if tree.surrogate_start[node + 1] > tree.surrogate_start[node] else ""
    if not values:
        return f"missing{mark}" if tree.missing[node] == branch else "no value"
    if tree.heuristic[node]:
        values += GROUPED
    if tree.missing[node] != branch or tree.made_by.get("missing") == "error":
        return values
    return f"{values} or missing{mark}"


def _values(tree: Tree, node: int, branch: int, level_words: Sequence[str] | None) -> str:
    """The known values of a branch; empty if there are none."""
    feature = tree.schema[int(tree.splits.feature[node])]
    values = values_of_branch(feature, tree.splits, node, branch)
    style = ConditionStyle("", _MOST_LEVELS, _interval, level_words or ())
    return VALUE_WORDS.of(feature).condition(feature, *values, style).strip()


def _interval(name: str, above: str | None, upto: str | None) -> str:
    if above is None:
        return "known" if upto is None else f"≤ {upto}"
    return f"> {above}" if upto is None else f"({above}{'; ' if ',' in above + upto else ', '}{upto}]"


def rows_words(tree: Tree, node: int) -> str:
    """How many rows a node has."""
    rows = int(tree.rows[node])
    return f"{rows:,} row{'s' * (rows != 1)}"


def question(tree: Tree, node: int) -> tuple[str, list[str]]:
    """The feature tested at a node, and other notes on the split."""
    notes = words_of_test(tree, node)
    goes = {SHARED: "shared", STAYS: "stays here"}.get(int(tree.missing[node]))
    if goes and tree.made_by.get("missing") != "error":
        star = SURROGATES if tree.surrogate_start[node + 1] > tree.surrogate_start[node] else ""
        notes.append(f"missing{star}: {goes}")
    return plain(tree.schema[int(tree.splits.feature[node])].name), notes


def note(tree: Tree, node: int) -> str:
    """Everything about a node in a few lines: its number, the exact condition that leads to it, its prediction."""
    lines = [f"node {node}"]
    parent = int(tree.parent[node])
    if parent >= 0:
        branch = node - int(tree.first_child[parent])
        missing = " or missing" if tree.missing[parent] == branch and has_values(tree, parent, branch) else ""
        lines[0] += f": {condition(tree, parent, branch, 12)}{missing}"
    rows, weight = int(tree.rows[node]), float(tree.row_weight[node])
    lines.append(f"{rows} row{'s' * (rows != 1)}" + (f", weight {amount(weight)}" if weight != rows else ""))
    if rows == 0:
        lines.append("no training row came here; it predicts like its parent")
    lines += views_of(tree.response).lines(tree, node)
    lines += mark_words(tree, node)
    if not tree.is_leaf[node]:
        name, more = question(tree, node)
        lines.append(", ".join([f"split by {name}", *more]))
    return "\n".join(lines)
