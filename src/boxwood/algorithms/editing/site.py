"""A tree that is edited, with the rows that it was grown from and the actions to grow it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from ..._messages import Column, Message, Setting, must_be, remedy
from ...data.columns.columns import Columns
from ...errors import ParameterError
from ...growing.below import tested_above
from ...growing.memory.node_tables import NodeTables
from ...growing.recipe import Recipe
from ...growing.replay import alone
from ...learning.node_source import place_of, source_of_node
from ...model.kept_nodes import held
from ...model.splits.explain_split import GrownFrom, known_node
from ...pruning.growth import Growth
from ...tree.graft import graft
from ...tree.marks import with_mark
from ...tree.rebuild import keep_nodes, take_nodes
from ...tree.split import SplitTable, offsets
from ...tree.tree import Tree
from ...views.condition import branch_words
from ..fitting.growing_below import below_stump, in_place, rows_at


@dataclass(frozen=True, eq=False)
class Site:
    """Where a verb works.

    Attributes
    ----------
    tree : Tree
    growth : Growth
        Of the fit.
    grown_from : GrownFrom
        The rows of the fit.
    by_recipe : callable
        ``algorithm`` and settings -> the growth of another recipe, and these rows as it reads them.
    routed : tuple of Columns, optional
        The only rows that will be routed; None = any rows may be.
    """

    tree: Tree
    growth: Growth
    grown_from: GrownFrom
    by_recipe: Callable[[dict], tuple[Growth, GrownFrom]]
    routed: tuple[Columns, ...] | None = None

    @property
    def recipe(self) -> Recipe:
        """That of the fit."""
        return self.growth.recipe

    def recipe_of_split(self, j: int) -> Recipe:
        """The recipe, without surrogates where a split on a feature needs none: all rows to route have a value."""
        kind, missing = self.tree.schema[j].type, self.recipe.missing
        if self.routed is None or not all(kind.known(columns.values[j]).all() for columns in self.routed):
            return self.recipe
        return replace(self.recipe, missing=replace(missing, max_surrogates=0))

    def rows(self, node: int) -> NodeTables:
        """The rows of a node of the tree."""
        return rows_at(self.tree, self.recipe, self.grown_from, node)

    def inner(self, node: int) -> None:
        """Refuse a node without a split.

        Raises
        ------
        ParameterError
        """
        known_node(self.tree, node)
        if self.tree.is_leaf[node]:
            raise ParameterError(f"node {node} is a leaf; ", remedy("name a node that is split."))

    def refuse_forbidden(self, node: int, j: int) -> None:
        """Refuse a split on a feature that the settings of the fit do not allow at a node.

        Raises
        ------
        ParameterError
        """
        constraints, name = self.recipe.constraints, Column(self.tree.schema.names[j], "column")
        if constraints.groups and not constraints.groups[j]:
            raise ParameterError(Setting("forbidden_features"), " forbids splits on ", name, ".")
        if not constraints.allows(tested_above(self.tree, node), j):
            raise ParameterError(
                Setting("interaction_cst"), " does not let ", name, f" interact with features above node {node}."
            )

    def competitor(self, node: int, number: int) -> str | tuple[str, ...]:
        """The conditions of the branches of a competing split, from 1: of those kept, or of those found by a search.

        Raises
        ------
        ParameterError
            There is none.
        """
        tree, first = self.tree, int(self.tree.competitor_start[node])
        table, known = tree.competitors, list(range(first, int(tree.competitor_start[node + 1])))
        if number > len(known):
            table = self._candidates(node)
            known = [s for s in range(len(table)) if table.feature[s] != tree.splits.feature[node]]
        if number > len(known):
            most = Message(f"at most {len(known)} at node {node}")
            raise ParameterError(must_be("competitor", most, number, "; "), remedy("give a condition."))
        words = branch_words(tree.schema, table, known[number - 1])
        return words[0] if len(words) == 1 else words  # one alone: of known values, and the other branch of gaps

    def _candidates(self, node: int) -> SplitTable:
        """The best split of each feature at a node, best first."""
        learning, here = self.grown_from.learning, self.rows(node)
        place = place_of(self.tree, node, learning, self.recipe, self.grown_from.keep)
        source = source_of_node(learning, self.recipe, place, here)
        return alone(place, source, self.recipe, len(self.tree.schema)).splits

    def put(self, node: int, below: Tree, verb: str) -> Tree:
        """The tree with another one in the place of a node and of all below it, and the mark of a verb."""
        return marked_as(in_place(self.tree, self.grown_from, node, below), node, verb)

    def with_competitors(self, stump: Tree, node: int) -> Tree:
        """A tree of one split with the competing splits that a node keeps."""
        first, last = int(self.tree.competitor_start[node]), int(self.tree.competitor_start[node + 1])
        kept = np.arange(first, last)
        return replace(
            stump, competitor_start=offsets([len(kept)] + [0] * (stump.n_nodes - 1)),
            competitors=self.tree.competitors.take(kept), competitor_score=self.tree.competitor_score[kept],
        )  # fmt: skip

    def continued(self, stump: Tree, found: list[NodeTables], old: dict[int, int]) -> Tree:
        """A tree of one split whose branches go on as below some nodes of the tree, with the rows that now come there.

        Parameters
        ----------
        stump : Tree
        found : list of NodeTables
            The rows of each branch.
        old : dict of int to int
            Branch -> the node whose splits it keeps; others are leaves.
        """
        below = {c + 1: self.restated(node, found[c]) for c, node in old.items() if len(found[c].rows)}
        return graft(stump, below)

    def restated(self, node: int, here: NodeTables) -> Tree:
        """The branch of a node with its splits, and the statistics of other rows."""
        branch = branch_below(self.tree, node)
        if np.array_equal(here.whole.moments, branch.moments[0]) and here.whole.rows == branch.rows[0]:
            return branch
        moments, rows = np.zeros_like(branch.moments), np.zeros_like(branch.rows)
        tables, score = {0: here}, np.array(branch.score)
        for t in range(branch.n_nodes):
            if t not in tables:
                continue
            at = tables.pop(t)
            moments[t], rows[t] = at.whole.moments, at.whole.rows
            if not branch.is_leaf[t] and len(at.rows):
                first, n = int(branch.first_child[t]), int(branch.n_children[t])
                tables |= zip(range(first, first + n), below_stump(_stump_of(branch, t, at), at), strict=True)
        response, measure = branch.response, branch.made_by["measure"]
        weight, impurity = response.weight(moments), response.impurity(moments, measure)
        for t in np.flatnonzero(~branch.is_leaf & (rows > 0)).tolist():
            children = slice(int(branch.first_child[t]), int(branch.first_child[t]) + int(branch.n_children[t]))
            whole = max(float(weight[children].sum()), 1e-300)
            score[t] = impurity[t] - float(weight[children] @ impurity[children]) / whole
        log_p = None if branch.log_p is None else np.full(branch.n_nodes, np.nan)
        restated = replace(branch, moments=moments, rows=rows, score=score, log_p=log_p)
        return keep_nodes(restated, (rows == 0) | branch.is_leaf)


def branch_below(tree: Tree, node: int) -> Tree:
    """A node and all below it as a tree of its own."""
    old, level = [], np.array([node])
    while len(level):
        old.append(level)
        inner = level[~tree.is_leaf[level]]
        ends = zip(tree.first_child[inner].tolist(), tree.n_children[inner].tolist(), strict=True)
        level = np.array([c for first, n in ends for c in range(first, first + n)], dtype=np.int64)
    nodes = np.concatenate(old)
    return take_nodes(replace(tree, weight_squares=None), nodes, tree.is_leaf[nodes])


def _stump_of(branch: Tree, t: int, here: NodeTables) -> Tree:
    """The split of a node alone, whose children weigh as rows with a known value do."""
    n = int(branch.n_children[t])
    nodes = np.concatenate([[t], int(branch.first_child[t]) + np.arange(n)])
    stump = take_nodes(branch, nodes, np.arange(n + 1) > 0)
    parts, _ = here.by_split(branch.splits, t, n)
    moments = np.array([here.whole.moments, *(part.moments for part in parts)])
    rows = np.array([here.whole.rows, *(part.rows for part in parts)], dtype=np.int64)
    return replace(stump, moments=moments, rows=rows)


def marked_as(tree: Tree, node: int, verb: str) -> Tree:
    """The tree with the mark of a verb on a node, whose own prediction and signature go."""
    return replace(tree, marks=with_mark(tree.marks, node, edited=verb, value=None, signed=None))


def refuse_held(tree: Tree, node: int, force: bool) -> None:
    """Refuse to change a branch in which a node was signed, overruled or forced by the fit, unless forced to.

    Raises
    ------
    ParameterError
    """
    known_node(tree, node)
    fixed = [] if force else held(tree, node)
    if fixed:
        mark = tree.marks[fixed[0]]
        what = "overruled" if mark.value is not None else "forced by the fit"
        what = what if mark.signed is None else f"signed by {mark.signed}"
        raise ParameterError(
            f"node {fixed[0]} was {what}, and this would change it; ",
            remedy("edit another node, or use ", Setting("force"), "."),
        )  # fmt: skip
