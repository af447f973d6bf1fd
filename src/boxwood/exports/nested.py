"""Nested ifs for Python, C and JavaScript, which differ only in their syntax."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..tree.tree import SHARED, STAYS
from .conditions import AllOf, Condition
from .model_plan import NodePlan, PlanStep

#: Levels of nested ifs in one function; below, another function goes on.
LEVELS = 10


@dataclass(frozen=True)
class Signs:
    """How a language writes a program of ifs.

    Attributes
    ----------
    condition : function of a Condition
    either, both : str
        "or" and "and" between conditions.
    begin, again, otherwise, end : str
        ``if``, ``else if`` (with a place for the condition), ``else``, and the line that closes; "" for none.
    back : str
        Return, with a place for a number.
    call : str
        Return what the part of a node returns, with a place for its number.
    choose : function of (list of (condition, number), number)
        Lines that set ``branch`` to the number of the first condition that holds, else to the last number.
    """

    condition: Callable[[Condition], str]
    either: str
    both: str
    begin: str
    again: str
    otherwise: str
    end: str
    back: str
    call: str
    choose: Callable[[list[tuple[str, int]], int], list[str]]

    def any_of(self, conditions: tuple[Condition, ...]) -> str:
        """Conditions of which one is enough."""
        return f" {self.either} ".join(map(self._all_of, conditions))

    def _all_of(self, c: Condition) -> str:
        if not isinstance(c, AllOf):
            return self.condition(c)
        tests = [self.condition(part) for part in c.parts]
        return f" {self.both} ".join(f"({test})" if f" {self.either} " in test else test for test in tests)


@dataclass(frozen=True)
class Nest:
    """Writes the parts of a plan; a shared-out node t is returned as ``-t - 1``."""

    plan: NodePlan
    signs: Signs
    roots: frozenset[int]

    def part(self, root: int) -> list[str]:
        """The body of the function that begins at node ``root``."""
        return self._step(self.plan.steps[root])

    def _step(self, step: PlanStep) -> list[str]:
        signs, targets = self.signs, step.targets
        if len(targets) == 1:  # nothing to test
            return self._go(step.node, targets[0])
        if step.is_plain:
            lines, tests = [], [signs.any_of(conditions) for conditions, _ in step.routes]
        else:
            number_of = {to: number for number, to in enumerate(targets)}
            lines = signs.choose([(signs.any_of(c), number_of[to]) for c, to in step.routes], number_of[step.otherwise])
            tests = [f"branch == {number}" for number in range(len(targets) - 1)]
        for number, to in enumerate(targets):
            opening = signs.otherwise if number == len(targets) - 1 else signs.again if number else signs.begin
            lines.append(opening.format(tests[number] if number < len(tests) else ""))
            lines += [f"    {line}" for line in self._go(step.node, to)]
        return lines + [signs.end] * bool(signs.end)

    def _go(self, here: int, to: int) -> list[str]:
        if to == STAYS:
            return [self.signs.back.format(here)]
        if to == SHARED:
            return [self.signs.back.format(-here - 1)]
        if to not in self.plan.steps:
            return [self.signs.back.format(to)]
        return [self.signs.call.format(to)] if to in self.roots else self._step(self.plan.steps[to])


def nest(plan: NodePlan, signs: Signs) -> Nest:
    """The parts of a plan in a language; ``roots`` lists the nodes at which they begin."""
    return Nest(plan, signs, frozenset(plan.roots_of_parts(LEVELS)))


def braces(condition: Callable[[Condition], str], constant: str) -> Signs:
    """The signs of C and JavaScript.

    Parameters
    ----------
    condition : function of a Condition
    constant : str
        What precedes the name of a constant.
    """

    def choose(routes: list[tuple[str, int]], last: int) -> list[str]:
        return [f"{constant} branch =", *(f"    {test} ? {number} :" for test, number in routes), f"    {last};"]

    signs = ("if ({}) {{", "}} else if ({}) {{", "}} else {{", "}", "return {};", "return node_{}(x);")
    return Signs(condition, "||", "&&", *signs, choose)
