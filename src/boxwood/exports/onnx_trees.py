"""The TreeEnsemble operators of an ONNX graph: one for the tree, one that resolves difficult nodes first."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..errors import ParameterError
from ..tree.tree import SHARED, STAYS
from .plan import ExportPlan
from .questions import Question, laid_out, leads_twice, question_of

#: Tests on a path to a leaf. onnxruntime 1.31 needs about 700 bytes of stack for each, and threads may have 1 MB.
_DEEPEST = 1000

#: How TreeEnsemble numbers the questions that are used here.
_LEQ, _MEMBER = 0, 6


def place_of_level(code: int) -> float:
    """The number of a level in the graph: 1 for the first; after the last comes any level not seen."""
    return float(code + 1)


@dataclass(frozen=True, eq=False)
class Ensemble:
    """The attributes of one TreeEnsemble operator, as ONNX names them; one tree a target."""

    attributes: dict
    n_targets: int


@dataclass(frozen=True, eq=False)
class Split:
    """A plan as two ensembles.

    Attributes
    ----------
    plan : ExportPlan
    column : dict of int to int
        Feature -> its column in the matrix of values.
    all_hard : bool
        Whether the first ensemble resolves every node, as is needed when rows are shared out.
    """

    plan: ExportPlan
    column: dict[int, int]
    all_hard: bool

    @cached_property
    def hard(self) -> list[int]:
        """Inner nodes that the first ensemble resolves: those that lead to a child from several questions."""
        return [t for t, step in self.plan.steps.items() if self.all_hard or leads_twice(step)]

    @cached_property
    def resolving(self) -> Ensemble | None:
        """The ensemble whose target i is the branch taken at the i-th hard node; None when there is none.

        A row that stays has the number of branches, a row that is shared out one more.
        """
        if not self.hard:
            return None
        return _ensemble([laid_out(self._branches(t), lambda _: None, self._of_known) for t in self.hard], self.column)

    @cached_property
    def descent(self) -> Ensemble:
        """The ensemble whose one target is the node in which a row ends."""
        size = self.plan.tree.n_nodes
        place = {t: i for i, t in enumerate(self.hard)}
        first_hard = len(self.column)
        column = {**self.column, **{-1 - i: first_hard + i for i in range(len(self.hard))}}

        def follow(end: int) -> Question | int | None:
            if end >= size or self.plan.tree.is_leaf[end]:
                return None
            step = self.plan.steps[end]
            named = lambda to: end + size if to == STAYS else to  # noqa: E731
            return self._by_branch(end, -1 - place[end], named) if end in place else question_of(step, named)

        questions, links = laid_out(0, follow, self._of_known)
        _refuse_depth(links)
        links = [(_folded(yes, size), _folded(no, size)) for yes, no in links]
        return _ensemble([(questions, links)], column)

    def _of_known(self, question: Question) -> Question:
        """The question without the mark for missing levels, which onnxruntime ignores: test for all others instead."""
        if question.cut is not None or not question.missing:
            return question
        listed = set(question.levels)
        others = [code for code in range(len(self.plan.tree.schema[question.column].levels) + 1) if code not in listed]
        return Question(question.column, None, tuple(others), False, question.no, question.yes)

    def code(self, t: int, target: int) -> int:
        """The branch that leads from ``t`` to a target, as the first ensemble numbers it."""
        n = int(self.plan.tree.n_children[t])
        return {STAYS: n, SHARED: n + 1}.get(target, target - int(self.plan.tree.first_child[t]))

    def _branches(self, t: int) -> Question | int:
        return question_of(self.plan.steps[t], lambda to: self.code(t, to))

    def _by_branch(self, t: int, column: int, named) -> Question | int:
        """The questions about a resolved branch, one a target."""
        targets = self.plan.steps[t].targets
        by_code = sorted((self.code(t, to), named(to)) for to in targets)
        rest: Question | int = by_code[-1][1]
        for code, end in reversed(by_code[:-1]):
            rest = Question(column, code + 0.5, (), False, end, rest)
        return rest


def _refuse_depth(links: list[tuple[int, int]]) -> None:
    """Refuse a tree on which onnxruntime would overflow its stack: it follows the questions by recursion."""
    depth = [1] * len(links)
    for i, ends in enumerate(links):  # a question comes before those that follow it
        for link in ends:
            if link >= 0:
                depth[link] = depth[i] + 1
    if max(depth) > _DEEPEST:
        raise ParameterError(
            f"a row may have to answer {max(depth)} questions, and onnxruntime is not safe beyond {_DEEPEST}; prune "
            "the tree, or export to another format."
        )


def _folded(link: int, size: int) -> int:
    """A link whose end is a node, whether the row went there or stayed there."""
    return link if link >= 0 else ~(~link % size)


def _ensemble(trees: list[tuple[list[Question], list[tuple[int, int]]]], column: dict[int, int]) -> Ensemble:
    """Several trees of questions as one operator; an end's number is the weight of its leaf."""
    questions, answers, members, roots = [], [], [], []
    leaf_weights: list[float] = []
    leaf_targets: list[int] = []

    def leaf(link: int, target: int) -> int:
        leaf_weights.append(float(~link))
        leaf_targets.append(target)
        return len(leaf_weights) - 1

    for target, (own, links) in enumerate(trees):
        offset = len(questions)
        roots.append(offset)
        if not own:  # an operator cannot hold a tree without a question
            own = [Question(next(iter(column)), math.inf, (), False, 0, 0)]
        members += [number for question in own for number in _members(question)]
        # The leaf beside the root comes last, so its number is never that of the question on the root's other side:
        # releases of onnxruntime take a root whose two numbers are equal for a leaf (its issue 24679).
        linked: list = [None] * len(own)
        for i in reversed(range(len(own))):
            linked[i] = [(offset + link, 0) if link >= 0 else (leaf(link, target), 1) for link in links[i]]
        questions += own
        answers += linked
    return Ensemble(_attributes(questions, answers, members, roots, (leaf_weights, leaf_targets), column), len(trees))


def _members(question: Question) -> list[float]:
    """The places of the levels that are tested, and the mark that ends them."""
    return [] if question.cut is not None else [*(place_of_level(code) for code in question.levels), math.nan]


def _attributes(questions, answers, members, roots, leaves, column) -> dict:
    by_level = np.array([question.cut is None for question in questions])
    attributes = {
        "nodes_featureids": [column[question.column] for question in questions],
        "nodes_modes": np.where(by_level, _MEMBER, _LEQ).astype(np.uint8),
        "nodes_splits": np.array([0.0 if question.cut is None else question.cut for question in questions]),
        "nodes_missing_value_tracks_true": [int(question.missing) for question in questions],
        "nodes_truenodeids": [yes for (yes, _), _ in answers],
        "nodes_trueleafs": [is_leaf for (_, is_leaf), _ in answers],
        "nodes_falsenodeids": [no for _, (no, _) in answers],
        "nodes_falseleafs": [is_leaf for _, (_, is_leaf) in answers],
        "tree_roots": roots,
        "leaf_weights": np.array(leaves[0]),
        "leaf_targetids": leaves[1],
    }
    return {**attributes, "membership_values": np.array(members)} if members else attributes
