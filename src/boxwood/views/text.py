"""The tree as text: one line per node, as many levels as fit; folded nodes are counted."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .._messages import Message, lines_of, must_be
from ..errors import ParameterError, ParameterTypeError
from ..tree.tree import SHARED, STAYS, Tree
from .condition import condition, has_values
from .counted import counted
from .marked import FOOTNOTE, SIGN, mark_words
from .predicted import views_of
from .small_leaves import small_intervals, small_leaves_words
from .tested import words_of_test
from .words import amount, columns, plain, share, shorten

#: Columns that a condition keeps even where the line is too short for it.
_LEAST = 12

#: Marks: surrogates are tried before a missing value takes this branch; the levels were grouped by a heuristic search.
_SURROGATES, _GROUPED = "*", "~"


def to_text(tree: Tree, max_lines: int | None = 30, max_depth: int | None = None, width: int | None = 100,
            hint: str = "to_text(max_lines=None)") -> str:  # fmt: skip
    """The tree as text, one line per node.

    A line shows the condition that leads to the node, its rows, and its prediction: the class with its probability, the
    mean, or the rate. An arrow marks a leaf; "as above" an empty one, which predicts like its parent. "or missing"
    is at the branch that missing values take; with a star, surrogate splits are tried first. "missing: shared" means
    that such a row goes down every branch with a share of its weight; below, the weight of a node is beside its
    rows, parts of rows being counted as rows. A tilde after a condition means that the levels were grouped by a
    heuristic, since there were too many to try every grouping. Thresholds, means and probabilities are
    rounded, thresholds so that different ones stay different; a leaf of fewer than 7 rows has the 95 % interval of its
    probability in brackets. A tree that is too long is folded: the levels nearest the root are shown, and nodes below
    are counted.

    Parameters
    ----------
    tree : Tree
    max_lines : int, optional
        Longest text, at least 1; None shows all nodes.
    max_depth : int, optional
        Deepest level shown, the root being 0; None for no limit.
    width : int, optional
        Columns of the terminal, at least 20; longer conditions are cut with "…". None for no limit.
    hint : str
        What shows the whole tree; named where a part of it is folded away.

    Returns
    -------
    str
        Without a line end at the end.

    Raises
    ------
    ParameterError, ParameterTypeError
        A limit is not a whole number or too small.
    """
    for name, value, least in (("max_lines", max_lines, 1), ("max_depth", max_depth, 0), ("width", width, 20)):
        _check_limit(name, value, least)
    notes = _footnotes(tree)
    shown = _shown_nodes(tree, max_lines, max_depth, len(notes))
    page = _Page(tree, shown, width, _nodes_below(tree) if shown < tree.n_nodes else [])
    lines = [_title(tree), *page.lines()]
    if shown < tree.n_nodes:
        more = tree.n_nodes - shown
        lines.append(f"... {more} more node{'s' * (more > 1)} below; {hint} shows all")
    lines += notes
    if max_lines is not None and len(lines) > max_lines:
        lines = lines[1 : max_lines + 1]
    return lines_of(lines if width is None else [shorten(line, width) for line in lines])


def _check_limit(name: str, value: int | None, least: int) -> None:
    """A limit is None or a whole number that is large enough."""
    if value is None:
        return
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise ParameterTypeError(must_be(name, "a whole number or None", value))
    if value < least:
        raise ParameterError(must_be(name, f"at least {least} or None", value))


def _footnotes(tree: Tree) -> list[str]:
    """What the marks of this tree mean, one line each."""
    small = small_leaves_words(tree)
    notes: list[str] = [Message(views_of(tree.response).small_leaves, small)] if small else []
    if len(tree.surrogates):
        notes.append(f"{_SURROGATES} surrogate splits are tried first")
    if tree.heuristic.any():
        notes.append(f"{_GROUPED} too many levels to try every grouping; this one was found by a heuristic")
    if tree.marks:
        notes.append(FOOTNOTE)
    return notes


def _shown_nodes(tree: Tree, max_lines: int | None, max_depth: int | None, notes: int) -> int:
    """How many nodes are shown: the first ones in level order, never only some children of a node."""
    whole = tree.n_nodes if max_depth is None else int(np.searchsorted(tree.depth, max_depth, side="right"))
    if max_lines is None or whole + 1 + notes + (whole < tree.n_nodes) <= max_lines:
        return whole
    fits = max(min(max_lines - 2 - notes, whole), 1)
    while fits > 1 and fits < tree.n_nodes and tree.parent[fits] == tree.parent[fits - 1]:
        fits -= 1
    return fits


def _nodes_below(tree: Tree) -> list[int]:
    """How many nodes are below each node."""
    below = [0] * tree.n_nodes
    parent = tree.parent.tolist()
    for t in range(tree.n_nodes - 1, 0, -1):
        below[parent[t]] += below[t] + 1
    return below


def _title(tree: Tree) -> str:
    """The first line: which algorithm, which response, how large."""
    algorithm = tree.made_by.get("algorithm")
    by = f" ({plain(str(algorithm))})" if algorithm else ""
    leaves = f"{tree.n_leaves} {'leaf' if tree.n_leaves == 1 else 'leaves'}"
    size = f"{tree.n_nodes} node{'s' * (tree.n_nodes > 1)}, {leaves}, depth {tree.max_depth}"
    return f"Decision tree{by} for {plain(tree.response.name)}: {size}"


@dataclass
class _Page:
    """The lines of the first ``shown`` nodes, parents before children, branches in order."""

    tree: Tree
    shown: int
    width: int | None
    below: list[int]

    def lines(self) -> list[str]:
        """One line per node; a stack instead of recursion, so that depth does not matter."""
        tree, lines = self.tree, []
        stack = [(0, 0, "")]
        while stack:
            node, branch, guide = stack.pop()
            lines.append(self._line(node, branch, guide))
            first, count = int(tree.first_child[node]), int(tree.n_children[node])
            if 0 < first < self.shown:
                inner = guide if node == 0 else self._deeper(node, branch, guide)
                stack += [(first + c, c, inner) for c in range(count - 1, -1, -1)]
        return lines

    def _deeper(self, node: int, branch: int, guide: str) -> str:
        """The guide of the children: the text before their "├─ "; of a long one only the end is kept."""
        longer = guide + ("   " if self._is_last(node, branch) else "│  ")
        return longer[-self._guide_space() :]

    def _guide_space(self) -> int:
        """Columns for the guide: about a third of the line, a multiple of the three that a level takes."""
        return 3 * max((self.width or 120) // 9, 1)

    def _is_last(self, node: int, branch: int) -> bool:
        """Whether no sibling follows."""
        return branch == self.tree.n_children[self.tree.parent[node]] - 1

    def _line(self, node: int, branch: int, guide: str) -> str:
        """Guide, condition, and the prediction of the node."""
        tail = self._prediction_words(node) + self._decided(node)
        if node == 0:
            return f"all rows{tail}"
        depth = int(self.tree.depth[node])
        hidden = f"(level {depth}) " if 3 * (depth - 1) > self._guide_space() else ""
        head = f"{hidden}{guide}{'└─ ' if self._is_last(node, branch) else '├─ '}"
        parent = int(self.tree.parent[node])
        words = condition(self.tree, parent, branch)
        marks = self._marks(int(self.tree.parent[node]), branch)
        if self.width is None:
            return head + words + marks + tail
        space = self.width - columns(head) - columns(marks) - columns(tail)
        return head + shorten(words, max(space, _LEAST)) + marks + tail

    def _marks(self, node: int, branch: int) -> str:
        """The mark of a heuristic split, and the note at the branch that missing values take."""
        takes_values = has_values(self.tree, node, branch)
        grouped = _GROUPED if self.tree.heuristic[node] and takes_values else ""
        if self.tree.missing[node] != branch or self.tree.made_by.get("missing") == "error":
            return grouped
        # The condition of a branch for missing values only mentions them already.
        return f"{grouped}{' or missing' if takes_values else ''}{self._star(node)}"

    def _star(self, node: int) -> str:
        """The mark of a node with surrogates."""
        return _SURROGATES if self.tree.surrogate_start[node + 1] > self.tree.surrogate_start[node] else ""

    def _prediction_words(self, node: int) -> str:
        """Rows and value of a node, whether it is a leaf, and where its missing values go if not down one branch."""
        tree = self.tree
        rows = self._counted(node)
        if tree.is_leaf[node]:
            sure = self.intervals.get(node)
            interval = f" [{share(sure[0])} to {share(sure[1])}]" if sure else ""
            return f" → {views_of(tree.response).value(tree, node)}{interval} ({rows})"
        goes = {SHARED: "shared", STAYS: "stays"}.get(int(tree.missing[node]), "")
        missing = f"; missing{self._star(node)}: {goes}" if goes else ""
        folded = f" … {self.below[node]} below" if tree.first_child[node] >= self.shown else ""
        tested = "".join(f"; {words}" for words in [", ".join(words_of_test(tree, node))] if words)
        facts = [rows, views_of(tree.response).value(tree, node)]
        return f" ({', '.join(facts[::-1] if tree.response.is_altered else facts)}{tested}{missing}){folded}"

    def _decided(self, node: int) -> str:
        """The mark of a node that people edited."""
        words = mark_words(self.tree, node)
        return f" {SIGN} {'; '.join(words)}" if words else ""

    def _counted(self, node: int) -> str:
        """Rows of a node, and their weight where rows may count in part."""
        rows = int(self.tree.rows[node])
        if rows == 0:
            return "0 rows, as above"
        weight = float(self.tree.row_weight[node])
        weighted = f", weight {amount(weight)}" if self.in_parts and weight != rows else ""
        words = f"{rows} row{'s' * (rows != 1)}{weighted}"
        altered = self.tree.response.is_altered
        return counted(self.tree, node, int(self.tree.value[node])) if altered else words

    @cached_property
    def intervals(self) -> dict[int, tuple[float, float]]:
        """How sure small leaves are."""
        return small_intervals(self.tree)

    @cached_property
    def in_parts(self) -> bool:
        """Whether some node shares out its rows with a missing value."""
        return bool((self.tree.missing == SHARED).any())
