"""The conditions above or beside the nodes of a picture: in lines that fit, and never the same at two siblings."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field

from ..data.columns.schema import Feature
from ..tree.tree import Tree
from ..views.words import level, plain
from .branch_words import branch_label
from .measure import ELLIPSIS, wrapped

#: A shorter common part of levels is not worth a footnote.
_LEAST_COMMON = 4
#: Signs of the beginning that stay where the middle of a label is left out, and before the first difference.
_KEPT, _BEFORE = 8, 2


@dataclass(frozen=True)
class Conditions:
    """The lines of each node, and the notes that explain what was left out.

    Attributes
    ----------
    lines : dict of int to list of str
        By node; the root has none.
    notes : tuple of str
    """

    lines: dict[int, list[str]]
    notes: tuple[str, ...] = field(default=())


def conditions_of(tree: Tree, nodes: Sequence[int], size: float, width: float) -> Conditions:
    """The conditions of some nodes in at most two lines each.

    Levels that do not fit are written without the part that all levels of the feature share; if siblings would still
    read the same, the middle of their labels is left out instead of the end.

    Parameters
    ----------
    tree : Tree
    nodes : sequence of int
        With all siblings of each node.
    size, width : float
        Font size and most width of a line.
    """
    texts: dict[int, str] = {}
    notes, words_of = [], {}
    by_feature: dict[int, list[int]] = {}
    for node in nodes:
        if tree.parent[node] >= 0:
            by_feature.setdefault(int(tree.splits.feature[tree.parent[node]]), []).append(node)
    for j, own in by_feature.items():
        labels = {node: _label(tree, node) for node in own}
        if any(_is_cut(text, size, width) for text in labels.values()):
            found = without_common_part(tree.schema[j])
            if found is not None:
                words_of[j], note = found
                notes.append(note)
                labels = {node: _label(tree, node, words_of[j]) for node in own}
        texts |= labels
    lines = {node: wrapped(text, size, width) for node, text in texts.items()}
    for node in nodes:
        first = int(tree.first_child[node])
        if first in texts:
            siblings = range(first, first + int(tree.n_children[node]))
            lines |= _distinguished({c: texts[c] for c in siblings}, {c: lines[c] for c in siblings}, size, width)
    return Conditions(lines, tuple(notes))


def _label(tree: Tree, node: int, words: Sequence[str] | None = None) -> str:
    parent = int(tree.parent[node])
    return branch_label(tree, parent, node - int(tree.first_child[parent]), words)


def _is_cut(text: str, size: float, width: float) -> bool:
    """Whether a text does not fit into its two lines."""
    return any(line.endswith(ELLIPSIS) for line in wrapped(text, size, width)) and ELLIPSIS not in text


def without_common_part(feature: Feature) -> tuple[list[str], str] | None:
    """Words for the levels of a feature without what they all begin or end with, and a note that gives it; or None.

    Examples
    --------
    >>> from boxwood.data.columns.schema import Feature
    >>> from boxwood.pictures.conditions import without_common_part
    >>> card = Feature("card", "nominal", ("credit card: gold", "credit card: silver"))
    >>> without_common_part(card)
    (['…gold', '…silver'], 'card: … stands for "credit card: "')
    """
    levels = [level(value) for value in feature.levels]
    if len(levels) < 2:
        return None
    head = _at_word(common_beginning(levels), levels)
    tail = _at_word(common_beginning([word[::-1] for word in levels]), [word[len(head) :][::-1] for word in levels])
    head, tail = (part if len(part) >= _LEAST_COMMON else "" for part in (head, tail[::-1]))
    if not head and not tail:
        return None
    left, right = (ELLIPSIS if part else "" for part in (head, tail))
    short = [left + word[len(head) : len(word) - len(tail)] + right for word in levels]
    given = " and ".join(
        f'"{part}"{where}' for part, where in ((head, " before" * bool(tail)), (tail, " after" * bool(head))) if part
    )
    return short, f"{plain(feature.name)}: {ELLIPSIS} stands for {given}"


def common_beginning(texts: Sequence[str]) -> str:
    """The longest text with which all of some texts begin."""
    first, last = min(texts), max(texts)
    return first[: next((i for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))]


def _at_word(common: str, words: list[str]) -> str:
    """A common beginning, back to the end of a word, that leaves something of each."""
    least = min(map(len, words))
    at = min(len(common), least - 1)
    while at > 0 and not _is_border(common[at - 1]):
        at -= 1
    return common[:at]


def _is_border(sign: str) -> bool:
    """Whether a word may end after a sign: blanks and punctuation, and every sign of scripts without blanks."""
    return not sign.isalnum() or unicodedata.east_asian_width(sign) in "WF"


def _distinguished(
    texts: dict[int, str], lines: dict[int, list[str]], size: float, width: float
) -> dict[int, list[str]]:
    """The lines of siblings, those that read the same written anew."""
    for rewrite in (_without_middle, _numbered):
        groups: dict[tuple, list[int]] = {}
        for node, own in lines.items():
            groups.setdefault(tuple(own), []).append(node)
        for same in groups.values():
            if len({texts[node] for node in same}) > 1:
                again = rewrite([texts[node] for node in same])
                lines = lines | {node: wrapped(text, size, width) for node, text in zip(same, again, strict=True)}
    return lines


def _without_middle(texts: list[str]) -> list[str]:
    """Texts that differ late, with their beginning and what comes from the first difference on."""
    at = len(common_beginning(texts)) - _BEFORE
    return [text if at <= _KEPT else f"{text[:_KEPT]}{ELLIPSIS}{text[at:]}" for text in texts]


def _numbered(texts: list[str]) -> list[str]:
    """Texts with a number before each."""
    return [f"({i}) {text}" for i, text in enumerate(texts, start=1)]
