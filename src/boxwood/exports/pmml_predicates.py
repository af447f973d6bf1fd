"""Which rows go to a child, as a PMML predicate that is true, false or unknown exactly as the tree decides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from ..data.schema import NUMERIC
from ..errors import ParameterError
from ..tree.descend import majority_branch
from ..tree.tree import SHARED, STAYS, Tree
from .branches import Branches, Interval, branches_of, default_branch, stand_ins

#: PMML's own words for what decides when every child is unknown; the last means: each child says it itself.
DEFAULT_CHILD, LAST, WEIGHTED, NONE = "defaultChild", "lastPrediction", "weightedConfidence", "none"

#: The finite double next to infinity: PMML readers differ in how they spell infinity, none in this number.
_LARGEST = 1.7976931348623157e308

#: Arrays know fewer types than fields do.
_ARRAYS = {"string": "string", "integer": "int", "double": "real"}

#: A predicate: the name of its element, its attributes, and what stands inside it.
Predicate = tuple[str, dict, list]
TRUE: Predicate = ("True", {}, [])
FALSE: Predicate = ("False", {}, [])


def missing_strategy(tree: Tree) -> str:
    """The strategy for missing values that fits the whole tree, without what single nodes say themselves."""
    ends = {default_branch(tree, t) for t in range(tree.n_nodes) if not tree.is_leaf[t]}
    if SHARED in ends:
        return WEIGHTED
    if STAYS not in ends:
        return DEFAULT_CHILD
    return LAST if ends == {STAYS} else NONE


def compound(operator: str, parts: list[Predicate]) -> Predicate:
    """Several predicates as one; a single one stays what it is, and a chain of surrogates is one chain."""
    flat = []
    for part in parts:
        same = part[0] == "CompoundPredicate" and part[1]["booleanOperator"] == operator
        flat += part[2] if same else [part]
    return flat[0] if len(flat) == 1 else ("CompoundPredicate", {"booleanOperator": operator}, flat)


def _test(field: str, operator: str, value: str | None = None) -> Predicate:
    given = {} if value is None else {"value": value}
    return ("SimplePredicate", {"field": field, "operator": operator, **given}, [])


@dataclass(frozen=True)
class _Question:
    """A split in the chain that a node asks: the branch that takes values not listed, or whether these ask on."""

    branches: Branches
    taker: int | None
    asks_on: bool


@dataclass(frozen=True, eq=False)
class Predicates:
    """The predicates of a tree's nodes.

    Attributes
    ----------
    tree : Tree
    unseen : {"missing", "majority", "stay", "error"}
    strategy : str
        One of DEFAULT_CHILD, LAST, WEIGHTED and NONE; see :func:`missing_strategy`.
    fields : tuple of str
        Name of each feature in the document.
    values : tuple of tuple of str
        The levels of each feature as the document spells them.
    types : tuple of str
        Type of each feature's levels.
    """

    tree: Tree
    unseen: str
    strategy: str
    fields: tuple[str, ...]
    values: tuple[tuple[str, ...], ...]
    types: tuple[str, ...]

    def of_children(self, t: int) -> list[Predicate]:
        """One predicate for each child of node ``t``."""
        n, end = int(self.tree.n_children[t]), default_branch(self.tree, t)
        chain = [self._asked_first(t, n)]
        chain += [self._asked(branches_of(self.tree, self.tree.surrogates, s, n)) for s in stand_ins(self.tree, t)]
        if chain[-1].asks_on and end == SHARED:
            raise ParameterError(
                f"PMML cannot say that node {t} shares out a level or number that is there but was not seen at the "
                "node in training; choose unseen='majority' or unseen='stay' for this export."
            )
        if chain[-1].asks_on:
            chain[-1] = _Question(chain[-1].branches, None if end == STAYS else end, False)
        return [self._from(chain, c, self._said_at_last(end, c)) for c in range(n)]

    def _asked_first(self, t: int, n: int) -> _Question:
        """The split of a node, where the policy for unseen values may settle them at once."""
        branches = branches_of(self.tree, self.tree.splits, t, n)
        if self.unseen in ("majority", "stay"):
            return _Question(branches, int(self._heaviest[t]) if self.unseen == "majority" else None, False)
        return self._asked(branches)

    def _asked(self, branches: Branches) -> _Question:
        """A split that asks on when the value has no branch here."""
        return _Question(branches, None, bool(branches.unlisted) or self._meets_unseen(branches))

    def _meets_unseen(self, branches: Branches) -> bool:
        """Whether levels that training never had arrive as they are; otherwise they arrive as missing, or never."""
        return self.unseen in ("majority", "stay") and self.tree.schema[branches.feature].kind != NUMERIC

    @cached_property
    def _heaviest(self):
        return majority_branch(self.tree)

    def _said_at_last(self, end: int, c: int) -> Predicate | None:
        """What child ``c`` says when nothing decided: nothing where the strategy does, else true or false."""
        if self.strategy in (DEFAULT_CHILD, LAST) or end == SHARED:
            return None
        return TRUE if end == c else FALSE

    def _from(self, chain: list[_Question], c: int, at_last: Predicate | None) -> Predicate:
        """Child ``c`` by a chain of splits, built from its end."""
        said = at_last
        for asked in reversed(chain):
            here = self._goes(asked, c)
            if said is None:
                said = here
            elif not asked.asks_on:
                said = compound("surrogate", [here, said])
            else:
                # A value that is there but has no branch here must ask on; only a missing one is unknown by itself.
                field = self.fields[asked.branches.feature]
                undecided = compound("or", [_test(field, "isMissing"), self._unlisted(asked.branches)])
                known = compound("and", [_test(field, "isNotMissing"), here])
                said = compound("or", [known, compound("and", [undecided, said])])
        return said

    def _goes(self, asked: _Question, c: int) -> Predicate:
        """Whether the value belongs to branch ``c``; unknown when it is missing."""
        branches = asked.branches
        if self.tree.schema[branches.feature].kind == NUMERIC:
            return self._inside(branches.feature, branches.with_unlisted(asked.taker).parts[c])
        others = [code for d, part in enumerate(branches.parts) if d != c for code in part]
        complete = not branches.unlisted and not self._meets_unseen(branches)
        if asked.taker == c or (complete and 0 < len(others) < len(branches.parts[c])):
            return self._one_of(branches.feature, others, False)
        return self._one_of(branches.feature, branches.parts[c], True)

    def _unlisted(self, branches: Branches) -> Predicate:
        """Whether the value has no branch at a split."""
        if self.tree.schema[branches.feature].kind == NUMERIC:
            return self._inside(branches.feature, branches.unlisted)
        return self._one_of(branches.feature, [code for part in branches.parts for code in part], False)

    def _inside(self, feature: int, parts: tuple) -> Predicate:
        """Whether a number is in one of some intervals."""
        field = self.fields[feature]
        tests = [_inside(field, part) for part in parts]
        return compound("or", tests) if tests else compound("and", _both_sides(field))

    def _one_of(self, feature: int, codes: Sequence[int], wanted: bool) -> Predicate:
        """Whether a level is among some (or is not), unknown when it is missing."""
        field, values = self.fields[feature], [self.values[feature][code] for code in sorted(codes)]
        if not values:
            either = [_test(field, operator, self.values[feature][0]) for operator in ("equal", "notEqual")]
            return compound("and" if wanted else "or", either)
        kind = _ARRAYS.get(self.types[feature])
        alone = len(values) == 1 and kind != "real"  # a reader rounds a single fraction, but not one in an array
        if alone or kind is None or any(_hard_to_list(value) for value in values):
            operator, joined = ("equal", "or") if wanted else ("notEqual", "and")
            return compound(joined, [_test(field, operator, value) for value in values])
        text = " ".join(f'"{value}"' if kind == "string" else value for value in values)
        array = ("Array", {"n": str(len(values)), "type": kind}, [text])
        operator = "isIn" if wanted else "isNotIn"
        return ("SimpleSetPredicate", {"field": field, "booleanOperator": operator}, [array])


def _hard_to_list(value: str) -> bool:
    """Whether readers of arrays may cut a text differently: then it is compared as an attribute instead."""
    return value == "" or value != value.strip() or any(c in value for c in '"\\') or not value.isprintable()


def _inside(field: str, part: Interval) -> Predicate:
    """Whether a number is inside an interval, unknown when it is missing."""
    tests = []
    if part.low is not None:
        tests.append(_above(field, part.low))
    if part.high is not None:
        tests.append(_up_to(field, part.high))
    return compound("and", tests) if tests else compound("or", _both_sides(field))


def _above(field: str, cut: float) -> Predicate:
    """X > cut."""
    if cut == float("-inf"):
        return _test(field, "greaterOrEqual", repr(-_LARGEST))
    return _test(field, "greaterThan", repr(cut))


def _up_to(field: str, cut: float) -> Predicate:
    """X <= cut."""
    if cut == float("-inf"):
        return _test(field, "lessThan", repr(-_LARGEST))
    return _test(field, "lessOrEqual", repr(cut))


def _both_sides(field: str) -> list[Predicate]:
    """Two tests of which every number passes exactly one."""
    return [_test(field, "lessOrEqual", "0.0"), _test(field, "greaterThan", "0.0")]
