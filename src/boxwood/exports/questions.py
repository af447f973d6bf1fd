"""A tree as binary tests, the only kind that ONNX, treelite and shap support."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise

from .conditions import Between, Condition, IsMissing, NoneOf, OneOf
from .model_plan import PlanStep

#: More questions than these about the levels of one column are asked by halves.
_LONG = 8


@dataclass(frozen=True)
class Ask:
    """One question about one value.

    Attributes
    ----------
    column : int
    cut : float or None
        "Is the value at most this?"; None asks for levels.
    levels : tuple of int
        "Is the level one of these?", places in the schema, rising.
    missing : bool
        The answer when there is no value.
    yes, no : Ask or int
        What follows: another question, or an end.
    """

    column: int
    cut: float | None
    levels: tuple[int, ...]
    missing: bool
    yes: Ask | int
    no: Ask | int


def asked(step: PlanStep, name: Callable[[int], int], rising: bool = False) -> Ask | int:
    """The questions of a node.

    Parameters
    ----------
    step : PlanStep
    name : function of a target
        The number that stands for it as an end; several questions may lead to the same (see :func:`ends_of`).
    rising : bool
        Name levels that are decided already as well, where that makes the levels asked for the first ones.
    """
    known = _Known({}, {} if rising else None)
    laid = [part for conditions, to in step.ways for part in _pieces(conditions, name(to), known)]
    rest: Ask | int = name(step.otherwise)
    for part in reversed(laid):
        rest = part(rest)
    return rest if rising else _halved(rest)


def _halved(root: Ask | int) -> Ask | int:
    """The same questions, a long run about the levels of one column asked by halves: splits can have many branches."""
    before: list[Ask] = []
    item = root
    while isinstance(item, Ask) and not _about_levels(item) and _goes_on(item) is not None:
        before.append(item)
        item = _goes_on(item)
    run: list[Ask] = []
    rest = item
    while isinstance(rest, Ask) and _about_levels(rest) and rest.column == item.column:
        run.append(rest)
        rest = rest.no
    if len(run) <= _LONG:
        return root
    found = _by_halves(run, rest)
    for ask in reversed(before):
        found = replace(ask, yes=found) if ask.yes is _goes_on(ask) else replace(ask, no=found)
    return found


def _about_levels(ask: Ask) -> bool:
    """Whether a question asks for levels, and a yes ends it."""
    return ask.cut is None and not isinstance(ask.yes, Ask)


def _goes_on(ask: Ask) -> Ask | None:
    """The one question that follows; None when two do, or none."""
    following = [answer for answer in (ask.yes, ask.no) if isinstance(answer, Ask)]
    return following[0] if len(following) == 1 else None


def _by_halves(run: list[Ask], rest: Ask | int | None) -> Ask | int:
    """Questions that are asked in turn, and what follows; None = one of them is known to hold."""
    if len(run) > 2:
        first, second = run[: len(run) // 2], run[len(run) // 2 :]
        levels = tuple(sorted({code for ask in first for code in ask.levels}))
        missing = any(ask.missing for ask in first)
        return Ask(run[0].column, None, levels, missing, _by_halves(first, None), _by_halves(second, rest))
    if rest is None:
        *run, last = run
        rest = last.yes
    for ask in reversed(run):
        rest = Ask(ask.column, None, ask.levels, ask.missing, ask.yes, rest)
    return rest


def ends_of(question: Ask | int) -> list[int]:
    """Every end that the questions lead to, as often as they do."""
    found, waiting = [], [question]
    while waiting:
        item = waiting.pop()
        if isinstance(item, Ask):
            waiting += [item.no, item.yes]
        else:
            found.append(item)
    return found


def leads_twice(step: PlanStep) -> bool:
    """Whether several questions of a node lead to the same child."""
    ends = [end for end in ends_of(asked(step, lambda to: to)) if end >= 0]
    return len(set(ends)) < len(ends)


def laid_out(
    root: Ask | int, follow: Callable[[int], Ask | int | None], shaped: Callable[[Ask], Ask] = lambda ask: ask
) -> tuple[list[Ask], list[tuple[int, int]]]:
    """The questions in order, the one after a yes right behind it, and where each answer leads.

    Parameters
    ----------
    root : Ask or int
    follow : function of an end
        What stands in its place; None = it is an end.
    shaped : function of a question
        The same question as the target can ask it.

    Returns
    -------
    questions : list of Ask
    links : list of (int, int)
        The number of the next question after yes and after no; ``~end`` for an end. When there is nothing to ask,
        there is no question and one link to the end.
    """
    questions: list[Ask] = []
    links: list[list[int]] = []
    waiting: list[tuple[Ask | int, int, int]] = [(root, -1, 0)]
    while waiting:
        item, above, answer = waiting.pop()
        while not isinstance(item, Ask) and (after := follow(item)) is not None:
            item = after
        item = shaped(item) if isinstance(item, Ask) else item
        place = ~item if not isinstance(item, Ask) else len(questions)
        if above >= 0:
            links[above][answer] = place
        if isinstance(item, Ask):
            waiting += [(item.no, place, 1), (item.yes, place, 0)]
            questions.append(item)
            links.append([0, 0])
        elif above < 0:
            links.append([place, place])
    return questions, [(yes, no) for yes, no in links]


class _Known:
    """What earlier questions of a step have taken away: numbers up to, and numbers above, a cut of each feature."""

    def __init__(self, gone: dict[int, list], levels: dict[int, set] | None):
        self._gone, self._levels = gone, levels

    def widened(self, feature: int, wanted: set[int]) -> set[int]:
        """The levels with those that are gone, where together they are the first ones; from now on they are gone."""
        if self._levels is None:
            return wanted
        gone = self._levels.setdefault(feature, set())
        gone |= wanted
        return set(gone) if gone == set(range(len(gone))) else wanted

    def narrowed(self, part: Between) -> Between:
        """The interval without the ends that need no asking; from now on it is gone too."""
        gone = self._gone.setdefault(part.feature, [None, None])
        above, upto = part.above, part.upto
        low = None if above is not None and gone[0] is not None and gone[0] >= above else above
        high = None if upto is not None and gone[1] is not None and gone[1] <= upto else upto
        if low is None and high is None and above is not None and upto is not None:
            high = upto  # all that is left but what is missing
        if low is None and upto is not None:
            gone[0] = upto if gone[0] is None else max(gone[0], upto)
        if high is None and above is not None:
            gone[1] = above if gone[1] is None else min(gone[1], above)
        return Between(part.feature, low, high)


def _pieces(conditions: tuple[Condition, ...], to: int, known: _Known) -> list[Callable[[Ask | int], Ask]]:
    """The questions of one way to a target, each a function of what follows when the answer does not lead there."""
    column = conditions[0].feature
    missing = any(isinstance(c, IsMissing) for c in conditions)
    intervals = _joined([c for c in conditions if isinstance(c, Between)])
    if intervals:
        parts = [known.narrowed(part) for part in intervals]
        return [_of_interval(part, to, missing and i == len(parts) - 1) for i, part in enumerate(parts)]
    wanted = {code for c in conditions if isinstance(c, OneOf) for code in c.levels}
    refused = [set(c.levels) for c in conditions if isinstance(c, NoneOf)]
    if refused:
        others = tuple(sorted(set.intersection(*refused) - wanted))
        known.widened(column, wanted)
        if others:
            return [lambda rest: Ask(column, None, others, not missing, rest, to)]
        return [lambda rest: Ask(column, math.inf, (), missing, to, rest)]
    if wanted:
        wanted = known.widened(column, wanted)
        return [lambda rest: Ask(column, None, tuple(sorted(wanted)), missing, to, rest)]
    return [lambda rest: Ask(column, math.inf, (), False, rest, to)] if missing else []


def _joined(intervals: list[Between]) -> list[Between]:
    """Intervals in rising order, those that touch made one."""
    rising = sorted(intervals, key=lambda part: (part.above is not None, part.above or 0.0))
    starts = [0, *(i + 1 for i, (a, b) in enumerate(pairwise(rising)) if a.upto != b.above), len(rising)]
    return [
        Between(rising[first].feature, rising[first].above, rising[last - 1].upto)
        for first, last in pairwise(starts)
        if last > first
    ]


def _of_interval(part: Between, to: int, missing: bool) -> Callable[[Ask | int], Ask]:
    """The question, or two, whether a number is in an interval."""
    column, low, high = part.feature, part.above, part.upto
    if low is None:
        return lambda rest: Ask(column, math.inf if high is None else high, (), missing, to, rest)
    if high is None:
        return lambda rest: Ask(column, low, (), not missing, rest, to)
    return lambda rest: Ask(column, low, (), False, rest, Ask(column, high, (), missing, to, rest))
