"""The eight verbs of editing as records, and what their fields may hold."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from .._messages import Setting, must_be, shortened
from ..errors import ParameterError
from ..tree.marks import LONGEST
from ..views.words import plain

#: Longest condition, path or reason, and most conditions of a split.
LONGEST_TEXT, _MOST_BRANCHES = 1_000_000, 1_000
#: What `SendMissing` names for a branch of missing values alone.
OWN = "own"


@dataclass(frozen=True)
class Verb:
    """What is done to one node.

    Attributes
    ----------
    node : int
        Its number in the tree.
    """

    name_of: ClassVar[str] = ""
    #: Whether the nodes of the tree change.
    structural: ClassVar[bool] = True
    node: int

    @property
    def words(self) -> str:
        """What is done, for notes and lists."""
        raise NotImplementedError

    @property
    def beside(self) -> tuple[int, ...]:
        """Numbers of the other nodes that it names."""
        return ()


@dataclass(frozen=True)
class SplitNode(Verb):
    """Split a node by a condition in words, or as one of its competing splits would; the branches are leaves.

    Attributes
    ----------
    node : int
        Its number in the tree.
    condition : str or tuple of str, optional
        Rows that fulfil it go down the first branch, others down the second; or the condition of each branch.
    competitor : int, optional
        Number of a competing split that the node keeps, from 1.
    """

    name_of: ClassVar[str] = "split"
    condition: str | tuple[str, ...] | None = None
    competitor: int | None = None

    @property
    def words(self) -> str:
        if self.condition is None:
            return f"split as competitor {self.competitor}"
        given = (self.condition,) if isinstance(self.condition, str) else self.condition
        return f"split by {' | '.join(shortened(one) for one in given)}"


@dataclass(frozen=True)
class PruneNode(Verb):
    """Make a node a leaf.

    Attributes
    ----------
    node : int
        Its number in the tree.
    """

    name_of: ClassVar[str] = "prune"

    @property
    def words(self) -> str:
        return "pruned"


@dataclass(frozen=True)
class GrowBelow(Verb):
    """Grow everything below a node anew, unpruned.

    Attributes
    ----------
    node : int
        Its number in the tree.
    recipe : dict, optional
        ``algorithm`` and settings that differ from its defaults, by which it is grown; by default as in the fit.
    """

    name_of: ClassVar[str] = "grow"
    recipe: dict[str, Any] | None = field(default=None, hash=False)

    @property
    def words(self) -> str:
        return "grown below" if self.recipe is None else f"grown below by {self.recipe.get('algorithm', 'it')}"


@dataclass(frozen=True)
class SendMissing(Verb):
    """Send missing values of a split down one branch; its surrogates go.

    Attributes
    ----------
    node : int
        Its number in the tree.
    to : int or "own"
        Number of the child that they go to, or a branch of their own.
    """

    name_of: ClassVar[str] = "missing"
    to: int | str = OWN

    @property
    def words(self) -> str:
        return "missing values to a branch of their own" if self.to == OWN else f"missing values to node {self.to}"

    @property
    def beside(self) -> tuple[int, ...]:
        return () if self.to == OWN else (int(self.to),)


@dataclass(frozen=True)
class MergeNodes(Verb):
    """Merge a node with siblings of it, but not all, into one leaf.

    Attributes
    ----------
    node : int
        Its number in the tree.
    siblings : tuple of int
        Numbers of the other nodes.
    """

    name_of: ClassVar[str] = "merge"
    siblings: tuple[int, ...] = ()

    @property
    def words(self) -> str:
        return f"merged with {', '.join(map(str, self.siblings))}"

    @property
    def beside(self) -> tuple[int, ...]:
        return self.siblings


@dataclass(frozen=True)
class RenameNode(Verb):
    """Name a leaf or a segment.

    Attributes
    ----------
    node : int
        Its number in the tree.
    name : str
        The name; an empty one takes it away.
    """

    name_of: ClassVar[str] = "rename"
    structural: ClassVar[bool] = False
    name: str = ""

    @property
    def words(self) -> str:
        return f"named {shortened(self.name)}" if self.name else "without its name"


@dataclass(frozen=True)
class OverruleLeaf(Verb):
    """Let a leaf predict something else; needs a reason (``why``).

    Attributes
    ----------
    node : int
        Its number in the tree.
    prediction : label or float
        A class, which gets the probability 1, or a number.
    """

    name_of: ClassVar[str] = "overrule"
    structural: ClassVar[bool] = False
    prediction: Any = None

    @property
    def words(self) -> str:
        return f"overruled: {plain(str(self.prediction))}"


@dataclass(frozen=True)
class SignNode(Verb):
    """Sign a node, so that no pruning removes it; needs who signs (``who``).

    Attributes
    ----------
    node : int
        Its number in the tree.
    """

    name_of: ClassVar[str] = "sign"
    structural: ClassVar[bool] = False
    node: int = 0

    @property
    def words(self) -> str:
        return "signed"


#: By name, in the order of the command line.
_VERBS = (SplitNode, PruneNode, GrowBelow, SendMissing, MergeNodes, RenameNode, OverruleLeaf, SignNode)
VERBS: dict[str, type[Verb]] = {verb.name_of: verb for verb in _VERBS}


def _is_whole(value: object, least: int = 0) -> bool:
    return type(value) is int and least <= value < 2**31


def is_text(value: object, most: int = LONGEST_TEXT) -> bool:
    """Whether this is a text of at most so many characters, which a file can hold: without halves of pairs."""
    return isinstance(value, str) and len(value) <= most and not any("\ud800" <= c <= "\udfff" for c in value)


def _are_texts(value: object) -> bool:
    return isinstance(value, tuple) and 2 <= len(value) <= _MOST_BRANCHES and all(map(is_text, value))


def _are_nodes(value: object) -> bool:
    return isinstance(value, tuple) and len(value) > 0 and all(_is_whole(t, 1) for t in value)


def _is_recipe(value: object) -> bool:
    return isinstance(value, dict) and all(map(is_text, value)) and isinstance(value.get("algorithm", ""), str)


def _is_finite(value: object) -> bool:
    return math.isfinite(value) if isinstance(value, float) else not isinstance(value, int) or abs(value) < 2**1023


#: What the fields of verbs may hold, and in words.
_FIELDS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "node": (_is_whole, "a whole number of at least 0"),
    "condition": (lambda v: v is None or is_text(v) or _are_texts(v), "a condition as text, or one for each branch"),
    "competitor": (lambda v: v is None or _is_whole(v, 1), "a whole number of at least 1"),
    "recipe": (lambda v: v is None or _is_recipe(v), "an object with an algorithm and settings"),
    "to": (lambda v: v == OWN or _is_whole(v, 1), "the number of a child, or 'own'"),
    "siblings": (lambda v: _are_nodes(v), "the numbers of one or more siblings"),
    "name": (lambda v: is_text(v, LONGEST), f"a text of at most {LONGEST} characters"),
    "prediction": (lambda v: type(v) in (str, bool, int, float) and _is_finite(v), "a label, or a finite number"),
}


def checked_verb(verb: Verb, where: str = "") -> Verb:
    """The verb, whose fields are of the right kinds; numbers of numpy are made plain.

    Raises
    ------
    ParameterError
        The message begins with ``where``.
    """
    given = {name: _plain(value) for name, value in vars(verb).items()}
    for name, value in given.items():
        allowed, words = _FIELDS[name]
        if not allowed(value):
            raise ParameterError(where, must_be(name, words, value))
    if isinstance(verb, SplitNode) and (verb.condition is None) == (verb.competitor is None) and not where:
        raise ParameterError("give either ", Setting("condition"), " or ", Setting("competitor"), ".")
    if isinstance(verb, SplitNode) and verb.condition is None and verb.competitor is None:
        raise ParameterError(where, "a split needs a condition or a competitor.")
    return type(verb)(**given)


def _plain(value: Any) -> Any:
    """A value of numpy as one of Python; a list as a tuple."""
    if isinstance(value, list):
        value = tuple(value)
    return value.item() if hasattr(value, "item") and not isinstance(value, (list, tuple, dict)) else value


def at_node(verb: Verb, node: int, **others: Any) -> Verb:
    """The same verb at another node."""
    return replace(verb, node=node, **others)
