"""The contents of a page as one JSON document: columns of numbers, at most about 150 bytes per node."""

from __future__ import annotations

import json
from functools import partial

import numpy as np

from ...data.columns.schema import Feature
from ...pruning.cost_complexity import leaves_and_risks
from ...pruning.losses import checked_loss, loss_words, training_losses
from ...pruning.selection import choose
from ...statistics.overflow import may_overflow
from ...statistics.responses.response import Response
from ...tree.descend import route_shares
from ...tree.shares import Parts
from ...tree.split import SplitTable
from ...tree.tree import Tree
from ...views.condition import branch_words, first_branch
from ...views.kinds import one_interval
from ...views.marked import SIGN, mark_words
from ...views.small_leaves import SMALL, small_intervals
from ...views.tested import words_of_test
from .contents import Contents
from .given import column_counts, held_out_losses, node_counts
from .histograms import histograms
from .json_numbers import level, number, numbers
from .kinds import PAGE, level_facts, levels_held, packed_split
from .predicted import SHOWN, response_page

#: Runners-up shown for each node.
MOST_RIVALS = 3
#: So many nodes from the root on can take them in the page, if their conditions are not longer than this.
MOST_TAKING, LONGEST_TAKEN = 200, 2_000
#: How the scripts of the page write intervals.
_INTERVAL = partial(one_interval, sign="≤")


@may_overflow  # a page shows infinities as words
def to_document(contents: Contents) -> dict:
    """Everything the page needs, as plain JSON values.

    Returns
    -------
    dict
        ``tree`` (nodes in level order: what a browser needs to predict as Python does), ``features``, ``response``,
        ``pruning`` (one entry per tree of the family), ``rows`` (what given rows add, or None), ``model``. Of several
        responses, that of the first, and in ``others`` what is different for each of the others.

    Raises
    ------
    UnseenLevelError
        Given rows hold a level that did not occur in training, and the policy refuses it.
    """
    rows, parts = contents.rows, None
    if rows is not None:
        parts = route_shares(contents.tree, rows.columns, contents.unseen, rows.threads)
    first, *others = (_document(one, parts) for one in contents.of_each)
    found = first | {"pruning": _pruning(contents, parts)}
    return found | {"others": [_differing(first, other) for other in others]} if others else found


def _differing(first: dict, other: dict) -> dict:
    """The entries of a document that are not those of the first; null where it has none."""
    parts = {name: (first[name] or {}, other[name] or {}) for name in ("response", "tree", "rows")}
    return {
        name: {key: two.get(key) for key in {**one, **two} if key not in two or key not in one or one[key] != two[key]}
        for name, (one, two) in parts.items()
    }


def _document(contents: Contents, parts: Parts | None) -> dict:
    """What is known of one response."""
    tree, rows = contents.tree, contents.rows
    held = levels_held(tree)
    counts = [{}] * len(tree.schema) if rows is None else column_counts(rows, held)
    made_by = tree.made_by
    return {
        "model": {
            "algorithm": str(made_by.get("algorithm", "")),
            "version": str(made_by.get("version", "")),
            "measure": str(made_by.get("measure", "")),
            "unseen": contents.unseen,
            "refuses_missing": contents.refuses_missing,
            "notes": list(contents.notes),
        },
        "response": _response(tree.response),
        "features": [
            _feature(feature) | level_facts(feature, levels) | words | found
            for feature, levels, words, found in zip(tree.schema, held, _words(tree), counts, strict=True)
        ],
        "tree": _nodes(tree) | _rivals_of(contents) | {"falls": _falls(contents)},
        "rows": None if rows is None else node_counts(tree, rows, parts) | {"bins": histograms(tree, rows, parts)},
    }


def to_json(contents: Contents) -> str:
    """The document as text that fits inside a script element: no ``<`` is in it."""
    document = to_document(contents)
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:  # half a character (a lone surrogate) in a name: written as an escape
        text = json.dumps(document, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c")


def _response(response: Response) -> dict:
    found = {"kind": response.kind, "name": response.name, "labels": [level(label) for label in response.labels]}
    return found | response_page(response).described(response)


def _feature(feature: Feature) -> dict:
    found = {"name": feature.name, "kind": feature.kind, "whole": feature.integer}
    return found | PAGE.of(feature).described(feature)


def _words(tree: Tree) -> list[dict]:
    """The words of the thresholds of each feature, where a script would not write the same number."""
    found: list[dict] = [{} for _ in tree.schema]
    feature = np.repeat(tree.splits.feature, np.diff(tree.splits.breaks_start)).tolist()
    pairs = zip(feature, tree.splits.breaks.tolist(), tree.splits.breaks_low.tolist(), strict=True)
    for j, value, low in sorted(set(pairs)):
        text = PAGE.of(tree.schema[j]).cut_words(tree.schema[j], value, low)
        if text is not None:
            found[j].setdefault("words", []).append([number(value), text])
    return found


def _nodes(tree: Tree) -> dict:
    """What is known about the nodes; lists of splits have one entry an inner node."""
    inner = np.flatnonzero(~tree.is_leaf).tolist()
    found = {
        "kids": tree.n_children.tolist(),
        "rows": tree.rows.tolist(),
        "value": numbers(tree.value),
        "impurity": numbers(tree.impurity(), SHOWN),
        "splits": [packed_split(tree.splits, t, tree.schema) for t in inner],
        "missing": tree.missing[inner].tolist(),
        "score": numbers(tree.score[inner], SHOWN),
        "surrogates": [_surrogates(tree, t) for t in inner],
        "heuristic": np.flatnonzero(tree.heuristic).tolist(),
        "sure": _sure(tree),
    }
    if tree.marks:
        found["marks"] = [[t, f"{SIGN} {'; '.join(mark_words(tree, t))}"] for t in sorted(tree.marks)]
        found["fixed"] = [t for t, mark in sorted(tree.marks.items()) if mark.stays]
        found["decided"] = [t for t, mark in sorted(tree.marks.items()) if mark.value is not None]
    if tree.log_p is not None:
        found["tests"] = [words_of_test(tree, t) for t in inner]
    return found | response_page(tree.response).nodes(tree)


def _sure(tree: Tree) -> list:
    """Nodes of few rows, which pruning may make leaves, and the 95 % interval of their probability."""
    few = np.flatnonzero((tree.rows > 0) & (tree.rows < SMALL))
    return [[t, number(low, 3), number(high, 3)] for t, (low, high) in small_intervals(tree, few).items()]


def _surrogates(tree: Tree, t: int) -> list:
    """Surrogates of a node: split, agreement, adjusted agreement."""
    return [
        [packed_split(tree.surrogates, s, tree.schema), number(tree.agreement[s], 3), number(tree.adjusted[s], 3)]
        for s in range(tree.surrogate_start[t], tree.surrogate_start[t + 1])
    ]


def _rivals_of(contents: Contents) -> dict:
    """Runners-up of the inner nodes: those that the tree keeps, else what features offer for the rows given."""
    tree, given = contents.tree, contents.rivals
    inner = np.flatnonzero(~tree.is_leaf).tolist()
    if given is None or len(tree.competitors):
        return {"rivals": [_rivals(tree, t, i < MOST_TAKING) for i, t in enumerate(inner)], "own": None}
    both = [_given_rivals(tree, t, *given.of_node.get(t, (None, None))) for t in inner]
    return {"rivals": [rivals for rivals, _ in both], "own": [own for _, own in both]}


def _given_rivals(tree: Tree, t: int, splits, scores) -> tuple[list, float | None]:
    """The best splits of other features, and the score of the best split of the feature that the node tests."""
    if splits is None:
        return [], None
    own = splits.feature == tree.splits.feature[t]
    others = np.flatnonzero(~own)[:MOST_RIVALS].tolist()
    best = [_rival(tree, splits, s, scores[s], True) for s in others]
    return best, number(float(scores[own][0]), SHOWN) if own.any() else None


def _rivals(tree: Tree, t: int, taking: bool) -> list:
    """The best runners-up of a node."""
    first = tree.competitor_start[t]
    last = min(tree.competitor_start[t + 1], first + MOST_RIVALS)
    return [_rival(tree, tree.competitors, s, tree.competitor_score[s], taking) for s in range(first, last)]


def _rival(tree: Tree, table: SplitTable, s: int, score: float, taking: bool) -> list:
    """A runner-up: the condition of its first branch, its score, and those of all branches where it can be taken."""
    words = list(branch_words(tree.schema, table, s)) if taking else []
    exact = [words] if len(words) > 1 and sum(map(len, words)) <= LONGEST_TAKEN else []
    return [_first_branch(tree, table, s), number(score, SHOWN), *exact]


def _first_branch(tree: Tree, table: SplitTable, s: int) -> str:
    """Which values go down the first branch of a split; a text, so that levels that no node tests need not be there."""
    return first_branch(tree.schema[int(table.feature[s])], table, s, _INTERVAL)


def _falls(contents: Contents) -> list:
    """The first row of the family in which each node is a leaf or pruned away."""
    family = contents.family
    return np.searchsorted(family.alphas, family.collapses_at, side="left").tolist()


def _pruning(contents: Contents, parts: Parts | None) -> dict:
    """The family of trees: prices, sizes and losses on the training set, held out, and given."""
    tree, family = contents.tree, contents.family
    unit = float(tree.weight[0])
    loss = checked_loss(contents.loss, tree.response)
    risk = training_losses(tree, loss)
    _, risks = leaves_and_risks(tree, risk, family.collapses_at, family.alphas)
    words = "share of errors" if loss == "error" else loss_words()[loss]
    found = {
        "loss": f"{words} of all responses" if tree.response.responses else words,
        "alphas": numbers(family.alphas / unit, SHOWN),
        "leaves": family.n_leaves.tolist(),
        "grown": tree.n_leaves,
        "training": numbers(risks / unit, SHOWN),
        "selected": contents.selected,
        "held_out": _curve(contents.held_out, contents.loss_from or "folds"),
        "given": None,
    }
    if contents.rows is not None and contents.rows.y is not None:
        found["given"] = _curve(held_out_losses(tree, (family, loss), contents.rows, parts), "given")
    return found


def _curve(losses: np.ndarray | None, loss_from: str) -> dict | None:
    """Losses of rows that the trees were not grown from, with the rows of least loss and of one standard error."""
    if losses is None:
        return None
    mean, error = losses.T
    at = np.arange(len(mean))
    marks = {"least": choose(at, mean, error), "one_se": choose(at, mean, error, "1se")}
    return {"by": loss_from, "loss": numbers(mean, SHOWN), "se": numbers(error, SHOWN)} | marks
