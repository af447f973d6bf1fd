"""The entries of a log of edits: what was done, by whom, when and why; to and from plain JSON values."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

from .._messages import Setting, Value, must_be, shortened
from .._spelling import did_you_mean
from ..errors import ParameterError
from ..tree.marks import LONGEST
from .edits import LONGEST_TEXT, VERBS, OverruleLeaf, SignNode, Verb, checked_verb, is_text

#: Most edits of a log.
MOST_EDITS = 10_000
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
            raise ParameterError(f"{where} is not an object with a verb, one of {', '.join(VERBS)}.")
        kind = VERBS.get(item["verb"])
        if kind is None:
            near = did_you_mean(item["verb"], list(VERBS))
            raise ParameterError(f"{where}: ", Value(item["verb"], shortened(item["verb"])), " is no verb", near)
        names = {f.name for f in fields(kind)}
        unknown = item.keys() - names - {"verb", *(f.name for f in fields(Edit))}
        if unknown:
            first = Value(min(unknown), shortened(min(unknown)))
            raise ParameterError(f"{where}: {item['verb']} has no field ", first, ".")
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
    if not isinstance(value, list) or not all(map(is_text, value)):
        raise ParameterError(f"{where} is not a list of texts.")
    return tuple(value)


def _levels(value: object, where: str) -> dict[str, tuple]:
    if not isinstance(value, dict) or not all(isinstance(levels, list) for levels in value.values()):
        raise ParameterError(f"{where}: levels must be lists by feature.")
    if not all(type(level) in (str, bool, int, float) for levels in value.values() for level in levels):
        raise ParameterError(f"{where}: a level must be a text, a truth value or a number.")
    return {name: tuple(levels) for name, levels in value.items()}


def _numbers(value: object, where: str) -> tuple[float, ...]:
    if not isinstance(value, list) or not all(_is_number(number) for number in value):
        raise ParameterError(f"{where}: effect must be a list of numbers.")
    return tuple(map(float, value))


def _is_number(value: object) -> bool:
    """Whether this is a number that a float can hold."""
    return type(value) is float or (type(value) is int and abs(value) < 2**1023)


def checked_edit(edit: Edit, where: str = "") -> Edit:
    """The edit, with texts for who, when and why, and those that its verb needs.

    Raises
    ------
    ParameterError
    """
    for name in _TEXTS:
        value, most = getattr(edit, name), LONGEST if name == "who" else LONGEST_TEXT
        if value is not None and not (value and is_text(value, most)):
            raise ParameterError(where, must_be(name, f"a text of 1 to {most:,} characters", value))
    if not isinstance(edit.force, bool):
        raise ParameterError(where, must_be("force", "True or False", edit.force))
    if not isinstance(edit.price, dict):
        raise ParameterError(where, "the price must be an object.")
    needed = {OverruleLeaf: "why", SignNode: "who"}.get(type(edit.verb))
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
        raise ParameterError(f"{what} is not a list of at most {MOST_EDITS:,} edits.")
    return tuple(Edit.from_json(item, f"edit {i} of {what}") for i, item in enumerate(items, 1))
