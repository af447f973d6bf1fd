"""Learning problems for CHAID: classes and means, any kind of column, weights, every option of the recipe."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import strategies as st

from boxwood.data.columns.schema import KINDS
from boxwood.growing.merged import Merged
from boxwood.growing.missing import Missing
from boxwood.growing.recipe import Recipe
from boxwood.growing.significance import Significance
from boxwood.growing.termination import Termination
from boxwood.statistics.exact import Exact, exact_classes
from boxwood.statistics.responses.classes import Classes
from boxwood.statistics.responses.registry import CLASSES, MEAN, RATE
from boxwood.statistics.responses.response import Response
from twins.brute_force import SIZES, Problem, columns_of, like, places_of, responses_of
from twins.numeric_problems import NumericProblem, mixed


def merged_recipe(rng: np.random.Generator, kind: str, n_classes: int) -> Recipe:
    """Any recipe of merged categories for a kind of response."""
    pick = lambda *options: options[rng.integers(len(options))]  # noqa: E731
    exhaustive, alpha_merge = pick(False, False, True), pick(0.05, 0.2, 0.5)
    merged = Merged(
        exhaustive,
        alpha_merge,
        None if exhaustive else pick(None, 0.05),
        pick(0.0, 0.0, 0.02, 5.0),
        pick(2, 3, 10, 10, 64),
    )
    ordinal = kind == CLASSES and rng.random() < 0.3
    scores = tuple(rng.permutation(n_classes) + 0.5 * rng.random()) if ordinal and rng.random() < 0.5 else ()
    criterion = Significance(
        pick(0.05, 0.5, 1.0),
        pick("pearson", "likelihood_ratio"),
        pick(True, False),
        pick("p", "log_p"),
        pick("spss", "biggs"),
        pick(True, False),
        ordinal,
        tuple(float(s) for s in scores),
        pick(5, 100),
        pick(1e-3, 1e-6),
    )
    limits = Termination(pick(None, 1, 3), min_cases_split=pick(0.0, 5.0, 0.1), min_cases_leaf=pick(0.0, 3.0, 0.05))
    return Recipe(criterion, merged, limits, Missing(pick("floating", "floating", "error")), pick(0, 1, 4))


def merged_problem(seed: int, rows: int | None = None) -> NumericProblem:
    """The problem of a seed; rates become classes."""
    given, rng = mixed(seed, rows), np.random.default_rng(2 * 10**6 + seed)
    of, exact = given.response, given.exact
    if of.kind == RATE:
        of, exact = _classes_of(rng, exact)
    if of.kind == CLASSES:
        of = replace(of, factors=(1.0,) * len(of.labels), altered=())
    return NumericProblem(given.columns, of, exact, merged_recipe(rng, of.kind, len(of.labels)))


@st.composite
def little_merged_problems(draw) -> Problem:
    """1 to 14 rows with long whole numbers, infinities, and means of which some differ in their low halves only."""
    common = draw(places_of(draw(st.sampled_from(SIZES))))
    columns = draw(columns_of(common, False, KINDS))
    kind = draw(st.sampled_from((CLASSES, MEAN, MEAN)))
    response, exact = draw(responses_of(kind, draw(like(common)), True))
    recipe = merged_recipe(np.random.default_rng(draw(st.integers(0, 2**32))), kind, len(response.labels))
    ones = (1.0,) * len(response.labels)
    response = replace(response, factors=ones, altered=()) if ones else response
    return Problem(columns, response, exact, recipe)


def _classes_of(rng: np.random.Generator, rates: Exact) -> tuple[Response, Exact]:
    codes = (rates.low + rng.integers(0, 2, rates.n)) % 3
    weight = None if rates.weight is None else rates.weight * rates.unit
    return Classes(labels=("甲", "乙", "丙")), exact_classes(codes.astype(np.int32), weight)
