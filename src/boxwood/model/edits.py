"""The eight verbs of editing as records, and the entries of a log of edits: plain JSON values and their check."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar

from .._messages import Setting, Value, did_you_mean, must_be, shortened
from ..errors import ParameterError
from ..tree.marks import LONGEST
from ..views.words import plain

#: Longest condition and reason, most conditions of a split and most edits of a log.
_LONGEST_TEXT, _MOST_BRANCHES, MOST_EDITS = 10_000, 1_000, 10_000
#: What `Missing` names for a branch of missing values alone.
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
    node: int

    @property
    def words(self) -> str:
        """What is done, for notes and lists."""
        raise NotImplementedError

    @property
    def structural(self) -> bool:
        """Whether the nodes of the tree change."""
        return True

    def nodes_beside(self) -> tuple[int, ...]:
        """Numbers of the other nodes that it names."""
        return ()


@dataclass(frozen=True)
class Split(Verb):
    """Split a node by a condition in words, or as one of its competing splits would; the branches are leaves.

    Attributes
    ----------
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
class Prune(Verb):
    """Make a node a leaf."""

    name_of: ClassVar[str] = "prune"

    @property
    def words(self) -> str:
        return "pruned"


@dataclass(frozen=True)
class Grow(Verb):
    """Grow everything below a node anew, unpruned.

    Attributes
    ----------
    recipe : dict, optional
        ``algorithm`` and settings that differ from its defaults, by which it is grown; by default as in the fit.
    """

    name_of: ClassVar[str] = "grow"
    recipe: dict[str, Any] | None = field(default=None, hash=False)

    @property
    def words(self) -> str:
        return "grown below" if self.recipe is None else f"grown below by {self.recipe.get('algorithm', 'its algorithm')}"


@dataclass(frozen=True)
class Missing(Verb):
    """Send missing values of a split down one branch; its surrogates go.

    Attributes
    ----------
    to : int or "own"
        Number of the child that they go to, or a branch of their own.
    """

    name_of: ClassVar[str] = "missing"
    to: int | str = OWN

    @property
    def words(self) -> str:
        return "missing values to a branch of their own" if self.to == OWN else f"missing values to node {self.to}"

    def nodes_beside(self) -> tuple[int, ...]:
        return () if self.to == OWN else (int(self.to),)


@dataclass(frozen=True)
class Merge(Verb):
    """Merge a node with siblings of it, but not all, into one leaf.

    Attributes
    ----------
    siblings : tuple of int
        Numbers of the other nodes.
    """

    name_of: ClassVar[str] = "merge"
    siblings: tuple[int, ...] = ()

    @property
    def words(self) -> str:
        return f"merged with {', '.join(map(str, self.siblings))}"

    def nodes_beside(self) -> tuple[int, ...]:
        return self.siblings


@dataclass(frozen=True)
class Rename(Verb):
    """Name a leaf or a segment.

    Attributes
    ----------
    name : str
        The name; an empty one takes it away.
    """

    name_of: ClassVar[str] = "rename"
    name: str = ""

    @property
    def words(self) -> str:
        return f"named {shortened(self.name)}" if self.name else "without its name"

    @property
    def structural(self) -> bool:
        return False


@dataclass(frozen=True)
class Overrule(Verb):
    """Let a leaf predict something else; needs a reason (``why``).

    Attributes
    ----------
    prediction : label or float
        A class, which gets the probability 1, or a number.
    """

    name_of: ClassVar[str] = "overrule"
    prediction: Any = None

    @property
    def words(self) -> str:
        return f"overruled: {plain(str(self.prediction))}"

    @property
    def structural(self) -> bool:
        return False


@dataclass(frozen=True)
class Sign(Verb):
    """Sign a node, so that no pruning removes it; needs who signs (``who``)."""

    name_of: ClassVar[str] = "sign"
    node: int = 0

    @property
    def words(self) -> str:
        return "signed"

    @property
    def structural(self) -> bool:
        return False


#: By name, in the order of the command line.
VERBS: dict[str, type[Verb]] = {
    verb.name_of: verb for verb in (Split, Prune, Grow, Missing, Merge, Rename, Overrule, Sign)
}
_TEXTS = ("who", "when", "why")


@dataclass(frozen=True)
class Edit:
    """An entry of the log: what was done, by whom, when and why, at which node, and at what price.

    Attributes
    ----------
    verb : Verb
    who, when, why : str or None
        As the caller gave them.
    force : bool
        Whether nodes that were signed or overruled might go.
    path : tuple of str
        The conditions that lead to the node.
    others : tuple of str
        The conditions of the other nodes that the verb names.
    levels : dict of str to tuple
        The levels that the conditions are about, by feature.
    effect : tuple of float
        What the branches of a split predict.
    price : dict
        Figures of the tree before and after.
    """

    verb: Verb
    who: str | None = None
    when: str | None = None
    why: str | None = None
    force: bool = False
    path: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    levels: dict[str, tuple] = field(default_factory=dict, hash=False)
    effect: tuple[float, ...] = ()
    price: dict[str, Any] = field(default_factory=dict, hash=False)

    def to_json(self) -> dict[str, Any]:
        """As plain JSON values."""
        given = {name: value for name, value in vars(self.verb).items() if value is not None}
        lists = {name: list(value) if isinstance(value, tuple) else value for name, value in given.items()}
        about = {name: getattr(self, name) for name in _TEXTS if getattr(self, name) is not None}
        places = {name: list(getattr(self, name)) for name in ("path", "others") if getattr(self, name)}
        forced = {"force": True} if self.force else {}
        found = {"levels": {name: list(levels) for name, levels in self.levels.items()}, "effect": list(self.effect)}
        found = {name: value for name, value in (found | {"price": self.price}).items() if value}
        return {"verb": self.verb.name_of} | lists | about | forced | places | found

    @staticmethod
    def from_json(item: object, where: str) -> Edit:
        """An entry from plain JSON values.

        Raises
        ------
        ParameterError
            It is none; the message begins with ``where``.
        """
        if not isinstance(item, dict) or not isinstance(item.get("verb"), str):
            raise ParameterError(f"{where} must be an object with a verb, one of {', '.join(VERBS)}.")
        kind = VERBS.get(item["verb"])
        if kind is None:
            near = did_you_mean(item["verb"], list(VERBS))
            raise ParameterError(f"{where}: ", Value(item["verb"], shortened(item["verb"])), " is no verb", near)
        names = {f.name for f in fields(kind)}
        unknown = item.keys() - names - {"verb", *(f.name for f in fields(Edit))}
        if unknown:
            raise ParameterError(f"{where}: {item['verb']} has no field ", Value(min(unknown), shortened(min(unknown))), ".")
        given = {name: tuple(v) if isinstance(v := item[name], list) else v for name in names if name in item}
        if "node" not in given:
            raise ParameterError(f"{where}: the field 'node' is missing.")
        verb = checked_verb(kind(**given), f"{where}: ")
        about = {name: item.get(name) for name in _TEXTS}
        places = {name: _texts(item.get(name, []), f"{where}: {name}") for name in ("path", "others")}
        found = {"levels": _levels(item.get("levels", {}), where), "effect": _numbers(item.get("effect", []), where)}
        edit = Edit(verb, **about, force=item.get("force", False), **places, **found, price=item.get("price", {}))
        return checked_edit(edit, f"{where}: ")


def _texts(value: object, where: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(text, str) and len(text) <= _LONGEST_TEXT for text in value):
        raise ParameterError(f"{where} must be a list of texts.")
    return tuple(value)


def _levels(value: object, where: str) -> dict[str, tuple]:
    if not isinstance(value, dict) or not all(isinstance(levels, list) for levels in value.values()):
        raise ParameterError(f"{where}: levels must be lists by feature.")
    if not all(type(level) in (str, bool, int, float) for levels in value.values() for level in levels):
        raise ParameterError(f"{where}: a level must be a text, a truth value or a number.")
    return {name: tuple(levels) for name, levels in value.items()}


def _numbers(value: object, where: str) -> tuple[float, ...]:
    if not isinstance(value, list) or not all(type(number) in (int, float) for number in value):
        raise ParameterError(f"{where}: effect must be a list of numbers.")
    return tuple(map(float, value))


def _is_whole(value: object, least: int = 0) -> bool:
    return type(value) is int and least <= value < 2**31


def _is_text(value: object) -> bool:
    return isinstance(value, str) and len(value) <= _LONGEST_TEXT


def _is_finite(value: object) -> bool:
    return not isinstance(value, float) or math.isfinite(value)


#: What the fields of verbs may hold, and in words.
_FIELDS = {
    "node": (_is_whole, "a whole number of at least 0"),
    "condition": (
        lambda v: v is None or _is_text(v) or (isinstance(v, tuple) and 2 <= len(v) <= _MOST_BRANCHES and all(map(_is_text, v))),
        "a condition as text, or one for each branch",
    ),
    "competitor": (lambda v: v is None or _is_whole(v, 1), "a whole number of at least 1"),
    "recipe": (
        lambda v: v is None or (isinstance(v, dict) and all(map(_is_text, v))), "an object with an algorithm and settings",
    ),
    "to": (lambda v: v == OWN or _is_whole(v, 1), "the number of a child, or 'own'"),
    "siblings": (
        lambda v: isinstance(v, tuple) and len(v) > 0 and all(_is_whole(t, 1) for t in v), "the numbers of one or more siblings",
    ),
    "name": (lambda v: isinstance(v, str) and len(v) <= LONGEST, f"a text of at most {LONGEST} characters"),
    "prediction": (
        lambda v: type(v) in (str, bool, int, float) and _is_finite(v), "a label, or a finite number",
    ),
}  # fmt: skip


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
    if isinstance(verb, Split) and (verb.condition is None) == (verb.competitor is None) and not where:
        raise ParameterError("give either ", Setting("condition"), " or ", Setting("competitor"), ".")
    if isinstance(verb, Split) and verb.condition is None and verb.competitor is None:
        raise ParameterError(where, "a split needs a condition or a competitor.")
    return type(verb)(**given)


def _plain(value: Any) -> Any:
    """A value of numpy as one of Python; a list as a tuple."""
    if isinstance(value, list):
        value = tuple(value)
    return value.item() if hasattr(value, "item") and not isinstance(value, (list, tuple, dict)) else value


def checked_edit(edit: Edit, where: str = "") -> Edit:
    """The edit, with texts for who, when and why, and those that its verb needs.

    Raises
    ------
    ParameterError
    """
    for name in _TEXTS:
        value, most = getattr(edit, name), LONGEST if name == "who" else _LONGEST_TEXT
        if value is not None and (not isinstance(value, str) or not 0 < len(value) <= most):
            raise ParameterError(where, must_be(name, f"a text of 1 to {most:,} characters", value))
    if not isinstance(edit.force, bool):
        raise ParameterError(where, must_be("force", "True or False", edit.force))
    if not isinstance(edit.price, dict):
        raise ParameterError(where, "the price must be an object.")
    needed = {Overrule: "why", Sign: "who"}.get(type(edit.verb))
    if needed is not None and getattr(edit, needed) is None:
        raise ParameterError(where, f"the verb {edit.verb.name_of} needs ", Setting(needed), ".")
    return edit


def edits_from_json(items: object, what: str = "the log") -> tuple[Edit, ...]:
    """The entries of a log, in order.

    Raises
    ------
    ParameterError
        The message names the entry, counted from 1.
    """
    if not isinstance(items, list) or len(items) > MOST_EDITS:
        raise ParameterError(f"{what} must be a list of at most {MOST_EDITS:,} edits.")
    return tuple(Edit.from_json(item, f"edit {i} of {what}") for i, item in enumerate(items, 1))


def at_node(verb: Verb, node: int, **others: Any) -> Verb:
    """The same verb at another node."""
    return replace(verb, node=node, **others)
