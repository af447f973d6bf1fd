"""The parts into which a feature divides a node: branches of a split, single values, or CHAID's groups."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ...data.columns.schema import NUMERIC
from ...growing.memory.node_tables import NodePart, NodeTables
from ...growing.memory.significance import FeatureTest
from ...growing.recipe import Recipe
from ...growing.replay import Replayed
from ...statistics.class_measures import measure_name
from ...tree.split import SplitTable
from ...tree.tree import Tree
from ...views.candidates import Branch
from ...views.condition import split_condition
from ...views.measured import Partition, measured
from ...views.words import level, plain


@dataclass(frozen=True, eq=False)
class Node:
    """One node as growth saw it.

    Attributes
    ----------
    tree : Tree
    node : int
    recipe : Recipe
    tables : NodeTables
    replayed : Replayed or None
    n : int
        Rows that the tree was grown from.
    tests : tuple of FeatureTest
        Of CHAID; empty for others.
    bins : dict of int to (ndarray, ndarray)
        Greatest values of the bins of numeric features under CHAID, as (values, low parts).
    by_values : bool
        Nominal and ordinal features make one part per value, whatever the algorithm does.
    """

    tree: Tree
    node: int
    recipe: Recipe
    tables: NodeTables
    replayed: Replayed | None
    n: int
    tests: tuple[FeatureTest, ...] = ()
    bins: dict = field(default_factory=dict)
    by_values: bool = False

    @property
    def is_pure(self) -> bool:
        """Whether the response does not differ among the rows."""
        response, moments = self.tree.response, self.tables.whole.moments[None]
        return float(response.impurity(moments, response.usual_measure())[0]) == 0.0

    @property
    def used(self) -> dict[int, int]:
        """Features that may not be tested again, with the node above that tested them."""
        above = {int(self.tree.splits.feature[t]): int(t) for t in self.tree.path(self.node)[:-1]}
        return {j: t for j, t in above.items() if self.recipe.tests_once(self.tree.schema[j])}


def parts_of(node: Node, j: int, split: tuple[SplitTable | None, int], test: FeatureTest | None):
    """The parts that the numbers are about, the samples without a value, and the split as text."""
    feature, (table, s) = node.tree.schema[j], split
    name = plain(feature.name)
    if test is not None and test.state == "tested":
        found = _grouped(node, j, test)
        words = " | ".join(b.words for b in found[0])
        return (*_by_values(node, j), words) if node.by_values and feature.kind != NUMERIC else (*found, words)
    words = ""
    if table is not None:
        index = table.index_of(s)
        size = int(index.max()) + 1
        conditions = [split_condition(feature, table, s, c) or f"no value of {name}" for c in range(size)]
        parts, unknown = node.tables.by_split(table, s, size)
        words = " | ".join(text for text in conditions if not text.startswith("no value of "))
        if not (node.by_values and feature.kind != NUMERIC):
            branches = [Branch(text, p.rows, p.moments) for text, p in zip(conditions, parts, strict=True)]
            if node.recipe.missing.policy == "learned" and unknown.rows:
                branches, unknown = _learned(node, branches, unknown)
            return (*_policy(node, name, branches, unknown), words)
    if feature.kind == NUMERIC:
        parts, unknown = node.tables.by_known(j)
        return (Branch(f"{name} is known", parts.rows, parts.moments),), _unknown(name, unknown), words
    branches, unknown = _by_values(node, j)
    if not words and node.recipe.branching.has_branch_per_level(feature) and len(branches) > 1:
        words = " | ".join(b.words for b in branches)
    return branches, unknown, words


def _by_values(node: Node, j: int) -> tuple[tuple[Branch, ...], Branch]:
    """One part per value that occurs here."""
    feature = node.tree.schema[j]
    name = plain(feature.name)
    codes, parts, unknown = node.tables.by_value(j)
    branches = [
        Branch(f"{name} = {level(feature.levels[code])}", part.rows, part.moments)
        for code, part in zip(codes, parts, strict=True)
    ]
    return _policy(node, name, branches, unknown)


def _policy(node: Node, name: str, branches: list[Branch], unknown: NodePart) -> tuple[tuple[Branch, ...], Branch]:
    """Samples without a value where they count in the score: a branch of their own, or one of the sides."""
    policy, nobody = node.recipe.missing.policy, NodePart(0, np.zeros_like(unknown.moments))
    if policy == "own_branch" and unknown.rows:
        own = Branch(f"{name} is missing", unknown.rows, unknown.moments)
        return (*branches, own), _unknown(name, nobody)
    return tuple(branches), _unknown(name, unknown)


def _learned(node: Node, branches: list[Branch], unknown: NodePart) -> tuple[list[Branch], NodePart]:
    """The samples without a value join the branch where they lower impurity more, the first of equal ones."""
    response = node.tables.response
    nobody = NodePart(0, np.zeros_like(unknown.moments))
    name = {"gini": "gini_decrease", "entropy": "gain", "variance": "variance_decrease", "poisson": "deviance_decrease"}
    given = getattr(node.recipe.criterion, "measure", None)
    measure, with_parameter = name.get(given), measure_name(given)
    best, most = branches, -np.inf
    for c, branch in enumerate(branches):
        both = response.union(np.array([branch.moments, unknown.moments]))
        tried = [*branches]
        tried[c] = Branch(f"{branch.words} or missing", branch.rows + unknown.rows, both)
        sides = np.array([b.moments for b in tried])
        numbers = measured(Partition(response, sides, nobody.moments))
        value = numbers[measure] if measure else numbers["error"] - numbers["error_after"]
        if with_parameter:
            value = -float(response.risk(sides, with_parameter).sum() / response.weight(sides).sum())
        if value > most + 1e-12 * max(1.0, abs(most)) or c == 0:
            best, most = tried, value
    return best, nobody


def _unknown(name: str, part: NodePart) -> Branch:
    return Branch(f"{name} is missing", part.rows, part.moments)


def _grouped(node: Node, j: int, test: FeatureTest) -> tuple[tuple[Branch, ...], Branch]:
    """CHAID's groups of categories; a missing value is in one of them, or counts nowhere."""
    feature = node.tree.schema[j]
    name = plain(feature.name)
    codes = node.tables.codes(j, node.bins.get(j))
    branches = []
    for group in test.groups:
        part = node.tables.part(np.isin(codes, group))
        known = [code for code in group if code >= 0]
        branches.append(Branch(_group_words(node, j, known, -1 in group), part.rows, part.moments))
    grouped = [code for group in test.groups for code in group]
    return tuple(branches), _unknown(name, node.tables.part(~np.isin(codes, grouped)))


def _group_words(node: Node, j: int, known: list[int], missing: bool) -> str:
    """A group of categories as text."""
    feature = node.tree.schema[j]
    name = plain(feature.name)
    also = " or missing" if missing else ""
    if not known:
        return f"{name} is missing"
    if feature.kind == NUMERIC:
        ends = node.bins[j]
        table = SplitTable.of(
            [j], [tuple(zip(ends[0].tolist(), ends[1].tolist(), strict=True))],
            [[0 if code in known else -1 for code in range(len(ends[0]) + 1)]],
        )  # fmt: skip
        return split_condition(feature, table, 0, 0) + also
    words = [level(feature.levels[code]) for code in feature.naturally(known)]
    return (f"{name} = {words[0]}" if len(words) == 1 else f"{name} in {{{', '.join(words)}}}") + also
