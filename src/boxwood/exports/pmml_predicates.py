"""Which rows go to a child, as a PMML predicate that is true, false or unknown exactly as the tree decides."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from ..data.columns.schema import NUMERIC
from ..tree.plan import majority_branch
from ..tree.split import SplitTable
from ..tree.tree import STAYS
from .conditions import Between, Condition, answers
from .plan import ExportPlan
from .pmml_elements import Element
from .pmml_fields import Fields

#: PMML's own words for what decides when every child is unknown: a branch, or that the row stays.
DEFAULT_CHILD, LAST = "defaultChild", "lastPrediction"

#: The finite double next to infinity: PMML readers differ in how they spell infinity, none in this number.
_LARGEST = 1.7976931348623157e308

#: Arrays know fewer types than fields do.
_ARRAYS = {"string": "string", "integer": "int", "double": "real"}

TRUE, FALSE = Element("True", {}), Element("False", {})


def missing_strategy(plan: ExportPlan) -> str:
    """The strategy of the whole tree; where rows stay at some nodes, the others choose their branch by predicates.

    (Not "none": there, a comparison with a missing value is false, so that a chain of surrogates might not go on.)
    """
    return LAST if any(plan.default(t) == STAYS for t in plan.steps) else DEFAULT_CHILD


def compound(operator: str, parts: list[Element]) -> Element:
    """Several predicates as one; a single one stays what it is, and a chain of surrogates is one chain."""
    flat: list[Element] = []
    for part in parts:
        same = part.attributes.get("booleanOperator") == operator and part.name == "CompoundPredicate"
        flat += part.inside if same else [part]
    return flat[0] if len(flat) == 1 else Element("CompoundPredicate", {"booleanOperator": operator}, tuple(flat))


@dataclass(frozen=True)
class _Question:
    """A split in the chain of a node.

    Attributes
    ----------
    feature : int
    routes : dict of int to list
        Branch -> its conditions.
    unlisted : list
        The conditions under which a known value has no branch.
    taker : int or None
        The branch that takes such values; None = no branch does.
    goes_on : bool
        Such values go on to the next split of the chain.
    """

    feature: int
    routes: dict[int, list[Condition]]
    unlisted: list[Condition]
    taker: int | None
    goes_on: bool

    @property
    def listed(self) -> list[int]:
        """Levels that have a branch."""
        return [code for conditions in self.routes.values() for c in conditions for code in c.levels]

    def resolved(self, taker: int | None) -> _Question:
        """The same split at the end of its chain."""
        return _Question(self.feature, self.routes, self.unlisted, taker, False)


@dataclass(frozen=True, eq=False)
class Predicates:
    """The predicates of a tree's nodes; no node shares rows out.

    Attributes
    ----------
    plan : ExportPlan
    fields : Fields
    strategy : str
        DEFAULT_CHILD or LAST; see :func:`missing_strategy`.
    """

    plan: ExportPlan
    fields: Fields
    strategy: str

    def of_children(self, t: int) -> list[Element]:
        """One predicate for each child of node ``t``."""
        tree = self.plan.tree
        end = self.plan.default(t)
        chain = [self._first_question(t)]
        surrogates = range(int(tree.surrogate_start[t]), int(tree.surrogate_start[t + 1]))
        chain += [self._question(tree.surrogates, s) for s in surrogates]
        if chain[-1].goes_on:
            chain[-1] = chain[-1].resolved(None if end == STAYS else end)
        return [self._from(chain, c, self._at_the_end(end, c)) for c in range(int(tree.n_children[t]))]

    def _first_question(self, t: int) -> _Question:
        """The split of a node, where the policy for unseen values may resolve them at once."""
        question = self._question(self.plan.tree.splits, t)
        if self.plan.unseen == "majority":
            return question.resolved(int(self._heaviest[t]))
        return question.resolved(None) if self.plan.unseen == "stay" else question

    def _question(self, table: SplitTable, s: int) -> _Question:
        """A split that leaves the value to the next one when it has no branch here."""
        j = int(table.feature[s])
        routes, unlisted = answers(self.plan.tree.schema[j], table, s)
        question = _Question(j, routes, unlisted, None, True)
        if self._is_numeric(j):
            return question if unlisted else question.resolved(None)
        return question if self._may_be_new(question) else question.resolved(None)

    def _may_be_new(self, question: _Question) -> bool:
        """Whether a known level can arrive that has no branch."""
        count = len(self.plan.tree.schema[question.feature].levels)
        return self.fields.arrive_as_they_are or len(question.listed) < count

    def _is_numeric(self, j: int) -> bool:
        return self.plan.tree.schema[j].kind == NUMERIC

    @cached_property
    def _heaviest(self):
        return majority_branch(self.plan.tree)

    def _at_the_end(self, end: int, c: int) -> Element | None:
        """The predicate of child ``c`` when nothing decided: nothing where the strategy does, else true or false."""
        if self.strategy == DEFAULT_CHILD or end == STAYS:
            return None
        return TRUE if end == c else FALSE

    def _from(self, chain: list[_Question], c: int, rest: Element | None) -> Element:
        """Child ``c`` by a chain of splits, built from its end."""
        for question in reversed(chain):
            here = self._goes(question, c)
            if rest is None:
                rest = here
            elif not question.goes_on:
                rest = compound("surrogate", [here, rest])
            else:
                # A value without a branch here goes on to the next split; only a missing one is unknown by itself.
                field = self.fields.of_feature[question.feature].name
                undecided = compound("or", [_test(field, "isMissing"), self._unlisted(question)])
                known = compound("and", [_test(field, "isNotMissing"), here])
                rest = compound("or", [known, compound("and", [undecided, rest])])
        return rest

    def _goes(self, question: _Question, c: int) -> Element:
        """Whether the value belongs to branch ``c``; unknown when it is missing."""
        here = question.routes.get(c, [])
        if self._is_numeric(question.feature):
            return self._inside(question.feature, [*here, *(question.unlisted if question.taker == c else [])])
        mine = [code for condition in here for code in condition.levels]
        others = [code for code in question.listed if code not in set(mine)]
        shorter = not self._may_be_new(question) and 0 < len(others) < len(mine)
        if question.taker == c or shorter:
            return self._one_of(question.feature, others, False)
        return self._one_of(question.feature, mine, True)

    def _unlisted(self, question: _Question) -> Element:
        """Whether a known value has no branch at a split."""
        if self._is_numeric(question.feature):
            return self._inside(question.feature, question.unlisted)
        return self._one_of(question.feature, question.listed, False)

    def _inside(self, feature: int, parts: list[Between]) -> Element:
        """Whether a number is in one of some intervals."""
        field = self.fields.of_feature[feature].name
        tests = [_inside(field, part) for part in parts]
        return compound("or", tests) if tests else compound("and", _both_sides(field))

    def _one_of(self, feature: int, codes: Iterable[int], wanted: bool) -> Element:
        """Whether a level is among some (or is not), unknown when it is missing."""
        field = self.fields.of_feature[feature]
        values = [field.levels[code] for code in sorted(codes)]
        if not values:
            either = [_test(field.name, operator, field.levels[0]) for operator in ("equal", "notEqual")]
            return compound("and" if wanted else "or", either)
        kind = _ARRAYS.get(field.type)
        alone = len(values) == 1 and kind != "real"  # a reader rounds a single fraction, but not one in an array
        if alone or kind is None or any(_hard_to_list(value) for value in values):
            operator, joined = ("equal", "or") if wanted else ("notEqual", "and")
            return compound(joined, [_test(field.name, operator, value) for value in values])
        text = " ".join(f'"{value}"' if kind == "string" else value for value in values)
        array = Element("Array", {"n": str(len(values)), "type": kind}, (text,))
        operator = "isIn" if wanted else "isNotIn"
        return Element("SimpleSetPredicate", {"field": field.name, "booleanOperator": operator}, (array,))


def _hard_to_list(value: str) -> bool:
    """Whether readers of arrays may cut a text differently: then it is compared as an attribute instead."""
    return value == "" or value != value.strip() or any(c in value for c in '"\\') or not value.isprintable()


def _test(field: str, operator: str, value: str | None = None) -> Element:
    given = {} if value is None else {"value": value}
    return Element("SimplePredicate", {"field": field, "operator": operator, **given})


def _inside(field: str, part: Between) -> Element:
    """Whether a number is inside an interval, unknown when it is missing."""
    if part.upto == float("inf"):
        part = Between(part.feature, part.above, None)
    if part.above == float("inf"):
        return compound("and", _both_sides(field))
    tests = [] if part.above is None else [_test(field, *above(part.above))]
    tests += [] if part.upto is None else [_test(field, *up_to(part.upto))]
    return compound("and", tests) if tests else compound("or", _both_sides(field))


def above(cut: float) -> tuple[str, str]:
    """Operator and value of x > cut."""
    return ("greaterOrEqual", repr(-_LARGEST)) if cut == float("-inf") else ("greaterThan", repr(cut))


def up_to(cut: float) -> tuple[str, str]:
    """Operator and value of x <= cut."""
    return ("lessThan", repr(-_LARGEST)) if cut == float("-inf") else ("lessOrEqual", repr(cut))


def _both_sides(field: str) -> list[Element]:
    """Two tests of which every number passes exactly one."""
    return [_test(field, "lessOrEqual", "0.0"), _test(field, "greaterThan", "0.0")]
