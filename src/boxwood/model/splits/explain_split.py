"""The candidates of one node of a model: from the rows of the fit, or from what the tree stores."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ..._messages import Setting, must_be, remedy
from ...errors import DataError, ParameterError, check_one_of
from ...growing.memory.node_tables import NodeTables
from ...growing.recipe import Recipe
from ...growing.replay import alone, replay
from ...learning.learning_set import LearningSet
from ...learning.node_source import place_of, source_of_node
from ...tree.trace import arrivals
from ...tree.tree import Tree
from ...views.candidates import Candidate, SplitExplanation
from ...views.condition import condition, split_condition
from ...views.figures import few
from ...views.words import plain
from .split_offers import Offer, offers
from .split_parts import Node
from .split_reasons import leaf_note, why

#: How close sums of shares must be to those of growth, which rounds them to whole numbers.
_CLOSE = 1e-6
_THE_ROWS = remedy("give the data of the fit, with the same ", Setting("sample_weight"))

BRANCHES = ("split", "values")


@dataclass(frozen=True, eq=False)
class GrownFrom:
    """The rows that a tree was grown from.

    Attributes
    ----------
    learning : LearningSet
        The rows of the fit.
    keep : bool, shape (n,), or None
        Those that no pruner had held out; None = all.
    by_majority : bool or None
        Whether rows that no surrogate routes followed the majority in growth, or stayed; None = as in prediction.
    """

    learning: LearningSet
    keep: np.ndarray | None = None
    by_majority: bool | None = None

    @property
    def n(self) -> int:
        """Their number."""
        return self.learning.n if self.keep is None else int(np.count_nonzero(self.keep))

    def arrivals(self, tree: Tree, node: int) -> tuple[np.ndarray, np.ndarray]:
        """The rows of the learning set that came to a node in growth, and their shares."""
        weight = None if self.by_majority is None else self._weight * self.by_majority
        rows, share = arrivals(tree, self.learning.columns, node, weight)
        there = np.ones(len(rows), dtype=bool) if self.keep is None else self.keep[rows]
        return rows[there], share[there]

    @property
    def _weight(self) -> np.ndarray:
        """Whole weights of the rows of the learning set, 0 for those held out, int64."""
        exact = self.learning.exact
        weight = np.ones(exact.n, dtype=np.int64) if exact.weight is None else exact.weight.astype(np.int64)
        return weight if self.keep is None else weight * self.keep

    def in_source(self, rows: np.ndarray) -> np.ndarray:
        """Positions of rows of the learning set among the rows grown from, uint32."""
        positions = rows if self.keep is None else np.searchsorted(np.flatnonzero(self.keep), rows)
        return positions.astype(np.uint32)


def split_of_node(tree: Tree, recipe: Recipe, grown_from: GrownFrom, node: int, branches: str) -> SplitExplanation:
    """Every candidate of a node with all its numbers.

    Parameters
    ----------
    tree : Tree
        In force.
    recipe : Recipe
        By which it was grown.
    grown_from : GrownFrom
    node : int
    branches : {"split", "values"}
        What the numbers are about: the branches the algorithm would make, or one branch per value.

    Raises
    ------
    ParameterError
        There is no such node, it is empty, or ``branches`` is unknown.
    DataError
        These are not the rows that the tree was grown from.
    """
    check_one_of("branches", branches, BRANCHES)
    known_node(tree, node)
    if tree.rows[node] == 0:
        raise ParameterError(f"node {node} is empty: no row of training came to it, so there is nothing to explain.")
    tree.response.need_sums("explain_split")
    learning = grown_from.learning
    if learning.response.labels != tree.response.labels:
        raise DataError(
            Setting("y"), f" has the classes {list(learning.response.labels)}, and the model was fitted to "
            f"{list(tree.response.labels)}; ", _THE_ROWS, ".",
        )  # fmt: skip
    source = learning.source(recipe, grown_from.keep)
    replayed = replay(source, recipe, tree, node)
    rows, share = grown_from.arrivals(tree, node)
    tables = NodeTables(learning.columns, learning.response, learning.exact, rows, share)
    moments = tables.whole.moments
    check_rows(tree, node, moments, len(rows))
    tests, bins = (), {}
    if recipe.search == "merged":
        tests = source.tests(recipe, grown_from.in_source(rows))
        bins = {j: source.bins(recipe, j) for j, f in enumerate(tree.schema) if f.kind == "numeric"}
    if replayed is None:
        # pruning raised the branch that the node is in: growth did not come here
        place = place_of(tree, node, learning, recipe, grown_from.keep)
        replayed = alone(place, source_of_node(learning, recipe, place, tables), recipe, len(tree.schema))
    here = Node(tree, node, recipe, tables, replayed, grown_from.n, tests, bins, branches == "values")
    found = offers(here)
    ranked = [offer for offer in found if offer.rank is not None]
    return SplitExplanation(
        node, path_words(tree, node), len(rows), moments, tree.response, recipe.criterion.score_name,
        recipe.criterion.arithmetic(tree.response.kind), tuple(_candidate(offer, ranked, here) for offer in found),
        leaf_note(here, moments, len(rows)),
    )  # fmt: skip


def known_node(tree: Tree, node: int) -> None:
    """Refuse a node that is not in the tree.

    Raises
    ------
    ParameterError
    """
    whole = isinstance(node, (int, np.integer)) and not isinstance(node, bool)
    if not whole or not 0 <= node < tree.n_nodes:
        raise ParameterError(must_be("node", f"a whole number from 0 to {tree.n_nodes - 1}", node))


def check_rows(tree: Tree, node: int, moments: np.ndarray, rows: int) -> None:
    """Refuse rows that are not those of the fit: the node would have other sums."""
    expected = tree.moments[node]
    close = np.allclose(moments, expected, rtol=_CLOSE, atol=_CLOSE * float(np.abs(expected).max(initial=0.0)))
    if rows != tree.rows[node] or not close:
        raise not_of_fit(tree, node, rows)


def not_of_fit(tree: Tree, node: int, rows: int) -> DataError:
    """The error of rows that are not those of the fit, by a node to which so many of them come."""
    other = " with another y" if rows == tree.rows[node] else ""
    return DataError(
        f"these rows are not the ones that the model was fitted to: node {node} holds {int(tree.rows[node])} rows "
        f"of training and gets {rows} of these{other}; ", _THE_ROWS, ".",
    )  # fmt: skip


def _candidate(offer: Offer, ranked: list[Offer], node: Node) -> Candidate:
    """An offer as text."""
    feature = node.tree.schema[offer.column]
    chosen = not node.tree.is_leaf[node.node] and int(node.tree.splits.feature[node.node]) == offer.column
    return Candidate(
        feature.name, feature.kind, offer.split, offer.branches, offer.unknown, offer.numbers, offer.partition,
        offer.score, offer.rank, chosen, why(offer, ranked, node, chosen),
    )  # fmt: skip


def path_words(tree: Tree, node: int) -> str:
    """The conditions from the root to a node."""
    path = tree.path(node).tolist()
    return " and ".join(condition(tree, t, child - int(tree.first_child[t])) for t, child in pairwise(path))


def split_remembered(tree: Tree, node: int) -> SplitExplanation:
    """The split of a node and the runners-up that the tree keeps; without the rows there is no arithmetic.

    Raises
    ------
    ParameterError
        There is no such node, or it is a leaf, of which the tree keeps no candidates.
    """
    known_node(tree, node)
    if tree.is_leaf[node]:
        raise ParameterError(f"node {node} is a leaf, and the tree keeps no candidates of it; give X and y of the fit.")
    found = [_remembered(tree, tree.splits, node, float(tree.score[node]), 1)]
    first, last = int(tree.competitor_start[node]), int(tree.competitor_start[node + 1])
    for rank, c in enumerate(range(first, last), start=2):
        found.append(_remembered(tree, tree.competitors, c, float(tree.competitor_score[c]), rank))
    return SplitExplanation(
        node, path_words(tree, node), int(tree.rows[node]), tree.moments[node], tree.response,
        "score of growth", (), tuple(found),
    )  # fmt: skip


def _remembered(tree: Tree, table, s: int, score: float, rank: int) -> Candidate:
    """One split that the tree keeps."""
    feature = tree.schema[int(table.feature[s])]
    size = int(table.index_of(s).max(initial=0)) + 1
    words = [split_condition(feature, table, s, c) for c in range(size)]
    reason = "chosen" if rank == 1 else f"runner-up, score {few(score)}"
    split = " | ".join(text for text in words if text)
    return Candidate(plain(feature.name), feature.kind, split, (), None, {}, None, score, rank, rank == 1, reason)
