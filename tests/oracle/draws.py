"""What nodes draw, in plain Python: a hash of the seed and of the branches taken from the root."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from boxwood.growing.draws import Draws

_GOLDEN, _ALL = 0x9E3779B97F4A7C15, 2**64 - 1
#: Branches of a node have the numbers below; features those from here on.
_MOST_BRANCHES = 3


def root_path(draws: Draws) -> int:
    """The hash of the root."""
    return _mix(draws.seed + _GOLDEN)


def path_below(path: int, branch: int) -> int:
    """The hash of a child."""
    return _mix(path + _GOLDEN * (branch + 1))


def draw_of(path: int, feature: int) -> int:
    """The hash of a feature at a node."""
    return path_below(path, feature + _MOST_BRANCHES)


def drawn_between(least: float, greatest: float, draw: int) -> float:
    """At least the lower value and below the upper one."""
    share = (path_below(draw, 0) >> 11) * 2.0**-53
    drawn = least * (1.0 - share) + greatest * share
    return drawn if least <= drawn < greatest else least


def drawn_sides(groups: int, draw: int) -> list[int]:
    """The branch of each of some groups, of which both have one."""
    for trial in count():
        sides = [path_below(path_below(draw, trial), g) & 1 for g in range(groups)]
        if len(set(sides)) == 2:
            return sides
    raise AssertionError


def inspected(draws: Draws, path: int, n_features: int) -> Iterator[list[int]]:
    """The features that a node inspects: some together, then one after the other."""
    if draws.max_features == 0:
        yield list(range(n_features))
        return
    order = sorted(range(n_features), key=lambda j: draw_of(path, j))
    yield sorted(order[: draws.max_features])
    for j in order[draws.max_features :]:
        yield [j]


def _mix(x: int) -> int:
    """The finaliser of splitmix64."""
    x &= _ALL
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & _ALL
    x = (x ^ x >> 27) * 0x94D049BB133111EB & _ALL
    return x ^ x >> 31
