"""Rules and explanations of rows of trees of several responses: those of each response, side by side."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import Any

from ..tree.tree import Tree
from .row_explanation import RowExplanation
from .rule import Rule
from .words import plain


@dataclass(frozen=True, eq=False)
class SeveralRule(Rule):
    """A rule that predicts several responses; ``each`` is the rule of each response, by name."""

    each: dict[str, Rule] = field(repr=False)

    @classmethod
    def beside(cls, tree: Tree, each: dict[str, Rule]) -> SeveralRule:
        """The rule of a leaf from the rules of each response."""
        predicted = ("value", "probability", "counts", "interval", "row_interval", "lift")
        return cls(**_of_first(each) | _by_response(each, predicted) | {"tree": tree, "each": each})

    @property
    def index(self) -> Any:
        return _by_response(self.each, ["index"])["index"]

    @property
    def confidence(self) -> Any:
        return _by_response(self.each, ["confidence"])["confidence"]

    def _value_words(self, article: str, verb: str) -> str:
        return " and ".join(one._value_words(article, verb) for one in self.each.values())

    def _numbers_lines(self) -> list[str]:
        return [f"{plain(name)}: {line}" for name, one in self.each.items() for line in one._numbers_lines()]


@dataclass(frozen=True, eq=False)
class SeveralRowExplanation(RowExplanation):
    """The path of a row with several responses; ``each`` is the explanation of each response, by name."""

    each: dict[str, RowExplanation] = field(repr=False)

    @classmethod
    def beside(cls, tree: Tree, each: dict[str, RowExplanation]) -> SeveralRowExplanation:
        """The path of a row from the explanations of each response."""
        together = zip(*(one.steps for one in each.values()), strict=True)
        changed = ("prediction", "interval", "contribution")
        steps = [
            replace(of_node[0], **_by_response(dict(zip(each, of_node, strict=True)), changed)) for of_node in together
        ]
        found = _of_first(each) | _by_response(each, ("prediction", "probability", "baseline"))
        return cls(**found | {"tree": tree, "each": each, "steps": tuple(steps)})

    @property
    def contributions(self) -> Any:
        found = {name: one.contributions for name, one in self.each.items()}
        features = next(iter(found.values()))
        return {feature: {name: of[feature] for name, of in found.items()} for feature in features}

    def _predicted_words(self) -> str:
        return ", ".join(one._predicted_words() for one in self.each.values())

    def _value_words(self, i: int) -> str:
        return ", ".join(f"{plain(name)} {one._value_words(i)}" for name, one in self.each.items())

    def _change_words(self, i: int) -> str:
        return ", ".join(f"{plain(name)} {one._change_words(i)}" for name, one in self.each.items())


def _of_first(each: dict[str, Any]) -> dict[str, Any]:
    """The fields of the first response's."""
    first = next(iter(each.values()))
    return {one.name: getattr(first, one.name) for one in fields(first)}


def _by_response(each: dict[str, Any], names: Any) -> dict[str, Any]:
    """Fields as dictionaries by response."""
    return {name: {response: getattr(one, name) for response, one in each.items()} for name in names}
