"""A sum of terms in the form from which exports are written, and what all languages share of it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from ..data.columns.schema import Schema
from .conditions import Condition, IsMissing, OneOf
from .model_plan import ModelPlan

#: Directions of a factor: max(0, x - cut), max(0, cut - x), x itself.
RIGHT, LEFT, LINEAR = 1, -1, 2


@dataclass(frozen=True)
class Input:
    """One number that is computed from a feature.

    Attributes
    ----------
    feature : int
    tests : tuple of Condition
        1 if one of these holds, else 0; empty: the number, or the place of the level, counted from 1.
    fill : float
        The number of a missing value, where such rows are not refused.
    """

    feature: int
    tests: tuple[Condition, ...] = ()
    fill: float = 0.0


@dataclass(frozen=True, eq=False)
class SumPlan(ModelPlan):
    """K sums of M terms, each a coefficient times a product of factors; a factor is an input or a hinge of one.

    Attributes
    ----------
    schema : Schema
    response_name : str
    labels : tuple
    inputs : tuple of Input
        Those that occur in a term.
    terms : tuple of tuple of (int, int, float)
        Factors of each term: number of the input, direction, cut; none for the first term, the constant.
    coefficients : tuple of tuple of float
        By term, then by sum.
    logistic : bool
        Whether sums are log odds; else those of classes are shares, cut to 0 and 1.
    title : str
    refuse_missing, refuse_unseen : bool
    """

    refuse_infinite = True

    schema: Schema
    response_name: str
    labels: tuple
    inputs: tuple[Input, ...]
    terms: tuple[tuple[tuple[int, int, float], ...], ...]
    coefficients: tuple[tuple[float, ...], ...]
    logistic: bool
    title: str
    refuse_missing: bool
    refuse_unseen: bool

    @cached_property
    def features(self) -> list[int]:
        """Features of the inputs, in column order."""
        return sorted({each.feature for each in self.inputs})

    @property
    def n_sums(self) -> int:
        """K; two classes have one sum, of the second class."""
        return len(self.coefficients[0])

    @property
    def width(self) -> int:
        """K; 1 for classes."""
        return 1 if self.labels else self.n_sums

    @property
    def sum_names(self) -> list[str]:
        """What each sum means."""
        if self.labels:
            kind = "log odds of" if self.logistic else "share of"
            return [f"{kind} {label}" for label in (self.labels if self.n_sums > 1 else self.labels[-1:])]
        one = self.n_sums == 1
        return [self.response_name] if one else [f"{self.response_name}[{k}]" for k in range(self.n_sums)]

    @property
    def has_hinges(self) -> bool:
        """Whether a factor is a hinge."""
        return any(direction != LINEAR for factors in self.terms for _, direction, _ in factors)

    def cuts(self, j: int) -> list[float | int]:
        """The knots of a numeric feature but 0, next to which products underflow: an error in PostgreSQL."""
        found = {
            cut for factors in self.terms for i, direction, cut in factors
            if direction != LINEAR and cut and self.inputs[i].feature == j and not self.inputs[i].tests
        }  # fmt: skip
        return sorted(found) if not self.schema[j].levels else []


@dataclass(frozen=True)
class Arithmetic:
    """How a language writes the sums of a plan.

    Attributes
    ----------
    number : function of a float
        A literal that is read back as the same double, and may follow an operator.
    value : function of an int
        The number of a feature that is not missing.
    any_of : function of conditions
        Whether one of them holds.
    choose : function of (list of (test, value), value)
        The value of the first test that holds, else the last value.
    hinge : function of two expressions
        Their difference where it is above 0, else 0.
    name : function of an int
        The name of an input.
    """

    number: Callable[[float], str]
    value: Callable[[int], str]
    any_of: Callable[[tuple[Condition, ...]], str]
    choose: Callable[[list[tuple[str, str]], str], str]
    hinge: Callable[[str, str], str]
    name: Callable[[int], str] = "c{}".format

    def input(self, plan: SumPlan, i: int) -> str:
        """An input as an expression."""
        each, number = plan.inputs[i], self.number
        j = each.feature
        if each.tests:
            return self.choose([(self.any_of(each.tests), number(1.0))], number(0.0))
        levels = range(len(plan.schema[j].levels))
        if levels:
            return self.choose([(self.any_of((OneOf(j, (v,)),)), number(v + 1.0)) for v in levels], number(each.fill))
        if plan.refuse_missing:
            return self.value(j)
        return self.choose([(self.any_of((IsMissing(j),)), number(each.fill))], self.value(j))

    def sum(self, plan: SumPlan, k: int) -> list[str]:
        """A sum, one term a line, each with its sign in front."""
        lines = [self.number(plan.coefficients[0][k])]
        for factors, row in zip(plan.terms[1:], plan.coefficients[1:], strict=True):
            product = " * ".join(self._factor(*factor) for factor in factors)
            product = f"({product})" if len(factors) > 1 else product
            sign = "-" if math.copysign(1.0, row[k]) < 0 else "+"
            lines.append(f"{sign} {self.number(abs(row[k]))} * {product}")
        return lines

    def _factor(self, i: int, direction: int, cut: float) -> str:
        value, at = self.name(i), self.number(cut)
        if direction == LINEAR:
            return value
        return self.hinge(value, at) if direction == RIGHT else self.hinge(at, value)


def signed(literal: str) -> str:
    """A number that may follow an operator."""
    return f"({literal})" if literal.startswith("-") else literal
