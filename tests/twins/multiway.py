"""Small learning problems for trees with one branch a level: classes, nominal and ordered features, unknown values."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import strategies as st

from boxwood.data.schema import KINDS, NOMINAL
from boxwood.growing.grow import grow
from boxwood.sources.recipe import Gain, InOrder, Missing, Multiway, Recipe, Termination
from boxwood.sources.tables import TableSource
from boxwood.statistics.exact import exact_classes
from boxwood.statistics.response import CLASSES, Response
from boxwood.tree.tree import Tree
from twins.brute_force import SIZES, Problem, columns_of, like, places_of, weights_of

POLICIES = ("error", "majority", "own_branch", "fractional")


@st.composite
def multiway_problems(draw, policies: tuple = POLICIES, kinds: tuple = KINDS) -> Problem:
    """1 to 14 rows, 1 to 4 columns, 1 to 4 classes, and any recipe of CLS, ID3 or C4.5's family."""
    common = draw(places_of(draw(st.sampled_from(SIZES))))
    policy = draw(st.sampled_from(policies))
    in_order = draw(st.sampled_from((False, False, False, True)))
    columns = draw(columns_of(common, policy == "error", (NOMINAL,) if in_order else kinds))
    k = draw(st.integers(1, 4))
    y = np.array(draw(like(common)), dtype=np.int32) % k
    response = Response(CLASSES, labels=("否", "是", "maybe", "z")[:k], factors=(1.0,) * k)
    exact = exact_classes(y, draw(weights_of(len(common))))
    order = tuple(draw(st.permutations(range(len(columns.schema)))))
    recipe = draw(recipes(policy, InOrder(order) if in_order else None))
    return Problem(columns, response, exact, recipe)


@st.composite
def recipes(draw, policy: str, criterion: InOrder | None) -> Recipe:
    """Gain or ratio with every option, or features in order."""
    one_of = lambda *options: draw(st.sampled_from(options))  # noqa: E731
    if criterion is None:
        criterion = Gain(
            ratio=one_of(True, False), above_average=one_of(True, False), charge=one_of(True, False),
            epsilon=one_of(0.0, 0.0, 0.1), slack=one_of(0.0, 1e-3), data_cuts=one_of(True, False),
        )  # fmt: skip
    grouping = isinstance(criterion, Gain) and one_of(False, False, True)
    return Recipe(
        criterion,
        Multiway(once=one_of(True, True, False), grouping=grouping),
        Termination(one_of(None, None, 1, 2), one_of(2, 2, 4), 1, 0.0, one_of(0.0, 0.0, 1.0, 2.0)),
        Missing(policy),
        max_competitors=one_of(0, 1, 4),
    )


def tables_of(problem: Problem) -> Tree:
    """The tree that the table source grows."""
    rows = np.arange(problem.exact.n)
    source = TableSource(problem.columns, rows, problem.response, problem.exact)
    return grow(source, problem.recipe, {})


def reordered(problem: Problem, order: np.ndarray) -> Problem:
    """The same rows in another order, or some of them more than once."""
    return problem._replace(columns=problem.columns.take(order), exact=problem.exact.take(order))


def with_policy(problem: Problem, policy: str) -> Problem:
    """The same problem under another policy for missing values."""
    return problem._replace(recipe=replace(problem.recipe, missing=Missing(policy)))
