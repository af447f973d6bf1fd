"""A tree as binary tests, the only kind that ONNX, treelite and shap support."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise

from .conditions import Between, Condition, IsMissing, NoneOf, OneOf
from .model_plan import PlanStep

#: More questions than these about the levels of one column are split in halves.
_LONG = 8


@dataclass(frozen=True)
class Question:
    """One question about one value.

    Attributes
    ----------
    column : int
    cut : float or None
        "Is the value at most this?"; None tests levels.
    levels : tuple of int
        "Is the level one of these?", places in the schema, rising.
    missing : bool
        The answer when there is no value.
    yes, no : Question or int
        What follows: another question, or an end.
    """

    column: int
    cut: float | None
    levels: tuple[int, ...]
    missing: bool
    yes: Question | int
    no: Question | int


def question_of(step: PlanStep, name: Callable[[int], int], rising: bool = False) -> Question | int:
    """The questions of a node.

    Parameters
    ----------
    step : PlanStep
    name : function of a target
        Its number as an end; several questions may lead to the same (see :func:`ends_of`).
    rising : bool
        Name levels that are decided already as well, where that makes the levels tested the first ones.
    """
    known = _Known({}, {} if rising else None)
    laid = [part for conditions, to in step.routes for part in _pieces(conditions, name(to), known)]
    rest: Question | int = name(step.otherwise)
    for part in reversed(laid):
        rest = part(rest)
    return rest if rising else _halved(rest)


def _halved(root: Question | int) -> Question | int:
    """The same questions, a long run about the levels of one column split in halves: splits can have many branches."""
    before: list[Question] = []
    item = root
    while isinstance(item, Question) and not _about_levels(item) and _goes_on(item) is not None:
        before.append(item)
        item = _goes_on(item)
    run: list[Question] = []
    rest = item
    while isinstance(rest, Question) and _about_levels(rest) and rest.column == item.column:
        run.append(rest)
        rest = rest.no
    if len(run) <= _LONG:
        return root
    found = _by_halves(run, rest)
    for question in reversed(before):
        found = replace(question, yes=found) if question.yes is _goes_on(question) else replace(question, no=found)
    return found


def _about_levels(question: Question) -> bool:
    """Whether a question tests levels, and a yes ends it."""
    return question.cut is None and not isinstance(question.yes, Question)


def _goes_on(question: Question) -> Question | None:
    """The one question that follows; None when two do, or none."""
    following = [answer for answer in (question.yes, question.no) if isinstance(answer, Question)]
    return following[0] if len(following) == 1 else None


def _by_halves(run: list[Question], rest: Question | int | None) -> Question | int:
    """Questions that are tested in turn, and what follows; None = one of them is known to hold."""
    if len(run) > 2:
        first, second = run[: len(run) // 2], run[len(run) // 2 :]
        levels = tuple(sorted({code for question in first for code in question.levels}))
        missing = any(question.missing for question in first)
        return Question(run[0].column, None, levels, missing, _by_halves(first, None), _by_halves(second, rest))
    if rest is None:
        *run, last = run
        rest = last.yes
    for question in reversed(run):
        rest = Question(question.column, None, question.levels, question.missing, question.yes, rest)
    return rest


def ends_of(question: Question | int) -> list[int]:
    """Every end that the questions lead to, as often as they do."""
    found, waiting = [], [question]
    while waiting:
        item = waiting.pop()
        if isinstance(item, Question):
            waiting += [item.no, item.yes]
        else:
            found.append(item)
    return found


def leads_twice(step: PlanStep) -> bool:
    """Whether several questions of a node lead to the same child."""
    ends = [end for end in ends_of(question_of(step, lambda to: to)) if end >= 0]
    return len(set(ends)) < len(ends)


def laid_out(
    root: Question | int,
    follow: Callable[[int], Question | int | None],
    shaped: Callable[[Question], Question] = lambda q: q,
) -> tuple[list[Question], list[tuple[int, int]]]:
    """The questions in order, the one after a yes right behind it, and where each answer leads.

    Parameters
    ----------
    root : Question or int
    follow : function of an end
        The question that replaces it; None = it is an end.
    shaped : function of a question
        The same question in the form that the target supports.

    Returns
    -------
    questions : list of Question
    links : list of (int, int)
        The number of the next question after yes and after no; ``~end`` for an end. When there is no question,
        there is no question and one link to the end.
    """
    questions: list[Question] = []
    links: list[list[int]] = []
    waiting: list[tuple[Question | int, int, int]] = [(root, -1, 0)]
    while waiting:
        item, above, answer = waiting.pop()
        while not isinstance(item, Question) and (after := follow(item)) is not None:
            item = after
        item = shaped(item) if isinstance(item, Question) else item
        place = ~item if not isinstance(item, Question) else len(questions)
        if above >= 0:
            links[above][answer] = place
        if isinstance(item, Question):
            waiting += [(item.no, place, 1), (item.yes, place, 0)]
            questions.append(item)
            links.append([0, 0])
        elif above < 0:
            links.append([place, place])
    return questions, [(yes, no) for yes, no in links]


class _Known:
    """What earlier questions of a step have taken away: numbers up to, and numbers above, a cut of each feature."""

    def __init__(self, decided: dict[int, list], levels: dict[int, set] | None):
        self._decided, self._levels = decided, levels

    def widened(self, feature: int, wanted: set[int]) -> set[int]:
        """The levels with those decided before, where together they are the first ones; marks them as decided."""
        if self._levels is None:
            return wanted
        decided = self._levels.setdefault(feature, set())
        decided |= wanted
        return set(decided) if decided == set(range(len(decided))) else wanted

    def narrowed(self, part: Between) -> Between:
        """The interval without the ends that need no test; marks it as decided."""
        decided = self._decided.setdefault(part.feature, [None, None])
        above, upto = part.above, part.upto
        low = None if above is not None and decided[0] is not None and decided[0] >= above else above
        high = None if upto is not None and decided[1] is not None and decided[1] <= upto else upto
        if low is None and high is None and above is not None and upto is not None:
            high = upto  # all that is left but what is missing
        if low is None and upto is not None:
            decided[0] = upto if decided[0] is None else max(decided[0], upto)
        if high is None and above is not None:
            decided[1] = above if decided[1] is None else min(decided[1], above)
        return Between(part.feature, low, high)


def _pieces(conditions: tuple[Condition, ...], to: int, known: _Known) -> list[Callable[[Question | int], Question]]:
    """The questions of one route to a target, each a function of what follows when the answer does not lead there."""
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
            return [lambda rest: Question(column, None, others, not missing, rest, to)]
        return [lambda rest: Question(column, math.inf, (), missing, to, rest)]
    if wanted:
        wanted = known.widened(column, wanted)
        return [lambda rest: Question(column, None, tuple(sorted(wanted)), missing, to, rest)]
    return [lambda rest: Question(column, math.inf, (), False, rest, to)] if missing else []


def _joined(intervals: list[Between]) -> list[Between]:
    """Intervals in rising order, those that touch made one."""
    rising = sorted(intervals, key=lambda part: (part.above is not None, part.above or 0.0))
    starts = [0, *(i + 1 for i, (a, b) in enumerate(pairwise(rising)) if a.upto != b.above), len(rising)]
    return [
        Between(rising[first].feature, rising[first].above, rising[last - 1].upto)
        for first, last in pairwise(starts)
        if last > first
    ]


def _of_interval(part: Between, to: int, missing: bool) -> Callable[[Question | int], Question]:
    """The question, or two, whether a number is in an interval."""
    column, low, high = part.feature, part.above, part.upto
    if low is None:
        return lambda rest: Question(column, math.inf if high is None else high, (), missing, to, rest)
    if high is None:
        return lambda rest: Question(column, low, (), not missing, rest, to)
    return lambda rest: Question(column, low, (), False, rest, Question(column, high, (), missing, to, rest))
