"""Learning problems for multiway trees: classes, any kind of column, every option of the recipe."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import strategies as st

from boxwood.data.columns.schema import KINDS, NOMINAL
from boxwood.growing.branching import Multiway
from boxwood.growing.gain import Gain
from boxwood.growing.grow import grow
from boxwood.growing.in_order import InOrder
from boxwood.growing.memory.source import EncodedColumns, MemorySource
from boxwood.growing.memory.tables import TableSource
from boxwood.growing.missing import Missing
from boxwood.growing.recipe import Recipe
from boxwood.growing.termination import Termination
from boxwood.statistics.responses.registry import CLASSES
from boxwood.tree.tree import Tree
from twins.brute_force import SIZES, Problem, columns_of, like, places_of, responses_of

#: Policies for missing values, the one with most to go wrong twice.
POLICIES = ("fractional", "fractional", "error", "majority", "own_branch")


@st.composite
def multiway_problems(draw, ordinal_levels: bool = False, policies: tuple = POLICIES) -> Problem:
    """A problem of 1 to 14 rows and 1 to 4 columns."""
    common = draw(places_of(draw(st.sampled_from(SIZES))))
    policy = draw(st.sampled_from(policies))
    columns = draw(columns_of(common, policy == "error", KINDS))
    response, exact = draw(responses_of(CLASSES, draw(like(common))))
    ones = (1.0,) * len(response.labels)
    nominal = tuple(j for j, feature in enumerate(columns.schema) if feature.kind == NOMINAL)
    recipe = draw(multiway_recipes(nominal, policy))
    if ordinal_levels:
        recipe = replace(recipe, branching=replace(recipe.branching, ordinal_levels=draw(st.booleans())))
    return Problem(columns, replace(response, factors=ones, altered=()), exact, recipe)


@st.composite
def multiway_recipes(draw, nominal: tuple[int, ...], policy: str) -> Recipe:
    """Any recipe of multiway branching under a missing-value policy; columns ``nominal`` may be tested in order."""
    one_of = lambda *options: draw(st.sampled_from(options))  # noqa: E731
    flag = lambda: draw(st.booleans())  # noqa: E731
    if nominal and one_of(False, False, False, True):
        criterion, least = InOrder(tuple(draw(st.permutations(nominal)))), 0.0
    else:
        criterion = Gain(
            flag(), flag(), flag(), one_of(0.0, 0.0, 0.05), one_of(0.0, 1e-3), flag(), one_of(0.0, 0.0, 0.15, 1.0)
        )
        least = one_of(0.0, 0.0, 0.0, 0.05)
    return Recipe(
        criterion,
        Multiway(flag(), isinstance(criterion, Gain) and flag()),
        Termination(one_of(None, None, 2), one_of(2, 2, 5), one_of(1, 1, 2), least, one_of(0.0, 1.0, 2.0, 2.0)),
        Missing(policy),
        max_competitors=one_of(0, 4),
        rank_cuts=flag(),
    )


class ByLevel(MemorySource):
    """The in-memory source, made to answer level by level."""

    def finish(self, recipe) -> None:
        """No short cut."""


def tree_of(problem: Problem, kind: type = MemorySource, threads: int = 1) -> Tree:
    """The tree the kernel grows."""
    rows = np.arange(problem.exact.n, dtype=np.uint32)
    source = kind(EncodedColumns(problem.columns, threads), rows, problem.response, problem.exact, threads)
    return grow(source, problem.recipe, {})


def tables_of(problem: Problem) -> Tree:
    """The tree that the table source grows."""
    rows = np.arange(problem.exact.n)
    source = TableSource(problem.columns, rows, problem.response, problem.exact)
    return grow(source, problem.recipe, {})


def reordered(problem: Problem, order: np.ndarray) -> Problem:
    """The same problem with its rows in another order, or some of them several times."""
    return problem._replace(columns=problem.columns.take(order), exact=problem.exact.take(order))


def with_policy(problem: Problem, policy: str) -> Problem:
    """The same problem under another policy for missing values."""
    return problem._replace(recipe=replace(problem.recipe, missing=Missing(policy)))
