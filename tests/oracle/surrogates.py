"""The reference search for surrogates: splits of other features that route rows like the primary (docs/rpart.md)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from boxwood.data.columns.schema import NOMINAL, Schema
from boxwood.growing.draft import Draft, Key
from boxwood.growing.recipe import Recipe
from oracle.tally import NodeRows

#: A surrogate must beat the majority rule by more than this.
LEAST_ADJUSTED = 1e-10
#: Rows on each side that make a surrogate admissible.
LEAST_ROWS = 2


@dataclass(frozen=True)
class Surrogate:
    """A surrogate split, the share of weight it sends as the primary does, and the same over the majority rule."""

    split: Draft
    agreement: Fraction
    adjusted: Fraction


@dataclass(frozen=True)
class Sent:
    """Where the primary split sends a node's rows: ``rows`` are those it knows, ``branch`` is 0, 1 or None by row."""

    rows: NodeRows
    branch: dict[int, int]
    weight: Callable[[NodeRows], int]

    def sides(self, rows: NodeRows) -> tuple[int, int]:
        """Weight of the rows sent to branch 0 and to branch 1."""
        return tuple(self.weight([r for r in rows if self.branch[r] == c]) for c in (0, 1))

    def heavier(self, rows: NodeRows) -> int | None:
        """Branch with more weight, None when equal."""
        zero, one = self.sides(rows)
        return None if zero == one else int(one > zero)


def find_surrogates(
    schema: Schema, keys: list[list[Key | None]], primary: Draft, sent: Sent, recipe: Recipe
) -> list[Surrogate]:
    """Surrogates of a primary split in order of trial: by falling agreement, equal ones in column order."""
    policy = recipe.missing
    found = []
    for j, feature in enumerate(schema):
        both = [r for r in sent.rows if keys[j][r] is not None]
        if j == primary.feature or not both or not recipe.constraints.may_replace(primary.feature, j):
            continue
        if feature.kind == NOMINAL:
            best = _by_level(feature, keys[j], both, sent, recipe)
        else:
            best = _by_cut(feature, keys[j], both, sent, recipe.has_short_cuts(j))
        if best is None:
            continue
        index, breaks, agreed = best
        zero, one = sent.sides(sent.rows if policy.style == 0 else both)
        agreement, majority = Fraction(agreed, zero + one), Fraction(max(zero, one), zero + one)
        if majority == 1 or (agreement - majority) / (1 - majority) <= LEAST_ADJUSTED:
            continue
        adjusted = (agreement - majority) / (1 - majority)
        found.append(Surrogate(Draft(j, breaks, index), agreement, adjusted))
    return sorted(found, key=lambda s: -s.agreement)[: policy.max_surrogates]


def _by_cut(feature, keys, both: NodeRows, sent: Sent, is_short: bool) -> tuple[tuple, tuple, int] | None:
    """The cut that agrees most, in either direction; it must agree more than routing all rows to one branch.

    Cuts lie between neighbouring values of all rows of the node, also of rows that the primary does not know: those
    are the rows that the surrogate will send, and rpart does so too.
    """
    best, most = None, max(sent.sides(both))
    values = sorted({keys[r] for r in sent.branch if keys[r] is not None})
    for a, b in pairwise(values):
        below, above = [r for r in both if keys[r] <= a], [r for r in both if keys[r] > a]
        if min(len(below), len(above)) < LEAST_ROWS:
            continue
        (below_0, below_1), (above_0, above_1) = sent.sides(below), sent.sides(above)
        for agreed, index in ((below_0 + above_1, (0, 1)), (below_1 + above_0, (1, 0))):
            if agreed > most:
                best, most = (index, (feature.type.cut_between(a, b, is_short),), agreed), agreed
    return best


def _by_level(feature, keys, both: NodeRows, sent: Sent, recipe: Recipe) -> tuple[tuple, tuple, int] | None:
    """Every level to its heavier side; a tie to the overall heavier side, and to branch 1 when that ties too.

    Levels that a split would pool, because few rows have them, go to one side together.
    """
    quirk, branching = recipe.missing.rpart_quirk, recipe.branching
    least = branching.min_samples_level if len(feature.levels) > branching.pool_above else 1
    overall = sent.heavier(both)
    fallback = 1 if overall is None else overall
    rows_of = [[r for r in both if keys[r] == (code,)] for code in range(len(feature.levels))]
    pool = [r for rows in rows_of for r in rows if len(rows) < least]
    index = []
    for rows in rows_of:
        side = sent.heavier(pool if len(rows) < least else rows)
        index.append(-1 if not rows else fallback if side is None else side)
    to = {r: index[keys[r][0]] for r in both}
    agreeing = [r for r in both if to[r] == sent.branch[r]]
    sizes = [len(agreeing), len(both) - len(agreeing)] if quirk else [sum(b == c for b in to.values()) for c in (0, 1)]
    return (tuple(index), (), sent.weight(agreeing)) if min(sizes) >= LEAST_ROWS else None
