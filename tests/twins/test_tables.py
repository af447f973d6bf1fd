"""The table source grows the trees of the reference source where both know the recipe, and of itself in any order."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from boxwood.growing.branching import Binary
from boxwood.growing.grow import grow
from boxwood.growing.impurity_decrease import ImpurityDecrease
from boxwood.tree.validate import validate
from effort import examples
from oracle.source import ReferenceSource
from twins.brute_force import Problem, assert_same_tree, problems
from twins.multiway import tables_of

KNOWN = ("error", "majority", "own_branch", "surrogate")


def plainly(problem: Problem) -> Problem:
    """The same problem without what the table source leaves to the kernel: costs, corrections, priors, rpart."""
    recipe, k = problem.recipe, len(problem.response.labels)
    policy = recipe.missing.policy if recipe.missing.policy in KNOWN else "majority"
    recipe = replace(
        recipe,
        criterion=ImpurityDecrease(recipe.criterion.measure),
        branching=Binary(),
        missing=replace(recipe.missing, policy=policy, rpart_quirk=False),
    )
    response = replace(problem.response, factors=(1.0,) * k, altered=()) if k else problem.response
    return Problem(problem.columns, response, problem.exact, recipe)


@settings(max_examples=examples(700), deadline=None)
@given(problems(), st.booleans())
def test_tables_equal_the_reference(problem, rank_cuts):
    problem = plainly(problem)
    problem = problem._replace(recipe=replace(problem.recipe, rank_cuts=rank_cuts))
    expected = grow(ReferenceSource(problem.columns, problem.response, problem.exact), problem.recipe, {})
    found = tables_of(problem)
    if not rank_cuts:
        validate(found)
    assert_same_tree(found, expected)
