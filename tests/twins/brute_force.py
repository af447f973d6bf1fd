"""Small learning problems of every kind, trees compared array by array, and the best cut by definition in fractions."""

from __future__ import annotations

from dataclasses import fields, replace
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st

from boxwood.data.columns.columns import Columns
from boxwood.data.columns.schema import KINDS, NUMERIC, ORDINAL, Feature, Schema
from boxwood.growing.branching import Binary
from boxwood.growing.impurity_decrease import ImpurityDecrease
from boxwood.growing.missing import Missing
from boxwood.growing.recipe import Recipe
from boxwood.growing.termination import Termination
from boxwood.statistics.exact import Exact, exact_classes, exact_mean, exact_rate
from boxwood.statistics.responses.classes import Classes
from boxwood.statistics.responses.means import Means
from boxwood.statistics.responses.rates import Rates
from boxwood.statistics.responses.registry import CLASSES, MEAN, RATE
from boxwood.statistics.responses.response import Response
from boxwood.tree.split import SplitTable
from boxwood.tree.tree import Tree

LEVELS = ("low", "中", "高い", "높음", "e")
TINY = 5e-324
NEXT = float(np.nextafter(1.0, 2.0))
#: Numbers of rows, small ones first: a failing example is shrunk towards the first.
SIZES = (1, 2, 3, 4, 6, 8, 9, 10, 12, 14)
#: Few values, so that ties, neighbouring floats, infinities and values near the ends of float64 meet often.
POOLS = (
    (0.0, 1.0, 2.0, 3.0),
    (-TINY, -0.0, 0.0, TINY, 2 * TINY, 1.0),
    (-np.inf, 1.0, NEXT, float(np.nextafter(NEXT, 2.0)), np.inf),
    (-1.7e308, 0.1, 1e308, 1.7e308, np.inf),
    (-4.5, 0.1, 0.2, 0.3, 0.7, 11.0),
)
#: Whole numbers that float64 cannot tell apart.
LONG = tuple(range(2**60 - 2, 2**60 + 4))


class Problem(NamedTuple):
    """What a source is made of, and the recipe to grow by."""

    columns: Columns
    response: Response
    exact: Exact
    recipe: Recipe


@st.composite
def problems(
    draw,
    complete: bool = False,
    kinds: tuple = KINDS,
    responses: tuple = (CLASSES, MEAN, RATE),
    rank_cuts: bool = False,
    outliers: bool = False,
) -> Problem:
    """A problem of 1 to 14 rows and 1 to 4 columns; columns and response are often alike, so that surrogates are found.

    Parameters
    ----------
    complete : bool
        No missing values.
    kinds, responses : tuple of str
        Kinds of features and of responses to choose from.
    rank_cuts : bool
        As in Recipe.
    outliers : bool
        Some means lie so far away that the others differ in their low half only.

    Notes
    -----
    Nodes with more groups than ``exhaustive_levels`` are left out: there the principal direction may not be unique, and
    two right sources may differ.
    """
    n = draw(st.sampled_from(SIZES))
    common = draw(places_of(n))
    policy = draw(st.sampled_from(("surrogate", "surrogate", "majority", "learned", "own_branch", "error")))
    columns = draw(columns_of(common, complete or policy == "error", kinds))
    kind = draw(st.sampled_from(responses))
    response, exact = draw(responses_of(kind, draw(like(common)), outliers))
    recipe = draw(recipes(kind, len(columns.schema), policy))
    return Problem(columns, response, exact, replace(recipe, rank_cuts=rank_cuts))


def places_of(n: int) -> st.SearchStrategy[list[int]]:
    """n places among few."""
    return st.lists(st.integers(0, 5), min_size=n, max_size=n)


@st.composite
def like(draw, common: list[int]) -> list[int]:
    """Places of their own, or the common ones but for a few."""
    own = draw(places_of(len(common)))
    kept = draw(st.sampled_from((st.just(False), st.sampled_from((True, True, True, True, False)))))
    return [c if draw(kept) else o for c, o in zip(common, own, strict=True)]


@st.composite
def columns_of(draw, common: list[int], complete: bool, kinds: tuple) -> Columns:
    """1 to 4 columns; levels may be absent, and some integers lie beyond 2**53."""
    features, values, lows = [], [], []
    for j in range(draw(st.integers(1, 4))):
        kind = draw(st.sampled_from(kinds))
        place = np.array(draw(like(common)))
        gap = (
            st.just(False)
            if complete
            else draw(st.sampled_from((st.just(False), st.integers(0, 3).map(lambda v: not v))))
        )
        gaps = np.array([draw(gap) for _ in common])
        low, levels = None, ()
        if kind != NUMERIC:
            levels = LEVELS[: draw(st.integers(1, len(LEVELS)))]
            value = np.where(gaps, -1, place % len(levels)).astype(np.int32)
        elif draw(st.integers(0, 5)) == 0:
            whole = [LONG[i] for i in place]
            value = np.where(gaps, np.nan, np.array(whole, dtype=np.float64))
            low = np.where(gaps, 0.0, np.array([v - int(float(v)) for v in whole], dtype=np.float64))
        else:
            pool = np.array(draw(st.sampled_from(POOLS)))
            value = np.where(gaps, np.nan, pool[place % len(pool)])
        features.append(Feature(f"x{j}", kind, levels))
        values.append(value)
        lows.append(low)
    return Columns(Schema(tuple(features)), len(common), tuple(values), tuple(lows), {})


@st.composite
def weights_of(draw, n: int) -> np.ndarray | None:
    """None, or weights that are whole, dyadic or any number, none of them tiny."""
    pool = draw(st.sampled_from((None, st.integers(1, 3), st.sampled_from((0.25, 0.5, 1.5)), st.floats(0.1, 5.0))))
    return None if pool is None else np.array(draw(st.lists(pool, min_size=n, max_size=n)), dtype=np.float64)


@st.composite
def responses_of(draw, kind: str, place: list[int], outliers: bool = False) -> tuple[Response, Exact]:
    """A response by place: 1 to 4 classes with or without altered priors, means near and far from 0, or rates."""
    n = len(place)
    weight = draw(weights_of(n))
    if kind == CLASSES:
        k = draw(st.integers(1, 4))
        pool = draw(st.sampled_from((st.just(1.0), st.sampled_from((0.25, 1.0, 3.0)), st.floats(0.3, 2.0))))
        factors, altered = (tuple(draw(st.lists(pool, min_size=k, max_size=k))) for _ in range(2))
        labels = ("否", "是", "maybe", "z")[:k]
        response = Classes(labels=labels, factors=factors, altered=draw(st.sampled_from(((), altered))))
        return response, exact_classes(np.array(place, dtype=np.int32) % k, weight)
    if kind == MEAN:
        pool = draw(st.sampled_from((st.integers(0, 3), st.integers(-5, 5).map(lambda v: v / 8), st.floats(-10, 10))))
        palette = np.array(sorted(draw(st.lists(pool, min_size=6, max_size=6))), dtype=np.float64)
        far = np.array([draw(st.sampled_from((0.0, 0.0, 0.0, 0.0, 1e13))) if outliers else 0.0 for _ in place])
        return Means(), exact_mean(palette[place] + draw(st.sampled_from((0.0, 1e9))) + far, weight)
    exposure = np.array(draw(st.lists(st.sampled_from((1.0, 2.0, 0.5, 0.1)), min_size=n, max_size=n)))
    return Rates(), exact_rate(exposure, np.array(place, dtype=np.float64) % 4, weight)


@st.composite
def recipes(draw, kind: str, p: int, policy: str) -> Recipe:
    """Any recipe for a kind of response and p features under a missing-value policy."""
    measures = {CLASSES: ("gini", "entropy", "error"), MEAN: ("variance",), RATE: ("poisson",)}[kind]
    costs = st.lists(st.sampled_from((0.5, 1.0, 3.0)), min_size=p, max_size=p).map(tuple)
    one_of = lambda *options: draw(st.sampled_from(options))  # noqa: E731
    return Recipe(
        criterion=ImpurityDecrease(
            one_of(*measures),
            feature_costs=draw(st.none() | costs),
            order_by_mean=draw(st.booleans()),
            min_share=one_of(-1.0, 1e-10, 0.05),
        ),
        branching=Binary(10, one_of(1, 1, 2, 3), one_of(0, 0, 3), draw(st.booleans())),
        termination=Termination(
            max_depth=one_of(None, None, 1, 2),
            min_samples_split=one_of(2, 2, 2, 5),
            min_samples_leaf=one_of(1, 1, 1, 2, 3),
            min_weight_fraction_leaf=one_of(0.0, 0.0, 0.0, 0.05, 0.2, 0.5),
            min_impurity_decrease=one_of(0.0, 0.0, 0.0, 0.05),
        ),
        missing=Missing(policy, one_of(5, 5, 1, 0), one_of(0, 1), one_of("majority", "stay"), draw(st.booleans())),
        max_competitors=one_of(0, 1, 4),
        min_risk=one_of(0.0, 0.0, 0.0, 0.3, 3.1),
    )


def assert_same_tree(one: Tree, other: Tree) -> None:
    """Every array of two trees: structure exactly, facts about y to 1e-12 of the largest of their kind.

    Scores are compared in the measure of the root's impurity, because what a split decides is a share of a node's.
    """
    root = float(one.impurity()[0])
    assert one.schema == other.schema
    assert one.response == other.response
    for field in fields(Tree):
        a, b = getattr(one, field.name), getattr(other, field.name)
        if isinstance(a, SplitTable):
            _assert_same_splits(a, b, field.name)
        elif field.name in {"moments", "score", "agreement", "adjusted", "competitor_score"}:
            _assert_close(a, b, field.name, root if "score" in field.name else 1.0)
        elif isinstance(a, np.ndarray):
            np.testing.assert_array_equal(a, b, err_msg=field.name)


def _assert_same_splits(a: SplitTable, b: SplitTable, name: str) -> None:
    for field in fields(SplitTable):
        np.testing.assert_array_equal(getattr(a, field.name), getattr(b, field.name), f"{name}.{field.name}")


def _assert_close(a: np.ndarray, b: np.ndarray, name: str, least: float) -> None:
    assert a.shape == b.shape, name
    if a.size:
        largest = np.nanmax(np.abs(a), axis=0, initial=max(least, 1.0))
        np.testing.assert_array_equal(np.isnan(a), np.isnan(b), err_msg=name)
        apart = np.abs(np.nan_to_num(a) - np.nan_to_num(b)) > 1e-12 * largest
        assert not apart.any(), f"{name}: {a[apart]} against {b[apart]}"


class Sample(NamedTuple):
    """One row as fractions: its value of one ordered feature, class number or target, weight in the search."""

    x: Fraction | float
    y: int | Fraction
    mass: Fraction


def samples_of(problem: Problem, j: int, rows: list[int]) -> list[Sample]:
    """Rows of a problem with classes or means as fractions, numeric or ordinal feature ``j`` known in all of them."""
    columns, response, exact, _ = problem
    out = []
    for r in rows:
        low = 0.0 if columns.low[j] is None else columns.low[j][r]
        value = float(columns.values[j][r])
        x = value if np.isinf(value) else Fraction(value) + Fraction(float(low))
        weight = Fraction(1 if exact.weight is None else int(exact.weight[r])) * Fraction(exact.unit)
        if response.kind == CLASSES:
            y = int(exact.codes[r])
            out.append(Sample(x, y, weight * Fraction(response.search_factors[y])))
        else:
            out.append(Sample(x, int(exact.high[r]) * Fraction(exact.scale), weight))
    return out


def impurity(samples: list[Sample], measure: str) -> Fraction:
    """Mass times Gini impurity, or sum of squares about the mean, by their definitions."""
    mass = sum(s.mass for s in samples)
    if measure == "variance":
        mean = sum(s.mass * s.y for s in samples) / mass
        return sum(s.mass * (s.y - mean) ** 2 for s in samples)
    shares = [sum(s.mass for s in samples if s.y == k) / mass for k in {s.y for s in samples}]
    return mass * sum(p * (1 - p) for p in shares)


def best_cut(samples: list[Sample], measure: str, least: int) -> Fraction | None:
    """Largest decrease that a cut with ``least`` rows on both sides reaches, None when there is no such cut."""
    whole = impurity(samples, measure)
    decreases = []
    for x in {s.x for s in samples}:
        below, above = [s for s in samples if s.x <= x], [s for s in samples if s.x > x]
        if min(len(below), len(above)) >= least and above:
            decreases.append(whole - impurity(below, measure) - impurity(above, measure))
    return max(decreases, default=None)


def is_ordered(feature: Feature) -> bool:
    """Whether a feature is cut by order."""
    return feature.kind in (NUMERIC, ORDINAL)
