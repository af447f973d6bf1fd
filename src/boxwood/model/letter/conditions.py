"""The steps of a row down a tree as sentences of a language."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from ...data.columns.columns import Columns
from ...data.columns.kinds.kind import ByKind
from ...data.columns.schema import Feature
from ...tree.split import SplitTable
from ...tree.trace import DEFAULT, HEAVIEST, MISSING, SHARES, STAYED, SURROGATE, VALUE, Trace
from ...tree.tree import Tree
from ...views.figures import percent
from ...views.intervals import values_of_branch
from ...views.kinds import VALUE_WORDS
from ...views.words import level, plain
from .sentences import LetterSentences

#: How a value of each kind that is written in English becomes one of a language.
_TRANSLATED: ByKind[Callable[[LetterSentences, str], str]] = ByKind(
    numeric=LetterSentences.number,
    ordinal=lambda _, text: text,
    nominal=lambda _, text: text,
    temporal=lambda _, text: text,
)


@dataclass(frozen=True, eq=False)
class StepWords:
    """LetterSentences about the steps of rows; those about a branch are kept."""

    tree: Tree
    sentence: LetterSentences
    kept: dict[tuple, str] = field(default_factory=dict)

    def step(self, steps: Trace, s: int, columns: Columns) -> str:
        """What decided at a step, which is not at a leaf."""
        t, decided, branch = int(steps.node[s]), int(steps.decided[s]), int(steps.branch[s])
        if decided == VALUE:
            words = self.condition(self.tree.splits, t, branch)
        else:
            words = self._without_value(steps, s, columns)
        share = float(steps.share[s])
        return (
            words
            if share == 1.0
            else self.sentence("part", condition=words, share=self.sentence.number(percent(share)))
        )

    def _without_value(self, steps: Trace, s: int, columns: Columns) -> str:
        """The same where the value is missing or new."""
        t, decided, branch = int(steps.node[s]), int(steps.decided[s]), int(steps.branch[s])
        j, row = int(self.tree.splits.feature[t]), int(steps.row[s])
        name = self.name(j)
        missing = steps.met[s] == MISSING
        reason = (
            self.sentence("missing", name=name)
            if missing
            else self.sentence("unseen", name=name, value=self.value(columns, j, row))
        )
        if decided == SURROGATE:
            at = int(self.tree.surrogate_start[t]) + int(steps.surrogate[s])
            condition = self.condition(self.tree.surrogates, at, branch)
            return self.sentence("surrogate", reason=reason, condition=condition)
        if decided in (DEFAULT, HEAVIEST):
            condition = self.condition(self.tree.splits, t, branch)
            return self.sentence("default", reason=reason, condition=condition) if condition else reason
        return self.sentence({SHARES: "shares", STAYED: "stays"}[decided], reason=reason)

    def condition(self, table: SplitTable, s: int, branch: int) -> str:
        """Which known values go down a branch of split ``s`` of a table; "" if none do."""
        key = (table is self.tree.splits, s, branch)
        if key not in self.kept:
            self.kept[key] = self._condition(self.tree.schema[int(table.feature[s])], table, s, branch)
        return self.kept[key]

    def _condition(self, feature: Feature, table: SplitTable, s: int, branch: int) -> str:
        intervals, codes = values_of_branch(feature, table, s, branch)
        words, name = VALUE_WORDS.of(feature), self.sentence.name(plain(feature.name))
        listed = words.listed(feature, intervals, codes)
        if listed:
            if len(listed) == 1:
                return self.sentence("is", name=name, value=self._translated(feature, listed[0]))
            values = [self._translated(feature, text) for text in listed]
            return self.sentence("one_of", name=name, values=self.sentence.joined(values, "or"))
        found = []
        for above, upto in intervals:
            ends = {"above": above, "upto": upto}
            texts = {key: self._translated(feature, words.value(feature, *end)) for key, end in ends.items() if end}
            which = {("above",): "above", ("upto",): "at_most", ("above", "upto"): "between", (): "known"}[tuple(texts)]
            found.append(self.sentence(which, name=name, **texts))
        return self.sentence.joined(found, "or") if found else ""

    def name(self, j: int) -> str:
        """What a feature is called."""
        return self.sentence.name(plain(self.tree.schema[j].name))

    def value(self, columns: Columns, j: int, row: int) -> str:
        """The value of feature ``j`` in a row."""
        feature, value = columns.schema[j], columns.values[j][row]
        if columns.missing(j)[row]:
            return self.sentence("not_given")
        if not feature.type.known(value):
            new = columns.unseen.get(feature.name, {})
            return level(next(iter(new))) if len(new) == 1 else self.sentence("new_value")
        low = 0.0 if columns.low[j] is None else float(columns.low[j][row])
        return self._translated(feature, VALUE_WORDS.of(feature).value(feature, float(value), low))

    def given(self, feature: Feature, value: object) -> str:
        """A value of a feature as users give it; None is missing."""
        if value is None:
            return self.sentence("not_given")
        return self._translated(feature, VALUE_WORDS.of(feature).given(feature, value))

    def _translated(self, feature: Feature, text: str) -> str:
        return _TRANSLATED.of(feature)(self.sentence, text)
