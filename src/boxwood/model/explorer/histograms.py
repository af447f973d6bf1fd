"""How the rows given are distributed at nodes, over the values of the feature that each tests."""

from __future__ import annotations

import numpy as np

from ...data.columns.distinct import distinct
from ...exports.moments import numbers as of_resolution
from ...tree.shares import Parts
from ...tree.tree import Tree
from .contents import GivenRows
from .json_numbers import number, numbers
from .predicted import GIVEN, response_page

#: So many nodes from the root on have a histogram, of so many bins.
MOST_NODES, BINS = 60, 24


def histograms(tree: Tree, rows: GivenRows, parts: Parts) -> list:
    """Node, ends and weights in bins of equal width, by class, of the first nodes that split by cuts.

    Rows without a finite value are left out, and so are nodes whose values are too near, or too far apart, for bins.
    """
    inner = [t for t in np.flatnonzero(~tree.is_leaf).tolist() if tree.schema[_tested(tree, t)].type.has_cuts]
    place = rows_at_nodes(tree, parts, inner[:MOST_NODES])
    found = []
    for t, at in place.items():
        values = of_resolution(rows.columns, _tested(tree, t))[0][parts.row[at]]
        finite = np.isfinite(values)
        values, at = values[finite], at[finite]
        ends = np.linspace(values.min(), values.max(), BINS + 1) if len(values) else np.zeros(BINS + 1)
        if not (np.isfinite(ends).all() and (np.diff(ends) > 0).all()):
            continue
        weight = rows.weight[parts.row[at]] * parts.share[at]
        group, groups = np.zeros(len(at), dtype=np.int64), 1
        if rows.y is not None:
            group, groups = response_page(tree.response).groups(tree.response, rows.y[parts.row[at]])
        place = np.minimum(np.searchsorted(ends, values, side="right") - 1, BINS - 1)
        counts = np.bincount(group * BINS + place, weight, groups * BINS).reshape(groups, BINS)
        found.append([t, number(float(ends[0])), number(float(ends[-1])), [numbers(line, GIVEN) for line in counts]])
    return found


def rows_at_nodes(tree: Tree, parts: Parts, nodes: list[int]) -> dict[int, np.ndarray]:
    """For some nodes, which parts of rows end there or below, int64, ascending by node."""
    wanted = np.zeros(tree.n_nodes, dtype=bool)
    wanted[nodes] = True
    found: dict[int, list[np.ndarray]] = {t: [] for t in nodes}
    at, part = parts.node.astype(np.int64), np.arange(len(parts.node))
    while len(at):
        here = wanted[at]
        for t in distinct(at[here]).tolist():
            found[t].append(part[at == t])
        at = tree.parent[at].astype(np.int64)
        at, part = at[at >= 0], part[at >= 0]
    return {t: np.concatenate(pieces) for t, pieces in found.items() if pieces}


def _tested(tree: Tree, t: int) -> int:
    """The feature that a node tests."""
    return int(tree.splits.feature[t])
